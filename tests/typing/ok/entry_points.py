"""The entry points of a module: every option, by keyword, and results of the module's own types."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike

from modules import routing

from graphwright_runtime.events import Event
from graphwright_runtime.host import Host


def seen(event: Event) -> None:
    assert event


async def with_every_option(host: Host, project: PathLike[str], env: Mapping[str, str]) -> int:
    result = await routing.run(
        {"team": "x"},
        tools={},
        dispatch=lambda call, context: call.params,
        capabilities=["rye.execute.tool.*"],
        env=env,
        host=host,
        project=project,
        run_id="one",
        resume="before",
        durability="off",
        on_event=seen,
    )
    tries: int = result.state["tries"]
    return tries


def resumed() -> int:
    """A run that is resumed has its inputs: they are the same again."""
    result = routing.run_sync({"team": "x"}, resume="before", project="somewhere", allow_changed=True)
    tries: int = result.state["tries"]
    return tries


def from_elsewhere() -> routing.Output:
    inputs: routing.Inputs = {"team": "x", "limit": 3}
    result = routing.run_sync(inputs=inputs, project="somewhere")
    assert result.success is True
    return result.output
