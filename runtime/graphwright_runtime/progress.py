"""Shows the progress of a run on standard error (runtime.md §6): a line per step, and on terminals a status line.

    [graph:scraper_pipeline] step 2/8 batch_scrape ✓ 8.1s (foreach) +pages

The second number is the number of nodes. If a run with cycles has more steps than that, the number is omitted. From its
second visit on, a node is shown with the visit: `step 9 batch_scrape ✓ 8.1s (foreach, visit 2)`.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple, Protocol, TextIO

from graphwright_runtime.events import Event, NodeRetry, StepCompleted
from graphwright_runtime.running import Running
from graphwright_runtime.statusline import StatusLine
from graphwright_runtime.visible import visible


class Signs(NamedTuple):
    """The symbols for outcomes and activity."""

    ok: str = "✓"
    failed: str = "✗"
    end: str = "⏹"
    again: str = "↻"
    ellipsis: str = "…"
    done: str = "━"
    left: str = "─"


_SIGNS: Final = Signs()
_PLAIN_SIGNS: Final = Signs("ok", "FAILED", "end", "again", "...", "#", "-")

#: The maximum length of a message on a line.
_MESSAGE: Final = 160

#: Seconds between two updates, and after which a terminal shows the running node.
_TICK: Final = 0.2
_LONG: Final = 0.5

#: Seconds after which a line reports a running node if there is no terminal; the interval then doubles.
PATIENCE: Final = 30.0


class ShownGraph(Protocol):
    """The information about a graph that is shown. `initial` returns the initial keys of its state."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def nodes(self) -> Collection[str]:
        """The names of its nodes."""

    @property
    def initial(self) -> Callable[[], Iterable[str]]:
        """Returns the initial keys of the state."""


class Progress:
    """A listener (`on_event`) that shows one run. If the stream cannot be written to, nothing more is shown.

    Graphs that a node calls are shown indented below it, except those that items of a foreach call. `close` removes the
    status line if the run could not emit its last event; `line` is the status line.
    """

    def __init__(self, graph: ShownGraph, stream: TextIO | None = None) -> None:
        out: TextIO = sys.stderr if stream is None else stream
        self.line = StatusLine(out)
        self._signs = _SIGNS if _writes(out, "".join(_SIGNS)) else _PLAIN_SIGNS
        self._graph = graph
        self._runs: dict[str, Running] = {}  # current runs by id, in the order of their start
        self._told: str | None = None
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._ticking = False

    def __call__(self, event: Event) -> None:
        """Show an event."""
        if any("[" in caller for caller in event.namespace):
            return
        with self._lock:
            run = self._of(event)
            if run is None:
                return
            self._show(event, run)
            if event.event_type in ("graph_completed", "graph_error", "graph_cancelled"):
                del self._runs[event.graph_run_id]
                if not event.namespace:
                    self.close()

    def close(self) -> None:
        """Stop, and remove the status line."""
        self._over.set()
        self.line.clear()

    def _of(self, event: Event) -> Running | None:
        """The run of an event; None for a nested run that was refused, because its caller reports that."""
        run = self._runs.get(event.graph_run_id)
        if run is None:
            if not event.namespace:
                run = Running(self._graph.id, len(self._graph.nodes), 0, set(self._graph.initial()))
            elif event.event_type == "graph_started":
                run = Running(event.payload["graph_id"], event.payload["nodes"], len(event.namespace), None)
            else:
                return None
            self._runs[event.graph_run_id] = run
        return run

    def _show(self, event: Event, run: Running) -> None:
        match event.event_type:
            case "step_started":
                run.start(event.payload["step"], event.payload["node"], event.payload["visit"], time.monotonic())
                self._watch()
            case "foreach_item":
                item = event.payload
                run.count(item["finished"], item["total"], item["status"] == "error")
            case "step_completed":
                run.node = None
                self._print(run, f"{run.place} {self._outcome(event, run)}{run.new_keys(event.payload['delta'])}")
            case "node_retry":
                self._print(run, self._retry(event, run))
            case "graph_error" if event.payload["error"] != self._told and not event.namespace:
                self._print(run, f"{self._signs.failed} {_short(event.payload['error'])}")
            case "graph_cancelled" if not event.namespace:
                self._print(run, f"cancelled after {event.payload['steps']} steps")
            case _:
                pass

    def _outcome(self, event: StepCompleted, run: Running) -> str:
        payload = event.payload
        notes = [] if payload["kind"] in ("action", "return") else [payload["kind"]]
        if run.visit > 1:
            notes.append(f"visit {run.visit}")
        seconds = f"{payload['elapsed_ms'] / 1000:.1f}s"
        if payload["status"] == "error":
            self._told = payload.get("error")
            return f"{self._signs.failed} {seconds} ({_short(self._told)})"
        shown = self._signs.end if payload["kind"] == "return" else f"{self._signs.ok} {seconds}"
        return f"{shown} ({', '.join(notes)})" if notes else shown

    def _retry(self, event: NodeRetry, run: Running) -> str:
        payload = event.payload
        item = f"[{payload['index']}]" if "index" in payload else ""
        return f"{run.place}{item} {self._signs.again} in {payload['wait_s']:.1f}s ({_short(payload['error'])})"

    def _print(self, run: Running, text: str) -> None:
        self.line.print(f"{run.indent}{visible(f'[graph:{run.name}] {text}')}")

    def _watch(self) -> None:
        """Start to update the status line in a thread, so that it works while a tool blocks the event loop."""
        if not self._ticking:
            self._ticking = True
            threading.Thread(target=self._tick, name="graphwright-progress", daemon=True).start()

    def _tick(self) -> None:
        while not self._over.wait(_TICK):
            with self._lock:
                if not self._over.is_set():
                    self._look(time.monotonic())

    def _look(self, now: float) -> None:
        """Show the running node of the latest run: in the status line of a terminal, or occasionally on a line."""
        run = next((each for each in reversed(self._runs.values()) if each.node is not None), None)
        if run is None:
            return
        if self.line.is_terminal:
            if now - run.started >= _LONG:
                self.line.draw(run.status(now, self.line.columns, self._signs))
        elif run.is_due(now, PATIENCE):
            self._print(run, run.report(now, self._signs.ellipsis))


def _short(message: str | None) -> str:
    """A message on one line."""
    text = " ".join(str(message).split())
    return text if len(text) <= _MESSAGE else text[:_MESSAGE] + "…"


def _writes(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
