"""Types over JSON: a union of kinds, with what is known about items, fields and finite values.

The lattice of type inference: `ANY` is the top, `NEVER` the bottom, `join` the least upper bound. Types are immutable
and compare by value, so a fixpoint is detected by equality.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from operator import itemgetter
from typing import Final, TypeAlias

from graphwright.ir import Json
from graphwright.record import Record, replace

#: The kinds of JSON value. "integer" and "number" are disjoint here: a "number" is a float.
KINDS: Final = ("null", "boolean", "integer", "number", "string", "array", "object")

Scalar: TypeAlias = bool | int | float | str | None

#: The most values in a finite set.
MAX_VALUES: Final = 32
#: The most keys, or lists and mappings in a list, whose types are kept apart.
MAX_FIELDS: Final = 256
#: The most shapes of objects that are kept apart.
MAX_VARIANTS: Final = 32
#: The levels of items and fields that are kept; anything deeper is unknown.
MAX_DEPTH: Final = 5

_KIND_OF: Final[Mapping[type, str]] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
_SCALARS: Final = frozenset({"null", "boolean", "integer", "number", "string"})


class Field(Record):
    """A known key of an object; `required` if every such object has it."""

    type: Type
    required: bool


class Type(Record):
    """A set of JSON values.

    `kinds`: which kinds are possible. `items`: type of an array's items (None: anything). `fields`: known keys
    of an object, sorted; `closed`: it has no others; `rest`: type of the others (None: anything).
    `values`: the finite set that its scalars are limited to, None where they are not; arrays and objects that
    `kinds` allows next to them are not limited by it. `variants`: its objects have one of these shapes, if a schema
    tells several apart; `fields`, `closed` and `rest` are what they have in common.
    """

    kinds: frozenset[str]
    items: Type | None = None
    fields: tuple[tuple[str, Field], ...] = ()
    closed: bool = False
    rest: Type | None = None
    values: tuple[Scalar, ...] | None = None
    variants: tuple[Type, ...] = ()

    @property
    def known(self) -> bool:
        """Whether anything is known of the kind: false for `ANY`."""
        return self.kinds != ANY.kinds

    @property
    def nullable(self) -> bool:
        """Whether null is possible."""
        return "null" in self.kinds

    @property
    def field_map(self) -> Mapping[str, Field]:
        """The known keys as a mapping."""
        return dict(self.fields)

    def field(self, name: str) -> Field | None:
        """A known key."""
        place = bisect_left(self.fields, name, key=itemgetter(0))
        if place < len(self.fields) and self.fields[place][0] == name:
            return self.fields[place][1]
        return None

    @property
    def item(self) -> Type:
        """What an item of the array is."""
        return ANY if self.items is None else self.items

    @property
    def others(self) -> Type:
        """The type of a key that is not among `fields`; `NEVER` if closed."""
        if self.closed:
            return NEVER
        return ANY if self.rest is None else self.rest

    @property
    def shapes(self) -> tuple[Type, ...]:
        """Its objects: the variants, or the only shape that they have; none if it has no objects."""
        return self.variants or ((self.only(OBJECT.kinds),) if "object" in self.kinds else ())

    def only(self, kinds: Iterable[str]) -> Type:
        """The part of the type that has these kinds."""
        return _made(self.kinds & frozenset(kinds), self)

    @property
    def present(self) -> Type:
        """The part that is not null."""
        if self is ANY:
            return _ANY_PRESENT
        return self.only(self.kinds - NULL.kinds) if self.nullable else self


ANY: Final = Type(frozenset(KINDS))
NEVER: Final = Type(frozenset())
NULL: Final = Type(frozenset({"null"}))
BOOLEAN: Final = Type(frozenset({"boolean"}))
INTEGER: Final = Type(frozenset({"integer"}))
NUMBER: Final = Type(frozenset({"integer", "number"}))
FLOAT: Final = Type(frozenset({"number"}))
STRING: Final = Type(frozenset({"string"}))
ARRAY: Final = Type(frozenset({"array"}))
OBJECT: Final = Type(frozenset({"object"}))

_ANY_PRESENT: Final = Type(ANY.kinds - NULL.kinds)
_ONLY: Final = {kind: frozenset({kind}) for kind in KINDS}


def kind_of(value: Json) -> str:
    """The kind of a JSON value."""
    return _KIND_OF[type(value)]


def list_of(item: Type) -> Type:
    """Arrays of such items."""
    return Type(ARRAY.kinds, items=None if item == ANY else item)


def object_of(fields: Mapping[str, Field], *, others: Type = NEVER) -> Type:
    """Objects with these keys; `others` is what further keys hold, `NEVER` where there are none."""
    return Type(
        OBJECT.kinds,
        fields=tuple(sorted(fields.items())),
        closed=others == NEVER,
        rest=None if others in (ANY, NEVER) else others,
    )


def named_by(held: Type) -> Type:
    """Objects that hold such values by name: no key is a number, so an index leads nowhere."""
    return object_of({index: Field(NEVER, False) for index in ("0", "1", "-1")}, others=held)


def one_of(values: Iterable[Scalar]) -> Type:
    """Exactly these scalars; only their kinds if there are too many."""
    distinct = {(kind_of(value), value): value for value in values}
    kinds = frozenset(kind for kind, _ in distinct)
    if not 0 < len(distinct) <= MAX_VALUES:
        return Type(kinds)
    ordered = sorted(distinct, key=lambda entry: (entry[0], "" if entry[1] is None else entry[1]))
    return Type(kinds, values=tuple(distinct[entry] for entry in ordered))


def from_value(value: Json, depth: int = MAX_DEPTH) -> Type:
    """The type of a literal: exact for scalars and for the keys of mappings, `depth` levels deep.

    For a large mapping or list, only the kinds of its parts are kept.
    """
    if isinstance(value, dict):
        if not depth or len(value) > MAX_FIELDS:
            return OBJECT
        return object_of({key: Field(from_value(entry, depth - 1), True) for key, entry in value.items()})
    if isinstance(value, list):
        return list_of(_parts(value, depth - 1)) if depth else ARRAY
    return Type(_ONLY[kind_of(value)], values=(value,))


def _parts(values: list[Json], depth: int) -> Type:
    scalars = one_of(value for value in values if not isinstance(value, list | dict))
    nested = [value for value in values if isinstance(value, list | dict)]
    if len(nested) > MAX_FIELDS:
        return join(scalars, Type(frozenset(map(kind_of, nested))))
    return join(scalars, *(from_value(value, depth) for value in nested))


def join(*types: Type) -> Type:
    """The least upper bound of all of them; `NEVER` for none."""
    return reduce(_join, types, NEVER)


def either(*types: Type) -> Type:
    """The union of the types: like `join`, with the different shapes of objects as variants."""
    return _with_variants(join(*types), [shape for each in types for shape in each.shapes])


def _with_variants(joined: Type, shapes: list[Type]) -> Type:
    """The join of some types, given all shapes of their objects."""
    distinct = tuple(dict.fromkeys(shapes))
    are_apart = 1 < len(distinct) <= MAX_VARIANTS and OBJECT not in distinct
    return replace(joined, variants=distinct) if are_apart else joined


def _join(left: Type, right: Type) -> Type:
    if left is right or not right.kinds:
        return left
    if not left.kinds or left == right:
        return right
    if ANY in (left, right):
        return ANY
    kinds = left.kinds | right.kinds
    items: Type | None = None
    if "array" in kinds:
        sides = [side for side in (left, right) if "array" in side.kinds]
        items = sides[0].items if len(sides) == 1 else _optional(_join(left.item, right.item))
    values = _joined_values(left, right)
    if "object" not in kinds:
        return Type(kinds, items, values=values)
    sides = [side for side in (left, right) if "object" in side.kinds]
    shape = sides[0] if len(sides) == 1 else _joined_objects(left, right)
    return Type(kinds, items, shape.fields, shape.closed, shape.rest, values, shape.variants)


def _joined_objects(left: Type, right: Type) -> Type:
    if (left.fields, left.closed, left.rest, left.variants) == (right.fields, right.closed, right.rest, right.variants):
        return left
    if not left.fields and not right.fields and not left.closed and not right.closed:
        return OBJECT if left.rest is None or right.rest is None else object_of({}, others=_join(left.rest, right.rest))
    others = _join(left.others, right.others)
    fields = _fields(left, right, _join, all)
    return object_of({name: fields[name] for name in fields if fields[name] != Field(others, False)}, others=others)


def _fields(
    left: Type, right: Type, types: Callable[[Type, Type], Type], required: Callable[[Iterable[bool]], bool]
) -> dict[str, Field]:
    ours, theirs = left.field_map, right.field_map
    found: dict[str, Field] = {}
    for name in ours.keys() | theirs.keys():
        mine = ours.get(name, Field(left.others, False))
        other = theirs.get(name, Field(right.others, False))
        found[name] = Field(types(mine.type, other.type), required((mine.required, other.required)))
    return found


def _joined_values(left: Type, right: Type) -> tuple[Scalar, ...] | None:
    found: list[Scalar] = []
    for side in (left, right):
        if side.values is not None:
            found += side.values
        elif side.kinds & _SCALARS == NULL.kinds:
            found.append(None)
        elif side.kinds & _SCALARS:
            return None
    return one_of(found).values if found else None


def meet(left: Type, right: Type) -> Type:
    """The greatest lower bound; `NEVER` if the types are disjoint."""
    if left in (ANY, right):
        return right
    if right == ANY:
        return left
    values = _met_values(left, right)
    kinds = left.kinds & right.kinds
    if values is not None:
        kinds = (kinds - _SCALARS) | {kind_of(value) for value in values}
    shape = Type(kinds, values=values if kinds & _SCALARS else None)
    if "array" in kinds:
        shape = replace(shape, items=_optional(meet(left.item, right.item)))
    if "object" not in kinds:
        return shape
    if 1 < len(left.shapes) * len(right.shapes) <= MAX_VARIANTS:
        met = [both for ours in left.shapes for theirs in right.shapes if (both := meet(ours, theirs)).kinds]
        return _with_variants(join(shape.only(kinds - OBJECT.kinds), *met), met)
    fields = _fields(left, right, meet, any)
    if any(field.required and not field.type.kinds for field in fields.values()):
        return shape.only(kinds - OBJECT.kinds)
    possible = {name: field for name, field in fields.items() if field.type.kinds}
    return _with_fields(shape, possible, meet(left.others, right.others))


def _met_values(left: Type, right: Type) -> tuple[Scalar, ...] | None:
    if left.values is None and right.values is None:
        return None
    if left.values is None:
        left, right = right, left
    return tuple(value for value in left.values or () if holds(right, value))


def holds(kind: Type, value: Scalar) -> bool:
    """Whether a scalar belongs to the type; 1 and 1.0 are different, and so are true and 1."""
    if kind_of(value) not in kind.kinds:
        return False
    return kind.values is None or any(type(entry) is type(value) and entry == value for entry in kind.values)


def limited(kind: Type, depth: int = MAX_DEPTH) -> Type:
    """The type without what lies deeper than `depth` levels: a supertype, never a subtype."""
    if kind.items is None and not kind.fields and kind.rest is None and not kind.variants:
        return kind
    if not depth:
        return Type(kind.kinds, values=kind.values)
    items = None if kind.items is None else _optional(limited(kind.items, depth - 1))
    fields = tuple((name, Field(limited(field.type, depth - 1), field.required)) for name, field in kind.fields)
    rest = None if kind.rest is None else _optional(limited(kind.rest, depth - 1))
    variants = tuple(limited(variant, depth) for variant in kind.variants)
    return replace(kind, items=items, fields=fields, rest=rest, variants=variants)


def general(kind: Type) -> Type:
    """The type without the numbers and booleans that happen to be constant; a supertype. Variants keep theirs, because
    those tell them apart.
    """
    is_kept = all(value is None or isinstance(value, str) for value in kind.values or ())
    if kind.variants:
        return kind if is_kept else replace(kind, values=None)
    return replace(
        kind,
        items=None if kind.items is None else general(kind.items),
        fields=tuple((name, Field(general(field.type), field.required)) for name, field in kind.fields),
        rest=None if kind.rest is None else general(kind.rest),
        values=kind.values if is_kept else None,
    )


def _optional(kind: Type) -> Type | None:
    """In `items` and `rest`, None means anything."""
    return None if kind == ANY else kind


def _with_fields(shape: Type, fields: Mapping[str, Field], others: Type) -> Type:
    made = object_of(fields, others=others)
    return replace(shape, fields=made.fields, closed=made.closed, rest=made.rest)


def _made(kinds: frozenset[str], source: Type) -> Type:
    """The part of `source` that has these kinds."""
    values = source.values
    if values is not None:
        values = tuple(value for value in values if kind_of(value) in kinds) if kinds & _SCALARS else None
    if "object" not in kinds:
        return Type(kinds, items=source.items if "array" in kinds else None, values=values)
    items = source.items if "array" in kinds else None
    return Type(kinds, items, source.fields, source.closed, source.rest, values, source.variants)
