"""Proves that every value of a type conforms to a JSON Schema.

Values that are proved to conform need no check at run time. The proof is incomplete: it fails for keywords that are not
supported here, or that depend on more than kinds, items and fields.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from graphwright.analysis.jsontype import NUMBER, Scalar, Type
from graphwright.ir import Json
from graphwright.schema.evaluation import is_satisfied
from graphwright.schema.walk import OF_KIND, listed, mapping, pointed

#: Keywords that no value can violate.
_ANNOTATIONS: Final = frozenset(
    {
        *("$comment", "$defs", "$schema", "contentEncoding", "contentMediaType", "contentSchema", "default"),
        *("definitions", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"),
    }
)
#: The kinds of value that each keyword applies to, for keywords that do not apply to all kinds.
_KINDS_OF: Final = {
    word: NUMBER.kinds if kind == "number" else frozenset({kind}) for kind, words in OF_KIND.items() for word in words
}

#: The most schemas visited for one proof, each as often as it is visited.
_MAX_SCHEMAS: Final = 10_000
#: The deepest nesting of visited schemas.
_MAX_DEPTH: Final = 40

_Trail: TypeAlias = tuple[int, ...]


def conforms(found: Type, schema: Json, document: Json) -> bool:
    """Whether it is proved that all values of a type conform to a schema, a part of `document`."""
    return _Proof(document).conforms(found, schema, ())


class _Proof:
    """Proofs for one document, which references point into. A trail is the path of schemas that are being visited."""

    def __init__(self, document: Json) -> None:
        self._document = document
        self._left = _MAX_SCHEMAS

    def conforms(self, found: Type, schema: Json, trail: _Trail) -> bool:
        self._left -= 1
        if schema is True or not found.kinds:
            return True
        if not isinstance(schema, dict) or self._left < 0:
            return False
        return all(self._kind(found.only({kind}), kind, schema, trail) for kind in sorted(found.kinds))

    def _kind(self, found: Type, kind: str, schema: dict[str, Json], trail: _Trail) -> bool:
        """Whether it is proved for values of one kind."""
        values = _values(found, kind)
        if values is not None:
            return all(is_satisfied(value, schema, self._document) for value in values)
        if id(schema) in trail or len(trail) > _MAX_DEPTH:
            return False
        within = (*trail, id(schema))
        return all(self._keyword(name, rule, found, kind, schema, within) for name, rule in schema.items())

    def _keyword(self, name: str, rule: Json, found: Type, kind: str, schema: dict[str, Json], trail: _Trail) -> bool:
        if name in _ANNOTATIONS or kind not in _KINDS_OF.get(name, found.kinds):
            return True
        match name:
            case "type":
                names = rule if isinstance(rule, list) else [rule]
                return kind in names or (kind == "integer" and "number" in names)
            case "$ref":
                return isinstance(rule, str) and self.conforms(found, pointed(self._document, rule), trail)
            case "allOf":
                return all(self.conforms(found, part, trail) for part in listed(rule))
            case "anyOf":
                return any(self.conforms(found, part, trail) for part in listed(rule))
            case "items":
                return self.conforms(found.item, rule, trail)
            case "prefixItems":
                return all(self.conforms(found.item, part, trail) for part in listed(rule))
            case "required":
                return all(_is_present(found, str(each)) for each in listed(rule))
            case "properties":
                fields = found.field_map
                return all(
                    self.conforms(fields[key].type if key in fields else found.others, part, trail)
                    for key, part in mapping(rule).items()
                )
            case "additionalProperties" if "patternProperties" not in schema:
                known = mapping(schema.get("properties"))
                further = [field.type for key, field in found.fields if key not in known]
                return all(self.conforms(each, rule, trail) for each in (*further, found.others))
            case _:
                return False


def _values(found: Type, kind: str) -> tuple[Scalar, ...] | None:
    """The scalars that values of one kind are limited to."""
    if kind == "null":
        return (None,)
    if found.values is None and kind == "boolean":
        return (False, True)
    return None if kind in ("array", "object") else found.values


def _is_present(found: Type, key: str) -> bool:
    field = found.field(key)
    return field is not None and field.required
