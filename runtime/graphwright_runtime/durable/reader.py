"""Reads a log, and verifies every byte before anything in it is used.

The sha256 is cumulative, so the last signature covers everything before it, and verifying one signature is enough for a
log of any length. An incomplete append at the end is cut off; any other change is refused, naming the first bad line.
"""

from __future__ import annotations

import hashlib
import json
import re
from binascii import hexlify
from collections.abc import Mapping
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, Protocol, cast

from graphwright_runtime.content import regular_file
from graphwright_runtime.durable.canonical import canonical, parsed
from graphwright_runtime.durable.checkpoint import EVENTS, Checkpoint
from graphwright_runtime.durable.errors import TamperedError, UnusableLogError
from graphwright_runtime.durable.layout import Layout, check_run_id, threads
from graphwright_runtime.durable.lines import BEGIN, lines_of
from graphwright_runtime.durable.runkey import known_key
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.trust.signing import Key, from_text
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from hashlib import _Hash

#: The beginning of a signature, and of an event that the end of the step repeats.
_SIGNATURE: Final = BEGIN + b'signature"'
_BEGINNING: Final = BEGIN + b'step_started"'

#: Maximum size of a first line that is read without verifying it, in bytes.
_LONGEST_HEAD: Final = 1 << 26

_fields: Final = itemgetter("event_type", "graph_run_id", "payload", "timestamp")


class Signed(NamedTuple):
    """A signature line: its number, the id of the key, the digest that it signs, and the encoded signature."""

    number: int
    key_id: bytes
    digest: bytes
    signature: bytes


class Verified(NamedTuple):
    """A verified log: the resulting checkpoint, its `size` in bytes, and `cut`, the size of an incomplete append after
    it. `digest` is the cumulative sha256 of the log without that append.
    """

    checkpoint: Checkpoint
    digest: _Hash
    size: int
    cut: int


class Watcher(Protocol):
    """Receives the contents of a log while it is read. They are not verified until `read_log` has returned."""

    def event(self, event_type: str, payload: dict[str, Json], before: Checkpoint) -> None:
        """Called for each event, before it is applied to the checkpoint."""

    def append(self, size: int, digest: _Hash) -> None:
        """Called after each append, with the length of the log in bytes and its cumulative sha256 up to there."""


def read_log(file: BinaryIO, run_id: str, project: Path, watcher: Watcher | None = None) -> Verified:
    """Verify a log completely. Raises TamperedError, and RefusedError for an unknown key."""
    return _Reading(file, run_id, project, watcher).all()


def verified_log(project: Path, run_id: str, watcher: Watcher | None = None) -> Verified:
    """Find the log of a run and verify it. Raises RefusedError: UnusableLogError if the run exists."""
    check_run_id(run_id)
    log = Layout(project, "", run_id).log
    try:
        if log.is_symlink():
            raise UnusableLogError(f"{log} is a symbolic link: the run did not write it")
        with regular_file(log) as file:
            return read_log(file, run_id, project, watcher)
    except FileNotFoundError:
        if log.parent.is_dir():
            raise UnusableLogError(f"{log} is missing") from None
        raise RefusedError(f"there is no run {run_id!r} in {threads(project)}") from None
    except TamperedError as error:
        raise UnusableLogError(f"the log of the run {run_id!r} is not what the run wrote: {log}: {error}") from error
    except RefusedError as error:  # about the key
        raise UnusableLogError(str(error)) from error
    except OSError as error:
        raise UnusableLogError(f"{log} cannot be read: {error.strerror}") from error


def first_event(project: Path, run_id: str) -> Mapping[str, Json]:
    """The payload of the first line of a log, which is not verified; empty if there is no such line."""
    try:
        with regular_file(Layout(project, "", run_id).log) as file:
            event = parsed(file.readline(_LONGEST_HEAD))
    except (OSError, ValueError):
        return {}
    payload = event.get("payload") if isinstance(event, dict) else None
    return payload if isinstance(payload, dict) else {}


class _Reading:
    def __init__(self, file: BinaryIO, run_id: str, project: Path, watcher: Watcher | None) -> None:
        self._file = file
        self._watcher = watcher
        self._run_id = run_id
        self._project = project
        self._signature = re.compile(
            rb'\{"event_type":"signature","graph_run_id":%b,"payload":\{"key_id":"([0-9a-f]{16})",'
            rb'"sha256":"([0-9a-f]{64})","signature":"([\w-]{86})"\}(,"timestamp":[\d.e+-]+\}\n)'
            % re.escape(canonical(run_id))
        )
        self._keys: dict[str, Key] = {}

    def all(self) -> Verified:
        """Apply each append when its digest matches. The last signature decides whether the result is used."""
        checkpoint, digest, size, number = Checkpoint(), hashlib.sha256(), 0, 0
        last: Signed | None = None
        pending: list[bytes] = []
        for line in lines_of(self._file):
            number += 1
            found = self._signature.fullmatch(line) if line.startswith(_SIGNATURE) else None
            if found is None:
                pending.append(line)
                continue
            lines = b"".join(pending)
            digest.update(lines)
            signed = digest.digest()
            if hexlify(signed) != found[2] or not lines.endswith(found[4]):
                raise self._first_bad(last, number - len(pending), pending)
            self._fold(checkpoint, pending, number - len(pending))
            last = Signed(number, found[1], signed, found[3])
            digest.update(line)
            size += len(lines) + len(line)
            pending.clear()
            if self._watcher is not None:
                self._watcher.append(size, digest)
        self._check(last)
        self._check_tail(pending, number - len(pending) + 1)
        return Verified(checkpoint, digest, size, sum(map(len, pending)))

    def _fold(self, checkpoint: Checkpoint, lines: list[bytes], number: int) -> None:
        for at, line in enumerate(lines, number):
            if line.startswith(_BEGINNING):
                continue
            event_type, payload, timestamp = self._event(line, at)
            try:
                if self._watcher is not None:
                    self._watcher.event(event_type, payload, checkpoint)
                checkpoint.take(event_type, payload, timestamp)
            except (KeyError, TypeError, ValueError) as error:
                raise TamperedError(at, f"is not an event of a run: {error}") from error

    def _event(self, line: bytes, number: int) -> tuple[str, dict[str, Json], float]:
        try:
            kind, run_id, payload, at = _fields(cast("dict[str, Json]", parsed(line)))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise TamperedError(number, "is not an event of this run") from None
        if run_id == self._run_id and isinstance(payload, dict) and isinstance(at, (int, float)):
            return str(kind), payload, at
        raise TamperedError(number, "is not an event of this run")

    def _check(self, last: Signed | None) -> None:
        """Raise an error for the first bad line unless the last signature is valid and from a known key."""
        if last is None:
            return
        if not self._holds(last):
            raise self._search()

    def _holds(self, signed: Signed) -> bool:
        key_id = signed.key_id.decode()
        if key_id not in self._keys:
            self._keys[key_id] = known_key(key_id, self._project, f"the log of the run {self._run_id!r}")
        return self._keys[key_id].verify("log", signed.digest, _bytes(signed.signature))

    def _search(self) -> TamperedError:
        """Every digest matches, but not the last signature: verify all signatures in turn to find the first bad one."""
        self._file.seek(0)
        digest, first = hashlib.sha256(), 1
        for number, line in enumerate(lines_of(self._file), 1):
            found = self._signature.fullmatch(line)
            if found is not None:
                if not self._holds(Signed(number, found[1], digest.digest(), found[3])):
                    return TamperedError(first, f"{_up_to(number)} was changed: the signature does not match")
                first = number + 1
            digest.update(line)
        return TamperedError(first, "was changed: the signature does not match")  # it was changed during reading

    def _first_bad(self, last: Signed | None, first: int, lines: list[bytes]) -> TamperedError:
        """The error for an append whose digest does not match: names a line that is not an event, or the first line."""
        self._check(last)
        for number, line in enumerate(lines, first):
            self._event(line, number)
        return TamperedError(first, f"{_up_to(first + len(lines))} was changed: the sha256 does not match")

    def _check_tail(self, lines: list[bytes], first: int) -> None:
        """Check that the lines after the last signature are the beginning of an append: events, then part of a line."""
        for number, line in enumerate(lines, first):
            if line.endswith(b"\n"):
                if self._event(line, number)[0] not in EVENTS:
                    raise TamperedError(number, "is not an event of this run")
            elif not _is_torn(line):
                raise TamperedError(number, "is neither an event of this run nor the beginning of one")


def _up_to(number: int) -> str:
    return f"or a line after it, up to line {number},"


def _is_torn(line: bytes) -> bool:
    """Whether a line without a line feed is the beginning of one, left by an interrupted write.

    That excludes a complete object with more text after it. After a power failure, null bytes may follow.
    """
    line = line.rstrip(b"\0")
    if line[: len(BEGIN)] != BEGIN[: len(line)]:
        return False
    text = line.decode("utf-8", "replace")
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return True
    return end == len(text)


def _bytes(text: bytes) -> bytes:
    """Decode a signature; empty, and therefore invalid, if it is not in canonical form."""
    try:
        return from_text(text.decode())
    except ValueError:
        return b""
