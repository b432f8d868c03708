"""The events of a resumed run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from durability.kept import compiled, run
from graphwright_runtime.events import Event

LOOP = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: each
  nodes:
    each: {type: foreach, over: [1, 2, 3, 4], action: {item_id: tool:t/add, params: {n: "${item}"}}, next: done}
    done: {type: return}
"""


class Stopping:
    """A tool that fails in its third call."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, params: dict[str, Any]) -> dict[str, Any]:
        self.calls += 1
        if self.calls == 3:
            raise ValueError("not today")
        return {"n": 1}


def test_finished_items_count_and_are_not_told_again(tmp_path: Path) -> None:
    tool, first, second = Stopping(), list[Event](), list[Event]()
    with compiled(LOOP) as module:
        run(module, tmp_path, tool, run_id="r", on_event=first.append)
        run(module, tmp_path, tool, resume="r", on_event=second.append)
    items = [
        [(each.payload["index"], each.payload["finished"]) for each in told if each.event_type == "foreach_item"]
        for told in (first, second)
    ]
    assert items == [[(0, 1), (1, 2), (2, 3)], [(2, 3), (3, 4)]]
    [started] = [event for event in second if event.event_type == "graph_started"]
    assert started.payload.get("resumed_at") == 0
    assert tool.calls == 5
