"""Records: immutable values with named fields, whose classes are cheap to create.

Every check creates more than a hundred of these classes when it starts. A frozen dataclass compiles its methods anew
each time (0.5 ms); the methods of a record are written once, here, and iterate over the fields (0.01 ms). Creating a
value takes as long as with a frozen dataclass, and type checkers treat records as frozen dataclasses.

No library does better: `msgspec.Struct` creates values six times as fast, but importing msgspec takes 20 ms, which
only pays off in graphs of more than 600 nodes. The class of a named tuple takes six times as long to create, and its
values equal those of any other named tuple with the same content.

    class Point(Record):
        x: int
        y: int = 0

The fields of a base class come first. A `ClassVar` is not a field.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform

_R = TypeVar("_R", bound="Record")


@dataclass_transform(frozen_default=True)
class _RecordType(type):
    """Turns the annotations of a class into fields, in order, and the values assigned to them into defaults."""

    _fields: tuple[str, ...]
    _defaults: dict[str, object]
    _values: attrgetter[Any]  # returns the only field of a record, or a tuple of all fields
    _setters: tuple[Callable[[object, object], None], ...]

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _RecordType:
        own = tuple(field for field, kind in body.get("__annotations__", {}).items() if not kind.startswith("ClassVar"))
        defaults = {field: body.pop(field) for field in own if field in body}
        fields = (*(field for base in bases for field in getattr(base, "_fields", ())), *own)
        made = super().__new__(cls, name, bases, {**body, "__slots__": own, "__match_args__": fields})
        if fields:
            made._fields = fields
            made._defaults = {**getattr(made, "_defaults", {}), **defaults}
            made._values = attrgetter(*fields)
            made._setters = tuple(getattr(made, field).__set__ for field in fields)
        return made


class Record(metaclass=_RecordType):
    """An immutable value; equal to values of the same class with equal fields."""

    def __init__(self, *values: object, **named: object) -> None:
        cls = type(self)
        setters = cls._setters
        if named or len(values) != len(setters):
            values = _completed(cls, values, named)
        for number, value in enumerate(values):
            setters[number](self, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} does not change: `{name}` cannot be assigned")

    def __eq__(self, other: object) -> bool:
        cls = type(self)
        if type(other) is not cls:
            return NotImplemented
        return self is other or bool(cls._values(self) == cls._values(other))

    def __hash__(self) -> int:
        return hash(type(self)._values(self))

    def __repr__(self) -> str:
        shown = ", ".join(f"{field}={getattr(self, field)!r}" for field in type(self)._fields)
        return f"{type(self).__name__}({shown})"


def replace(record: _R, **changes: object) -> _R:
    """A copy of a record with some fields changed."""
    cls = type(record)
    values = [changes.pop(field) if field in changes else getattr(record, field) for field in cls._fields]
    return cls(*values, **changes)


def with_defaults(defaults: _R, **values: object) -> _R:
    """A copy of a record with the given values that are not None."""
    return replace(defaults, **{name: value for name, value in values.items() if value is not None})


def _completed(cls: _RecordType, values: tuple[object, ...], named: dict[str, object]) -> tuple[object, ...]:
    """The values of all fields, given positional and named ones. Raises TypeError."""
    rest = cls._fields[len(values) :]
    given = cls._defaults | named
    try:
        found = [given[field] for field in rest]
    except KeyError:
        found = []
    if len(found) != len(rest) or not all(map(rest.__contains__, named)) or len(values) > len(cls._fields):
        got = f"{len(values)} values and {', '.join(named) or 'no names'}"
        raise TypeError(f"{cls.__name__} has the fields {', '.join(cls._fields)}; given were {got}")
    return (*values, *found)
