"""Finds contradictions between what a tool declares and the type hints of its code.

The code must accept every call that fits the declaration, and return what the declaration promises. What one of them
leaves open is not a contradiction.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from graphwright.analysis.jsontype import NUMBER, Field, Type
from graphwright.analysis.tools import unwrapped
from graphwright.contract.conversions import accepted
from graphwright.contract.manifest import Declaration, Manifest
from graphwright.diagnostic import Json
from graphwright.record import Record
from graphwright.schema.types import from_schema
from graphwright.suggest import nearest

Side: TypeAlias = Literal["params", "result"]
Sort: TypeAlias = Literal["missing", "required", "type"]

_SIDES: Final[tuple[Side, ...]] = ("params", "result")
_Found: TypeAlias = tuple[tuple[str, ...], Sort, "Type | None", "Type | None"]


class Difference(Record):
    """One contradiction.

    `side`: `params` or `result`. `path`: the keys that lead to the value, and `…` for items. `sort`: only one of them
    has the key (`missing`), only one of them requires it (`required`), or the types differ. `declared`, `coded`: the
    type according to each; None for the one that does not have the key.
    """

    declaration: Manifest
    code: Manifest
    side: Side
    path: tuple[str, ...]
    sort: Sort
    declared: Type | None
    coded: Type | None


def differences(declaration: Declaration) -> Iterator[Difference]:
    """All contradictions between the type hints of a tool and the declarations that take precedence over them."""
    code = declaration.signature
    if code is None:
        return
    for side in _SIDES:
        declared = next((each for each in declaration.sources if _schema(each, side) is not True), code)
        if declared is not code and _schema(code, side) is not True:
            said, does = _type(declared, side, listed_only=False), _type(code, side, listed_only=True)
            if side == "params" or not _is_envelope(does):
                for path, sort, here, there in _compared(said, does, (), returned=side == "result"):
                    yield Difference(declared, code, side, path, sort, here, there)


def _schema(source: Manifest, side: Side) -> Json:
    return source.params if side == "params" else source.result


def _type(source: Manifest, side: Side, *, listed_only: bool) -> Type:
    """The type of the params or of `result`; with `listed_only`, a TypedDict has only its own keys."""
    found = from_schema(accepted(_schema(source, side)), fills=False, listed_only=listed_only)
    return found if side == "params" or found.nullable else unwrapped(found)


def _is_envelope(returned: Type) -> bool:
    """Whether a result is an envelope, which a run unwraps (language.md §6): the hints then describe the envelope."""
    names = returned.field_map.keys()
    return names >= {"data", "status"} and not names.isdisjoint({"type", "item_id"})


def _compared(declared: Type, coded: Type, path: tuple[str, ...], *, returned: bool) -> Iterator[_Found]:
    """The differences of two types. Params go from the declaration to the code, results (`returned`) the other way."""
    given, taken = (coded, declared) if returned else (declared, coded)
    if not given.known or not taken.known:
        return
    if _is_beyond(given if returned else given.present, taken):
        yield path, "type", declared, coded
        return
    if declared.items is not None and coded.items is not None:
        yield from _compared(declared.items, coded.items, (*path, "…"), returned=returned)
    if "object" in given.kinds & taken.kinds:
        yield from _fields(declared, coded, path, returned=returned)


def _is_beyond(given: Type, taken: Type) -> bool:
    """Whether a given value may have a type, or be a constant, that is not accepted."""
    kinds = taken.kinds | NUMBER.kinds if "number" in taken.kinds else taken.kinds
    if not given.kinds <= kinds:
        return True
    return (
        given.values is not None
        and taken.values is not None
        and any(value not in taken.values for value in given.values)
    )


def _fields(declared: Type, coded: Type, path: tuple[str, ...], *, returned: bool) -> Iterator[_Found]:
    said, does = declared.field_map, coded.field_map
    misspelled = {nearest(name, does.keys() - said.keys()) for name in said.keys() - does.keys()}
    for name in sorted(said.keys() | does.keys()):
        here, there, where = said.get(name), does.get(name), (*path, name)
        if here is not None and there is not None:
            given, taken = (there, here) if returned else (here, there)
            if taken.required and not given.required:
                yield where, "required", here.type, there.type
            else:
                yield from _compared(here.type, there.type, where, returned=returned)
        elif here is not None and coded.closed:
            yield where, "missing", here.type, None
        elif there is not None and name not in misspelled and _is_beyond_declared(there, declared, returned=returned):
            yield where, "missing", None, there.type


def _is_beyond_declared(field: Field, declared: Type, *, returned: bool) -> bool:
    """Whether the code returns a key that the declaration forbids, or requires one that it does not have."""
    if returned:
        return declared.closed
    return field.required and bool(declared.fields or declared.closed)
