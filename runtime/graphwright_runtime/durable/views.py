"""Views of a run for people and tools: its state and its history as signed Markdown, derived from the log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from graphwright_runtime.durable.canonical import indented
from graphwright_runtime.durable.history import Happened
from graphwright_runtime.durable.layout import Layout, replace_file
from graphwright_runtime.trust.header import seal
from graphwright_runtime.trust.signing import Signer

_MARKS = {"ok": "✅", "running": "🔄", "waiting": "⏳", "error": "❌"}


class Overview(NamedTuple):
    """The common header of the views. `log_bytes` is the length of the log; times are seconds since the epoch."""

    status: str
    current_node: str | None
    step_count: int
    started_at: float
    updated_at: float
    parent_thread_id: str | None
    log_bytes: int
    log_sha256: str


class NodeRow(NamedTuple):
    """A node in the table of the history."""

    name: str
    kind: str
    status: str
    visits: int
    elapsed_ms: float


def state_body(inputs: Mapping[str, object], state: Mapping[str, object]) -> bytes:
    """The state as JSON for its view. Raises ValueError if it cannot be written."""
    return indented({"inputs": inputs, **state}) + b"\n"


def state_text(layout: Layout, overview: Overview, body: bytes) -> bytes:
    """The view of the state, without its signature. `body` comes from `state_body`."""
    return _front_matter(layout, overview, "graph_state", "State") + body


def write_state(layout: Layout, overview: Overview, body: bytes, signer: Signer) -> None:
    """Replace the view of the state. `body` comes from `state_body`. Raises OSError."""
    replace_file(layout.state, seal("state", state_text(layout, overview, body), signer, markdown=True))


def write_history(
    layout: Layout, overview: Overview, nodes: Iterable[NodeRow], steps: Iterable[Happened], signer: Signer
) -> None:
    """Replace the view of the history: a table of the nodes, then the latest steps. Raises OSError."""
    lines = [f"# {layout.run_id}", "", "| | node | kind | visits | time |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {_MARKS[row.status]} | {_cell(row.name)} | {row.kind} | {row.visits} | {row.elapsed_ms / 1000:.1f} s |"
        for row in nodes
    ]
    lines += ["", "## Events", ""]
    lines += [
        f"- {moment(timestamp)} step {step} {_MARKS[status]} `{node}` {elapsed_ms:.1f} ms"
        for timestamp, step, node, status, elapsed_ms in steps
    ]
    lines.append("")
    text = _front_matter(layout, overview, "graph_history", "History") + "\n".join(lines).encode(
        "utf-8", "backslashreplace"
    )
    replace_file(layout.history, seal("history", text, signer, markdown=True))


def moment(timestamp: float) -> str:
    """A time as ISO-8601 in UTC."""
    return datetime.fromtimestamp(timestamp, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _front_matter(layout: Layout, overview: Overview, entry_type: str, title: str) -> bytes:
    last = layout.graph_id.rpartition("/")[2]
    fields: dict[str, object] = {
        "id": f"graphs/{layout.graph_id}/{layout.run_id}",
        "title": f"{title}: {last} ({layout.run_id})",
        "entry_type": entry_type,
        "category": f"graphs/{layout.graph_id}",
        "version": "1.0.0",
        "graph_id": layout.graph_id,
        "graph_run_id": layout.run_id,
        "parent_thread_id": overview.parent_thread_id,
        "status": overview.status,
        "current_node": overview.current_node,
        "step_count": overview.step_count,
        "started_at": moment(overview.started_at),
        "updated_at": moment(overview.updated_at),
        "log_bytes": overview.log_bytes,
        "log_sha256": overview.log_sha256,
        "tags": [entry_type, last],
    }
    written = "".join(f"{key}: {json.dumps(value)}\n" for key, value in fields.items())
    return f"---\n{written}---\n\n".encode()


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")
