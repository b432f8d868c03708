"""What a resumed run had started in the background goes on with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from graphwright_runtime.bounds import limits_below
from graphwright_runtime.calling import perform
from graphwright_runtime.errors import NodeError, RefusedError
from graphwright_runtime.graph import AnyGraph, GraphRecord, dynamic
from graphwright_runtime.host import Graphs
from graphwright_runtime.log import logger
from graphwright_runtime.nested import Kept, begin_below, run_below
from graphwright_runtime.origin import Origin
from graphwright_runtime.run import Run
from graphwright_runtime.tooling import graph_in
from graphwright_runtime.values import Json, Params

log: Final = logger(__name__)

#: The tool that starts threads.
THREAD: Final = "rye/agent/threads/thread_directive"


async def revive(parent: Run) -> None:
    """Begin what the run had started and what was interrupted with it; what cannot go on is a warning."""
    if parent.recorder is None:
        return
    from graphwright_runtime.durable.listing import called_by, end_of
    from graphwright_runtime.durable.reader import first_event

    books = parent.books()
    for run_id in called_by(parent.project, parent.run_id):
        head = first_event(parent.project, run_id)
        background, end = head.get("background"), end_of(parent.project, run_id) or {}
        books.children.add(run_id)
        books.charge(run_id, cast("Json", end.get("cost")))
        interrupted = end.get("status") in (None, "cancelled") and end.get("signal") != "cancel"
        if not isinstance(background, dict) or not interrupted:
            continue
        try:
            _begin(parent, run_id, str(head["graph_id"]), background)
        except (RefusedError, NodeError) as error:
            log.warning("%s: the run %r, which it had started, cannot go on: %s", parent.run_id, run_id, error)

    for identity, begun in list(books.started.items()):
        if begun.get("background") is True and identity not in books.outcomes:
            try:
                await _begin_thread(parent, identity, begun)
            except NodeError as error:
                log.warning("%s: the thread %r, which it had started, cannot go on: %s", parent.run_id, identity, error)


async def _begin_thread(parent: Run, identity: str, begun: Mapping[str, Json]) -> None:
    """Make the call again that started the thread. Raises NodeError."""
    step = begun["step"]
    context = parent.context(str(begun["node"]), step if isinstance(step, int) else 0, "")
    context.idempotency_key = identity
    call: Params = {
        "directive_name": begun["directive"],
        "inputs": begun["inputs"],
        "limit_overrides": begun["limits"],
        "async": True,
    }
    await perform(parent, dynamic("execute", "tool", THREAD), call, context)


def _begin(parent: Run, run_id: str, graph_id: str, background: Mapping[str, Json]) -> None:
    from graphwright_runtime.durable.opening import reopen_by_id

    graph = find_graph(parent, graph_id)
    if graph is None:
        raise RefusedError(f"its graph `{graph_id}` is not found")
    limits = limits_below(parent, graph.limits, cast("int | None", background.get("depth")))
    checkpoint, recorder = reopen_by_id(parent.project, graph, run_id, above=parent.recorder)
    if recorder is None:
        return
    origin = Origin(parent.run_id, parent.origin.root_run_id, (*parent.origin.namespace, run_id))
    grants = parent.grants.narrowed(graph.permissions)
    kept = Kept(run_id, checkpoint, recorder)
    run = run_below(parent, graph, checkpoint.inputs, kept, grants, limits, origin, checkpoint.capabilities)
    begin_below(parent, run)


def find_graph(run: Run, graph_id: str) -> AnyGraph | None:
    """The graph of an id, among the tools of a run or as its host finds it. Raises NodeError for one with faults."""
    for tool in run.tools.values():
        graph = graph_in(tool)
        if graph is not None and graph.id == graph_id:
            return graph
    found = run.host.graph(graph_id, run.graph) if isinstance(run.host, Graphs) else None
    return found if isinstance(found, GraphRecord) else None
