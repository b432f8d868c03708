"""Compares two JSON Schemas keyword by keyword, to find out whether the new one accepts fewer or more values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import Flag, auto
from typing import Final

from graphwright.ir import Json
from graphwright.record import Record
from graphwright.schema.walk import HOLDING_LISTS, listed, mapping, pointed, texts


class Effect(Flag):
    """The effect of a change on the accepted values; both if it is unclear, none for a default."""

    WIDER = auto()
    NARROWER = auto()
    UNCLEAR = WIDER | NARROWER


class SchemaChange(Record):
    """A changed keyword. `path` leads from the schema to the keyword, such as `items.minimum`."""

    path: str
    old: Json
    new: Json
    effect: Effect

    @property
    def text(self) -> str:
        """The change in messages: `minimum: 1 → 2`; of a list, what was removed and added."""
        if isinstance(self.old, list) and isinstance(self.new, list):
            gone, more = _apart(self.old, self.new), _apart(self.new, self.old)
            parts = [*(f"{_shown(each)} removed" for each in gone), *(f"{_shown(each)} added" for each in more)]
            return f"{self.path}: {', '.join(parts)}"
        return f"{self.path}: {_shown(self.old)} → {_shown(self.new)}"


#: Keywords that do not affect which values are accepted.
_SILENT: Final = frozenset(
    {
        *("title", "description", "$comment", "examples", "deprecated", "readOnly", "writeOnly"),
        *("$schema", "$defs", "definitions", "contentEncoding", "contentMediaType", "contentSchema"),
    }
)
#: Keywords that accept fewer values if they are increased, and those that do if they are decreased.
_LOW: Final = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_HIGH: Final = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
#: Maximum nesting of schemas that are compared keyword by keyword.
_DEEPEST: Final = 30

_ABSENT: Final = "\0absent"
_NUMBERS: Final = frozenset({"integer", "number"})


def schema_changes(old: Json, new: Json, old_document: Json, new_document: Json) -> tuple[SchemaChange, ...]:
    """The changed keywords, sorted by path. References point into the documents."""
    return tuple(_Comparison(old_document, new_document).changes(old, new, "", 0))


def together(changes: tuple[SchemaChange, ...]) -> Effect:
    """The combined effect of several changes."""
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
            elif keyword in HOLDING_LISTS and (changed := _changed(before, after)) is not None:
                yield from self.changes(*changed, where, depth + 1)
            elif before == after:
                yield from self._inside(keyword, old[keyword], new[keyword], path, depth)
            else:
                effect = _effect(keyword, before, after)
                if effect:
                    yield SchemaChange(where, _or_none(before), _or_none(after), effect)

    def _inside(self, keyword: str, old: Json, new: Json, path: str, depth: int) -> Iterator[SchemaChange]:
        """The changes in the targets of references in an unchanged keyword."""
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
            else:  # callers do not pass undeclared keys
                yield SchemaChange(place, None, after[name], Effect.WIDER)

    @staticmethod
    def _resolved(schema: Json, document: Json) -> Json:
        """The target of a schema that is only a reference; otherwise the schema itself."""
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
    """Whether a schema contains a reference, whose target may have changed."""
    return '"$ref"' in json.dumps(schema)


def _bare(schema: Json) -> Json:
    """A schema without annotations, and with everything sorted whose order has no meaning."""
    if isinstance(schema, dict):
        return {key: _bare(value) for key, value in schema.items() if key not in _SILENT or isinstance(value, dict)}
    return schema


def _with_enum(schema: dict[str, Json]) -> dict[str, Json]:
    """Replace `const` with an `enum` of one value."""
    if "const" not in schema or "enum" in schema:
        return schema
    return {**{key: value for key, value in schema.items() if key != "const"}, "enum": [schema["const"]]}


def _whole(path: str, old: Json, new: Json) -> SchemaChange:
    """The change of a whole schema, for example if it is a boolean on one side."""
    if new is False or old is True or old == {}:
        effect = Effect.NARROWER
    elif new is True or new == {} or old is False:
        effect = Effect.WIDER
    else:
        effect = Effect.UNCLEAR
    return SchemaChange(path, old, new, effect)


def _effect(keyword: str, old: Json, new: Json) -> Effect:
    """The effect of changing a keyword that does not contain schemas."""
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
    """The effect of changing a set of options; None means everything. `turned`: each member excludes values."""
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


def _apart(values: list[Json], others: list[Json]) -> list[Json]:
    """The values that are not among the others."""
    known = _members(others) or frozenset()
    return [value for value in values if not (_members([value]) or frozenset()) <= known]


def _changed(old: Json, new: Json) -> tuple[Json, Json] | None:
    """The only schema of a list that changed, before and after; None if several did, or their number changed."""
    if not isinstance(old, list) or not isinstance(new, list) or len(old) != len(new):
        return None
    gone, more = _apart(old, new), _apart(new, old)
    return (gone[0], more[0]) if len(gone) == len(more) == 1 else None


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
