"""Paths, text and arithmetic of `${…}`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphwright_runtime.abi import NodeError, add, at, coalesce, divide, modulo, multiply, negate, subtract, text

ROWS = {"rows": [{"id": 1, "7": "seven"}, {"id": 2}], "name": "x", "0": "zero", "-1": "minus", "none": None}

QUICK = settings(max_examples=60, deadline=None)

numbers = st.integers(-(10**20), 10**20) | st.floats(-1e100, 1e100)
anything: st.SearchStrategy[object] = (
    st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers(), max_size=2) | st.just({})
)


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        ((), ROWS),
        (("name",), "x"),
        (("rows", 0, "id"), 1),
        (("rows", "1", "id"), 2),
        (("rows", "-1", "id"), 2),
        (("rows", -2, "id"), 1),
        (("rows", 0, "7"), "seven"),
        (("rows", 0, 7), "seven"),
        (("0",), "zero"),
        ((0,), "zero"),
        (("-1",), "minus"),
        (("rows", 2), None),
        (("rows", -3), None),
        (("rows", "id"), None),
        (("rows", "1_0"), None),
        (("rows", "٠"), None),
        (("rows", "+1"), None),
        (("rows", "-"), None),
        (("rows", ""), None),
        (("rows", "9" * 5000), None),
        (("name", "x"), None),
        (("name", 0), None),
        (("none", "x"), None),
        (("gone", "x", 0), None),
    ],
)
def test_at(steps: tuple[str | int, ...], found: object) -> None:
    assert at(ROWS, *steps) == found


@given(anything, st.lists(st.text() | st.integers()))
@QUICK
def test_at_never_raises(value: object, steps: list[str | int]) -> None:
    at(value, *steps)


@given(st.lists(st.text() | st.integers() | st.booleans() | st.none() | st.lists(st.integers() | st.text())))
@QUICK
def test_text_is_pythons_str_and_null_is_nothing(parts: list[object]) -> None:
    assert text(*parts) == "".join("" if part is None else str(part) for part in parts)


def test_text_of_what_cannot_be_written() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for value in (10**5000, deep):
        with pytest.raises(NodeError, match="cannot be converted to a string"):
            text("n=", value)


def test_coalesce_is_the_first_that_is_not_null() -> None:
    assert coalesce(None, 0, 1) == 0
    assert coalesce(None, "", "x") == ""
    assert coalesce(None, False) is False
    assert coalesce(None, None) is None


@given(numbers, numbers)
@QUICK
def test_arithmetic_is_pythons_on_numbers(left: float, right: float) -> None:
    operations: list[tuple[Callable[[object, object], object], Callable[[float, float], float]]] = [
        (add, operator.add),
        (subtract, operator.sub),
        (multiply, operator.mul),
        (divide, operator.truediv),
        (modulo, operator.mod),
    ]
    for ours, pythons in operations:
        try:
            expected = pythons(left, right)
        except (ZeroDivisionError, OverflowError):
            with pytest.raises(NodeError):
                ours(left, right)
            continue
        if math.isfinite(expected):
            found = ours(left, right)
            assert found == expected
            assert type(found) is type(expected)
        else:
            with pytest.raises(NodeError, match="not a finite number"):
                ours(left, right)


def test_plus_puts_texts_and_lists_together() -> None:
    assert add("a", "b") == "ab"
    items = [1]
    joined = add(items, [2])
    assert joined == [1, 2]
    assert items == [1]


@pytest.mark.parametrize(
    ("compute", "message"),
    [
        (lambda: add(None, 1), "`+` takes two numbers, two strings or two lists, not null and the number 1"),
        (lambda: add(1, "a"), "not the number 1 and the string 'a'"),
        (lambda: add([1], 2), "not a list of 1 and the number 2"),
        (lambda: add(True, 1), "not true and the number 1"),
        (lambda: add({}, {}), "not a mapping of 0 and a mapping of 0"),
        (lambda: subtract("3", 1), "`-` takes two numbers, not the string '3' and the number 1"),
        (lambda: multiply([0], 3), "`*` takes two numbers"),
        (lambda: divide(1, 0), "`/` of the number 1 and the number 0: division by zero"),
        (lambda: modulo(1, 0), "`%` of the number 1 and the number 0"),
        (lambda: divide(10**400, 1), "`/` of a huge number and the number 1"),
        (lambda: multiply(1e300, 1e300), "is not a finite number"),
        (lambda: negate(False), "`-` takes a number, not false"),
        (lambda: negate("5"), "`-` takes a number, not the string '5'"),
    ],
)
def test_what_cannot_be_computed_says_what_met_what(compute: Callable[[], object], message: str) -> None:
    with pytest.raises(NodeError) as raised:
        compute()
    assert message in str(raised.value)


def test_negate() -> None:
    assert negate(5) == -5
    assert negate(-0.5) == 0.5
