"""Formats the steps of a run: as lines of a table, with their changes, or as JSON."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, Protocol, cast

from graphwright.cli.runs.changes import changes, listed, short
from graphwright.render.layout import printable

if TYPE_CHECKING:
    from graphwright_runtime.durable.retrace import TracedStep
    from graphwright_runtime.payloads import CallReceipt

#: Maximum size of a table in memory, in bytes, and number of characters to print at once.
_IN_MEMORY: Final = 1 << 24
_PIECE: Final = 1 << 16
#: Number of digits of a hash in a table.
_DIGITS: Final = 12
#: Width of the column for node names.
_NAME: Final = 24


class Wanted(NamedTuple):
    """The steps to show: those of a node, the last ones; None for all. `diff`: include their changes."""

    node: str | None
    last: int | None
    diff: bool

    def takes(self, step: TracedStep) -> bool:
        """Whether to show a step."""
        return self.node is None or step.payload["node"] == self.node


class Sheet:
    """Collects output until everything has been verified: in memory up to a limit, then in a temporary file.

    `last` is the maximum number of pieces to keep; `joint` is the text between two pieces.
    """

    def __init__(self, last: int | None, joint: str = "") -> None:
        import tempfile

        self.count = 0
        self._joint = joint
        self._recent: deque[str] | None = None if last is None else deque(maxlen=last)
        self._file: IO[str] = tempfile.SpooledTemporaryFile(  # noqa: SIM115 - closed by `close`
            _IN_MEMORY, "w+", encoding="utf-8", errors="backslashreplace", newline=""
        )

    def add(self, piece: str) -> None:
        """Add a piece of text."""
        if self._recent is not None:
            self._recent.append(piece)
        else:
            self._file.write(self._joint + piece if self.count else piece)
        self.count += 1

    def pieces(self) -> Iterator[str]:
        """The output, in pieces for the console."""
        if self._recent is not None:
            yield self._joint.join(self._recent)
            return
        self._file.seek(0)
        while piece := self._file.read(_PIECE):
            yield piece

    def close(self) -> None:
        """Discard the output."""
        self._file.close()


class Writer(Protocol):
    """Formats one step."""

    def __call__(self, step: TracedStep, wanted: Wanted) -> str: ...


def heading() -> str:
    """The heading of a table of steps."""
    return _row("STEP", "NODE", "STATUS", "TIME", "INPUT", "RESULT", "NEXT")


def as_line(step: TracedStep, wanted: Wanted) -> str:
    """A step as a line of a table, followed by its changes."""
    payload, receipt = step.payload, _receipt(step)
    line = _row(
        str(payload["step"]),
        printable(str(payload["node"])),
        _status(payload),
        f"{receipt['elapsed_ms']:.1f} ms",
        _digits(receipt.get("node_input_hash")),
        _digits(receipt.get("node_result_hash")),
        printable(str(payload["next_node"] or "-")),
    )
    hits = receipt.get("cache_hits")
    part = f"        {_items(hits)} from the cache\n" if hits and not receipt["cache_hit"] else ""
    calls = "".join(
        _row(
            "",
            printable(f"  {call['item_id'] or call['kind']}"),
            call["status"],
            f"{call['elapsed_ms']:.1f} ms",
            _digits(call["input_hash"]),
            _digits(call["result_hash"]),
            printable(f"({_which(call, step)})"),
        )
        for call in step.calls
    )
    return line + part + calls + _details(step, wanted)


def as_page(step: TracedStep, wanted: Wanted) -> str:
    """A step with all its details."""
    from graphwright_runtime.durable.views import moment

    payload, receipt = step.payload, _receipt(step)
    place = f"step {payload['step']}, {printable(str(payload['node']))} ({payload['kind']}): {_status(payload)}"
    rows = [
        ("started", f"{moment(receipt['timestamp'])}, took {receipt['elapsed_ms']:.1f} ms"),
        ("input", str(receipt.get("node_input_hash") or "nothing was called")),
        ("result", str(receipt.get("node_result_hash") or "none")),
    ]
    if hits := receipt.get("cache_hits"):
        rows.append(("cache", f"{_items(hits)} from the cache"))
    if "result" in payload:
        rows.append(("", short(payload["result"])))
    rows += [("call", _told(call, step)) for call in step.calls]
    if "output" in payload:
        rows.append(("output", short(payload["output"])))
    if "error" in payload:
        rows.append(("error", str(payload["error"])))
    rows += [
        ("before", short(step.before())),
        ("after", short(step.after())),
        ("next", str(payload["next_node"] or "-")),
    ]
    text = "".join(f"  {name:<8} {printable(value)}\n" for name, value in rows)
    return f"{place}\n{text}{_details(step, wanted)}"


def as_json(step: TracedStep, wanted: Wanted) -> str:
    """A step as a JSON object."""
    from graphwright_runtime.durable.canonical import any_length

    payload, receipt = step.payload, _receipt(step)
    names = ("step", "node", "kind", "status", "next_node", "error", "suppressed", "fatal")
    record: dict[str, object] = {name: payload[name] for name in names if name in payload}
    for name in ("timestamp", "elapsed_ms", "cache_hit", "node_input_hash", "node_result_hash"):
        record[name] = receipt.get(name)
    if "cache_hits" in receipt:
        record["cache_hits"] = receipt["cache_hits"]
    if step.calls:
        record["calls"] = list(step.calls)
    record["receipt_hash"] = step.receipt_hash
    if wanted.diff:
        record["changes"] = [change.record() for change in changes(*step.changed())]
    if wanted.node is not None:
        record |= {name: payload[name] for name in ("result", "output") if name in payload}
        record |= {"state_before": step.before(), "state_after": step.after()}
    with any_length():
        return json.dumps(record, ensure_ascii=False)


def _details(step: TracedStep, wanted: Wanted) -> str:
    lines = listed(changes(*step.changed())) if wanted.diff else []
    return "".join(f"        {printable(line)}\n" for line in lines)


def _told(call: CallReceipt, step: TracedStep) -> str:
    """A call that a tool made, on one line."""
    ended = f"{call['status']}: {call['error']}" if "error" in call else call["status"]
    what = f"{call['primary']} {call['kind']} {call['item_id'] or ''}".rstrip()
    return f"{_which(call, step)} {what}: {ended}, input {call['input_hash']}, result {call['result_hash'] or 'none'}"


def _which(call: CallReceipt, step: TracedStep) -> str:
    """Which call it is: its idempotency key without the run and the step."""
    return call["idempotency_key"].partition(f"/{step.payload['step']}/")[2] or call["idempotency_key"]


def _receipt(step: TracedStep) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", step.payload["receipt"])


def _status(payload: Mapping[str, Any]) -> str:
    return "cached" if payload["status"] == "ok" and payload["receipt"]["cache_hit"] else str(payload["status"])


def _items(count: int) -> str:
    return f"{count} item{'' if count == 1 else 's'}"


def _digits(digest: str | None) -> str:
    return "-" if digest is None else digest[:_DIGITS]


def _row(step: str, node: str, status: str, time: str, sent: str, result: str, following: str) -> str:
    return f"{step:<6} {node:<{_NAME}} {status:<7} {time:>11} {sent:<{_DIGITS}} {result:<{_DIGITS}} {following}\n"
