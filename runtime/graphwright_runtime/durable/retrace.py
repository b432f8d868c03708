"""Retraces a run from all files that it wrote: log, ref, execution snapshot, receipts, results, state and views. Every
hash and every signature is verified, and an error names the first one that does not verify.

The objects are written when a run ends. Before that, only the log is retraced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from graphwright_runtime.content import content_of
from graphwright_runtime.durable.canonical import canonical, parsed
from graphwright_runtime.durable.checkpoint import Checkpoint
from graphwright_runtime.durable.claims import VIEWS, Claim, Prefixes, check_claim, signed_body
from graphwright_runtime.durable.errors import UnusableLogError
from graphwright_runtime.durable.layout import Layout
from graphwright_runtime.durable.objects import Objects
from graphwright_runtime.durable.reader import Verified, first_event, verified_log
from graphwright_runtime.durable.snapshot import Reference, receipt_of, verify_objects
from graphwright_runtime.durable.survey import (
    RunStatus,
    all_claims,
    check_whole,
    is_alive,
    registered,
    status_of,
)
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.result import ABSENT
from graphwright_runtime.run import OWN_KEYS
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from hashlib import _Hash

    from graphwright_runtime.payloads import CallReceipt

#: Maximum size of the context of a run in bytes.
_LONGEST_CONTEXT: Final = 1 << 24
_ENDS: Final = ("graph_completed", "graph_error", "graph_cancelled")


class TracedStep(NamedTuple):
    """A step in the log: `payload` is that of `step_completed`, and `receipt_hash` is the hash of its receipt as an
    object.

    `calls` are the receipts of the calls that tools made, those of the items of a loop included.
    `touched` contains the value before the step of each key that it set (ABSENT if it did not exist). `state` is a
    reference to the changing state, so call `before()` and `after()` only while the step is being reported.
    """

    payload: Mapping[str, Json]
    receipt_hash: str
    state: Mapping[str, object]
    touched: Mapping[str, object]
    calls: Sequence[CallReceipt]

    def before(self) -> dict[str, object]:
        """The state before the step."""
        return _present({**self.state, **self.touched})

    def after(self) -> dict[str, object]:
        """The state after the step."""
        return {**self.state, **cast("Mapping[str, object]", self.payload["delta"])}

    def changed(self) -> tuple[dict[str, object], dict[str, object]]:
        """The keys that the step set, with their values before (if they existed) and after it."""
        after = self.after()
        return _present(self.touched), {key: after[key] for key in self.touched}


def _present(values: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in values.items() if value is not ABSENT}


class Retraced(NamedTuple):
    """A completely verified run. If `reference` is None, the run has not ended, and only its log was retraced.

    `log_bytes` and `log_sha256` describe the verified log, without an incomplete append of `cut` bytes after it.
    `views` is the number of existing views.
    """

    run: RunStatus
    layout: Layout
    log_bytes: int
    log_sha256: str
    cut: int
    reference: Reference | None
    views: int

    @property
    def ended(self) -> bool:
        """Whether the log says how the run ended, and the run is not being resumed."""
        return self.run.checkpoint.status is not None and not self.run.alive


def retrace(project: Path, run_id: str, each: Callable[[TracedStep], None]) -> Retraced:
    """Verify all files of a run; `each` is called for each finished step in the order of the log.

    The steps are only verified when this returns. Raises RefusedError for the first thing that does not verify:
    UnusableLogError if it is the log.
    """
    graph_id = first_event(project, run_id).get("graph_id") or registered(project, run_id).get("directive") or ""
    layout = Layout(project, str(graph_id), run_id)
    alive = is_alive(layout)
    claimed, reference = all_claims(layout)  # before reading the log, which may be growing
    views = len(claimed) - (reference is not None)
    watcher = _Watcher(each, {claim.log_bytes for claim in claimed})
    verified = verified_log(project, run_id, watcher)
    checkpoint = verified.checkpoint
    run = status_of(project, run_id, checkpoint, alive=alive)
    log_sha256 = verified.digest.hexdigest()
    retraced = Retraced(run, layout, verified.size, log_sha256, verified.cut, reference, views)
    least = verified.size if retraced.ended else 0 if alive else watcher.last_end
    for claim in claimed:
        _check_claim(claim, verified.size, watcher, least)
    if watcher.mismatch is not None:
        raise UnusableLogError(f"{layout.log}: {watcher.mismatch}")
    if reference is not None:
        _check_snapshot(reference, checkpoint, watcher, layout, ended=retraced.ended)
    _check_complete(retraced, verified)
    if not checkpoint.started:
        what = "the run has not begun yet" if alive else "the run ended before its first step was kept"
        raise UnusableLogError(f"{layout.log}: {what}")
    _check_context(layout, checkpoint, ended=retraced.ended)
    return retraced


class _Watcher(Prefixes):
    """Follows the state through the log, verifies the hash of every result, and records the digests at `lengths`."""

    def __init__(self, each: Callable[[TracedStep], None], lengths: set[int]) -> None:
        super().__init__(lengths)
        self.last_end = 0
        self.receipts: list[str] = []
        self.mismatch: str | None = None
        self._each = each
        self._touched: dict[str, object] = {}
        self._calls: list[CallReceipt] = []
        self._at_end = False

    def event(self, event_type: str, payload: dict[str, Json], before: Checkpoint) -> None:
        """Report a finished step with the state before it."""
        self._at_end = event_type in _ENDS
        if event_type == "graph_started":
            self._touched = {}
        for key in cast("Mapping[str, object]", payload.get("delta") or {}):
            self._touched.setdefault(key, before.state.get(key, ABSENT))
        if event_type == "foreach_item":
            self._calls += cast("list[CallReceipt]", payload.get("calls", []))
        if event_type == "step_completed":
            self._check(payload)
            receipt = cast("Mapping[str, Json]", payload["receipt"])
            self._calls += cast("list[CallReceipt]", receipt.get("calls", []))
            self._each(TracedStep(payload, self.receipts[-1], before.state, self._touched, self._calls))
            self._touched, self._calls = {}, []

    def append(self, size: int, digest: _Hash) -> None:
        """Record the digest if a claim has this length, and the length if the run ended here."""
        super().append(size, digest)
        if self._at_end:
            self.last_end = size

    def _check(self, payload: dict[str, Json]) -> None:
        """Check that the result of a step has the hash in its receipt."""
        receipt = receipt_of(payload)
        self.receipts.append(sha256(canonical(receipt)).hexdigest())
        found = sha256(canonical(payload["result"])).hexdigest() if "result" in payload else None
        if found != receipt["node_result_hash"] and self.mismatch is None:
            self.mismatch = f"the result of step {payload['step']}, `{payload['node']}`, is not what its receipt says"


def _check_claim(claim: Claim, size: int, watcher: _Watcher, least: int) -> None:
    """Check that a view was made from this log when it had at least `least` bytes."""
    check_claim(claim, size, watcher)
    if claim.log_bytes < least:
        raise RefusedError(f"{claim.file} is an older one: it was not made from the end of the log")


def _check_snapshot(
    reference: Reference, checkpoint: Checkpoint, watcher: _Watcher, layout: Layout, *, ended: bool
) -> None:
    """Check that the objects match their names and the log."""
    verify_objects(layout.project, reference)
    snapshot, head = reference.snapshot, checkpoint.head
    if reference.receipts != watcher.receipts[: len(reference.receipts)]:
        raise RefusedError(f"{reference.file} leads to receipts of other steps than those of the log")
    told = {"graph_run_id": layout.run_id, "graph_id": layout.graph_id, "graph_hash": head["graph_hash"]}
    if ended:
        told["status"] = checkpoint.status
        state = cast("Mapping[str, object]", Objects(layout.project).get(reference.state_hash))
        if _own(state) != _own(checkpoint.state):
            raise RefusedError(f"{reference.file} leads to a state that is not the one of the log")
    for key, value in told.items():
        if snapshot[key] != value:
            raise RefusedError(f"{reference.file} leads to a snapshot whose `{key}` is not what the log says")


def _own(state: Mapping[str, object]) -> bytes:
    """A state without the keys of the runtime, because an error after the last step is not recorded in any step."""
    return canonical({key: value for key, value in state.items() if key not in OWN_KEYS})


def _check_context(layout: Layout, checkpoint: Checkpoint, *, ended: bool) -> None:
    """Check that the run itself wrote its context."""
    file = layout.context
    try:
        data = content_of(file, _LONGEST_CONTEXT)
        line = content_of(file.with_name(f"{file.name}.sig"), _LONGEST_CONTEXT)
    except FileNotFoundError:
        return
    except OSError as error:
        raise RefusedError(f"{error.filename or file} cannot be read: {error.strerror}") from error
    body = signed_body(layout, "thread", file, line + data)
    told = cast("Mapping[str, Json]", parsed(body))
    if body != data or told["thread_id"] != layout.run_id or told["graph_id"] != layout.graph_id:
        raise RefusedError(f"{file} belongs to another run")
    if ended and told["pid"] != checkpoint.head["pid"]:
        raise RefusedError(f"{file} is an older one: it names another process than the log")


def _check_complete(retraced: Retraced, verified: Verified) -> None:
    """Check that all files of an ended run exist, and that the registry does not contradict the log of another."""
    layout, run = retraced.layout, retraced.run
    check_whole(layout, verified, run)
    if not retraced.ended:
        return
    signature = layout.context.with_name(f"{layout.context.name}.sig")
    for file in (layout.ref, *(place(layout) for _, place in VIEWS), layout.context, signature):
        if not file.exists():
            raise RefusedError(f"{file} is missing: it was deleted, or the run was killed before it could write it")
