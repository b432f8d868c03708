"""Records a run as lines of its log, with one append for each step."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, cast

from graphwright_runtime.durable.cache import ResultCache
from graphwright_runtime.durable.canonical import canonical
from graphwright_runtime.durable.checkpoint import Checkpoint
from graphwright_runtime.durable.context import write_context
from graphwright_runtime.durable.layout import Layout
from graphwright_runtime.durable.publishing import Publisher
from graphwright_runtime.durable.waiting import tell_ended
from graphwright_runtime.durable.writer import LogWriter
from graphwright_runtime.errors import LogError, NodeError
from graphwright_runtime.result import ABSENT, Status
from graphwright_runtime.trust.signing import Signer
from graphwright_runtime.values import Json
from graphwright_runtime.version import ABI, RUNTIME_VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from graphwright_runtime.branch import Branch
    from graphwright_runtime.payloads import CallReceipt
    from graphwright_runtime.run import Run


class Recorder:
    """Records one run in its log.

    At the durability `level` `exit`, only its final state is recorded. `above` is the recorder of the run that called
    this one; `parent_run_id` is the run that started the process of a new run. Raises LogError if the log cannot be
    written.
    """

    def __init__(
        self,
        layout: Layout,
        writer: LogWriter,
        signer: Signer,
        checkpoint: Checkpoint | None,
        level: str,
        above: Recorder | None = None,
        parent_run_id: str | None = None,
    ) -> None:
        self.run_id = layout.run_id
        self.root_run_id: str = layout.run_id if above is None else above.root_run_id
        self.parent_run_id = parent_run_id if above is None else above.run_id
        if checkpoint is not None:
            self.parent_run_id = cast("str | None", checkpoint.head.get("parent_run_id"))
        self.level = level
        #: What a run in the background of its caller was started with; None for one that its caller waits for.
        self.background: dict[str, Json] | None = None
        self.cache = ResultCache(layout.project, signer)
        self._log = layout.log
        self._writer = writer
        self._signer = signer
        self._resumed = checkpoint is not None
        self._keeps_steps = level != "exit"
        self._pending = b""
        self._granted: dict[str, Json] = {}
        self._beginnings: dict[str, bytes] = {}
        self._run_id = canonical(layout.run_id)
        self._completed = self._head("step_completed")
        self._publisher = Publisher(layout, writer, signer, checkpoint, self.parent_run_id)
        self._happened = self._publisher.history.step

    def start(self, run: Run) -> None:
        """The run starts or resumes. This line contains everything that is needed to resume it."""
        graph, now = run.graph, run.host.now()
        payload: dict[str, object] = {
            "graph_id": graph.id,
            "graph_hash": graph.hash,
            "node_hashes": graph.node_hashes,
            "start": graph.start,
            "durability": self.level,
            "abi": ABI,
            "runtime_version": RUNTIME_VERSION,
            "pid": os.getpid(),
            "host": platform.node(),
            "public_key": self._signer.key.public.hex(),
        }
        if self.parent_run_id is not None:
            payload["parent_run_id"] = self.parent_run_id
        if self.root_run_id != self.run_id:
            payload["root_run_id"] = self.root_run_id
        if self.background is not None:
            payload["background"] = self.background
        if self._resumed:
            payload["source"] = "resume"
        else:
            payload |= {"source": "input", "inputs": run.inputs, "state": run.state, "capabilities": run.capabilities}
        self._add("graph_started", payload, now)
        if self._keeps_steps:
            self._append(now)
        self._publisher.start(run, now)

    def step_started(self, node: str, step: int, kind: str, now: float) -> None:
        """A node starts. The line is written with the next append."""
        if not self._keeps_steps:
            return
        beginning = self._beginnings.get(node)
        if beginning is None:
            place = canonical({"kind": kind, "node": node})[:-1]
            beginning = self._beginnings[node] = self._head("step_started") + place + b',"step":'
        self._pending += b'%b%d},"timestamp":%b}\n' % (beginning, step, canonical(now))

    def step_completed(
        self, branch: Branch, kind: str, started: float, now: float, next_node: str | None, ended: str | None
    ) -> None:
        """A node has finished: `next_node` is the next one, or `ended` is the error that ended the run."""
        node, step, status = branch.path[-1], len(branch.path), branch.status
        elapsed_ms = int((now - started) * 1_000_000) / 1000
        if self._keeps_steps:
            receipt: dict[str, object] = {"cache_hit": branch.cache_hit, "elapsed_ms": elapsed_ms, "timestamp": started}
            payload: dict[str, object] = {
                "delta": branch.delta,
                "kind": kind,
                "next_node": next_node,
                "node": node,
                "receipt": receipt,
                "status": status,
                "step": step,
            }
            try:
                self._add_result(payload, receipt, branch, ended)
                at = canonical(now)
                lines = b'%b%b%b,"timestamp":%b}\n' % (self._pending, self._completed, canonical(payload), at)
            except ValueError as error:
                raise _unwritable(error) from error
            self._pending = b""
            self._writer.append(lines, at)
        self._happened(now, step, node, status, elapsed_ms, next_node)

    def item(
        self,
        branch: Branch,
        index: int,
        total: int,
        outcome: Mapping[str, object] | NodeError,
        delta: Mapping[str, object] | None,
        over: Sequence[Json] | None,
        cache_hit: bool,
        calls: Sequence[CallReceipt],
    ) -> None:
        """An item of a foreach has finished: `delta` is what it assigned, `over` all items if they must be recorded,
        `calls` what its tool called.
        """
        if not self._keeps_steps:
            return
        payload: dict[str, object] = {"index": index, "node": branch.node, "step": branch.step, "total": total}
        if isinstance(outcome, NodeError):
            payload |= {"status": "error", "error": str(outcome), "error_type": outcome.error_type}
            payload |= {"category": outcome.category, "code": outcome.code}
        else:
            payload |= {"status": "ok", "result": outcome}
        if cache_hit:
            payload["cache_hit"] = True
        if calls:
            payload["calls"] = calls
        if delta:
            payload["delta"] = delta
        if over is not None:
            payload["over"] = over
        now = branch.run.host.now()
        self._add("foreach_item", payload, now)
        self._append(now)

    def retry(self, run: Run, payload: Mapping[str, object], delta: Mapping[str, object]) -> None:
        """A node or an item is executed again; `delta` is what the retry set in the state."""
        if self._keeps_steps:
            now = run.host.now()
            self._add("node_retry", {**payload, "delta": delta}, now)
            self._append(now)

    def note(self, run: Run, event_type: str, payload: Mapping[str, object]) -> None:
        """Add an event, to be written with the next append."""
        if self._keeps_steps:
            self._add(event_type, payload, run.host.now())

    def thread(self, run: Run, event_type: str, payload: Mapping[str, object]) -> None:
        """A thread that the run started begins, or is over."""
        if self._keeps_steps:
            now = run.host.now()
            self._add(event_type, payload, now)
            self._append(now)

    def write_context(self, project: Path, thread_id: str, fields: Mapping[str, object]) -> None:
        """Write and sign the context of a thread that the run starts. Raises OSError."""
        write_context(project, thread_id, fields, self._signer)

    def granted(self, granted: Mapping[str, Json]) -> None:
        """A hook extended a limit: its new value is recorded with the next step."""
        self._granted |= granted

    def end(self, run: Run, event_type: str, payload: Mapping[str, object], status: Status) -> None:
        """The run has ended."""
        now = run.host.now()
        state = {} if self._keeps_steps else {"state": run.state}
        kept: Status = "error"  # if the end of the run cannot be written
        try:
            self._add(event_type, {**payload, **state}, now)
            self._append(now)
            kept = status
        finally:
            self._publisher.end(kept, now)

    def close(self) -> None:
        """Close the log, so that another process can resume the run, and notify those who wait for its end."""
        self._publisher.close()
        self._writer.close()
        tell_ended(self._log)

    def _add_result(
        self, payload: dict[str, object], receipt: dict[str, object], branch: Branch, ended: str | None
    ) -> None:
        """Add the call and the result of a step with their hashes, and its error and output."""
        if branch.sent is not None:
            action, params = branch.sent
            called = {"item_id": action.item_id, "kind": action.kind, "params": params, "primary": action.primary}
            receipt["node_input_hash"] = sha256(canonical(called)).hexdigest()
        if branch.returned is not None:
            receipt["node_result_hash"] = sha256(canonical(branch.returned)).hexdigest()
            payload["result"] = branch.returned
        if branch.cache_hits:
            receipt["cache_hits"] = branch.cache_hits
        if branch.calls:
            receipt["calls"] = branch.calls
        if branch.status == "error":
            payload |= _error(branch, ended)
            receipt["error"] = payload["error"]
        if branch.output is not ABSENT:
            payload["output"] = branch.output
        if self._granted:
            payload["granted"], self._granted = self._granted, {}

    def _head(self, event_type: str) -> bytes:
        return b'{"event_type":"%b","graph_run_id":%b,"payload":' % (event_type.encode(), self._run_id)

    def _add(self, event_type: str, payload: Mapping[str, object], now: float) -> None:
        try:
            self._pending += b'%b%b,"timestamp":%b}\n' % (self._head(event_type), canonical(payload), canonical(now))
        except ValueError as error:
            raise _unwritable(error) from error

    def _append(self, now: float) -> None:
        lines, self._pending = self._pending, b""
        self._writer.append(lines, canonical(now))


def _error(branch: Branch, ended: str | None) -> dict[str, object]:
    """The error of a step, and whether it ended the run (`fatal`) or was suppressed."""
    if ended is not None:
        return {"error": ended, "fatal": True}
    errors = branch.run.errors
    if errors and errors[-1].step == branch.step:
        return {"error": errors[-1].error, "suppressed": True}
    last = branch.run.state.get("_last_error")
    return {"error": last.get("error") if isinstance(last, dict) else None}


def _unwritable(error: ValueError) -> LogError:
    return LogError(f"the run cannot be kept: {error}")
