"""Where the references of a schema lead: to a schema in the file, and not back to themselves for the same value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from yaml.nodes import MappingNode, Node

from graphwright.schema.pointer import pointed
from graphwright.schema.structure import Problem, Subschema, subschemas
from graphwright.source.reader import Json, Source

#: Keywords that give schemas names of their own, so that a reference means something else than a place in the file.
_NAMING: Final = ("$id", "$anchor", "$dynamicAnchor", "$dynamicRef")

#: Keywords that refer to a schema.
_REFERRING: Final = ("$ref", "$dynamicRef")

#: Keywords whose schemas are about the same value as the schema that they stand in.
_SAME_ONE: Final = ("not", "if", "then", "else")
_SAME_LIST: Final = ("allOf", "anyOf", "oneOf")


def reference_problems(source: Source, root: MappingNode) -> Iterator[Problem]:
    """References that lead out of the file, to nothing, or round in a circle."""
    document = source.value(root)
    every = list(subschemas(source, root, ""))
    schemas = [each for each in every if any(source.get(each.at, word) is not None for word in _REFERRING)]
    if not schemas:
        return
    named = any(source.get(each.at, word) is not None for each in every for word in _NAMING)
    broken = _unresolvable(document) if named else None
    for each in schemas:
        for keyword in _REFERRING:
            node = source.get(each.at, keyword)
            if node is not None:
                yield from _reference(source, each, keyword, node, document, broken)
    yield from _circles(source, schemas, document)


def _reference(
    source: Source, schema: Subschema, keyword: str, node: Node, document: Json, broken: set[tuple[int, str]] | None
) -> Iterator[Problem]:
    target = source.value(node)
    if not isinstance(target, str):
        yield Problem(node, f"`{keyword}` must be a text")
        return
    if broken is None:
        leads = isinstance(pointed(document, target), dict | bool)
    else:
        leads = (id(source.value(schema.at)), keyword) not in broken
    if leads:
        return
    if target.startswith("#"):
        yield Problem(node, f"`{keyword}` to `{target}`: there is no such schema in this file", sort="$ref")
    else:
        text = f"`{keyword}` to `{target}` leads out of the file: nothing is fetched"
        yield Problem(node, text, sort="remote")


def _unresolvable(document: Json) -> set[tuple[int, str]]:
    """The references of a document in which schemas have names, that the library which is going to follow them cannot
    resolve: the schema (by identity) and the keyword.
    """
    from referencing import Registry
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012, Schema

    found: set[tuple[int, str]] = set()
    if not isinstance(document, dict):
        return found
    whole = DRAFT202012.create_resource(document)
    registry: Registry[Schema] = Registry()
    pending = [(whole, registry.resolver_with_root(whole))]
    while pending:
        resource, resolver = pending.pop()
        schema = resource.contents
        for keyword in _REFERRING:
            target = schema.get(keyword) if isinstance(schema, dict) else None
            if isinstance(target, str):
                try:
                    leads = isinstance(resolver.lookup(target).contents, dict | bool)
                except (Unresolvable, LookupError, TypeError, ValueError):
                    leads = False
                if not leads:
                    found.add((id(schema), keyword))
        pending += [(part, resolver.in_subresource(part)) for part in resource.subresources()]
    return found


def _circles(source: Source, schemas: Sequence[Subschema], document: Json) -> Iterator[Problem]:
    """The first reference of each circle that takes no step into the value."""
    told: set[int] = set()
    for each in schemas:
        node, own = source.get(each.at, "$ref"), id(source.value(each.at))
        target = None if node is None else source.value(node)
        if node is None or not isinstance(target, str) or own in told:
            continue
        around = _about_the_same_value(pointed(document, target), document)
        if own in around:
            told |= around
            text = f"`$ref` to `{target}` leads back to itself for the same value, so that no check would ever end"
            yield Problem(node, text, sort="circle")


def _about_the_same_value(schema: Json, document: Json) -> set[int]:
    """A schema and those that say more of the same value, by identity."""
    pending, seen = [schema], set[int]()
    while pending:
        each = pending.pop()
        if not isinstance(each, dict) or id(each) in seen:
            continue
        seen.add(id(each))
        reference, dependent = each.get("$ref"), each.get("dependentSchemas")
        pending.append(pointed(document, reference) if isinstance(reference, str) else None)
        pending += [each.get(word) for word in _SAME_ONE]
        for word in _SAME_LIST:
            parts = each.get(word)
            pending += parts if isinstance(parts, list) else []
        pending += dependent.values() if isinstance(dependent, dict) else []
    return seen
