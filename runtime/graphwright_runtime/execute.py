"""The graph that a module exports, with the methods that run it: `run`, `run_sync` and `events`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from graphwright_runtime.events import Listener
from graphwright_runtime.graph import GraphRecord
from graphwright_runtime.host import Durability, Host
from graphwright_runtime.result import RunResult
from graphwright_runtime.threads import running_loop
from graphwright_runtime.tooling import Dispatch, Tool
from graphwright_runtime.typeforms import NodeT, ResultT, ToolsT

if TYPE_CHECKING:
    from graphwright_runtime.stream import EventStream

InputsT = TypeVar("InputsT", contravariant=True)
StateT = TypeVar("StateT", covariant=True)
OutputT = TypeVar("OutputT", covariant=True)


class RunnableGraph(
    GraphRecord[InputsT, StateT, OutputT, NodeT], Generic[InputsT, StateT, OutputT, NodeT, ResultT, ToolsT]
):
    """A compiled graph that can be run. `GraphRecord` documents its attributes and the arguments of the constructor.

    `ResultT` is the result of a run, a union of `RunResult`s if the graph has several ends. `ToolsT` is the protocol of
    an object that implements its tools.
    """

    __slots__ = ()

    async def run(
        self,
        inputs: InputsT,
        *,
        tools: Mapping[str, Tool] | ToolsT | None = None,
        dispatch: Dispatch | None = None,
        strict_tools: bool = False,
        capabilities: Sequence[str] | None = None,
        env: Mapping[str, str] | None = None,
        host: Host | None = None,
        project: str | PathLike[str] | None = None,
        run_id: str | None = None,
        resume: str | None = None,
        durability: Durability | None = None,
        allow_changed: bool = False,
        on_event: Listener | None = None,
    ) -> ResultT:
        """Run the graph to its end.

        Args:
            inputs: the graph's inputs; they are copied, and defaults are filled in.
            tools: callables by item id: `(params) -> result` or `(params, context) -> result`, sync or async. Or an
                object with a method for each tool, as described by the protocol `Tools` of the module.
            dispatch: handles every action that `tools` does not; by default, the host looks for tools.
            strict_tools: only use `tools` and `dispatch`; any other action is an error of its node.
            capabilities: the capabilities that the caller grants. None: those that the graph declares.
            env: the environment variables of the run; by default, those of the process.
            host: clock, waiting, randomness, tools; by default, a new `InProcessHost`.
            project: the project folder; by default, the current one.
            run_id: the id of the run; by default, the host creates one.
            resume: the id of a run in `project` to continue. It keeps its inputs: pass the same ones, or `{}`.
            durability: what is kept of the run in `project`. None: as the graph declares, by default `process`;
                without a `project`, nothing is kept.
            allow_changed: resume even if the graph changed; the next node must still exist.
            on_event: called with each event of the run.

        If a run fails, the result has the status `error`. So does the result of a run that is refused before its first
        node, because inputs, variables or capabilities are missing or it cannot be resumed. Cancellation, and errors
        that are not those of a node, are raised.
        """
        from graphwright_runtime.launch import launch  # imported by the first run only

        result = await launch(
            self,
            {} if inputs is None else inputs,
            tools={} if tools is None else tools,
            dispatch=dispatch,
            strict_tools=strict_tools,
            capabilities=capabilities,
            env=env,
            host=host,
            project=project,
            run_id=run_id,
            resume=resume,
            durability=durability,
            allow_changed=allow_changed,
            listener=on_event,
        )
        return cast("ResultT", result)

    def run_sync(
        self,
        inputs: InputsT,
        *,
        tools: Mapping[str, Tool] | ToolsT | None = None,
        dispatch: Dispatch | None = None,
        strict_tools: bool = False,
        capabilities: Sequence[str] | None = None,
        env: Mapping[str, str] | None = None,
        host: Host | None = None,
        project: str | PathLike[str] | None = None,
        run_id: str | None = None,
        resume: str | None = None,
        durability: Durability | None = None,
        allow_changed: bool = False,
        on_event: Listener | None = None,
    ) -> ResultT:
        """`run` for code that is not async, with the same arguments.

        Raises RuntimeError inside a running event loop.
        """
        if running_loop() is not None:
            raise RuntimeError("run_sync() cannot be used inside a running event loop: await run() instead")
        return asyncio.run(
            self.run(
                inputs,
                tools=tools,
                dispatch=dispatch,
                strict_tools=strict_tools,
                capabilities=capabilities,
                env=env,
                host=host,
                project=project,
                run_id=run_id,
                resume=resume,
                durability=durability,
                allow_changed=allow_changed,
                on_event=on_event,
            )
        )

    def events(
        self,
        inputs: InputsT,
        *,
        tools: Mapping[str, Tool] | ToolsT | None = None,
        dispatch: Dispatch | None = None,
        strict_tools: bool = False,
        capabilities: Sequence[str] | None = None,
        env: Mapping[str, str] | None = None,
        host: Host | None = None,
        project: str | PathLike[str] | None = None,
        run_id: str | None = None,
        resume: str | None = None,
        durability: Durability | None = None,
        allow_changed: bool = False,
    ) -> EventStream[ResultT]:
        """`run` as an async iterator of its events, with the same arguments.

            async with GRAPH.events(inputs) as events:
                async for event in events:
                    ...
            print(events.result.status)

        The run starts when the first event is requested, waits for a slow reader, and is cancelled when reading stops
        early: see `stream.EventStream`.
        """
        from graphwright_runtime.launch import launch
        from graphwright_runtime.stream import EventStream

        def start(listener: Listener, room: Callable[[], Awaitable[None]]) -> Coroutine[object, object, ResultT]:
            run = launch(
                self,
                {} if inputs is None else inputs,
                tools={} if tools is None else tools,
                dispatch=dispatch,
                strict_tools=strict_tools,
                capabilities=capabilities,
                env=env,
                host=host,
                project=project,
                run_id=run_id,
                resume=resume,
                durability=durability,
                allow_changed=allow_changed,
                listener=listener,
                room=room,
            )
            return cast("Coroutine[object, object, ResultT]", run)

        return EventStream(start)


class Graph(RunnableGraph[InputsT, StateT, OutputT, NodeT, RunResult[StateT, OutputT, NodeT, NodeT], ToolsT]):
    """A compiled graph whose runs have the same type of output wherever they end."""

    __slots__ = ()


#: The entry points as functions, for modules that were compiled when they were not methods.
execute = Graph.run
execute_sync = Graph.run_sync
