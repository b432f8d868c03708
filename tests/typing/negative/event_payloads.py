"""What the types of events rule out."""

from __future__ import annotations

from modules import routing

from graphwright_runtime.events import Event


def misread(event: Event) -> bool:
    if event.event_type == "step_started":
        event.payload["elapsed_ms"]  # wrong: a step that only started
    return event.event_type == "step_complete"  # wrong: no event has this type


async def wrong_inputs() -> None:
    async for _ in routing.GRAPH.events({"tem": "x"}):  # wrong: the input is called team
        pass
