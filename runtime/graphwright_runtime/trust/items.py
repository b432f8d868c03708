"""Verifies the items that a run loads in addition to modules: tool files, directives, knowledge, sources of graphs.

An item is accepted if it has a valid signature line (`header.py`, `rye_header.py`) or the digest that was pinned when
the graph was built. It is read once; callers must use the returned bytes instead of reading the file again.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from graphwright_runtime.content import content_of
from graphwright_runtime.trust.header import digest
from graphwright_runtime.trust.pins import pin_name
from graphwright_runtime.trust.rye_header import check_rye
from graphwright_runtime.trust.signing import Purpose
from graphwright_runtime.trust.truststore import TrustError, TrustStore, find_trust
from graphwright_runtime.trust.verification import Policy, Refusal, Verified, check, check_encoding, policy_of

#: The environment variable with the policy for all items of a process.
VARIABLE = "GRAPHWRIGHT_TRUST_TOOLS"
_SIGN = "review what changed, then run `graphwright sign` on it"


class ItemRefused(Exception):  # noqa: N818 - an outcome, not an error of the program
    """An item that the policy `require` does not accept. `str()` is one line for the user."""

    def __init__(self, path: Path, refusal: Refusal) -> None:
        super().__init__(f"{path}: {refusal}")
        self.path = path
        self.refusal = refusal


class ItemWarning(UserWarning):
    """An item that `require` would refuse, used under `warn`."""


def check_item(purpose: Purpose, data: bytes, trust: TrustStore, *, subject: str | None = None) -> Verified | Refusal:
    """Verify that an item is signed for this purpose by a trusted key that may sign the item id `subject`."""
    ours = check(purpose, data, trust, subject=subject, advice=_SIGN)
    if isinstance(ours, Refusal) and ours.reason == "unsigned":
        theirs = check_rye(data, trust, subject=subject, advice=_SIGN)
        if isinstance(theirs, Verified):
            return check_encoding(purpose, data) or theirs
        return ours if theirs is None else theirs
    return ours


class Examined(NamedTuple):
    """The bytes of an item's file. `status` is `trusted` (`key_id` is the signer), `pinned`, or why it is neither."""

    data: bytes
    status: str
    key_id: str | None = None


@dataclass(frozen=True, slots=True)
class ItemTrust:
    """The trust policy for the items that a run loads.

    `pins` returns the sha256 that the file of an item (by its `pin_name`) had when the graphs of this process were
    built, or None if it is not pinned.
    """

    policy: Policy
    trust: TrustStore
    pins: Callable[[str], str | None] = lambda _: None

    def without_policy(self) -> ItemTrust:
        """The same keys and pins without a policy, for listing items."""
        return replace(self, policy="off")

    def examine(
        self, path: Path, purpose: Purpose, item_id: str, signer: Callable[[bytes], str | None] = lambda _: None
    ) -> Examined:
        """Read an item's file and verify it. `signer` returns the key id of a file that a run wrote and signed.

        Raises ItemRefused if the policy is `require` and it is not accepted, OSError if the file cannot be read.
        """
        data = content_of(path)
        if self.pins(pin_name(purpose, item_id)) == digest(data):
            return Examined(data, "pinned")
        verdict = check_item(purpose, data, self.trust, subject=item_id)
        if isinstance(verdict, Verified):
            return Examined(data, "trusted", verdict.key.key.id)
        if (key_id := signer(data)) is not None:
            return Examined(data, "trusted", key_id)
        if self.policy == "require":
            raise ItemRefused(path, verdict)
        if self.policy == "warn":
            warnings.warn(f"{path}: {verdict}", ItemWarning, stacklevel=2)
        return Examined(data, verdict.reason)


def item_trust(project: Path | None = None) -> ItemTrust | None:
    """The policy that GRAPHWRIGHT_TRUST_TOOLS (`warn`, `require`) sets for the items of a project; None for `off`.

    Raises TrustError, also if the variable has another value.
    """
    text = os.environ.get(VARIABLE, "off")
    try:
        policy = policy_of(text)
    except ValueError as error:
        raise TrustError(f"{VARIABLE}: {error}") from error
    if policy == "off":
        return None
    from graphwright_runtime.loader import pinned

    return ItemTrust(policy, find_trust(project), pinned)


@contextmanager
def runnable(path: Path, data: bytes) -> Iterator[Path]:
    """A temporary, private executable file with these bytes and the name of `path`."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="graphwright-") as folder:
        copy = Path(folder, path.name)
        with os.fdopen(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o700), "wb") as file:
            file.write(data)
        yield copy
