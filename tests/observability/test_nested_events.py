"""Events of graphs that a run calls: the same listener, with the runs and nodes that they come from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from graphwright_runtime.context import Context
from graphwright_runtime.events import Event
from runtime.small import WORK, AnyCursor, graph, ran


async def leaf(c: AnyCursor) -> str | None:
    return "done"


async def calls(c: AnyCursor) -> str | None:
    await c.call_with(WORK, {})
    return "done"


async def calls_for_items(c: AnyCursor) -> str | None:
    await c.each(WORK, ["a", "b"], lambda x: {}, collect="out")
    return "done"


def told(top: Any, *below: Any) -> list[Event]:
    """The events of a run of `top`, whose tool runs the first of `below`, whose tool runs the next."""

    async def nest(params: Mapping[str, Any], context: Context) -> object:
        depth = {"tests/top": 0, "tests/middle": 1}[context.graph_id]
        return await context.run_graph(below[depth], params)

    return ran(graph(top, id="tests/top"), watched=True, tools={"svc/work": nest}, run_id="top").events


def test_a_run_below_names_its_parent_its_root_and_the_calling_nodes() -> None:
    events = told(calls_for_items, graph(calls, id="tests/middle"), graph(leaf, id="tests/leaf"))
    started = [event for event in events if event.event_type == "graph_started"]
    assert [(event.payload["graph_id"], event.namespace) for event in started] == [
        ("tests/top", ()),
        ("tests/middle", ("work[0]",)),
        ("tests/leaf", ("work[0]", "work")),
        ("tests/middle", ("work[1]",)),
        ("tests/leaf", ("work[1]", "work")),
    ]
    top, first, below, *_ = started
    assert (top.graph_run_id, top.parent_run_id, top.root_run_id) == ("top", None, "top")
    assert (first.parent_run_id, first.root_run_id) == ("top", "top")
    assert (below.parent_run_id, below.root_run_id) == (first.graph_run_id, "top")
    assert len({event.graph_run_id for event in events}) == 5
    assert events[-1].event_type == "graph_completed"
    assert events[-1].namespace == ()


def test_a_run_below_that_is_refused_is_told() -> None:
    events = told(calls, graph(leaf, id="tests/middle", required_env={"TOKEN": ("graph",)}))
    [refused] = [event for event in events if event.namespace]
    assert refused.event_type == "graph_error"
    assert "TOKEN" in str(refused.payload["error"])
    assert (refused.parent_run_id, refused.namespace) == ("top", ("work",))


def test_as_json() -> None:
    events = told(calls, graph(leaf, id="tests/middle"))
    shown = [json.loads(json.dumps(event.to_dict())) for event in events]
    assert set(shown[0]) == {"timestamp", "event_type", "graph_run_id", "payload"}
    inner = next(each for each in shown if "namespace" in each)
    assert (inner["event_type"], inner["parent_run_id"], inner["root_run_id"], inner["namespace"]) == (
        "graph_started",
        "top",
        "top",
        ["work"],
    )
