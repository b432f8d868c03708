"""What `config_schema` says about which inputs there are, and which of them can be absent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from graphwright import ir
from graphwright.record import Record

#: Keywords whose subschemas describe the same object.
_ALTERNATIVES: Final = ("allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas")


class DeclaredInputs(Record):
    """The inputs of a graph.

    `closed`: others than `names` are a mistake. `optional`: may be absent, and have no default; `defaulted`: have one.
    """

    names: frozenset[str]
    closed: bool
    optional: frozenset[str]
    defaulted: frozenset[str]


def declared_inputs(graph: ir.Graph) -> DeclaredInputs:
    """Read the declared properties, also of alternatives; an input that some alternative requires is not optional."""
    schema = graph.inputs_schema
    if not graph.inputs_at or not isinstance(schema, dict):
        return DeclaredInputs(frozenset(), False, frozenset(), frozenset())
    names: set[str] = set()
    required: set[str] = set()
    is_open = False
    for part in _parts(schema, schema):
        properties = part.get("properties")
        names.update(properties if isinstance(properties, dict) else ())
        listed = part.get("required")
        required.update(map(str, listed) if isinstance(listed, list) else ())
        is_open = is_open or bool(part.get("additionalProperties")) or "patternProperties" in part
    own = schema.get("properties")
    described = own if isinstance(own, dict) else {}
    defaulted = {name for name, each in described.items() if _has_default(each, schema)}
    optional = set(described) - required - defaulted
    return DeclaredInputs(frozenset(names), not is_open, frozenset(optional), frozenset(defaulted))


def _parts(schema: ir.Json, root: dict[str, ir.Json]) -> Iterator[dict[str, ir.Json]]:
    """A schema and the subschemas that speak of the same object, each once."""
    seen: set[int] = set()
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, dict) or id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        waiting.append(_referenced(part, root))
        for keyword in _ALTERNATIVES:
            found = part.get(keyword)
            if isinstance(found, list):
                waiting += found
            elif isinstance(found, dict):
                waiting += found.values() if keyword == "dependentSchemas" else [found]


def _has_default(schema: ir.Json, root: dict[str, ir.Json]) -> bool:
    return any("default" in part for part in _parts(schema, root))


def _referenced(schema: dict[str, ir.Json], root: dict[str, ir.Json]) -> ir.Json:
    """The target of a local `$ref`."""
    reference = schema.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    found: ir.Json = root
    for step in reference[2:].split("/"):
        found = found.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
    return found
