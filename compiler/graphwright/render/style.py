"""Colored output for terminals."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import IO

from graphwright.diagnostic import Severity

_RESET = "\x1b[0m"
_BOLD, _RED, _YELLOW, _CYAN, _BLUE = "\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[1;34m"
_CHANGED = {"-": _RED, "+": _CYAN, "@": _BLUE}
_SEVERITY = {Severity.ERROR: _RED, Severity.WARNING: _YELLOW, Severity.NOTE: _CYAN}


class Paint:
    """Adds color to text, or returns it unchanged without `colour`. `severity` selects the color of a diagnostic."""

    def __init__(self, colour: bool, severity: Severity = Severity.NOTE) -> None:
        self._colour = colour
        self._severity = _SEVERITY[severity]

    def strong(self, text: str) -> str:
        """Text to emphasize."""
        return self._wrap(_BOLD, text)

    def gutter(self, text: str) -> str:
        """Line numbers, rules and arrows."""
        return self._wrap(_BLUE, text)

    def severe(self, text: str) -> str:
        """The severity and code of a diagnostic."""
        return self._wrap(self._severity, text)

    def stroke(self, text: str, *, primary: bool) -> str:
        """A mark below a line, or the text of a mark."""
        return self._wrap(self._severity if primary else _BLUE, text)

    def changed(self, line: str) -> str:
        """A line of a unified diff."""
        return self._wrap(_CHANGED[line[0]], line) if line[:1] in _CHANGED else line

    def _wrap(self, code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if self._colour and text else text


def wants_colour(stream: IO[str], choice: str, environment: Mapping[str, str] | None = None) -> bool:
    """Whether to color output to `stream`. `choice` is always, never or auto (terminals, unless NO_COLOR is set)."""
    if choice != "auto":
        return choice == "always"
    environment = os.environ if environment is None else environment
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    return stream.isatty()
