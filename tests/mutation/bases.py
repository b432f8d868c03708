"""The clean graphs that mistakes are made in: the examples, and larger ones in `graphs/`."""

from __future__ import annotations

from pathlib import Path

from checking import check_files
from graphwright.diagnostic import Diagnostic

ROOT = Path(__file__).parents[2]


def _read(top: Path, pattern: str) -> dict[str, str]:
    return {path.relative_to(top).as_posix(): path.read_text("utf-8") for path in sorted(top.glob(pattern))}


#: Every clean graph by its path.
BASES: dict[str, str] = {
    **_read(ROOT / "examples", "*/.ai/tools/*/*.yaml"),
    **_read(Path(__file__).parent, "graphs/**/*.yaml"),
}


def check(path: str, text: str) -> list[Diagnostic]:
    """What is reported of a base whose text was changed; the others are there to be called."""
    return [one for one in check_files({**BASES, path: text}, path) if one.span.path == path]
