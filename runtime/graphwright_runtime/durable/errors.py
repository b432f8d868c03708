"""Errors about runs that cannot be recorded or resumed."""

from __future__ import annotations

from graphwright_runtime.errors import RefusedError


class TamperedError(RefusedError):
    """A log that was changed; `line` is the number of the first bad line, from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line} {reason}")
        self.line = line


class UnusableLogError(RefusedError):
    """The log of a run is missing, cannot be read, is not what the run wrote, or is signed by an unknown key."""


class UnkeepableError(RefusedError):
    """The log of a run, or the key that signs it, cannot be created."""
