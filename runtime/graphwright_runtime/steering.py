"""Params that steer the call of a nested graph (language.md §13), where it declares no input of that name.

`capabilities` narrows what the called graph may do, `depth` how many levels may follow below it. The others ask for
what this runtime does not do yet; they are refused, since a run that ignored them would do something else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, cast

from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import described
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.values import Json

#: Keys that are refused, each with what is not done.
_REFUSED: Final[Mapping[str, str]] = {
    "async": "a graph is not started in the background",
    "async_exec": "a graph is not started in the background",
    "resume": "no log of runs is kept to resume from",
    "resume_run_id": "no log of runs is kept to resume from",
    "graph_run_id": "no log of runs is kept to resume from",
    "node": "a single node is not run by itself",
    "inject_state": "a single node is not run by itself",
    "validate": "a graph is not validated without being run",
}
#: Those among them that ask for nothing where they are false.
_FLAGS: Final = frozenset({"async", "async_exec", "resume", "validate"})


class Steered(NamedTuple):
    """A call: the inputs of the graph; the capabilities and the depth that it is given, None where none are named."""

    inputs: Mapping[str, Json]
    capabilities: Sequence[str] | None
    depth: int | None


def steered(graph: AnyGraph, params: Mapping[str, Json]) -> Steered:
    """Tell the inputs from what steers the call. Raises NodeError for what cannot be honored."""
    steering = {name: value for name, value in params.items() if name not in graph.own_inputs and value is not None}
    for name, reason in _REFUSED.items():
        value = steering.get(name)
        if value is not None and not (value is False and name in _FLAGS):
            raise NodeError(
                f"the graph `{graph.id}` cannot be called with `{name}` in this version: {reason}", category="permanent"
            )
    inputs = {
        name: value
        for name, value in params.items()
        if name in graph.own_inputs or (name not in _REFUSED and name not in ("capabilities", "depth"))
    }
    return Steered(inputs, _patterns(steering.get("capabilities")), _levels(steering.get("depth")))


def _patterns(value: Json) -> Sequence[str] | None:
    if value is None or (isinstance(value, list) and all(isinstance(each, str) for each in value)):
        return cast("list[str] | None", value)
    raise NodeError(f"`capabilities` takes a list of patterns, not {described(value)}", category="permanent")


def _levels(value: Json) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise NodeError(f"`depth` takes a whole number of at least 0, not {described(value)}", category="permanent")
