"""What the types of events rule out."""

from __future__ import annotations

from modules import routing

from graphwright_runtime.events import Event


def misread(event: Event) -> bool:
    if event.event_type == "step_started":
        # wrong [typeddict-item | reportGeneralTypeIssues]: a step that only started
        event.payload["elapsed_ms"]
    # wrong [comparison-overlap | reportUnnecessaryComparison]: no event has this type
    return event.event_type == "step_complete"


async def wrong_inputs() -> None:
    # wrong [typeddict-item typeddict-unknown-key | reportArgumentType]: the input is called team
    async for _ in routing.GRAPH.events({"tem": "x"}):
        pass
