"""GW3xx about inputs: undeclared, unused, and missing ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from graphwright import ir
from graphwright.analysis.declared_inputs import declared_inputs
from graphwright.analysis.jsontype import NULL, Type
from graphwright.analysis.reads import Use, input_name, input_uses
from graphwright.analysis.strangers import strangers
from graphwright.analysis.symbols import ALL_INPUTS, names_in
from graphwright.diagnostic import Label, Severity
from graphwright.expr.paths import subtraction, written_path
from graphwright.facts import Facts
from graphwright.faults.schemas import InvalidSchema, UnknownRequired
from graphwright.ir.visit import Role
from graphwright.language.events import RUNTIME_KEYS
from graphwright.rules.reading import also_in, also_read, named_by_loops, provide, use_span
from graphwright.rules.registry import Finding, graph_rule
from graphwright.rules.wording import listed, scalar
from graphwright.schema.types import from_schema
from graphwright.suggest import cut_short


@graph_rule("GW307", Severity.ERROR, "undeclared input")
def undeclared_input(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """An input is read that `config_schema` does not declare, although it declares others.

    Nothing is reported if `config_schema` has no `properties`, or allows other inputs explicitly
    (`additionalProperties`, `patternProperties`).

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config_schema:
          type: object
          properties: {team: {type: string}}
          required: [team]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list, params: {team: "${inputs.team}", area: "${inputs.area}"}}}

    Passes:
        -  properties: {team: {type: string}}
        +  properties: {team: {type: string}, area: {type: string, default: eu}}
    """
    declared = declared_inputs(graph)
    if not declared.closed or _is_garbled(facts):
        return
    known = listed(sorted(declared.names))
    explained = _misplaced(facts) | {fault.name for fault in facts.faults(UnknownRequired) if is_odd(facts, fault)}
    unknown: dict[str, dict[int, Use]] = {}  # a string is one location
    for use, name in input_uses(facts.assignment, lambda name: name not in declared.names, everywhere=True):
        if name not in explained:
            unknown.setdefault(name, {}).setdefault(id(use.at), use)
    for name, uses in unknown.items():
        use, *others = uses.values()
        suggestion = _meant(facts, name, declared.names, _unread(facts, graph))
        meant_path = written_path("inputs", suggestion) if suggestion else None
        if name in facts.assignment.all_keys | RUNTIME_KEYS:
            meant_path = written_path("state", name)
        difference = subtraction(use.read.written, declared.names)
        if difference is not None:
            meant_path = None
        yield Finding(
            use_span(facts, use),
            f"`{use.read.written}` is read{f' {also_in(others)}' if others else ''}, "
            f"but `config_schema` does not declare an input `{name}`",
            note="not declared",
            about=use,
            related=tuple(also_read(facts, others)),
            suggestion=meant_path,
            help=f"a minus needs a space before it: `{difference}`"
            if difference is not None
            else f"declare it under `config_schema.properties`, `{scalar(name)}: {{type: string}}`; "
            f"the declared inputs are {known}",
        )


def is_odd(facts: Facts, fault: UnknownRequired) -> bool:
    """Whether `required` and the graph agree on a name, and a similar property that nothing reads is misspelled."""
    near = fault.suggestion
    return near is not None and is_read(facts, fault) and near not in facts.assignment.symbols.inputs


def is_read(facts: Facts, fault: UnknownRequired) -> bool:
    """Whether the graph reads an input that is required but not declared."""
    return (
        facts.graph is not None
        and fault.schema == "config_schema"
        and fault.name in facts.assignment.symbols.inputs
        and declared_inputs(facts.graph).closed
    )


def _misplaced(facts: Facts) -> frozenset[str]:
    """The inputs that are described in `config_schema`, but next to `properties` (GW105)."""
    return frozenset(fault.text or "" for fault in facts.faults(InvalidSchema) if fault.sort == "property")


def _is_garbled(facts: Facts) -> bool:
    """Whether a line of an input has the wrong indentation (GW105), so that the declared inputs are unknown."""
    return any(fault.sort == "slipped" and fault.schema == "config_schema" for fault in facts.faults(InvalidSchema))


@graph_rule("GW308", Severity.WARNING, "unused input")
def unused_input(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """`config_schema` declares an input that the graph never reads. Callers pass it without any effect. Often another
    name is misspelled.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config_schema:
          type: object
          properties: {team: {type: string}, area: {type: string, default: eu}}
          required: [team]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list, params: {team: "${inputs.team}"}}}

    Passes:
        -  properties: {team: {type: string}, area: {type: string, default: eu}}
        +  properties: {team: {type: string}}
    """
    if not graph.inputs_at or _is_garbled(facts):
        return
    unread = _unread(facts, graph)
    mentioned = _mentioned_inputs(facts, graph, unread)
    for name in unread:
        if name not in mentioned:
            yield Finding(
                facts.source.span(graph.inputs_at[name]),
                f"input `{name}` is declared but never used",
                note="never used",
                help=f"read it as `${{{written_path('inputs', name)}}}`, or remove it from `config_schema`",
            )


def _unread(facts: Facts, graph: ir.Graph) -> list[str]:
    """The declared inputs that no valid path reads."""
    assignment = facts.assignment
    read = assignment.hook_reads
    for usage in assignment.usage.values():
        read |= usage.read
    if read & ALL_INPUTS:
        return []
    return [name for name in graph.inputs_at if not read & assignment.symbols.input(name)]


def _mentioned_inputs(facts: Facts, graph: ir.Graph, unread: Collection[str]) -> frozenset[str]:
    """The inputs that invalid paths seem to mean, such as `inputs.taem`, `state.team` or only `team`."""
    symbols, declared = facts.assignment.symbols, graph.inputs_at
    names = [name for read in symbols.unknown for name in names_in(read.written)]
    names += [name for name in symbols.inputs if name not in declared]
    names += graph.doubt.plainly_read(ir.Root.INPUTS)
    meant = (name if name in declared else _meant(facts, name, declared, unread) or "" for name in names)
    as_state = {stranger.key for stranger in strangers(facts.assignment)}
    return frozenset(meant) | as_state | named_by_loops(facts, "inputs")


def _meant(facts: Facts, name: str, declared: Collection[str], unread: Collection[str]) -> str | None:
    """The declared input that an undeclared one means; one that nothing reads may only begin like it."""
    return facts.guesses.nearest(name, declared) or cut_short(name, unread)


@graph_rule("GW309", Severity.WARNING, "optional input without a fallback")
def optional_input(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """The graph reads an input that a caller may omit: it is not in `required` and has no `default`. If it is omitted,
    it is null.

    In a longer string, in a condition or in a calculation this gives the wrong result, so it is a warning. As a
    whole entry of `params` it is only a note, because entries that are null are dropped and the tool's own default
    applies. Nothing is reported after `exists`, with a fallback, or for an entry of an output or a state key whose
    schema allows null. In a calculation, an input whose own type allows null is reported even if it is required.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config_schema:
          type: object
          properties: {area: {type: string}}
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list, params: {title: "in ${inputs.area}"}}}

    Passes:
        -    fetch: {action: {item_id: tool:tickets/list, params: {title: "in ${inputs.area}"}}}
        +    fetch: {action: {item_id: tool:tickets/list, params: {title: "in ${inputs.area || 'all areas'}"}}}
    """
    if _is_garbled(facts):
        return
    declared = declared_inputs(graph)
    nullable = {name for name in declared.names if _takes_null(facts, name)}
    certain = declared.names - declared.optional - nullable
    found: dict[tuple[str, bool, bool], dict[int, Use]] = {}  # a string is one location
    declared_null = frozenset(_declared_null(facts, graph))
    doubtful = {name for name in declared.optional if not graph.doubt.trusts(graph.inputs_at.get(name))}
    candidates = (declared.optional | nullable) - doubtful
    for use, name in input_uses(facts.assignment, lambda name: name in candidates):
        if name not in declared.optional and not use.needed:
            continue  # a null that the caller may pass is meant to be used
        is_provided = use.provided or any(input_name(read) in certain for read in use.instead)
        if not is_provided and not (use.entry and id(use.at) in declared_null):
            dropped = use.role is Role.PARAMS and use.entry
            found.setdefault((name, dropped, use.role is Role.CONDITION), {}).setdefault(id(use.at), use)
    for (name, dropped, _), uses in found.items():
        use, *others = uses.values()
        why, advice = _why_null(name, nullable=name in nullable, optional=name in declared.optional)
        yield Finding(
            use_span(facts, use),
            f"`{use.read.written}` may be null{f' {also_in(others)}' if others else ''}: {why}"
            + ("; the entry is then dropped" if dropped else ""),
            note="may be null",
            about=use,
            help=f"{advice}, or {provide(use)}{', each time' if others else ''}",
            related=(*_declaration(facts, graph, name), *also_read(facts, others)),
            severity=Severity.NOTE if dropped else None,
        )


def _declaration(facts: Facts, graph: ir.Graph, name: str) -> Iterator[Label]:
    if name in graph.inputs_at:
        yield Label(facts.source.span(graph.inputs_at[name]), "declared here")


def _declared_null(facts: Facts, graph: ir.Graph) -> Iterator[int]:
    """The templates, by identity of their scalars, of values that may be null by `output_schema` or `state_schema`."""
    pending: list[tuple[ir.Value, Type]] = []
    for node in facts.nodes.values():
        pending += [(entry.value, facts.types.declared_key(entry.key)) for entry in node.assigns]
        if isinstance(node, ir.ReturnNode) and node.output is not None and graph.output_schema is not None:
            pending.append((node.output, from_schema(graph.output_schema, fills=False)))
    while pending:
        value, wanted = pending.pop()
        if isinstance(value, ir.Template) and wanted.known and wanted.nullable:
            yield id(value.at)
        elif isinstance(value, ir.MapOf):
            fields = wanted.present.field_map
            pending += [(entry, fields[name].type) for name, entry in value.entries if name in fields]


def _takes_null(facts: Facts, name: str) -> bool:
    """Whether a caller may pass null for an input."""
    field = facts.types.listed_inputs.field(name)
    return field is not None and field.type.known and NULL.kinds <= field.type.kinds


def _why_null(name: str, *, nullable: bool, optional: bool) -> tuple[str, str]:
    """Why an input may be null, and how to change its schema."""
    if not optional:
        return f"the type of input `{name}` allows null", f"remove `null` from the type of `{name}`"
    if nullable:
        why = f"input `{name}` is optional without a default, and its type allows null"
        return why, f"remove `null` from the type of `{name}` and give it a `default` or list it in `required`"
    why = f"input `{name}` is optional and has no default"
    return why, f"give `{name}` a `default` in `config_schema`, list it in `required`"
