"""Progress of a run on standard error, one line a step (runtime.md §6).

    [graph:scraper_pipeline] step 2/8 batch_scrape ✓ 8.1s (foreach) +pages

The second number is the number of nodes. On a terminal a long foreach shows how far it is.
"""

from __future__ import annotations

import sys
from typing import Final, NamedTuple, TextIO

from graphwright_runtime.events import Event
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.values import Json
from graphwright_runtime.visible import visible


class Signs(NamedTuple):
    """How a line shows what a step came to."""

    ok: str
    failed: str
    end: str
    again: str


_SIGNS: Final = Signs("✓", "✗", "⏹", "↻")
_PLAIN_SIGNS: Final = Signs("ok", "FAILED", "end", "again")

#: Characters of a message on a line.
_MESSAGE: Final = 160

#: Seconds between two refreshes of the count of a foreach.
_REFRESH: Final = 0.1


class Progress:
    """A listener (`on_event`) that writes the lines of one run; a stream that cannot be written to ends them."""

    def __init__(self, graph: AnyGraph, stream: TextIO | None = None) -> None:
        out: TextIO = sys.stderr if stream is None else stream
        self._stream: TextIO | None = out
        self._signs = _SIGNS if _writes(out, "".join(_SIGNS)) else _PLAIN_SIGNS
        self._live = out.isatty()
        self._name = graph.id.rpartition("/")[2]
        self._nodes = len(graph.nodes)
        self._known = set(graph.initial())
        self._step: Json = 0
        self._items = 0
        self._refreshed = 0.0
        self._told: Json = None

    def __call__(self, event: Event) -> None:
        """Write what there is to say about an event."""
        payload = event.payload
        match event.event_type:
            case "step_started":
                self._step, self._items = payload["step"], 0
            case "step_completed":
                self._line(f"{self._place(payload)} {self._outcome(payload)}{self._new_keys(payload.get('delta'))}")
            case "foreach_item" if self._live:
                self._count(event)
            case "node_retry":
                wait, message = payload["wait_s"], _short(payload["error"])
                self._line(f"{self._place(payload)} {self._signs.again} in {wait:.1f}s ({message})")
            case "graph_error" if payload["error"] != self._told:
                self._line(f"{self._signs.failed} {_short(payload['error'])}")
            case "graph_cancelled":
                self._line(f"cancelled after {payload['steps']} steps")
            case _:
                pass

    def _place(self, payload: dict[str, Json]) -> str:
        return f"step {self._step}/{self._nodes} {payload['node']}"

    def _outcome(self, payload: dict[str, Json]) -> str:
        elapsed = payload["elapsed_ms"]
        seconds = f"{elapsed / 1000 if isinstance(elapsed, (int, float)) else 0:.1f}s"
        if payload["status"] == "error":
            self._told = payload.get("error")
            return f"{self._signs.failed} {seconds} ({_short(self._told)})"
        if payload["kind"] == "return":
            return self._signs.end
        return f"{self._signs.ok} {seconds}" + ("" if payload["kind"] == "action" else f" ({payload['kind']})")

    def _new_keys(self, delta: Json) -> str:
        """The keys of the state that appeared."""
        new = [key for key in delta if key not in self._known and key[:1] != "_"] if isinstance(delta, dict) else []
        self._known.update(new)
        return f" +{', '.join(new)}" if new else ""

    def _count(self, event: Event) -> None:
        self._items += 1
        if event.timestamp - self._refreshed >= _REFRESH:
            self._refreshed = event.timestamp
            counted = f"{self._place(event.payload)} {self._items}/{event.payload['total']}"
            self._write(f"\r{visible(f'[graph:{self._name}] {counted}')}")

    def _line(self, text: str) -> None:
        self._write(f"{chr(13) + chr(27) + '[K' if self._live else ''}{visible(f'[graph:{self._name}] {text}')}\n")

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # closed, or nobody reads any more: the run is worth more than its lines
            self._stream = None


def _short(message: Json) -> str:
    """A message on one line."""
    text = " ".join(str(message).split())
    return text if len(text) <= _MESSAGE else text[:_MESSAGE] + "…"


def _writes(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
