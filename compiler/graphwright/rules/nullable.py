"""Values that a tool declares as nullable, where a null is an error: parts of GW412 and GW704.

A null is not passed on, so a param whose value is null is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeAlias

import yaml

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.analysis.declared_nulls import has_null
from graphwright.analysis.jsontype import Type
from graphwright.analysis.nullable import Nullable, uses_in
from graphwright.analysis.reads import Use
from graphwright.analysis.stored import path_of, state_path
from graphwright.contract.graphs import called_signature
from graphwright.diagnostic import Json, Label, Severity
from graphwright.facts import Facts
from graphwright.ir.visit import Caller, Role, given
from graphwright.record import Record
from graphwright.rules.calls import known_calls
from graphwright.rules.params import wrong_parts
from graphwright.rules.reading import provide, use_span
from graphwright.rules.registry import Finding


class _Use(Record):
    """A required param, or a key in one, whose value is the path in the template `at`. `taker`: the tool or graph."""

    caller: Caller
    node: ir.Node
    name: str
    read: ir.Read
    at: yaml.ScalarNode
    taker: str


#: A call, what is called, and what it requires, with the types and the schema of all params if it converts some.
_Required: TypeAlias = tuple[Caller, str, Mapping[str, Type], Json]


def nullable_params(facts: Facts) -> Iterator[Finding]:
    """GW412: params that a tool requires."""
    required = (
        (caller, callee, {name: each.type for name, each in contract.params.fields if each.required}, contract.accepted)
        for caller, callee, contract in known_calls(facts)
    )
    return _findings(facts, required)


def nullable_inputs(facts: Facts) -> Iterator[Finding]:
    """GW704: inputs that a graph requires."""
    called = ((caller, called_signature(facts, called_id(caller.action))) for caller in facts.callers)
    required = (
        (caller, f"graph `{graph.graph_id}`", {name: graph.inputs[name] for name in sorted(graph.required)}, None)
        for caller, graph in called
        if graph is not None
    )
    return _findings(facts, required)


def nullable_operands(facts: Facts) -> Iterator[Finding]:
    """GW412: operands of arithmetic and limits of comparisons, which fail on null, and lists of loops."""
    if not any(has_null(contract.result) for _, _, contract in known_calls(facts)):
        return

    def is_wanted(node: ir.Node, use: Use) -> bool:
        if facts.graph is None or not _fails_on_null(use) or not facts.graph.doubt.trusts(use.read):
            return False
        return use.read.root is ir.Root.RESULT or facts.types.of(use.read, node).nullable

    nodes = [facts.nodes[name] for name in facts.flow.order]
    found = {node.name: [use for _, use in uses_in(node) if is_wanted(node, use)] for node in nodes}
    paths = [state_path(node, use.read) for node in nodes for use in found[node.name]]
    nullable = Nullable(facts.assignment, list(filter(None, paths)), lambda node: _returned(facts, node))
    seen = set()
    for node in nodes:
        for use in nullable.careless(node, is_wanted) if found[node.name] else ():
            path = state_path(node, use.read)
            cause = (path_of(use.read), node.name) if path is None else (path, None)
            if cause not in seen:  # what makes one of the uses safe is likely to do so for the others
                yield _operand(facts, node, use, nullable)
            seen.add(cause)


def _operand(facts: Facts, node: ir.Node, use: Use, nullable: Nullable) -> Finding:
    is_list = use.role is Role.OVER and use.entry
    why = "the loop then has no items" if is_list else f"{_operation(use)} fails on null"
    return Finding(
        use_span(facts, use),
        f"node `{node.name}`: `{use.read.written}` may be null, and {why}",
        note="may be null",
        about=use.read,
        help=provide(use) + _branch(use.read),
        related=_origin(facts, node, use.read, nullable),
        severity=Severity.WARNING if is_list or _survives(facts, node) else None,
    )


def _branch(read: ir.Read) -> str:
    """The advice to test a path on an edge before the node, which cannot test results and items of loops."""
    advice = f", or branch on it first, `when: {{path: {read.written}, op: exists}}`"
    return advice if read.root is ir.Root.STATE else ""


def _origin(facts: Facts, node: ir.Node, read: ir.Read, nullable: Nullable) -> tuple[Label, ...]:
    """The first location that assigns what may be null."""
    path = state_path(node, read)
    origins = nullable.origins(path) if path is not None else ()
    return tuple(Label(facts.source.span(entry.value_at), "may be null") for entry in islice(origins, 1))


def _survives(facts: Facts, node: ir.Node) -> bool:
    """Whether a run goes on after the node fails."""
    return node.on_error is not None or (facts.graph is not None and facts.graph.settings.on_error == "continue")


def _fails_on_null(use: Use) -> bool:
    return bool(use.read.path) and (use.needed or (use.entry and use.role is Role.OVER))


def _operation(use: Use) -> str:
    return "the comparison" if use.entry else "the calculation"


def _findings(facts: Facts, required: Iterable[_Required]) -> Iterator[Finding]:
    uses = [use for each in required for use in _uses(facts, *each)]
    if not uses:
        return
    paths = [path for use in uses if (path := state_path(use.node, use.read)) is not None]
    nullable = Nullable(facts.assignment, paths, lambda node: _returned(facts, node))
    for use in uses:
        if nullable.may_be_null(use.node, use.read):
            yield Finding(
                facts.source.span(use.at),
                f"{use.caller.owner}: `{use.read.written}` may be null, but {use.taker} requires `{use.name}`",
                note="may be null",
                about=use.read,
                help=f"write a fallback, `${{{use.read.written} || …}}`{_branch(use.read)}",
                related=_origin(facts, use.node, use.read, nullable),
            )


def _uses(facts: Facts, caller: Caller, taker: str, required: Mapping[str, Type], accepted: Json) -> Iterator[_Use]:
    passed, node = given(caller.action) or {}, caller.node
    for name, wanted in required.items():
        parts = _required(passed[name], wanted, name) if name in passed and node is not None else ()
        for path, template in parts:
            read = template.value
            if node is None or not isinstance(read, ir.Read) or state_path(node, read) is None:
                continue
            if facts.types.of(read, node).nullable and not wrong_parts(facts, caller, name, wanted, accepted):
                yield _Use(caller, node, path, read, template.at, taker)


def _required(value: ir.Value, wanted: Type, path: str) -> Iterator[tuple[str, ir.Template]]:
    """The templates in a required param that are required there, each with the keys that lead to it."""
    if isinstance(value, ir.Template):
        yield path, value
    elif isinstance(value, ir.MapOf):
        for key, entry in value.entries:
            field = wanted.present.field(key)
            if field is not None and field.required:
                yield from _required(entry, field.type, f"{path}.{key}")


def _returned(facts: Facts, node: ir.Node) -> Type | None:
    """The declared result type of the tool that a node calls."""
    if not isinstance(node, ir.CallingNode) or node.action is None:
        return None
    contract = facts.contract(node.action)
    return None if contract is None or (node.action.async_exec and not contract.starts) else contract.result
