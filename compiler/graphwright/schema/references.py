"""Checks the references of a schema: each leads to a schema in the file, without endless or excessive recursion."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from yaml.nodes import MappingNode, Node

from graphwright.analysis.components import strong_components
from graphwright.diagnostic import Json
from graphwright.schema.structure import SchemaProblem
from graphwright.schema.walk import ALL, SAME_VALUE, SchemaNode, below, pointed, reached, schema_nodes
from graphwright.source.reader import Source

if TYPE_CHECKING:
    from referencing.jsonschema import Schema

#: Keywords that name schemas, so that a reference is more than a location in the file.
_NAMING: Final = ("$id", "$anchor", "$dynamicAnchor", "$dynamicRef")

#: Keywords that apply a schema to a value, or to a part of it.
_APPLYING: Final = ALL - {"$defs", "definitions"}

#: Keywords that refer to a schema.
_REFERRING: Final = ("$ref", "$dynamicRef")

#: The targets of references: by the schema that has one (its identity) and the keyword.
_Targets: TypeAlias = dict[tuple[int, str], Json]

#: The most schemas that references may apply to one value, each as often as references lead to it.
_MAX_PATHS: Final = 100_000

#: The longest chain of references: each takes a few frames of the stack.
_MAX_STEPS: Final = 150


def reference_problems(source: Source, root: MappingNode) -> Iterator[SchemaProblem]:
    """References that leave the file, have no target, form a cycle, or apply the same schemas too many times."""
    document = source.value(root)
    every = list(schema_nodes(source, root, ""))
    schemas = [each for each in every if any(source.get(each.at, word) is not None for word in _REFERRING)]
    if not schemas:
        return
    named = any(source.get(each.at, word) is not None for each in every for word in _NAMING)
    targets = _named_targets(document) if named else None
    for each in schemas:
        for keyword in _REFERRING:
            node = source.get(each.at, keyword)
            if node is not None:
                yield from _reference(source, each, keyword, node, document, targets)
    endless = [*_endless(source, schemas, document, targets or {})]
    yield from endless or _too_long(source, schemas, document, targets or {})


def _reference(
    source: Source, schema: SchemaNode, keyword: str, node: Node, document: Json, targets: _Targets | None
) -> Iterator[SchemaProblem]:
    target = source.value(node)
    if not isinstance(target, str):
        yield SchemaProblem(node, f"`{keyword}` must be a string")
        return
    place = id(source.value(schema.at)), keyword
    found = pointed(document, target) if targets is None else targets.get(place, True)
    if isinstance(found, dict | bool):
        return
    if target.startswith("#"):
        yield SchemaProblem(node, f"`{keyword}` to `{target}`: this file has no such schema", sort="$ref")
    else:
        text = f"`{keyword}` to `{target}` leads out of the file, but references are never fetched"
        yield SchemaProblem(node, text, sort="remote")


def _named_targets(document: Json) -> _Targets:
    """The targets of references in a document that names schemas, as the library jsonschema resolves them; empty if the
    document is not valid, so that they are unknown."""
    from referencing.exceptions import Unresolvable

    from graphwright_runtime.library import SchemaError, SchemaValidator

    found: _Targets = {}
    try:
        SchemaValidator.check_schema(document)
    except SchemaError:
        return found
    for schema, resolver in resolvers(document):
        for keyword in _REFERRING:
            target = schema.get(keyword) if isinstance(schema, dict) else None
            if isinstance(target, str):
                try:
                    found[id(schema), keyword] = resolver.lookup(target).contents
                except (Unresolvable, LookupError, TypeError, ValueError):
                    found[id(schema), keyword] = None
    return found


def resolvers(document: Json) -> Iterator[tuple[Schema, Any]]:
    """Every schema of a document, each with the resolver of its names and pointers."""
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    if not isinstance(document, dict):
        return
    whole = DRAFT202012.create_resource(document)
    registry: Registry[Schema] = Registry()
    pending = [(whole, registry.resolver_with_root(whole))]
    while pending:
        resource, resolver = pending.pop()
        yield resource.contents, resolver
        pending += [(part, resolver.in_subresource(part)) for part in resource.subresources()]


def _endless(
    source: Source, schemas: Sequence[SchemaNode], document: Json, targets: _Targets
) -> Iterator[SchemaProblem]:
    """The first reference of each cycle that does not descend into the value; without cycles, the first one that leads
    to the same schemas on so many paths that a check would not end in reasonable time."""
    nodes, after = _links([source.value(each.at) for each in schemas], document, targets, SAME_VALUE)
    components = strong_components(after)
    cycle_of = {}
    ways = [1] * len(after)
    for number, members in enumerate(components):
        if len(members) > 1 or members[0] in after[members[0]]:
            cycle_of.update(dict.fromkeys(members, number))
        for member in members:
            ways[member] = min(_MAX_PATHS + 1, 1 + sum(ways[target] for target in after[member]))
    reported: set[int | None] = set()
    for each in schemas:
        node, own = source.get(each.at, "$ref"), nodes[id(source.value(each.at))]
        cycle = cycle_of.get(own)
        if node is None or cycle in reported or (cycle is None and (cycle_of or ways[own] <= _MAX_PATHS)):
            continue
        reported.add(cycle)
        text = f"`$ref` to `{source.value(node)}` "
        if cycle is None:
            text += (
                f"asks for more than {_MAX_PATHS:,} checks of one value: too many references lead to the same schemas"
            )
        else:
            text += "leads back to itself for the same value, so a check would never end"
        yield SchemaProblem(node, text, sort="circle")


def _too_long(
    source: Source, schemas: Sequence[SchemaNode], document: Json, targets: _Targets
) -> Iterator[SchemaProblem]:
    """The first reference of a chain of references that is too long for the stack."""
    nodes, after = _links([source.value(each.at) for each in schemas], document, targets, _APPLYING)
    steps = [0] * len(after)
    for members in strong_components(after):
        farthest = len(members) + max((steps[target] for member in members for target in after[member]), default=0)
        for member in members:
            steps[member] = farthest
    for each in schemas:
        node = source.get(each.at, "$ref")
        if node is not None and steps[nodes[id(source.value(each.at))]] > _MAX_STEPS:
            text = f"`$ref` to `{source.value(node)}` leads from schema to schema in more than {_MAX_STEPS} steps"
            yield SchemaProblem(node, text, sort="far")
            return


def _links(
    schemas: Sequence[Json], document: Json, targets: _Targets, through: Collection[str]
) -> tuple[dict[int, int], list[list[int]]]:
    """The numbers of schemas, by identity, and, for each number, those of the schemas that some keywords lead to."""
    every = [*reached({"allOf": [*schemas, *targets.values()]}, document, through)][1:]
    numbers = {id(each): number for number, each in enumerate(every)}
    after = []
    for each in every:
        parts = [*below(each, document, through), targets.get((id(each), "$ref"))]
        after.append([*dict.fromkeys(numbers[id(part)] for part in parts if isinstance(part, dict))])
    return numbers, after
