"""Collects the tools that graphs call, each with its contract and the origin of that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.contract.builtin import BUILTIN
from graphwright.contract.outputs import output_type
from graphwright.diagnostic import Json
from graphwright.record import Record
from graphwright.schema.written import to_schema

if TYPE_CHECKING:
    from graphwright.contract.manifest import Declaration
    from graphwright.facts import Facts
    from graphwright.ir.visit import Caller

Kind: TypeAlias = Literal["tool", "graph", "built-in", "unknown"]


class Call(Record):
    """A call of a tool: the id and the path of the graph, the line of the call, and its owner ("node `fetch`")."""

    graph_id: str
    path: str
    line: int
    owner: str


class KnownTool(Record):
    """One tool. `kind`: a tool of the project, the user or an installed package; another graph; a tool that comes with
    the runtime or has a built-in contract; or an unknown one.

    `origin`: the files of its contract, or a description of where it comes from. `params`, `result`: JSON Schemas, True
    if unknown. `env_requires`: the variables that it requires. `declaration`: what it declares, if it is a tool.
    """

    item_id: str
    kind: Kind
    origin: str
    capability: str
    params: Json
    result: Json
    env_requires: tuple[str, ...]
    description: str
    calls: tuple[Call, ...]
    declaration: Declaration | None = None


def known_tools(graphs: Iterable[Facts]) -> tuple[KnownTool, ...]:
    """The tools that graphs call by a literal id, sorted by id."""
    calls: dict[str, list[tuple[Facts, Caller]]] = {}
    for facts in graphs:
        for caller in facts.callers:
            item_id = called_id(caller.action)
            if item_id is not None:
                calls.setdefault(item_id, []).append((facts, caller))
    return tuple(tool_of(item_id, calls[item_id][0][0], calls[item_id]) for item_id in sorted(calls))


def tool_of(item_id: str, facts: Facts, calls: Sequence[tuple[Facts, Caller]] = ()) -> KnownTool:
    """One tool, as the graph of `facts` finds it; `calls` are the calls of it that the result lists."""
    capability = next((caller.action.capability for _, caller in calls if caller.action.capability is not None), "")
    where = tuple(_calls(calls))
    called = None if facts.project is None else facts.project.graph(item_id)
    if called is not None and called.graph is not None:
        return _graph(item_id, called, called.graph, capability, where)
    declaration = facts.tools.declaration(item_id)
    contract = calls[0][0].contract(calls[0][1].action) if calls else BUILTIN.get(item_id)
    file = None if facts.project is None else facts.project.tool_file(item_id)
    if contract is not None and (declaration is None or declaration.contract is None) and file is None:
        params, result = to_schema(contract.params), to_schema(contract.result)
        return KnownTool(item_id, "built-in", "built in", capability, params, result, (), "", where)
    if declaration is None:
        origin = "not declared" if file is None else f"{file.name}, which declares nothing"
        return KnownTool(item_id, "unknown", origin, capability, True, True, (), "", where)
    return KnownTool(
        item_id,
        "unknown" if declaration.contract is None else "tool",
        declaration.origin,
        capability,
        declaration.params,
        declaration.result,
        declaration.env_requires,
        declaration.description,
        where,
        declaration,
    )


def _graph(item_id: str, called: Facts, graph: ir.Graph, capability: str, where: tuple[Call, ...]) -> KnownTool:
    """A graph as a tool; its result is that of a run that the caller waits for."""
    signature = called.signature
    output: Json = True if graph.output_schema is None else graph.output_schema
    if graph.output_schema is None and (kind := output_type(called)).known:
        output = to_schema(kind)
    elif graph.output_schema is None and signature is not None and signature.outputs is not None:
        output = {"type": "object", "properties": dict.fromkeys(sorted(signature.outputs), True)}
    properties: dict[str, Json] = {"success": {"type": "boolean"}, "status": {"type": "string"}, "output": output}
    result: Json = {"type": "object", "properties": properties, "required": ["success", "status"]}
    return KnownTool(
        item_id,
        "graph",
        called.source.path,
        capability,
        True if graph.inputs_schema is None else graph.inputs_schema,
        result,
        tuple(called.environment.required),
        " ".join(graph.description.split()),
        where,
    )


def _calls(calls: Sequence[tuple[Facts, Caller]]) -> Iterator[Call]:
    for facts, caller in calls:
        at = caller.action.item_id_at
        line = facts.source.line(caller.action.at if at is None else at)
        yield Call(facts.graph_id, facts.source.path, line, caller.owner)
