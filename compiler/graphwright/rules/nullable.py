"""Values that a tool declares as nullable, where a null is an error: parts of GW412 and GW704.

A null is not passed on, so a param whose value is null is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.analysis.declared_nulls import has_null
from graphwright.analysis.jsontype import Type
from graphwright.analysis.nullable import Nullable, Path, path_of, uses_in
from graphwright.analysis.reads import Use
from graphwright.contract.graphs import called_signature
from graphwright.diagnostic import Label, Severity
from graphwright.facts import Facts
from graphwright.ir.visit import Caller, Role, given
from graphwright.record import Record
from graphwright.rules.calls import known_calls, places
from graphwright.rules.reading import provide, use_span
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
        return path_of(self.read)


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
    paths = [path_of(use.read) for uses in found.values() for use in uses if use.read.root is ir.Root.STATE]
    nullable = Nullable(facts.assignment, paths, lambda node: _returned(facts, node))
    seen = set()
    for node in nodes:
        for use in nullable.careless(node, is_wanted) if found[node.name] else ():
            cause = (path_of(use.read), node.name if use.read.root is ir.Root.RESULT else None)
            if cause not in seen:  # what makes one of the uses safe is likely to do so for the others
                yield _operand(facts, node, use, nullable)
            seen.add(cause)


def _operand(facts: Facts, node: ir.Node, use: Use, nullable: Nullable) -> Finding:
    is_list, is_state = use.role is Role.OVER and use.entry, use.read.root is ir.Root.STATE
    origins = nullable.origins(path_of(use.read)) if is_state else ()
    why = "the loop then has no items" if is_list else f"{_operation(use)} fails on null"
    branch = f", or branch on it first, `when: {{path: {use.read.written}, op: exists}}`" if is_state else ""
    return Finding(
        use_span(facts, use),
        f"node `{node.name}`: `{use.read.written}` may be null, and {why}",
        note="may be null",
        about=use.read,
        help=provide(use) + branch,
        related=tuple(Label(facts.source.span(entry.value_at), "may be null") for entry in islice(origins, 1)),
        severity=Severity.WARNING if is_list or _survives(facts, node) else None,
    )


def _survives(facts: Facts, node: ir.Node) -> bool:
    """Whether a run goes on after the node fails."""
    return node.on_error is not None or (facts.graph is not None and facts.graph.settings.on_error == "continue")


def _fails_on_null(use: Use) -> bool:
    return bool(use.read.path) and (use.needed or (use.entry and use.role is Role.OVER))


def _operation(use: Use) -> str:
    return "the comparison" if use.entry else "the calculation"


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
