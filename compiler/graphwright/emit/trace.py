"""Finds the line of a template from which a line of a module comes, if a project's templates produce an invalid one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from graphwright.emit.layout.text import laid_out
from graphwright.emit.model import ModuleCode
from graphwright.emit.templates import render
from graphwright.project.projects import shown

_SIGN: Final = "\x1d"
_NOTE: Final = re.compile(f"{_SIGN}([^{_SIGN}]*):([0-9]+){_SIGN}")


class Trace(Extension):
    """Inserts a note with the template and the line before all text and every value in a template."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """The tokens of a template with notes inserted."""
        for token in stream:
            note = f"{_SIGN}{stream.name}:%d{_SIGN}"
            if token.type == "data":
                lines = str(token.value).split("\n")
                noted = [f"{note % (token.lineno + number)}{line}" for number, line in enumerate(lines)]
                yield Token(token.lineno, "data", "\n".join(noted))
                continue
            if token.type == "variable_begin":
                yield Token(token.lineno, "data", note % token.lineno)
            yield token


def culprit(module: ModuleCode, templates: Path, line: int | None = None) -> str:
    """The location in a project's templates that caused a problem, such as `layout/node.j2:4`.

    This is the last line, up to the `line` of the module, that the built-in templates do not produce; otherwise the
    origin of the line; otherwise, for a built-in template or an unknown line, the first difference of the modules.
    """
    lines: list[str] = []
    places: list[list[tuple[str, int]]] = []
    for noted in render(module, templates, traced=True).split("\n"):
        found = [(match[1], int(match[2])) for match in _NOTE.finditer(noted)]
        lines.append(_NOTE.sub("", noted))
        places.append(found or places[-1])
    built_in = render(module).split("\n")
    usual = frozenset(built_in)
    candidates: list[int] = []
    if line is not None:
        origin = _origin(lines, line)
        candidates = [next((number for number in range(origin, -1, -1) if lines[number] not in usual), origin), origin]
    pairs = enumerate(zip(lines, built_in, strict=False))
    candidates += [number for number, (theirs, ours) in pairs if theirs != ours]
    for number in candidates:
        for name, at in reversed(places[number]):
            if (templates / name).is_file():
                return f"{shown(templates / name)}:{at}"
    return shown(templates)


def _origin(lines: Sequence[str], line: int) -> int:
    """The rendered line for a line of the module; the layout only depends on the lines above."""
    return bisect_left(range(len(lines) - 1), line, key=lambda last: laid_out("\n".join(lines[: last + 1])).count("\n"))
