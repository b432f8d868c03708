"""The lines of a log, whatever somebody put in its place: of one that cannot be a line only the beginning is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

#: How every line begins.
BEGIN: Final = b'{"event_type":"'
#: Bytes that are read at once of a long line.
_PIECE: Final = 1 << 20
_NULLS: Final = bytes(_PIECE)


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of an open log.

    What is longer than a piece has to begin as a line does. Null bytes, which a power failure leaves at the end of a
    file and which may be as many as a disk cannot hold, stand for one.
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
    """What stands for a line that is not read any further: it is torn where only null bytes follow, else wrong."""
    text = line.rstrip(b"\0")
    while piece := file.read(_PIECE):
        if piece != _NULLS[: len(piece)]:
            return text + b"\0\n"
    return text + b"\0" if line.endswith(b"\0") else line
