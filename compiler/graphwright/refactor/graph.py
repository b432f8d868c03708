"""Finds a key in its own graph: in paths, where it is set, and in schemas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import yaml
from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from graphwright import ir
from graphwright.analysis.symbols import resolve
from graphwright.diagnostic import Edit
from graphwright.expr.lexer import step_places
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.ir.visit import PlacedRead
from graphwright.refactor.key import Key, NotRenamedError, Occurrences, Uncertain
from graphwright.refactor.schemas import property_scalars
from graphwright.source.reader import Source

_ROOTS: Final = {"state": ir.Root.STATE, "inputs": ir.Root.INPUTS}
#: Keys whose mappings, lists or values contain names of state keys or inputs.
_NAMING: Final = frozenset(
    {
        *("assign", "collect", "state", "properties", "required", "dependentRequired", "dependentSchemas"),
        *("default", "const", "examples", "enum"),
    }
)


def own_occurrences(facts: Facts, key: Key, new: str, *, returns_state: bool) -> Occurrences:
    """The edits that rename `key` to `new` in its own graph; none if the graph does not use it.

    `returns_state`: the output is the state, so `output_schema` describes its keys. Raises `NotRenamedError`.
    """
    graph, source = facts.graph, facts.source
    if graph is None:
        return Occurrences()
    edits = list(_in_paths(graph, source, key, new))
    scalars = [*_set(graph, key), *_declared(facts, key, returns_state=returns_state)]
    if "*" in source.text:
        _refuse_shared(source, scalars, _NAMING)
    edits += [_replaced(source, scalar, new) for scalar in scalars]
    whole = [
        Uncertain(source.span_in(at, read.start, read.end), f"reads the whole of `{read.written}`")
        for read, at in placed_reads(graph)
        if is_whole(read, key)
    ]
    return Occurrences.of(edits, whole if edits else ())


def placed_reads(graph: ir.Graph) -> Iterator[PlacedRead]:
    """All paths of a graph, each with the scalar that contains it."""
    for node in visit.nodes(graph.body):
        yield from node_reads(node)
    for hook in graph.hooks:
        if hook.when is not None:
            yield from visit.condition_reads(hook.when)
        if isinstance(hook.action, ir.Action):
            yield from _of_values(value for _, value, _ in visit.action_operands(hook.action))


def node_reads(node: ir.Node) -> Iterator[PlacedRead]:
    """All paths of a node."""
    yield from _of_values(value for _, value, _ in visit.operands(node))
    yield from _of_values(entry.value for entry in node.assigns)
    for condition in visit.conditions(node):
        yield from visit.condition_reads(condition)


def _of_values(values: Iterable[ir.Value]) -> Iterator[PlacedRead]:
    for value in values:
        yield from visit.placed_reads(value)


def step_edit(source: Source, read: ir.Read, at: ScalarNode, step: int, new: str) -> Edit:
    """The edit of one step of a path in the source; `step` is counted from the end, which is -1."""
    start, end = step_places(read.written)[step]
    return Edit(source.span_in(at, read.start + start, read.start + end), new)


def is_whole(read: ir.Read, key: Key) -> bool:
    """Whether a path reads the whole namespace of a key, including `state`, of which the inputs are part."""
    root, path = resolve(read)
    return not path and root in (_ROOTS[key.namespace], ir.Root.STATE)


def _in_paths(graph: ir.Graph, source: Source, key: Key, new: str) -> Iterator[Edit]:
    for read, at in placed_reads(graph):
        root, path = resolve(read)
        if root is _ROOTS[key.namespace] and path and path[0] == key.name:
            yield step_edit(source, read, at, -len(path), new)


def _set(graph: ir.Graph, key: Key) -> Iterator[ScalarNode]:
    """The scalars that set a state key."""
    if key.namespace != "state":
        return
    if key.name in graph.state_at:
        yield graph.state_at[key.name]
    for node in visit.nodes(graph.body):
        for name, at in visit.keys_set(node):
            if name == key.name and isinstance(at, ScalarNode):
                yield at


def _declared(facts: Facts, key: Key, *, returns_state: bool) -> Iterator[ScalarNode]:
    """The scalars that declare a key in a schema."""
    spec = facts.model
    if spec is None:
        return
    schemas = [spec.inputs_schema] if key.namespace == "inputs" else [spec.state_schema]
    if key.namespace == "state" and returns_state:
        schemas.append(spec.output_schema)
    for schema in schemas:
        if schema is not None:
            yield from property_scalars(facts.source, schema.at, key.name)


def _replaced(source: Source, scalar: ScalarNode, new: str) -> Edit:
    edit = source.instead(scalar, new)
    if edit is None:
        place = source.span(scalar)
        raise NotRenamedError(f"{place.path}:{place.line}: aliases repeat this name; write it out first")
    return edit


def _refuse_shared(source: Source, scalars: Sequence[ScalarNode], naming: frozenset[str]) -> None:
    """Raise `NotRenamedError` if an alias shares a name with a part where it has another meaning."""
    repeated = _repeated(source)
    wanted = {id(scalar): scalar for scalar in scalars if id(scalar) in repeated}
    seen: set[tuple[int, str]] = set()
    pending: list[tuple[yaml.Node | None, str]] = [(source.root, "")]
    while pending and wanted:
        node, around = pending.pop()
        if node is None or (id(node), around) in seen:
            continue
        seen.add((id(node), around))
        if id(node) in wanted and around not in naming:
            place = source.span(wanted[id(node)])
            text = f"{place.path}:{place.line}: an alias repeats this name in `{around}`, where it means something else"
            raise NotRenamedError(f"{text}; write that part out first")
        if isinstance(node, MappingNode):
            for name, value in source.entries(node):
                pending += [(name, around), (value, name.value)]
        elif isinstance(node, SequenceNode):
            pending += [(item, around) for item in node.value]


def _repeated(source: Source) -> set[int]:
    """The ids of YAML nodes that occur more than once, because of aliases or merges."""
    places: dict[int, int] = {}
    seen: set[int] = set()
    below: dict[int, list[yaml.Node]] = {}
    pending = [] if source.root is None else [source.root]
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        inner = [each for pair in source.entries(node) for each in pair] if isinstance(node, MappingNode) else []
        inner = node.value if isinstance(node, SequenceNode) else inner
        below[id(node)] = inner
        for each in inner:
            places[id(each)] = places.get(id(each), 0) + 1
        pending += inner
    repeated = {each for each, count in places.items() if count > 1}
    inside = list(repeated)
    for each in inside:
        inside += [id(node) for node in below.get(each, ()) if id(node) not in repeated]
        repeated.update(id(node) for node in below.get(each, ()))
    return repeated
