"""The params of a call of a graph: its inputs, and options that control the call (language.md §13).

An option counts only if the called graph declares no input of that name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, cast

from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import described
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.values import Json

#: All options.
OPTIONS: Final = frozenset(
    {
        "async",
        "async_exec",
        "capabilities",
        "depth",
        "graph_run_id",
        "inject_state",
        "node",
        "resume",
        "resume_run_id",
        "validate",
    }
)


class NestedCall(NamedTuple):
    """The call of a graph: its inputs, and its options.

    `capabilities` and `depth` restrict the called graph, None if not given. `background`: do not wait for it.
    `resume_run_id`: the run to continue. `node`: execute this node only, with `state` as changes of the state.
    `validate`: check the call without running anything.
    """

    inputs: Mapping[str, Json]
    capabilities: Sequence[str] | None
    depth: int | None
    background: bool
    resume_run_id: str | None
    node: str | None
    state: Mapping[str, Json]
    validate: bool


def nested_call(graph: AnyGraph, params: Mapping[str, Json]) -> NestedCall:
    """Separate the inputs from the options of a call. Raises NodeError for options that are not valid."""
    inputs, options = dict[str, Json](), dict[str, Json]()
    for name, value in params.items():
        if name not in OPTIONS or name in graph.own_inputs:
            inputs[name] = value
        elif value is not None:
            options[name] = value
    background = _flag(options, "async") or _flag(options, "async_exec")
    validate = _flag(options, "validate")
    node = _text(options, "node")
    if "inject_state" in options and node is None:
        raise _wrong("`inject_state` goes with `node`, which executes a single node")
    if background and (validate or node is not None):
        raise _wrong(f"`{'validate' if validate else 'node'}` returns at once: leave out `async`")
    return NestedCall(
        inputs,
        _patterns(options.get("capabilities")),
        _levels(options.get("depth")),
        background,
        _resumed(options),
        node,
        _state(options.get("inject_state")),
        validate,
    )


def _resumed(options: Mapping[str, Json]) -> str | None:
    """The run to continue: `resume_run_id`, or `graph_run_id` with `resume: true`."""
    run_id, other = _text(options, "resume_run_id"), _text(options, "graph_run_id")
    resume = _flag(options, "resume")
    if run_id is not None and other is not None:
        raise _wrong("`resume_run_id` and `graph_run_id` both name the run to resume: pass one of them")
    if other is not None and not resume:
        raise _wrong("`graph_run_id` goes with `resume: true`")
    if resume and run_id is None and other is None:
        raise _wrong("`resume: true` goes with `graph_run_id`, the run to resume")
    return run_id if other is None else other


def _flag(options: Mapping[str, Json], name: str) -> bool:
    value = options.get(name, False)
    if isinstance(value, bool):
        return value
    raise _wrong(f"`{name}` must be true or false, not {described(value)}")


def _text(options: Mapping[str, Json], name: str) -> str | None:
    value = options.get(name)
    if value is None or isinstance(value, str):
        return value
    raise _wrong(f"`{name}` must be a string, not {described(value)}")


def _state(value: Json) -> Mapping[str, Json]:
    if value is None or isinstance(value, dict):
        return value or {}
    raise _wrong(f"`inject_state` must be a mapping, not {described(value)}")


def _patterns(value: Json) -> Sequence[str] | None:
    if value is None or (isinstance(value, list) and all(isinstance(each, str) for each in value)):
        return cast("list[str] | None", value)
    raise _wrong(f"`capabilities` must be a list of patterns, not {described(value)}")


def _levels(value: Json) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise _wrong(f"`depth` must be an integer of at least 0, not {described(value)}")


def _wrong(message: str) -> NodeError:
    return NodeError(message, category="permanent")
