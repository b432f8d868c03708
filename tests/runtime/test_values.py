"""The JSON boundary."""

from __future__ import annotations

import datetime
import enum
import json
import re
import uuid
from collections import OrderedDict, defaultdict
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphwright_runtime.errors import NodeError
from graphwright_runtime.values import MAX_DEPTH, NotJsonError, json_copy, sent

QUICK = settings(max_examples=60, deadline=None)

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=10)


def shared(left: object, right: object) -> bool:
    """Whether two equal values have a mutable part in common."""
    if not isinstance(left, (dict, list)):
        return False
    if left is right:
        return True
    if isinstance(left, dict) and isinstance(right, dict):
        return any(shared(left[key], right.get(key)) for key in left)
    return isinstance(right, list) and any(map(shared, left, right))


def stripped(value: object) -> object:
    """Null stripping as language.md §3 says it."""
    if isinstance(value, dict):
        return {key: stripped(item) for key, item in value.items() if item is not None}
    return [stripped(item) for item in value] if isinstance(value, list) else value


@given(values)
@QUICK
def test_a_copy_is_equal_and_shares_nothing(value: object) -> None:
    copy = json_copy(value)
    assert copy == value
    assert json.dumps(copy) == json.dumps(value)
    assert not shared(value, copy)


@given(st.dictionaries(st.text(max_size=3), values, max_size=4))
@QUICK
def test_params_are_copied_without_their_nulls(params: dict[str, object]) -> None:
    before = json.dumps(params)
    out = sent(params)
    assert out == stripped(params)
    assert not shared(params, out)
    assert json.dumps(params) == before


class Colour(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (datetime.datetime(2026, 1, 2), "a datetime"),
        ({"rows": [1, 2, 3, {"at": datetime.date(2026, 1, 2)}]}, "rows[3].at: a date"),
        ({"a": {"b": (1, 2)}}, "a.b: a tuple"),
        ([[b"x"]], "[0][0]: a bytes"),
        ({"x": float("nan")}, "x: nan, which JSON cannot represent"),
        ({"x": [float("-inf")]}, "x[0]: -inf, which JSON cannot represent"),
        ({"x": {1, 2}}, "x: a set"),
        ({"x": object()}, "x: an object"),
        ({"x": uuid.UUID(int=1)}, "x: an UUID"),
        ({"x": Colour.RED}, "x: a Colour"),
        ({"x": {1: "one"}}, "x: a key that is not a string (1)"),
        ({None: 1}, "a key that is not a string (None)"),
        ({"x": MappingProxyType({})}, "x: a mappingproxy"),
        ({"ok": 1, "bad": {"deep": [0, 1j]}}, "bad.deep[1]: a complex"),
    ],
)
def test_what_is_not_json_is_named_with_its_place(value: object, place: str) -> None:
    with pytest.raises(NotJsonError, match=f"^{re.escape(place)}$"):
        json_copy(value)


class Level(enum.IntEnum):
    HIGH = 3


class Word(enum.StrEnum):
    YES = "yes"


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (OrderedDict(a=1), {"a": 1}),
        (defaultdict(list, a=[1]), {"a": [1]}),
        (Level.HIGH, 3),
        (Word.YES, "yes"),
        ({Word.YES: Level.HIGH}, {"yes": 3}),
        (10**30, 10**30),
        (True, True),
    ],
)
def test_subclasses_become_what_they_stand_for(value: object, plain: object) -> None:
    copy = json_copy({"x": value})
    assert copy == {"x": plain}
    inner: Any = copy["x"] if isinstance(copy, dict) else None
    assert type(inner) is type(plain)
    if isinstance(inner, dict):
        assert all(type(key) is str for key in inner)


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 5_000, 100_000])
def test_deep_nesting_is_refused_not_a_crash(depth: int) -> None:
    with pytest.raises(NotJsonError, match="nested deeper than 200 levels"):
        json_copy(nested(depth))
    with pytest.raises(NodeError, match="nested deeper than 200 levels"):
        sent({"x": nested(depth)})


def test_nesting_up_to_the_limit_is_fine() -> None:
    assert json_copy(nested(MAX_DEPTH)) == nested(MAX_DEPTH)
    assert sent({"x": nested(MAX_DEPTH - 1)}) == {"x": nested(MAX_DEPTH - 1)}


def test_a_cycle_is_refused() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    with pytest.raises(NotJsonError, match="nested deeper"):
        json_copy({"x": cycle})
