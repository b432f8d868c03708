"""Adapts tools to a common form: called in the event loop or in a thread, with the arguments that they take."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar, cast

from graphwright_runtime.context import Context
from graphwright_runtime.graph import Action, AnyGraph, GraphRecord
from graphwright_runtime.threads import in_thread
from graphwright_runtime.values import Json, Params, Result

if TYPE_CHECKING:
    from graphwright_runtime.instances import Conversion

#: `(params) -> result` or `(params, context) -> result`, sync or async; sync functions run in a thread. Or a graph:
#: the `GRAPH` of a generated module, or that module itself.
Tool: TypeAlias = Callable[..., object] | AnyGraph | ModuleType

_ValueT = TypeVar("_ValueT")

#: What a tool that may be a coroutine function gives.
AwaitableOrValue: TypeAlias = _ValueT | Awaitable[_ValueT]

#: A tool in the form that the runtime calls.
Bound: TypeAlias = Callable[[dict[str, Json], Context], Awaitable[object]]

#: A coroutine function of one argument that is called directly; its result must still be checked.
Plain: TypeAlias = Callable[[Params], Awaitable[Result]]


class Call(NamedTuple):
    """An action with its params, for `dispatch`; `item_id` is None for a search without an id."""

    primary: str
    kind: str
    item_id: str | None
    params: dict[str, Json]
    capability: str


#: Handles all actions that `tools` does not: `(call, context) -> result`, sync or async.
Dispatch: TypeAlias = Callable[[Call, Context], object]


#: A tool in its common form and, if it is a coroutine function that takes only params, as `Plain`.
Adapted: TypeAlias = tuple[Bound, Plain | None]


def adapted(tool: Tool) -> Adapted:
    """Adapt a tool to the common form. Raises TypeError."""
    graph = graph_in(tool)
    if graph is not None:
        return graph_tool(graph), None
    if not callable(tool):
        raise TypeError(f"a tool must be a callable or a generated graph, not {tool!r}")
    return _adapted(tool, in_file=False)


def _adapted(tool: Callable[..., object], *, in_file: bool) -> Adapted:
    from graphwright_runtime.instances import conversion  # imported late: emitted modules do not need these
    from graphwright_runtime.parameters import Extras, extras

    more = extras(tool, in_file=in_file)
    call = more.passed_to(tool)
    convert = conversion(tool)
    if is_coroutine_function(tool) and convert is None:
        return cast("Bound", call), None if more != Extras() else cast("Plain", tool)
    run = cast("Bound", call) if is_coroutine_function(tool) else _threaded(call)
    return run if convert is None else _converted(run, convert), None


def _threaded(call: Callable[[dict[str, Json], Context], object]) -> Bound:
    """A sync tool, called in a thread."""

    async def threaded(params: dict[str, Json], context: Context) -> object:
        result = await in_thread(call, params, context)
        return await result if inspect.isawaitable(result) else result

    return threaded


def _converted(run: Bound, convert: Conversion) -> Bound:
    """A tool that takes or returns instances of classes."""

    async def converted(params: dict[str, Json], context: Context) -> object:
        return convert.result(await run(cast("dict[str, Json]", convert.params(params)), context))

    return converted


def file_tool(execute: Callable[..., object]) -> Bound:
    """The tool for the function `execute` of a tool's file."""
    return _adapted(execute, in_file=True)[0]


def graph_tool(graph: AnyGraph) -> Bound:
    """The tool that runs a graph below the run that calls it."""

    async def run_graph(params: dict[str, Json], context: Context) -> object:
        return await context.run_graph(graph, params)

    return run_graph


def check_tools(tools: Mapping[str, Tool]) -> None:
    """Raise TypeError if a value is not a tool."""
    for item_id, tool in tools.items():
        if not callable(tool) and graph_in(tool) is None:
            raise TypeError(f"tools[{item_id!r}] is neither a callable nor a generated graph: {tool!r}")


def graph_in(tool: Tool) -> AnyGraph | None:
    """The graph if a tool is a graph or a generated module; otherwise None."""
    record: object = getattr(tool, "GRAPH", None) if isinstance(tool, ModuleType) else tool
    return record if isinstance(record, GraphRecord) else None


def adapted_dispatch(dispatch: Dispatch, action: Action) -> Bound:
    """The tool that passes an action to the `dispatch` of a run."""

    async def bound(params: dict[str, Json], context: Context) -> object:
        call = Call(action.primary, action.kind, action.item_id, params, action.capability)
        result = dispatch(call, context)
        return await result if inspect.isawaitable(result) else result

    return bound


def is_coroutine_function(tool: Callable[..., object]) -> bool:
    """Whether `tool` is a coroutine function, or an object with an async `__call__`."""
    return inspect.iscoroutinefunction(tool) or inspect.iscoroutinefunction(type(tool).__call__)
