"""Reads environment files: lines `NAME=value`, as shells and container tools write them."""

from __future__ import annotations

from pathlib import Path

from graphwright.content import content_of
from graphwright.pattern import pattern

_ASSIGNMENT = pattern(r"(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*(.*)")


class MalformedLine(ValueError):  # noqa: N818 - it names the line
    """A line that is neither an assignment nor a comment. `str()` has its file and number."""


def read_environment(file: Path) -> dict[str, str]:
    """The variables in a file. Raises OSError and `MalformedLine`."""
    found: dict[str, str] = {}
    for number, line in enumerate(content_of(file).decode("utf-8-sig", "replace").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        match = _ASSIGNMENT.fullmatch(text)
        if match is None:
            raise MalformedLine(f"{file}:{number}: expected `NAME=value`")
        value = match[2]
        quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
        found[match[1]] = value[1:-1] if quoted else value
    return found
