"""Writes the log of a run: appends lines, and ends each append with a signature of everything before it."""

from __future__ import annotations

import contextlib
import hashlib
import os
from binascii import hexlify
from typing import TYPE_CHECKING, Final

from graphwright_runtime.durable import locking
from graphwright_runtime.durable.canonical import canonical
from graphwright_runtime.errors import LogError
from graphwright_runtime.trust.signing import Signer, to_ascii

if TYPE_CHECKING:
    from hashlib import _Hash

#: Number of bytes to hash at once when the log is hashed again.
_CHUNK: Final = 1 << 20

_sync: Final = getattr(os, "fdatasync", os.fsync)


class LogWriter:
    """Appends to an open log.

    `digest` is the cumulative sha256 of the `size` bytes that the log already has. Each append is one write: if the
    process or the disk fails during it, resuming the run cuts it off. With `sync`, an append returns when the disk has
    stored it.
    """

    __slots__ = ("_broken", "_digest", "_handle", "_head", "_sign", "_sync", "_unhashed", "size")

    def __init__(
        self, handle: int, run_id: str, signer: Signer, *, sync: bool, digest: _Hash | None = None, size: int = 0
    ) -> None:
        self.size = size
        self._handle = handle
        self._sign = signer.signing("log", 32)
        self._sync = sync
        self._digest = hashlib.sha256() if digest is None else digest
        self._unhashed = b""  # the last line, which the next append hashes
        self._broken: str | None = None
        self._head = b'{"event_type":"signature","graph_run_id":%b,"payload":{"key_id":"%b","sha256":"' % (
            canonical(run_id),
            signer.key.id.encode(),
        )

    @property
    def sha256(self) -> str:
        """The sha256 of the log so far, in hexadecimal."""
        digest = self._digest.copy()
        digest.update(self._unhashed)
        return digest.hexdigest()

    def append(self, lines: bytes, timestamp: bytes) -> None:
        """Append whole lines and their signature, with its time as JSON.

        Raises LogError. The log is then restored to its previous length, and further appends fail.
        """
        if self._broken is not None:
            raise LogError(self._broken)
        try:
            self._digest.update(self._unhashed + lines)
            digest = self._digest.digest()
            text = to_ascii(self._sign(digest))
            line = b'%b%b","signature":"%b"},"timestamp":%b}\n' % (self._head, hexlify(digest), text, timestamp)
            data = lines + line
            written = os.write(self._handle, data)
            while written < len(data):
                written += os.write(self._handle, data[written:])
            if self._sync:
                _sync(self._handle)
            self._unhashed = line
            self.size += len(data)
        except OSError as error:
            self._take_back()
            self._broken = f"the log of the run cannot be written: {error.strerror}"
            raise LogError(self._broken) from error
        except BaseException:
            self._take_back()
            self._broken = "the log of the run was left in the middle of a step"
            raise

    def _take_back(self) -> None:
        """Cut off a failed append, and hash the log again, because the views contain its hash."""
        self._digest, self._unhashed, left = hashlib.sha256(), b"", self.size
        with contextlib.suppress(OSError):
            os.ftruncate(self._handle, self.size)
            os.lseek(self._handle, 0, os.SEEK_SET)
            while left > 0 and (data := os.read(self._handle, min(left, _CHUNK))):
                self._digest.update(data)
                left -= len(data)

    def close(self) -> None:
        """Close the file, which releases its lock."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            self._broken = "the log of the run is closed"
            locking.close(handle)
