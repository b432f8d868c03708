"""Why a run cannot be kept, or not be resumed."""

from __future__ import annotations

from graphwright_runtime.errors import RefusedError


class TamperedError(RefusedError):
    """`line` is the first bad one, from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line} {reason}")
        self.line = line


class UnkeepableError(RefusedError):
    """There is no place for the log of a run, or for the key that signs it."""
