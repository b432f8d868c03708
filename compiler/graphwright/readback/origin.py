"""Whether the source of a module is what the module was built from."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal, TypeAlias

from graphwright.content import content_of
from graphwright.readback.module import ModuleOutline

#: `unknown`: the module does not say from which text it was built.
SourceState: TypeAlias = Literal["unchanged", "changed", "missing", "unreadable", "unknown"]


def source_state(module: ModuleOutline, project: Path) -> SourceState:
    """How the source of a module in `project` compares to the text that it was built from."""
    if not module.header.digest or not module.source:
        return "unknown"
    try:
        text = content_of(project / module.source).decode("utf-8-sig")
    except FileNotFoundError:
        return "missing"
    except (OSError, ValueError):
        return "unreadable"
    # as the emitter takes it: of the text, whatever its lines end with
    digest = hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()
    return "unchanged" if digest == module.header.digest else "changed"
