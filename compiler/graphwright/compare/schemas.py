"""Two JSON Schemas: which values the new one refuses that the old one accepted, keyword by keyword."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import Flag, auto
from typing import Final

from graphwright.ir import Json
from graphwright.record import Record
from graphwright.schema.walk import HOLDING_LISTS, listed, mapping, pointed, texts


class Effect(Flag):
    """What a change does to the values that are accepted; both where that cannot be told, neither for a default."""

    WIDER = auto()
    NARROWER = auto()
    UNCLEAR = WIDER | NARROWER


class SchemaChange(Record):
    """A keyword that changed. `path`: from the schema to the keyword, such as `items.minimum`."""

    path: str
    old: Json
    new: Json
    effect: Effect

    @property
    def text(self) -> str:
        """For people: `minimum: 1 → 2`."""
        return f"{self.path}: {_shown(self.old)} → {_shown(self.new)}"


#: Keywords that accept and refuse nothing by themselves.
_SILENT: Final = frozenset(
    {
        *("title", "description", "$comment", "examples", "deprecated", "readOnly", "writeOnly"),
        *("$schema", "$defs", "definitions", "contentEncoding", "contentMediaType", "contentSchema"),
    }
)
#: Keywords whose greater numbers refuse more, and those whose smaller ones do.
_LOW: Final = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_HIGH: Final = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
#: Levels of schemas inside schemas that are compared keyword by keyword.
_DEEPEST: Final = 30

_ABSENT: Final = "\0absent"
_NUMBERS: Final = frozenset({"integer", "number"})


def schema_changes(old: Json, new: Json, old_document: Json, new_document: Json) -> tuple[SchemaChange, ...]:
    """The keywords that changed, in the order of their paths. The documents are what references point into."""
    return tuple(_Comparison(old_document, new_document).changes(old, new, "", 0))


def together(changes: tuple[SchemaChange, ...]) -> Effect:
    """What several changes do."""
    found = Effect(0)
    for change in changes:
        found |= change.effect
    return found


class _Comparison:
    """Compares schemas of two documents."""

    def __init__(self, old_document: Json, new_document: Json) -> None:
        self._old_document = old_document
        self._new_document = new_document
        self._seen: set[tuple[int, int]] = set()

    def changes(self, old: Json, new: Json, path: str, depth: int) -> Iterator[SchemaChange]:
        old, new = self._resolved(old, self._old_document), self._resolved(new, self._new_document)
        pair = (id(old), id(new))
        if pair in self._seen or (_bare(old) == _bare(new) and not (_refers(old) or _refers(new))):
            return
        self._seen.add(pair)
        if depth > _DEEPEST or not isinstance(old, dict) or not isinstance(new, dict):
            yield _whole(path or "schema", old, new)
            return
        old, new = _with_enum(old), _with_enum(new)
        for keyword in sorted({*old, *new} - _SILENT):
            before, after = old.get(keyword, _ABSENT), new.get(keyword, _ABSENT)
            where = f"{path}.{keyword}" if path else keyword
            if keyword == "properties":
                yield from self._properties(old, new, where, depth)
            elif keyword in ("items", "additionalProperties"):
                yield from self.changes(old.get(keyword, True), new.get(keyword, True), where, depth + 1)
            elif keyword == "default" and before != after:
                yield SchemaChange(where, _or_none(before), _or_none(after), Effect(0))
            elif before == after:
                yield from self._inside(keyword, old[keyword], new[keyword], path, depth)
            else:
                effect = _effect(keyword, before, after)
                if effect:
                    yield SchemaChange(where, _or_none(before), _or_none(after), effect)

    def _inside(self, keyword: str, old: Json, new: Json, path: str, depth: int) -> Iterator[SchemaChange]:
        """What changed behind the references in a keyword that did not change."""
        if keyword == "$ref":
            yield from self.changes({"$ref": old}, {"$ref": new}, path, depth + 1)
        elif keyword in HOLDING_LISTS:
            for before, after in zip(listed(old), listed(new), strict=True):
                yield from self.changes(before, after, f"{path}.{keyword}" if path else keyword, depth + 1)

    def _properties(self, old: dict[str, Json], new: dict[str, Json], where: str, depth: int) -> Iterator[SchemaChange]:
        before, after = mapping(old.get("properties")), mapping(new.get("properties"))
        for name in sorted({*before, *after}):
            place = f"{where}.{name}"
            if name in before and name in after:
                yield from self.changes(before[name], after[name], place, depth + 1)
            elif name in before:
                closed = new.get("additionalProperties") is False
                yield SchemaChange(place, before[name], None, Effect.NARROWER if closed else Effect.WIDER)
            else:  # nobody passes keys that are not declared
                yield SchemaChange(place, None, after[name], Effect.WIDER)

    @staticmethod
    def _resolved(schema: Json, document: Json) -> Json:
        """A schema that only refers to another one is that one."""
        for _ in range(_DEEPEST):
            reference = mapping(schema).get("$ref")
            others = mapping(schema).keys() - _SILENT - {"$ref"}
            if not isinstance(reference, str) or others:
                break
            target = pointed(document, reference)
            if not isinstance(target, dict | bool):
                break
            schema = target
        return schema


def _refers(schema: Json) -> bool:
    """Whether a schema refers to another one, which may have changed."""
    return '"$ref"' in json.dumps(schema)


def _bare(schema: Json) -> Json:
    """A schema without what only describes, in one order of everything whose order means nothing."""
    if isinstance(schema, dict):
        return {key: _bare(value) for key, value in schema.items() if key not in _SILENT or isinstance(value, dict)}
    return schema


def _with_enum(schema: dict[str, Json]) -> dict[str, Json]:
    """`const` as an `enum` of one value."""
    if "const" not in schema or "enum" in schema:
        return schema
    return {**{key: value for key, value in schema.items() if key != "const"}, "enum": [schema["const"]]}


def _whole(path: str, old: Json, new: Json) -> SchemaChange:
    """A schema that is a boolean on one side."""
    if new is False or old is True or old == {}:
        effect = Effect.NARROWER
    elif new is True or new == {} or old is False:
        effect = Effect.WIDER
    else:
        effect = Effect.UNCLEAR
    return SchemaChange(path, old, new, effect)


def _effect(keyword: str, old: Json, new: Json) -> Effect:
    """What a keyword with another value does, other than those that contain schemas."""
    if keyword == "type":
        return _of_sets(_kinds(old), _kinds(new))
    if keyword in ("enum", "required"):
        by_choice = keyword == "enum"
        return _of_sets(
            _members(old, empty_is_all=by_choice), _members(new, empty_is_all=by_choice), turned=not by_choice
        )
    if keyword in _LOW or keyword in _HIGH:
        return _of_numbers(old, new, greater_refuses=keyword in _LOW)
    if keyword in ("anyOf", "oneOf") and old != _ABSENT and new != _ABSENT:
        return _of_sets(_members(old), _members(new))
    if old == _ABSENT or old is False:
        return Effect.NARROWER
    if new == _ABSENT or new is False:
        return Effect.WIDER
    return Effect.UNCLEAR


def _of_sets(old: frozenset[str] | None, new: frozenset[str] | None, *, turned: bool = False) -> Effect:
    """What another set of choices does; None is the set of everything. `turned`: each member refuses something."""
    if old == new:
        return Effect(0)
    fewer = old is None or (new is not None and new < old)
    more = new is None or (old is not None and old < new)
    if fewer == more:
        return Effect.UNCLEAR
    return Effect.NARROWER if fewer != turned else Effect.WIDER


def _kinds(declared: Json) -> frozenset[str] | None:
    if declared == _ABSENT:
        return None
    names = frozenset([declared] if isinstance(declared, str) else texts(declared))
    return names | _NUMBERS if "number" in names else names


def _members(values: Json, *, empty_is_all: bool = False) -> frozenset[str] | None:
    if values == _ABSENT:
        return None if empty_is_all else frozenset()
    return frozenset(json.dumps(_bare(value), sort_keys=True) for value in listed(values))


def _of_numbers(old: Json, new: Json, *, greater_refuses: bool) -> Effect:
    if old == _ABSENT:
        return Effect.NARROWER
    if new == _ABSENT:
        return Effect.WIDER
    if not isinstance(old, int | float) or not isinstance(new, int | float):
        return Effect.UNCLEAR
    return Effect.NARROWER if (new > old) == greater_refuses else Effect.WIDER


def _or_none(value: Json) -> Json:
    return None if value == _ABSENT else value


def _shown(value: Json) -> str:
    return "none" if value is None else json.dumps(value, ensure_ascii=False)
