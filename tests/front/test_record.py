"""Records behave like frozen dataclasses, and cost less to define."""

from __future__ import annotations

from typing import ClassVar

import pytest

from graphwright.record import Record, replace


class Point(Record):
    """Two numbers and a name."""

    x: int
    y: int = 0
    name: str = "origin"


class Alone(Record):
    """A record, to compare with `Other`."""

    x: object


class Other(Record):
    """The same fields as `Alone`."""

    x: object


def test_values_come_by_place_by_name_or_by_default() -> None:
    for point in (Point(1, 2), Point(1, y=2), Point(y=2, x=1), Point(1, 2, "origin")):
        assert (point.x, point.y, point.name) == (1, 2, "origin")
        assert point == Point(1, 2)
        assert hash(point) == hash(Point(1, 2))
    assert Point(1) != Point(2)


def test_records_of_two_classes_differ() -> None:
    assert Alone(1) != Other(1)
    assert Alone((1, 0, "origin")) != Point(1)
    assert len({Alone(1), Other(1), Alone(1)}) == 2


@pytest.mark.parametrize(
    ("values", "named"),
    [((), {}), ((1, 2, "a", 3), {}), ((1,), {"x": 2}), ((1,), {"z": 2}), ((1, 2, "a"), {"z": 2}), ((), {"y": 1})],
)
def test_too_few_too_many_and_unknown_values_are_refused(values: tuple[object, ...], named: dict[str, object]) -> None:
    make: type = Point
    with pytest.raises(TypeError, match="Point has the fields x, y, name"):
        make(*values, **named)


def test_a_record_does_not_change() -> None:
    point: object = Point(1)
    for name in ("x", "z"):
        with pytest.raises(AttributeError, match=f"`{name}` cannot be assigned"):
            setattr(point, name, 2)
    assert not hasattr(point, "__dict__")


def test_replace_makes_another_one() -> None:
    point = Point(1, 2)
    assert replace(point, y=3) == Point(1, 3)
    assert point == Point(1, 2)
    with pytest.raises(TypeError, match="has the fields"):
        replace(point, z=3)


def test_it_shows_its_fields_and_matches_by_them() -> None:
    assert repr(Point(1, name="a")) == "Point(x=1, y=0, name='a')"
    match Point(1, 2):
        case Point(1, found):
            assert found == 2


class Deeper(Point):
    """A point with one more number, and a word for its kind."""

    kind: ClassVar = "deeper"
    z: int = 1


class Same(Point):
    """A point by another name."""


def test_fields_of_a_base_class_come_first() -> None:
    assert repr(Deeper(1, 2, "a", 3)) == "Deeper(x=1, y=2, name='a', z=3)"
    assert Deeper(1) == Deeper(1, 0, "origin", 1)
    assert replace(Deeper(1), x=2, z=4) == Deeper(2, z=4)
    assert Deeper.kind == "deeper"
    assert Same(1) != Point(1)
    assert not hasattr(Deeper(1), "__dict__")
    with pytest.raises(TypeError, match="Deeper has the fields x, y, name, z"):
        replace(Deeper(1), kind="other")
