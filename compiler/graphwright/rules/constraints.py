"""Constants in params that violate a keyword such as `minimum` of the schema: parts of GW412 and GW704."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.analysis.destination import node_at
from graphwright.analysis.jsontype import Type
from graphwright.contract.builtin import BOUNDS
from graphwright.diagnostic import Json
from graphwright.facts import Facts
from graphwright.ir.visit import Caller, given
from graphwright.rules.calls import known_calls, places
from graphwright.rules.params import opened, wrong_parts
from graphwright.rules.registry import Finding
from graphwright.schema.defaults import FillingError, filled
from graphwright.schema.evaluation import violation
from graphwright.schema.state import item_schema, key_schema
from graphwright.schema.walk import mapping

#: The path to a part of a value, and why it violates its schema.
_Violation: TypeAlias = tuple[tuple[str, ...], str]


def violating_params(facts: Facts) -> Iterator[Finding]:
    """GW412: params of a tool of the project, or of an installed package; numbers that a built-in tool refuses."""
    for caller, callee, contract in known_calls(facts):
        item_id = called_id(caller.action)
        declaration = facts.tools.declaration(item_id)
        bounds = BOUNDS.get(caller.action.primary if item_id is None else item_id)
        for name in mapping(mapping(bounds).get("properties")):
            field = contract.params.field(name)
            is_own = declaration is not None and declaration.contract is contract
            if field is not None and not is_own and not wrong_parts(facts, caller, name, field.type):
                yield from _findings(facts, caller, callee, name, bounds, "change the value", fills=False)
        if declaration is not None and declaration.contract is contract:
            advice = f"change the value, or the schema in {declaration.origin}"
            for name, field in contract.params.fields:
                if not wrong_parts(facts, caller, name, field.type, contract.accepted):
                    schema = declaration.params if contract.accepted is None else contract.accepted
                    yield from _findings(facts, caller, callee, name, schema, advice, fills=False)


def violating_input(facts: Facts, caller: Caller, called: ir.Graph, name: str, wanted: Type) -> Iterator[Finding]:
    """GW704: an input of a graph. A run fills in defaults before it checks its inputs."""
    callee = f"graph `{called.graph_id}`"
    advice = "change the value, or the `config_schema` of that graph"
    if not wrong_parts(facts, caller, name, wanted):
        yield from _findings(facts, caller, callee, name, called.inputs_schema, advice, fills=True)


def _findings(
    facts: Facts, caller: Caller, taker: str, name: str, document: Json, advice: str, *, fills: bool
) -> Iterator[Finding]:
    value, at = (given(caller.action) or {}).get(name, ir.Const(None)), places(facts, caller.action)
    if value == ir.Const(None) or name not in at:
        return
    for path, reason in _violations(
        opened(value, facts.flow.graph.doubt), key_schema(document, name), document, (name,), fills=fills
    ):
        yield Finding(
            facts.source.span(node_at(at[name][1], path[1:]) or caller.action.at),
            f"{caller.owner}: param `{'.'.join(path)}` does not fit {taker}: {reason}",
            note="not allowed by the schema",
            help=advice,
        )


def _violations(
    value: ir.Value, schema: Json, document: Json, path: tuple[str, ...], *, fills: bool
) -> Iterator[_Violation]:
    """The innermost parts of a value that are constants and violate their schemas."""
    found: list[_Violation] = []
    if isinstance(value, ir.MapOf):
        for key, entry in value.entries:
            found += _violations(entry, key_schema(schema, key, document), document, (*path, key), fills=fills)
    elif isinstance(value, ir.ListOf):
        for number, item in enumerate(value.items):
            found += _violations(item, item_schema(schema, document), document, (*path, str(number)), fills=fills)
    constant = None if found else _constant(value)
    if constant is not None:
        try:
            given_value = filled(constant.value, schema, document) if fills else constant.value
        except FillingError:
            return  # reported in the graph
        reason = violation(given_value, schema, document)
        found = [] if reason is None else [(path, reason)]
    yield from found


def _constant(value: ir.Value) -> ir.Const | None:
    """The value as one constant; None if a part of it is not a constant."""
    match value:
        case ir.MapOf(entries):
            inside = {key: _constant(entry) for key, entry in entries}
            found = {key: each.value for key, each in inside.items() if each is not None}
            return ir.Const(found) if len(found) == len(inside) else None
        case ir.ListOf(items):
            constants = [each for item in items if (each := _constant(item)) is not None]
            return ir.Const([each.value for each in constants]) if len(constants) == len(items) else None
        case _:
            return value if isinstance(value, ir.Const) else None
