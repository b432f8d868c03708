"""The comparisons of `when`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphwright_runtime.abi import (
    NodeError,
    contains,
    equal,
    exists,
    greater,
    greater_equal,
    is_in,
    less,
    less_equal,
    matches,
    pattern,
)

ORDERINGS = [less, less_equal, greater, greater_equal]
QUICK = settings(max_examples=60, deadline=None)

numbers = st.integers() | st.floats(allow_nan=False)
others: st.SearchStrategy[object] = (
    st.none() | st.booleans() | st.text() | st.lists(st.integers(), max_size=2) | st.just({})
)


@given(numbers, numbers)
@QUICK
def test_numbers_are_ordered_as_in_python(left: float, right: float) -> None:
    assert less(left, right) == (left < right)
    assert less_equal(left, right) == (left <= right)
    assert greater(left, right) == (left > right)
    assert greater_equal(left, right) == (left >= right)


@given(st.text(), st.text())
@QUICK
def test_texts_are_ordered_as_in_python(left: str, right: str) -> None:
    assert less(left, right) == (left < right)
    assert less_equal(left, right) == (left <= right)
    assert greater(left, right) == (left > right)
    assert greater_equal(left, right) == (left >= right)


@pytest.mark.parametrize("ordering", ORDERINGS, ids=lambda each: each.__name__)
@given(left=numbers | others, right=others)
@QUICK
def test_everything_else_is_a_node_error(
    ordering: Callable[[object, object], bool], left: object, right: object
) -> None:
    if left is None:
        assert ordering(left, right) is False
    elif not (isinstance(left, str) and isinstance(right, str)):
        with pytest.raises(NodeError, match="compares two numbers or two strings"):
            ordering(left, right)


def test_equality_is_pythons() -> None:
    assert equal([1, {"a": None}], [1, {"a": None}])
    assert equal(1, 1.0)
    assert equal(1, True)
    assert not equal("1", 1)
    assert equal(None, None)


def test_in() -> None:
    assert is_in("a", ["a", "b"])
    assert not is_in("a", ["ab"])
    assert not is_in("a", None)
    assert is_in(None, [None])
    assert not is_in(None, ["a"])
    assert not is_in("404", [404])
    others: list[object] = ["abc", {"a": 1}, 5]
    for options in others:
        with pytest.raises(NodeError, match="`in` needs a list"):
            is_in("a", options)


def test_contains() -> None:
    assert contains("build FAILED", "FAILED")
    assert not contains("build FAILED", "failed")
    assert contains("x", "")
    assert contains("exit code 404", 404)
    assert contains(1404, "40")
    assert contains(["vip", 12, None], 12)
    assert contains([None], None)
    assert not contains(["vip"], "vi")
    assert contains({"owner": "kim"}, "owner")
    assert not contains({"owner": "kim"}, "kim")
    assert not contains({"1": "x"}, 1)
    assert not contains(None, "N")
    assert not contains(True, "T")
    assert not contains("text", None)


def test_regex() -> None:
    assert matches(pattern("b0[0-9]d"), "9fceb02d0")
    assert matches(pattern("^12$"), 12)
    assert not matches(pattern(".*"), None)
    assert matches("(?im)^warn", "ok\nWARN disk")
    for bad in ("(", "*", "a{99999999999}"):
        with pytest.raises(NodeError, match="is not a valid regular expression"):
            matches(bad, "x")
    with pytest.raises(NodeError, match="needs a pattern as a string, not the number 3"):
        matches(3, "x")


def test_exists_is_not_null() -> None:
    there: list[object] = [0, False, "", []]
    assert all(map(exists, there))
    assert not exists(None)


def test_values_nested_without_end_are_node_errors() -> None:
    def deep() -> object:
        value: object = 1
        for _ in range(100_000):
            value = [value]
        return value

    for compare, options in ((equal, deep()), (is_in, [deep()])):
        with pytest.raises(NodeError, match="nested too deeply"):
            compare(deep(), options)
    with pytest.raises(NodeError, match="nested too deeply"):
        contains([deep()], deep())
