"""Internal errors (GW901): one line that says what happened and how to report it, instead of a traceback."""

from __future__ import annotations

import os
import traceback
from pathlib import Path

from graphwright.diagnostic import Diagnostic, Severity, Span

#: The environment variable that adds the traceback, which a bug report needs.
SWITCH = "GRAPHWRIGHT_TRACEBACK"

#: The maximum number of characters of the exception's message that are shown.
_LONGEST = 200


def internal_error(error: Exception, path: str) -> Diagnostic:
    """The diagnostic for an unexpected exception while `path` was processed."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    advice = (
        f"this is a bug in graphwright, not in your file; set {SWITCH}=1, run the command again and report the output"
    )
    if os.environ.get(SWITCH):
        advice = "".join(traceback.format_exception(error))
    what = " ".join(str(error).split())
    message = f"internal error: {type(error).__name__}: {what[:_LONGEST]}{'…' * (len(what) > _LONGEST)}{place}"
    return Diagnostic("GW901", Severity.ERROR, Span(path, 1, 1, 1, 1), message, help=advice)
