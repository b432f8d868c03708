"""Why a run cannot be kept, or not be resumed."""

from __future__ import annotations

from graphwright_runtime.errors import RefusedError


class TamperedError(RefusedError):
    """`line` is the first bad one, from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line} {reason}")
        self.line = line


class UnusableLogError(RefusedError):
    """The log of a run is missing, cannot be read, is not what the run wrote, or is signed by an unknown key."""


class UnkeepableError(RefusedError):
    """There is no place for the log of a run, or for the key that signs it."""
