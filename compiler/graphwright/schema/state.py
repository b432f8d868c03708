"""Splits `state_schema` into the schemas of single keys and a schema of the whole state.

During a run, the state is built key by key. A value is checked against the schema of its key when it is assigned.
Requirements on several keys (`required`, `minProperties`, alternatives) are checked when the run completes.
"""

from __future__ import annotations

from typing import Final

from graphwright.ir import Json
from graphwright.schema.patterns import flaw, is_found
from graphwright.schema.walk import CONJUNCTS, mapping, reached, texts

#: Keywords about the state as a whole.
_OF_THE_WHOLE: Final[tuple[str, ...]] = (
    *("anyOf", "const", "dependentRequired", "dependentSchemas", "else", "enum", "if", "maxProperties"),
    *("minProperties", "not", "oneOf", "propertyNames", "then", "type"),
)


def key_schema(schema: Json, key: str, document: Json = None) -> Json:
    """The schema of the value of a key of an object; True if there is none. Alternatives at the root are ignored.

    `document`: what references point into, if the schema is a part of it.
    """
    found: list[Json] = []
    for part in reached(schema, schema if document is None else document, CONJUNCTS):
        properties, patterns = mapping(part.get("properties")), mapping(part.get("patternProperties"))
        matching = [inner for pattern, inner in patterns.items() if _matches(pattern, key)]
        if key in properties:
            matching.insert(0, properties[key])
        found += matching or [part.get("additionalProperties", True)]
    constraints = [each for each in found if each is not True and each != {}]
    return constraints[0] if len(constraints) == 1 else {"allOf": constraints} if constraints else True


def item_schema(schema: Json, document: Json) -> Json:
    """The schema of all items of a list; True if there is none. `document`: what references point into."""
    parts = list(reached(schema, document, CONJUNCTS))
    return {"allOf": [part.get("items", True) for part in parts if "prefixItems" not in part]}


def required_keys(document: Json) -> tuple[str, ...]:
    """The keys that the state has whenever a run completes."""
    parts = reached(document, document, CONJUNCTS)
    return tuple(dict.fromkeys(name for part in parts for name in texts(part.get("required"))))


def whole_schema(document: Json, *, assigned: frozenset[str]) -> Json:
    """The schema of the state when a run completes, beyond its keys; True if there is none.

    `assigned`: the keys that surely exist then, so that requiring them has no effect.
    """
    rules: list[Json] = []
    missing: list[Json] = [name for name in required_keys(document) if name not in assigned]
    if missing:
        rules.append({"required": missing})
    for part in reached(document, document, CONJUNCTS):
        rule: dict[str, Json] = {name: part[name] for name in _OF_THE_WHOLE if name in part}
        kinds = rule.get("type")
        if kinds == "object" or (isinstance(kinds, list) and "object" in kinds):
            del rule["type"]
        if rule:
            rules.append(rule)
    return rules[0] if len(rules) == 1 else {"allOf": rules} if rules else True


def _matches(pattern: str, key: str) -> bool:
    return flaw(pattern, "ecma") is None and is_found(pattern, key)  # an invalid one is reported (GW105)
