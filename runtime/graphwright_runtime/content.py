"""What files hold, read whole with as few system calls as it takes: a warm build reads thousands of small ones.

The one reader of everything that someone else could have put in place of a file: a named pipe or a device is refused,
where reading it would wait for ever or never end.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from io import BufferedReader
from pathlib import Path

#: Not blocking: of a pipe in the place of a file it is said that it is none, whether or not somebody writes into it.
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_PIECE = 1 << 20


def regular_file(file: Path | str) -> BufferedReader:
    """A regular file, open for reading. Raises OSError, and ValueError for a path with a null character."""
    handle = os.open(file, _FLAGS)
    try:
        _size(handle, file)
        return os.fdopen(handle, "rb")
    except OSError:
        os.close(handle)
        raise


def content_of(file: Path | str, most: int = sys.maxsize - 1) -> bytes:
    """The bytes of a regular file; of one that has more than `most` the first `most + 1`.

    Raises OSError, and ValueError for a path with a null character.
    """
    handle = os.open(file, _FLAGS)
    try:
        size = _size(handle, file)
        data = os.read(handle, min(size, most) + 1)
        if len(data) != size:  # it is too long, it is being written, or its system tells no sizes
            while len(data) <= most and (piece := os.read(handle, min(_PIECE, most + 1 - len(data)))):
                data += piece
        return data
    finally:
        os.close(handle)


def _size(handle: int, file: Path | str) -> int:
    """The size of a regular file in bytes. Raises OSError for everything else that may be in its place."""
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(file))
    return status.st_size
