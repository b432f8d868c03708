"""Publishes the status of a run for people and other processes: views, registry and context. They are derived from the
log, so a failure to write them is only a warning, and no step waits for them.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from typing import TYPE_CHECKING, Final

from graphwright_runtime.durable.checkpoint import Checkpoint
from graphwright_runtime.durable.context import write_context
from graphwright_runtime.durable.history import History
from graphwright_runtime.durable.layout import Layout
from graphwright_runtime.durable.registry import set_status
from graphwright_runtime.durable.snapshot import write_snapshot
from graphwright_runtime.durable.views import NodeRow, Overview, state_body, write_history, write_state
from graphwright_runtime.durable.writer import LogWriter
from graphwright_runtime.log import about, logger
from graphwright_runtime.trust.signing import Signer

if TYPE_CHECKING:
    from graphwright_runtime.run import Run

log: Final = logger(__name__)

#: Minimum seconds between two updates of the views, and minimum multiple of the time that the last update took, so that
#: updates take at most a twentieth of the time. A state larger than `_LARGE` bytes is only written at the end.
_REFRESH: Final = 0.5
_SPARING: Final = 20
_LARGE: Final = 4 * 2**20

#: Seconds between two checks for the file that cancels the run.
_POLL: Final = 0.5


class Publisher:
    """Updates the views of one run up to twice a second, and at its end. The recorder adds its steps to `history`."""

    def __init__(
        self,
        layout: Layout,
        writer: LogWriter,
        signer: Signer,
        checkpoint: Checkpoint | None,
        parent_run_id: str | None,
    ) -> None:
        self._layout = layout
        self._writer = writer
        self._signer = signer
        self._parent_run_id = parent_run_id
        self.history = History() if checkpoint is None else checkpoint.history
        self._started_at = None if checkpoint is None else checkpoint.started_at
        if checkpoint is not None:
            self.history.steps, self.history.next_node = len(checkpoint.path), checkpoint.node
        self._status = "running"
        self._updated_at = 0.0
        self._run: Run | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._shown = (0, 0)  # bytes of the log and number of steps that the views include
        self._state_is_large = False
        self._polling: asyncio.TimerHandle | None = None

    def start(self, run: Run, now: float) -> None:
        """The run starts or resumes."""
        self._run = run
        self._updated_at = now
        if self._started_at is None:
            self._started_at, self.history.next_node = now, run.graph.start
        self._write_context(run)
        self._register(os.getpid())
        self._schedule(_REFRESH)
        self._poll()

    def end(self, status: str, now: float) -> None:
        """The run has ended."""
        self._status, self._updated_at = status, now
        self._cancel()
        self._write_views()
        self._write_snapshot()
        self._register(None)

    def close(self) -> None:
        """Stop updating."""
        self._cancel()

    def _schedule(self, delay: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(delay, self._refresh)

    def _poll(self) -> None:
        if self._run is not None and self._layout.cancel.exists():
            self._run.cancel("cancel")
        else:
            self._polling = asyncio.get_running_loop().call_later(_POLL, self._poll)

    def _cancel(self) -> None:
        for timer in (self._timer, self._polling):
            if timer is not None:
                timer.cancel()

    def _refresh(self) -> None:
        began = time.perf_counter()
        if self._shown != (self._writer.size, self.history.steps):
            self._write_views()
        self._schedule(max(_REFRESH, _SPARING * (time.perf_counter() - began)))

    def _write_views(self) -> None:
        run, recent = self._run, self.history.recent
        if run is None:
            return
        self._shown = (self._writer.size, self.history.steps)
        if recent:
            self._updated_at = max(self._updated_at, recent[-1][0])
        overview = Overview(
            status=self._status,
            current_node=self.history.next_node,
            step_count=self.history.steps,
            started_at=self._started_at or self._updated_at,
            updated_at=self._updated_at,
            parent_thread_id=self._parent_run_id,
            log_bytes=self._writer.size,
            log_sha256=self._writer.sha256,
        )
        try:
            if self._status != "running" or not self._state_is_large:
                self._write_state(run, overview)
            write_history(self._layout, overview, self._rows(run), recent, self._signer)
        except (OSError, ValueError, RecursionError) as error:
            run.warn_once("views", f"a view of the run cannot be written: {error}")

    def _write_state(self, run: Run, overview: Overview) -> None:
        body = state_body(run.inputs, run.state)
        self._state_is_large = len(body) > _LARGE
        if self._status != "running" or not self._state_is_large:
            write_state(self._layout, overview, body, self._signer)

    def _write_snapshot(self) -> None:
        run = self._run
        if run is None:
            return
        try:
            write_snapshot(
                self._layout,
                run.graph,
                run.state,
                status=self._status,
                steps=self.history.steps,
                log_sha256=self._writer.sha256,
                log_bytes=self._writer.size,
                signer=self._signer,
            )
        except (OSError, ValueError) as error:
            run.warn_once("objects", f"the objects of the run cannot be written: {error}")

    def _rows(self, run: Run) -> list[NodeRow]:
        rows: list[NodeRow] = []
        for name in run.graph.nodes:
            tally, kind = self.history.nodes.get(name), run.graph.kinds.get(name, "action")
            status = "waiting" if tally is None else tally.status
            if name == self.history.next_node and self._status == "running":
                status = "running"
            visits, elapsed_ms = (0, 0.0) if tally is None else (tally.visits, tally.elapsed_ms)
            rows.append(NodeRow(name, kind, status, visits, elapsed_ms))
        return rows

    def _write_context(self, run: Run) -> None:
        """Write the capabilities and limits of the run, and the id of its process."""
        fields = {
            "graph_id": run.graph.id,
            "parent_thread_id": self._parent_run_id,
            "capabilities": run.grants.patterns(),
            "limits": dict(run.limits),
            "depth": run.depth,
        }
        try:
            write_context(self._layout.project, run.run_id, fields, self._signer)
        except OSError as error:
            run.warn_once("context", f"{self._layout.context} cannot be written: {error.strerror}")

    def _register(self, pid: int | None) -> None:
        layout = self._layout
        try:
            set_status(
                layout.project,
                layout.run_id,
                layout.graph_id,
                self._status,
                pid=pid,
                now=time.time(),
                parent_id=self._parent_run_id,
                cost=None if self._run is None else self._run.cost,
            )
        except (OSError, sqlite3.Error) as error:
            log.warning(
                "%s: the registry of runs cannot be written: %s",
                layout.run_id,
                error,
                extra=about(layout.run_id, layout.graph_id),
            )
