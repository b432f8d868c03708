"""Values that a tool declares as nullable, passed where a tool or a graph requires them: parts of GW412 and GW704.

A null is not passed on, so a param whose value is null is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.analysis.jsontype import Type
from graphwright.analysis.nullable import Nullable, Path
from graphwright.contract.graphs import called_signature
from graphwright.diagnostic import Label
from graphwright.facts import Facts
from graphwright.ir.visit import Caller, given
from graphwright.record import Record
from graphwright.rules.calls import known_calls, places
from graphwright.rules.registry import Finding


class _Use(Record):
    """A required param whose value is a path below `state`. `taker`: the tool or graph that requires it."""

    caller: Caller
    node: ir.Node
    name: str
    read: ir.Read
    taker: str

    @property
    def path(self) -> Path:
        return self.read.path


def nullable_params(facts: Facts) -> Iterator[Finding]:
    """GW412: params that a tool requires."""
    required = (
        (caller, callee, [name for name, field in contract.params.fields if field.required])
        for caller, callee, contract in known_calls(facts)
    )
    return _findings(facts, required)


def nullable_inputs(facts: Facts) -> Iterator[Finding]:
    """GW704: inputs that a graph requires."""
    called = ((caller, called_signature(facts, called_id(caller.action))) for caller in facts.callers)
    required = (
        (caller, f"graph `{graph.graph_id}`", sorted(graph.required)) for caller, graph in called if graph is not None
    )
    return _findings(facts, required)


def _findings(facts: Facts, required: Iterable[tuple[Caller, str, list[str]]]) -> Iterator[Finding]:
    uses = [use for caller, taker, names in required for use in _uses(facts, caller, taker, names)]
    if not uses:
        return
    nullable = Nullable(facts.assignment, [use.path for use in uses], lambda node: _returned(facts, node))
    for use in uses:
        if nullable.may_be_null(use.node, use.path):
            origins = (facts.source.span(entry.value_at) for entry in nullable.origins(use.path))
            yield Finding(
                facts.source.span(places(facts, use.caller.action)[use.name][1]),
                f"{use.caller.owner}: `{use.read.written}` may be null, but {use.taker} requires `{use.name}`",
                note="may be null",
                about=use.read,
                help=f"write a fallback, `${{{use.read.written} || …}}`, or branch on it first, "
                f"`when: {{path: {use.read.written}, op: exists}}`",
                related=tuple(Label(span, "may be null") for span in islice(origins, 1)),
            )


def _uses(facts: Facts, caller: Caller, taker: str, names: list[str]) -> Iterator[_Use]:
    passed, at = given(caller.action) or {}, places(facts, caller.action)
    for name in names:
        value = passed.get(name)
        read = value.value if isinstance(value, ir.Template) else value
        if name not in at or caller.node is None or not isinstance(read, ir.Read) or read.root is not ir.Root.STATE:
            continue
        if read.path and facts.types.of(read, caller.node).nullable:
            yield _Use(caller, caller.node, name, read, taker)


def _returned(facts: Facts, node: ir.Node) -> Type | None:
    """The declared result type of the tool that a node calls."""
    if not isinstance(node, ir.CallingNode) or node.action is None:
        return None
    contract = facts.contract(node.action)
    return None if contract is None or (node.action.async_exec and not contract.starts) else contract.result
