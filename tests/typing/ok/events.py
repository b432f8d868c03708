"""Events: type checkers know the payload from the type of the event, and the result from the module."""

from __future__ import annotations

from typing import assert_type

from modules import routing

from graphwright_runtime.events import Event, ForeachItem, StepCompleted
from graphwright_runtime.payloads import StepStartedPayload
from graphwright_runtime.stream import EventStream
from graphwright_runtime.values import Json


def by_type(event: Event) -> float | None:
    """The type of an event narrows it, in `match` and in `if`."""
    match event.event_type:
        case "graph_started":
            assert_type(event.payload["nodes"], int)
        case "step_started":
            assert_type(event.payload, StepStartedPayload)
        case "step_completed":
            assert_type(event.payload["delta"], dict[str, Json])
            return event.payload["elapsed_ms"]
        case _:
            pass
    if event.event_type == "node_retry":
        return event.payload["wait_s"]
    return None


def by_class(event: Event) -> str:
    """So does its class."""
    match event:
        case StepCompleted(payload={"node": node, "next_node": following}):
            assert_type(following, str | None)
            return node
        case ForeachItem(namespace=calls):
            assert_type(calls, tuple[str, ...])
            return f"{event.payload['index']} of {event.payload['total']}"
        case _:
            return event.root_run_id


async def read() -> int:
    """A stream, and what it ends with."""
    events = routing.GRAPH.events({"team": "x"}, run_id="one")
    assert_type(events, EventStream[routing.Outcome])
    async with events:
        async for event in events:
            assert_type(event, Event)
    return events.result.state["tries"]
