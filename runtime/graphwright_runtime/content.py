"""Reads files with few system calls, because a build without changes reads thousands of small files.

All files that another user could replace are read here: reading a named pipe or a device could block or never end, so
anything but a regular file is refused.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from io import BufferedReader
from pathlib import Path

#: Opening a pipe must not wait for a writer.
_ALWAYS = getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_FLAGS = os.O_RDONLY | _ALWAYS
_PIECE = 1 << 20


def regular_file(file: Path | str) -> BufferedReader:
    """A regular file, open for reading. Raises OSError, and ValueError for a path with a null character."""
    return os.fdopen(regular_handle(file, os.O_RDONLY), "rb")


def regular_handle(file: Path | str, flags: int, mode: int = 0o600) -> int:
    """The handle of a regular file, opened with flags of `os.open`. Raises OSError."""
    try:
        handle = os.open(file, flags | _ALWAYS, mode)
    except OSError as error:
        if error.errno != errno.ENXIO:  # a pipe without a reader, or a socket
            raise
        raise _irregular(file) from error
    try:
        _size(handle, file)
    except OSError:
        os.close(handle)
        raise
    return handle


def check_regular(file: Path) -> bool:
    """Whether a file exists. Raises OSError if the path is anything but a regular file."""
    try:
        found = file.stat().st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(found):
        raise _irregular(file)
    return True


def content_of(file: Path | str, most: int = sys.maxsize - 1) -> bytes:
    """The bytes of a regular file. If it has more than `most` bytes, only the first `most + 1`.

    Raises OSError, and ValueError for a path with a null character.
    """
    handle = os.open(file, _FLAGS)
    try:
        size = _size(handle, file)
        data = os.read(handle, min(size, most) + 1)
        if len(data) != size:  # too long, being written, or on a file system without sizes
            while len(data) <= most and (piece := os.read(handle, min(_PIECE, most + 1 - len(data)))):
                data += piece
        return data
    finally:
        os.close(handle)


def _size(handle: int, file: Path | str) -> int:
    """The size of an open file in bytes. Raises OSError unless it is a regular file."""
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        raise _irregular(file)
    return status.st_size


def _irregular(file: Path | str) -> OSError:
    return OSError(errno.EINVAL, "it is not a regular file", str(file))
