"""Reads the lines of a log safely: reading stops early in a line that cannot be valid, whatever its size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

#: The beginning of every line.
BEGIN: Final = b'{"event_type":"'
#: Number of bytes of a long line to read at once.
_PIECE: Final = 1 << 20
_NULLS: Final = bytes(_PIECE)


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of an open log.

    A line longer than a piece is only read on while it looks like a valid one. Null bytes, which a power failure can
    leave at the end of a file (possibly more than the disk has space for), are shortened to one.
    """
    while line := file.readline(_PIECE):
        if len(line) < _PIECE or line.endswith(b"\n"):
            yield line
            continue
        pieces = [line]
        while b"\0" not in pieces[-1] and line.startswith(BEGIN):
            pieces.append(file.readline(_PIECE))
            if len(pieces[-1]) < _PIECE or pieces[-1].endswith(b"\n"):
                break
        else:
            yield _beginning(b"".join(pieces), file)
            return
        yield b"".join(pieces)


def _beginning(line: bytes, file: BinaryIO) -> bytes:
    """A replacement for a line that is not read completely: torn if only null bytes follow, otherwise invalid."""
    text = line.rstrip(b"\0")
    while piece := file.read(_PIECE):
        if piece != _NULLS[: len(piece)]:
            return text + b"\0\n"
    return text + b"\0" if line.endswith(b"\0") else line
