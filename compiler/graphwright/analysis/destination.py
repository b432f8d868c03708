"""Finds values that do not fit the declared types of their destinations: a graph's output and its state keys.

As in `mismatch.py`, only certain mismatches are found; unknown types fit everything.
"""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from graphwright import ir
from graphwright.analysis.jsontype import ARRAY, FLOAT, INTEGER, NUMBER, OBJECT, Type
from graphwright.analysis.mismatch import is_informative
from graphwright.analysis.typing import ProgramPoint, Types
from graphwright.record import Record


class Misfit(Record):
    """A value that does not fit the type of its destination: the keys that lead to it, its type and the expected type.

    `at` is the value's YAML node, None if it has none. `missing` is a required key that the mapping lacks.
    """

    path: tuple[str, ...]
    found: Type
    wanted: Type
    at: yaml.Node | None
    missing: str | None = None


def misfits(value: ir.Value, wanted: Type, place: ProgramPoint, types: Types, at: yaml.Node | None) -> Iterator[Misfit]:
    """The parts of a value that certainly do not fit the type of its destination; only the innermost mismatches."""
    yield from _misfits(value, types.of(value, place), wanted, (), at, place, types)


def surely_misfits(found: Type, wanted: Type) -> Misfit | None:
    """The mismatch of a value that is not a literal, if it is certain; otherwise None."""
    return _clash(found, wanted, ())


def _misfits(
    value: ir.Value,
    found: Type,
    wanted: Type,
    path: tuple[str, ...],
    at: yaml.Node | None,
    place: ProgramPoint,
    types: Types,
) -> Iterator[Misfit]:
    if not is_informative(found, value) or not wanted.known:
        return
    if isinstance(value, ir.MapOf) and "object" in wanted.kinds:
        fields = wanted.field_map
        for key, entry in value.entries:
            inner = fields[key].type if key in fields else wanted.others
            kind = types.of(entry, place)
            if not inner.kinds:
                yield Misfit((*path, key), kind, inner, _entry_at(at, key))
            else:
                yield from _misfits(entry, kind, inner, (*path, key), _entry_at(at, key), place, types)
        yield from _missing(found, wanted, path, at)
    elif isinstance(value, ir.ListOf) and "array" in wanted.kinds and wanted.items is not None:
        for number, item in enumerate(value.items):
            inside = (*path, str(number))
            wrong = list(
                _misfits(item, types.of(item, place), wanted.items, inside, _entry_at(at, str(number)), place, types)
            )
            if wrong:  # one is enough: the others are likely wrong in the same way
                yield from wrong
                return
    elif clash := _clash(found, wanted, path):
        yield Misfit(clash.path, clash.found, clash.wanted, node_at(at, clash.path[len(path) :]), clash.missing)


def _missing(found: Type, wanted: Type, path: tuple[str, ...], at: yaml.Node | None) -> Iterator[Misfit]:
    given = found.field_map
    for name, wanted_field in wanted.fields:
        if wanted_field.required and name not in given and found.closed:
            yield Misfit(path, found, wanted, at, missing=name)


def _clash(found: Type, wanted: Type, path: tuple[str, ...]) -> Misfit | None:
    """The first part where the types have no value in common; None if there is none."""
    if not found.known or not found.kinds or not wanted.known:
        return None
    if not _common(found, wanted):
        return Misfit(path, found, wanted, None)
    if found.kinds == OBJECT.kinds and "object" in wanted.kinds:
        given = found.field_map
        for name, wanted_field in wanted.fields:
            if name in given and given[name].required:
                inner = _clash(given[name].type, wanted_field.type, (*path, name))
                if inner is not None:
                    return inner
        for misfit in _missing(found, wanted, path, None):
            return misfit
        for name, field_type in found.fields:
            if field_type.required and name not in wanted.field_map and not wanted.others.kinds:
                return Misfit((*path, name), field_type.type, wanted.others, None)
    if found.kinds == ARRAY.kinds and "array" in wanted.kinds and found.items is not None and wanted.items is not None:
        return _clash(found.items, wanted.items, (*path, "…"))
    return None


def _common(found: Type, wanted: Type) -> bool:
    """Whether the types have a value in common. A float may be integral, so it may be an integer."""
    if found.values is not None and found.kinds == FLOAT.kinds and not wanted.kinds & FLOAT.kinds:
        integral = any(isinstance(value, float) and value.is_integer() for value in found.values)
        return integral and bool(wanted.kinds & INTEGER.kinds)
    kinds = wanted.kinds | (NUMBER.kinds if wanted.kinds & NUMBER.kinds else frozenset[str]())
    shared = found.kinds & kinds
    if found.values is None or wanted.values is None or shared & (ARRAY.kinds | OBJECT.kinds):
        return bool(shared)
    return any(value == other for value in found.values for other in wanted.values)


def node_at(at: yaml.Node | None, path: tuple[str, ...]) -> yaml.Node | None:
    """The YAML node at a path of keys and indices, as far as it is written out."""
    for key in path:
        at = _entry_at(at, key) or at
    return at


def _entry_at(at: yaml.Node | None, key: str) -> yaml.Node | None:
    """The YAML node of a key's value in a mapping, or of an item of a list; otherwise the node itself."""
    if isinstance(at, yaml.SequenceNode) and key.isdecimal() and int(key) < len(at.value):
        item: yaml.Node = at.value[int(key)]
        return item
    if isinstance(at, yaml.MappingNode):
        for name, entry in at.value:
            if isinstance(name, yaml.ScalarNode) and name.value == key:
                found: yaml.Node = entry
                return found
    return at
