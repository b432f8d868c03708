"""What a caller of `modules.routing` may write."""

from __future__ import annotations

from typing import assert_type, get_type_hints

from modules import routing


async def count(team: str) -> int:
    """Inputs with and without what has a default; every part of the result by its type."""
    await routing.run({"team": team})
    out = await routing.run({"team": team, "limit": 3, "mail": "a@b.c"}, capabilities=["rye.execute.tool.*"])
    assert_type(out.state["tries"], int)
    assert_type(out.state.get("total"), int | None)
    name: routing.NodeName = "fetch"
    return out.state["tries"] + len(name) + len(out.path)


def count_sync(inputs: routing.Inputs) -> bool:
    """The same without an event loop."""
    out = routing.run_sync(inputs, run_id="fixed")
    state: routing.State = out.state
    return out.success and "total" in state


HINTS = [get_type_hints(kind) for kind in (routing.Inputs, routing.State, routing.OutputDone)]
CONSTANTS: tuple[str, str, int] = (routing.GRAPH_ID, routing.START, routing.MAX_STEPS)
NEEDS: tuple[str, ...] = (*routing.REQUIRED_ENV, *(routing.PERMISSIONS or ()))
