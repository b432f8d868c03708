"""The pipes, against plain Python."""

from __future__ import annotations

import contextlib
import json
import shlex
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphwright_runtime import pipes
from graphwright_runtime.errors import NodeError

QUICK = settings(max_examples=60, deadline=None)

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)
ALL = [
    pipes.to_json, pipes.from_json, pipes.length, pipes.keys, pipes.upper, pipes.lower, pipes.trim, pipes.lines,
    pipes.to_int, pipes.to_float, pipes.to_str, pipes.first, pipes.last, pipes.quote,
]  # fmt: skip


@pytest.mark.parametrize("pipe", ALL, ids=lambda pipe: pipe.__name__)
def test_null_goes_through(pipe: Callable[[object], object]) -> None:
    assert pipe(None) is None


@given(values)
@QUICK
def test_a_pipe_gives_json_or_a_node_error(value: object) -> None:
    for pipe in ALL:
        with contextlib.suppress(NodeError):
            json.dumps(pipe(value), allow_nan=False)


@given(values)
@QUICK
def test_json_there_and_back(value: object) -> None:
    written = pipes.to_json(value)
    assert written == (None if value is None else json.dumps(value))
    assert pipes.from_json(written) == value
    if not isinstance(value, str):
        assert pipes.from_json(value) is value


@given(st.text())
@QUICK
def test_text_pipes_are_pythons(word: str) -> None:
    assert pipes.upper(word) == word.upper()
    assert pipes.lower(word) == word.lower()
    assert pipes.trim(word) == word.strip()
    assert pipes.lines(word) == word.splitlines()
    assert pipes.length(word) == len(word)
    assert pipes.quote(word) == shlex.quote(word)
    assert pipes.first(word) == (word[0] if word else None)
    assert pipes.last(word) == (word[-1] if word else None)


@given(st.integers())
@QUICK
def test_int_takes_decimal_text_and_integral_floats(number: int) -> None:
    assert pipes.to_int(number) == number
    assert pipes.to_int(f" {number}\n") == number
    if abs(number) < 2**53:
        found = pipes.to_int(float(number))
        assert found == number
        assert type(found) is int


@given(st.floats(allow_nan=False, allow_infinity=False))
@QUICK
def test_float_takes_what_python_writes(number: float) -> None:
    assert pipes.to_float(repr(number)) == number
    assert pipes.to_float(number) == number


def test_keys() -> None:
    assert pipes.keys({"b": 1, "a": 2}) == ["b", "a"]
    assert [pipes.keys(value) for value in ([1], "ab", 3, True)] == [[], [], [], []]


def test_length_of_lists_and_mappings() -> None:
    assert pipes.length([1, 2]) == 2
    assert pipes.length({"a": 1}) == 1


def test_ends_of_lists() -> None:
    assert pipes.first([1, 2]) == 1
    assert pipes.last([1, 2]) == 2
    assert pipes.first([]) is None


def test_default_is_for_null_alone() -> None:
    assert pipes.default(None, 3) == 3
    kept: list[object] = [0, "", False, []]
    assert [pipes.default(value, 3) for value in kept] == kept


@pytest.mark.parametrize(
    ("pipe", "value", "message"),
    [
        (pipes.from_json, "{oops", "`from_json`: the string '{oops' is not valid JSON"),
        (pipes.from_json, "[NaN]", "is not valid JSON: [0]: nan"),
        (pipes.from_json, "1e999", "is not valid JSON: inf"),
        pytest.param(pipes.from_json, "[" * 100_000, "is not valid JSON", id="from_json-deep"),
        pytest.param(pipes.from_json, "9" * 5000, "is not valid JSON", id="from_json-huge"),
        (pipes.length, 5, "`length` takes a string, a list or a mapping, not the number 5"),
        (pipes.to_int, "many", "not the string 'many'"),
        (pipes.to_int, "1_000", "not the string '1_000'"),
        (pipes.to_int, "١٢", "not the string '١٢'"),
        (pipes.to_int, "1.0", "not the string '1.0'"),
        (pipes.to_int, 1.5, "not the number 1.5"),
        (pipes.to_int, True, "`int` takes a number or a decimal string, not true"),
        pytest.param(pipes.to_int, "9" * 5000, "`int`: ", id="int-huge"),
        (pipes.to_int, [1], "not a list of 1"),
        (pipes.to_float, "nan", "not the string 'nan'"),
        (pipes.to_float, "1e999", "is too large"),
        pytest.param(pipes.to_float, 10**400, "is too large", id="float-huge"),
        (pipes.to_float, False, "not false"),
        (pipes.upper, ["a"], "`upper` takes a string, not a list of 1"),
        (pipes.lines, {"a": 1}, "`lines` takes a string, not a mapping of 1"),
        (pipes.first, 5, "`first` takes a list or a string, not the number 5"),
        pytest.param(pipes.to_json, 10**5000, "`json` cannot convert a huge number", id="json-huge"),
    ],
)
def test_a_pipe_that_cannot_is_a_node_error(pipe: Callable[[object], object], value: object, message: str) -> None:
    with pytest.raises(NodeError) as raised:
        pipe(value)
    assert message in str(raised.value)
