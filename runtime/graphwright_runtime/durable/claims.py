"""Verifies the signed views of a run, each of which claims which log it was made from."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from graphwright_runtime.content import content_of
from graphwright_runtime.durable.errors import UnusableLogError
from graphwright_runtime.durable.layout import Layout
from graphwright_runtime.durable.runkey import known_key
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.trust.header import Header, HeaderError, digest, split
from graphwright_runtime.trust.signing import Purpose
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from hashlib import _Hash

    from graphwright_runtime.durable.checkpoint import Checkpoint

VIEWS: Final[tuple[tuple[Purpose, Callable[[Layout], Path]], ...]] = (
    ("state", lambda layout: layout.state),
    ("history", lambda layout: layout.history),
)
#: Maximum size of a view in bytes.
_LONGEST: Final = 1 << 30
_RUN: Final = re.compile(rb"^graph_run_id: (.*)$", re.MULTILINE)
_LOG: Final = re.compile(rb'^log_bytes: (\d+)\nlog_sha256: "([0-9a-f]{64})"$', re.MULTILINE)


class Claim(NamedTuple):
    """A view and its claim: the length in bytes and the sha256 of the log that it was made from."""

    file: Path
    log_bytes: int
    log_sha256: str


class Prefixes:
    """Records the sha256 of the claimed prefixes of a log while it is read."""

    def __init__(self, lengths: Iterable[int]) -> None:
        self.digests = {0: hashlib.sha256().hexdigest()}
        self._lengths = frozenset(lengths)

    def event(self, event_type: str, payload: dict[str, Json], before: Checkpoint) -> None:
        """Ignore events."""

    def append(self, size: int, digest: _Hash) -> None:
        """Record the digest if a claim has this length."""
        if size in self._lengths:
            self.digests[size] = digest.hexdigest()


def check_claim(claim: Claim, size: int, prefixes: Prefixes) -> None:
    """Raise RefusedError if the claim does not match a log of `size` bytes; UnusableLogError if the log is shorter than
    claimed.
    """
    if claim.log_bytes > size:
        raise UnusableLogError(
            f"the log ends after {size} bytes, but {claim.file} was written when it had {claim.log_bytes}: lines are "
            "missing at its end"
        )
    if prefixes.digests.get(claim.log_bytes) != claim.log_sha256:
        raise RefusedError(f"{claim.file} was not made from this log")


def claims(layout: Layout) -> Iterator[Claim]:
    """The claims of the existing views. Raises RefusedError if the run did not write one of them."""
    for purpose, place in VIEWS:
        file = place(layout)
        try:
            data = content_of(file, _LONGEST)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise RefusedError(f"{file} cannot be read: {error.strerror}") from error
        if len(data) > _LONGEST:
            raise RefusedError(f"{file} is longer than what a run writes")
        yield claim_of(layout, purpose, file, data)


def signed_body(layout: Layout, purpose: Purpose, file: Path, data: bytes) -> bytes:
    """The content of a signed file after its signature line. Raises RefusedError if the signature is not valid."""
    header: Header | None
    try:
        header, body = split(purpose, data)
    except HeaderError:
        header, body = None, b""
    if (
        header is None
        or header.sha256 != digest(body)
        or not known_key(header.key_id, layout.project, file).verify(purpose, body, header.signature)
    ):
        raise RefusedError(f"{file} is not what the run wrote; delete it to rely on the log alone")
    return body


def claim_of(layout: Layout, purpose: Purpose, file: Path, data: bytes) -> Claim:
    """The claim in the bytes of a view. Raises RefusedError if the run did not write them."""
    body = signed_body(layout, purpose, file, data)
    run, log = _RUN.search(body), _LOG.search(body)
    if run is None or log is None or run[1] != json.dumps(layout.run_id).encode():
        raise RefusedError(f"{file} belongs to another run; delete it to rely on the log alone")
    return Claim(file, int(log[1]), log[2].decode())
