"""Determines whether the source of a module has changed since the module was built."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal, TypeAlias

from graphwright.content import content_of
from graphwright.readback.module import ModuleOutline

#: `unknown`: the module does not contain the digest of its source.
SourceState: TypeAlias = Literal["unchanged", "changed", "missing", "unreadable", "unknown"]


def source_state(module: ModuleOutline, project: Path) -> SourceState:
    """The state of a module's source in `project`, compared with when the module was built."""
    if not module.header.digest or not module.source:
        return "unknown"
    try:
        text = content_of(project / module.source).decode("utf-8-sig")
    except FileNotFoundError:
        return "missing"
    except (OSError, ValueError):
        return "unreadable"
    # like the emitter, compute the digest of the text, regardless of line endings
    digest = hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()
    return "unchanged" if digest == module.header.digest else "changed"
