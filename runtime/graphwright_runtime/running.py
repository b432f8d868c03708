"""Describes the current activity of a run on one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

from graphwright_runtime.statusline import cut, width
from graphwright_runtime.visible import visible

#: The maximum and minimum width of a bar, in columns.
_BAR: Final = 24
_SHORTEST: Final = 8


class BarSigns(Protocol):
    """The symbols of a status line."""

    @property
    def ellipsis(self) -> str:
        """Marks activity, or omitted text."""

    @property
    def done(self) -> str:
        """The finished part of a bar."""

    @property
    def left(self) -> str:
        """The rest of a bar."""


class Items(NamedTuple):
    """The progress of a loop: `finished` of `total`; counting began at `since`, with `before` finished items."""

    finished: int
    total: int
    failed: int
    before: int
    since: float


class Running:
    """A run that is shown; `depth` is the number of its callers, `known` the keys that its state had (if known).

    `node` is the current node, None between two nodes. Times are in seconds of the same clock.
    """

    def __init__(self, graph_id: str, nodes: int, depth: int, known: set[str] | None) -> None:
        self.name = graph_id.rpartition("/")[2]
        self.indent = "  " * depth
        self.node: str | None = None
        self.visit = 0
        self.started = 0.0
        self._nodes = nodes
        self._known = known
        self._step = 0
        self._last = ""
        self._items: Items | None = None
        self._reported = 0.0

    def start(self, step: int, node: str, visit: int, now: float) -> None:
        """A node starts."""
        self._step, self.node, self._last, self.visit = step, node, node, visit
        self.started, self._reported, self._items = now, 0.0, None

    def count(self, finished: int, total: int, failed: bool) -> None:
        """An item of the node has finished."""
        items = self._items or Items(0, total, 0, finished - 1, self.started)
        self._items = items._replace(finished=finished, total=total, failed=items.failed + failed)

    @property
    def place(self) -> str:
        """The position of the run, for the beginning of a line."""
        nodes = f"/{self._nodes}" if self._step <= self._nodes else ""  # a run in circles has more steps
        return f"step {self._step}{nodes} {self._last}"

    def new_keys(self, delta: Mapping[str, object]) -> str:
        """The keys that a step added to the state, for messages."""
        if self._known is None:
            return ""
        new = [key for key in delta if key not in self._known and key[:1] != "_"]
        self._known.update(new)
        return f" +{', '.join(new)}" if new else ""

    def is_due(self, now: float, patience: float) -> bool:
        """Whether to report a running node: after `patience` seconds, then each time that the duration has doubled."""
        if now - self.started < max(patience, 2 * self._reported):
            return False
        self._reported = now - self.started
        return True

    def report(self, now: float, ellipsis: str) -> str:
        """The activity for a permanent line."""
        counted = "" if self._items is None else f" ({self._items.finished}/{self._items.total})"
        return f"{self.place} {ellipsis} {_duration(now - self.started)}{counted}"

    def status(self, now: float, columns: int, signs: BarSigns) -> str:
        """The activity for a status line of at most `columns`; omits details that do not fit."""
        place = self.indent + visible(f"[graph:{self.name}] {self.place}")
        items = self._items
        if items is None or items.total == 0:
            return cut(f"{place} {signs.ellipsis} {_duration(now - self.started)}", columns, signs.ellipsis)
        parts = [f"{items.finished}/{items.total}"]
        if items.failed:
            parts.append(f"{items.failed} failed")
        parts += _pace(items, now)
        while len(parts) > 1 and width(place) + 1 + width(", ".join(parts)) > columns:
            parts.pop()
        counted = ", ".join(parts)
        room = min(_BAR, columns - width(place) - width(counted) - 2)
        if room >= _SHORTEST:
            full = min(room, room * items.finished // items.total)
            counted = f"{signs.done * full}{signs.left * (room - full)} {counted}"
        return cut(f"{place} {counted}", columns, signs.ellipsis)


def _pace(items: Items, now: float) -> list[str]:
    """Items per second or minute, and the estimated remaining time."""
    rate = (items.finished - items.before) / max(now - items.since, 1e-6)
    said = f"{rate:.1f}/s" if rate >= 0.1 else f"{60 * rate:.1f}/min"
    return [said, f"eta {_duration((items.total - items.finished) / rate)}"] if rate > 0 else []


def _duration(seconds: float) -> str:
    """A duration such as `8s`, `2m05s`, `1h04m`."""
    whole = int(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m{whole % 60:02}s"
    return f"{whole // 3600}h{whole // 60 % 60:02}m"
