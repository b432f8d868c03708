"""Digests of tools, so that cached results are only used for the same code.

Only tools that consist of one file without other state have a digest. Results of closures, methods and installed tools
are not cached across processes.
"""

from __future__ import annotations

import hashlib
import inspect
from pathlib import Path
from types import FunctionType, ModuleType

from graphwright_runtime.content import content_of
from graphwright_runtime.graph import GraphRecord


def code_digest(tool: object) -> str | None:
    """The digest of a callable or graph that was passed to a run; None if it has none."""
    graph = getattr(tool, "GRAPH", None) if isinstance(tool, ModuleType) else tool
    if isinstance(graph, GraphRecord):
        return f"graph {graph.hash}"
    if not isinstance(tool, FunctionType) or tool.__closure__ or tool.__defaults__ or tool.__kwdefaults__:
        return None
    file = inspect.getsourcefile(tool)
    return None if file is None else file_digest(Path(file), tool.__qualname__)


def file_digest(file: Path, name: str = "") -> str | None:
    """The digest of a file, and the name of the part that is used; None if it cannot be read."""
    try:
        return f"file {hashlib.sha256(content_of(file)).hexdigest()} {name}".rstrip()
    except (OSError, ValueError):
        return None
