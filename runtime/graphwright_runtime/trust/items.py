"""Trust in what a run loads in addition to modules: tool files, directives, knowledge, and the sources of graphs.

An item is accepted for its own signature line (`header.py`, `rye_header.py`) or because its digest is the one that was
pinned when the graph was built. It is read once; the bytes that come back are those to run or to hand out.
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
from graphwright_runtime.trust.verification import Policy, Refusal, Verified, check, misread, policy_of

#: The policy for items of a whole process.
VARIABLE = "GRAPHWRIGHT_TRUST_TOOLS"
_SIGN = "review what changed, then run `graphwright sign` on it"


class ItemRefused(Exception):  # noqa: N818 - an answer, not a fault of the program
    """An item that the policy `require` does not accept; `str()` is one line for the user."""

    def __init__(self, path: Path, refusal: Refusal) -> None:
        super().__init__(f"{path}: {refusal}")
        self.path = path
        self.refusal = refusal


class ItemWarning(UserWarning):
    """An item that `require` would refuse, used under `warn`."""


def check_item(purpose: Purpose, data: bytes, trust: TrustStore, *, subject: str | None = None) -> Verified | Refusal:
    """Whether an item's bytes carry a signature for this purpose by a key that may sign `subject`, the item's id."""
    ours = check(purpose, data, trust, subject=subject, remake=_SIGN)
    if isinstance(ours, Refusal) and ours.reason == "unsigned":
        theirs = check_rye(data, trust, subject=subject, remake=_SIGN)
        if isinstance(theirs, Verified):
            return misread(purpose, data) or theirs
        return ours if theirs is None else theirs
    return ours


class Examined(NamedTuple):
    """The bytes of an item's file. `status`: `trusted` (and whose key), `pinned`, or why it is neither."""

    data: bytes
    status: str
    key_id: str | None = None


@dataclass(frozen=True, slots=True)
class ItemTrust:
    """What a run asks of the items that it loads.

    `pins` gives the sha256 that the file of an item (by its `pin_name`) had when the graphs of this process were built,
    None where there is none.
    """

    policy: Policy
    trust: TrustStore
    pins: Callable[[str], str | None] = lambda _: None

    def without_policy(self) -> ItemTrust:
        """The same trust where nothing is asked: for looking through many items."""
        return replace(self, policy="off")

    def examine(self, path: Path, purpose: Purpose, item_id: str) -> Examined:
        """An item's file, read once, and what is known of its signature.

        Raises ItemRefused where `require` does not accept it, OSError where the file cannot be read.
        """
        data = content_of(path)
        if self.pins(pin_name(purpose, item_id)) == digest(data):
            return Examined(data, "pinned")
        verdict = check_item(purpose, data, self.trust, subject=item_id)
        if isinstance(verdict, Verified):
            return Examined(data, "trusted", verdict.key.key.id)
        if self.policy == "require":
            raise ItemRefused(path, verdict)
        if self.policy == "warn":
            warnings.warn(f"{path}: {verdict}", ItemWarning, stacklevel=2)
        return Examined(data, verdict.reason)


def asked_of_items(project: Path | None = None) -> ItemTrust | None:
    """What GRAPHWRIGHT_TRUST_TOOLS (`warn`, `require`) asks of the items of a project; None where it asks nothing.

    Raises TrustError, also where the variable says something else.
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
    """A private executable file with these bytes, named like `path`, for as long as the block runs."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="graphwright-") as folder:
        copy = Path(folder, path.name)
        with os.fdopen(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o700), "wb") as file:
            file.write(data)
        yield copy
