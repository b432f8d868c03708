"""Where the references of a schema lead: to a schema in the file, and not back to themselves for the same value."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from yaml.nodes import MappingNode, Node

from graphwright.analysis.components import strong_components
from graphwright.diagnostic import Json
from graphwright.schema.structure import Problem
from graphwright.schema.walk import ALL, SAME_VALUE, SchemaNode, below, pointed, reached, schema_nodes
from graphwright.source.reader import Source

if TYPE_CHECKING:
    from referencing.jsonschema import Schema

#: Keywords that give schemas names of their own, so that a reference means something else than a place in the file.
_NAMING: Final = ("$id", "$anchor", "$dynamicAnchor", "$dynamicRef")

#: Keywords through which a schema is applied to a value, or to a part of it.
_APPLYING: Final = ALL - {"$defs", "definitions"}

#: Keywords that refer to a schema.
_REFERRING: Final = ("$ref", "$dynamicRef")

#: Where references lead: by the schema that has one (its identity) and the keyword.
_Targets: TypeAlias = dict[tuple[int, str], Json]

#: How many schemas may be applied to one value by way of a reference, each as often as references lead to it.
_MOST_WAYS: Final = 100_000

#: How many schemas may follow one another by way of references: each takes a few frames of the stack.
_MOST_STEPS: Final = 150


def reference_problems(source: Source, root: MappingNode) -> Iterator[Problem]:
    """References that lead out of the file, to nothing, round in a circle, or to the same schemas again and again."""
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
    yield from endless or _far(source, schemas, document, targets or {})


def _reference(
    source: Source, schema: SchemaNode, keyword: str, node: Node, document: Json, targets: _Targets | None
) -> Iterator[Problem]:
    target = source.value(node)
    if not isinstance(target, str):
        yield Problem(node, f"`{keyword}` must be a string")
        return
    place = id(source.value(schema.at)), keyword
    found = pointed(document, target) if targets is None else targets.get(place, True)
    if isinstance(found, dict | bool):
        return
    if target.startswith("#"):
        yield Problem(node, f"`{keyword}` to `{target}`: this file has no such schema", sort="$ref")
    else:
        text = f"`{keyword}` to `{target}` leads out of the file, but references are never fetched"
        yield Problem(node, text, sort="remote")


def _named_targets(document: Json) -> _Targets:
    """Where the references of a document lead in which schemas have names, for the library that is going to follow
    them; empty where the document is not valid, so that nobody knows.
    """
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
    """Every schema of a document, each with what resolves the names and pointers in it."""
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


def _endless(source: Source, schemas: Sequence[SchemaNode], document: Json, targets: _Targets) -> Iterator[Problem]:
    """The first reference of each circle that takes no step into the value, else the first that leads to the same
    schemas in so many ways that a check would take forever.
    """
    nodes, after = _links([source.value(each.at) for each in schemas], document, targets, SAME_VALUE)
    components = strong_components(after)
    circle_of = {}
    ways = [1] * len(after)
    for number, members in enumerate(components):
        if len(members) > 1 or members[0] in after[members[0]]:
            circle_of.update(dict.fromkeys(members, number))
        for member in members:
            ways[member] = min(_MOST_WAYS + 1, 1 + sum(ways[target] for target in after[member]))
    told: set[int | None] = set()
    for each in schemas:
        node, own = source.get(each.at, "$ref"), nodes[id(source.value(each.at))]
        circle = circle_of.get(own)
        if node is None or circle in told or (circle is None and (circle_of or ways[own] <= _MOST_WAYS)):
            continue
        told.add(circle)
        text = f"`$ref` to `{source.value(node)}` "
        if circle is None:
            text += (
                f"asks for more than {_MOST_WAYS:,} checks of one value: too many references lead to the same schemas"
            )
        else:
            text += "leads back to itself for the same value, so a check would never end"
        yield Problem(node, text, sort="circle")


def _far(source: Source, schemas: Sequence[SchemaNode], document: Json, targets: _Targets) -> Iterator[Problem]:
    """The first reference that leads from schema to schema so far that following it takes too deep a stack."""
    nodes, after = _links([source.value(each.at) for each in schemas], document, targets, _APPLYING)
    steps = [0] * len(after)
    for members in strong_components(after):
        farthest = len(members) + max((steps[target] for member in members for target in after[member]), default=0)
        for member in members:
            steps[member] = farthest
    for each in schemas:
        node = source.get(each.at, "$ref")
        if node is not None and steps[nodes[id(source.value(each.at))]] > _MOST_STEPS:
            text = f"`$ref` to `{source.value(node)}` leads from schema to schema in more than {_MOST_STEPS} steps"
            yield Problem(node, text, sort="far")
            return


def _links(
    schemas: Sequence[Json], document: Json, targets: _Targets, through: Collection[str]
) -> tuple[dict[int, int], list[list[int]]]:
    """The numbers of schemas, by identity, and for each number those of the schemas that some keywords lead to."""
    every = [*reached({"allOf": [*schemas, *targets.values()]}, document, through)][1:]
    numbers = {id(each): number for number, each in enumerate(every)}
    after = []
    for each in every:
        parts = [*below(each, document, through), targets.get((id(each), "$ref"))]
        after.append([*dict.fromkeys(numbers[id(part)] for part in parts if isinstance(part, dict))])
    return numbers, after
