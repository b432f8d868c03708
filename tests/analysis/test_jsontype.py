"""The lattice of types: joins hold everything, meets hold what both hold, nothing is lost by limiting."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.membership import TYPES, VALUES, belongs
from graphwright.analysis.jsontype import (
    ANY,
    BOOLEAN,
    FLOAT,
    INTEGER,
    MAX_VALUES,
    MAX_VARIANTS,
    NEVER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Field,
    Type,
    either,
    from_value,
    general,
    join,
    limited,
    list_of,
    meet,
    object_of,
    one_of,
)
from graphwright.analysis.type_text import a_value_of, describe
from graphwright.ir import Json


@settings(max_examples=120, deadline=None)
@given(VALUES, TYPES, TYPES)
def test_a_join_holds_what_either_holds(value: Json, left: Type, right: Type) -> None:
    if belongs(value, left) or belongs(value, right):
        assert belongs(value, join(left, right))


@settings(max_examples=120, deadline=None)
@given(VALUES, TYPES, TYPES)
def test_alternatives_hold_what_either_holds_and_no_more_than_the_join(value: Json, left: Type, right: Type) -> None:
    if belongs(value, left) or belongs(value, right):
        assert belongs(value, either(left, right))
    if belongs(value, either(left, right)):
        assert belongs(value, join(left, right))


@settings(max_examples=120, deadline=None)
@given(VALUES, TYPES, st.integers(0, 3))
def test_a_type_with_less_detail_holds_no_less(value: Json, kind: Type, depth: int) -> None:
    if belongs(value, kind):
        assert belongs(value, limited(kind, depth))
        assert belongs(value, general(kind))


@settings(max_examples=120, deadline=None)
@given(VALUES, TYPES, TYPES)
def test_a_meet_holds_exactly_what_both_hold(value: Json, left: Type, right: Type) -> None:
    assert belongs(value, meet(left, right)) == (belongs(value, left) and belongs(value, right))


@settings(max_examples=120, deadline=None)
@given(TYPES, TYPES, TYPES)
def test_join_is_commutative_and_associative(one: Type, two: Type, three: Type) -> None:
    assert join(one, two) == join(two, one)
    assert join(join(one, two), three) == join(one, join(two, three))
    assert join(one, one) == one


@settings(max_examples=120, deadline=None)
@given(VALUES, st.integers(0, 3))
def test_the_type_of_a_literal_holds_it(value: Json, depth: int) -> None:
    assert belongs(value, from_value(value))
    assert belongs(value, from_value(value, depth))
    assert belongs(value, limited(from_value(value), depth))


@settings(max_examples=120, deadline=None)
@given(VALUES, TYPES)
def test_the_part_that_is_present(value: Json, kind: Type) -> None:
    assert belongs(value, kind.present) == (belongs(value, kind) and value is not None)


def test_one_and_true_and_one_point_nought_are_three_values() -> None:
    assert one_of([1, True, 1.0]).values == (True, 1, 1.0)
    assert one_of([1]) != one_of([True])
    assert meet(one_of([1]), one_of([True])) == NEVER
    assert meet(one_of([1, "a"]), STRING) == one_of(["a"])


def test_many_values_are_no_finite_set() -> None:
    assert one_of(range(MAX_VALUES + 1)) == INTEGER
    assert join(one_of(range(MAX_VALUES)), one_of([-1])) == INTEGER


def test_a_key_that_only_one_side_has_is_optional() -> None:
    joined = join(object_of({"a": Field(INTEGER, True)}), object_of({"b": Field(STRING, True)}))
    assert joined.field_map == {"a": Field(INTEGER, False), "b": Field(STRING, False)}
    assert joined.closed


def _with(**kinds: Type) -> Type:
    """Objects with these keys, all required, and possibly others."""
    return object_of({name: Field(kind, True) for name, kind in kinds.items()}, others=ANY)


def test_alternatives_are_variants_and_what_they_have_in_common() -> None:
    card, cash = _with(kind=one_of(["card"]), number=STRING), _with(kind=one_of(["cash"]))
    found = either(card, cash, NULL)
    assert found.variants == (card, cash)
    assert found.field_map == {"kind": Field(one_of(["card", "cash"]), True)}
    assert found.present.variants == (card, cash)
    assert meet(found, _with(kind=one_of(["cash"]))) == cash
    assert meet(found, _with(kind=one_of(["cheque"]))) == NEVER
    assert join(found, INTEGER).variants == (card, cash)
    assert join(found.present, card) == join(card, cash)


def test_alternatives_that_say_nothing_are_not_kept_apart() -> None:
    many = [_with(**{f"k{number}": INTEGER}) for number in range(MAX_VARIANTS + 1)]
    assert either(_with(a=INTEGER), OBJECT) == OBJECT
    assert either(_with(a=INTEGER), _with(a=INTEGER)) == _with(a=INTEGER)
    assert either(*many) == join(*many)
    assert not meet(either(*many[:8]), either(*many[8:16])).variants


def test_objects_that_contradict_each_other_have_nothing_in_common() -> None:
    assert meet(object_of({"a": Field(INTEGER, True)}), object_of({"a": Field(STRING, True)})) == NEVER
    assert meet(object_of({"a": Field(INTEGER, True)}), object_of({})) == NEVER


@pytest.mark.parametrize(
    ("kind", "spoken"),
    [
        (STRING, "string"),
        (NUMBER, "number"),
        (join(NULL, INTEGER), "integer or null"),
        (join(STRING, NULL, BOOLEAN), "string, boolean or null"),
        (list_of(STRING), "list of strings"),
        (list_of(join(STRING, NULL)), "list of (string or null)"),
        (list_of(ANY), "list"),
        (OBJECT, "object"),
        (ANY, "anything"),
        (NEVER, "nothing"),
    ],
)
def test_descriptions(kind: Type, spoken: str) -> None:
    assert describe(kind) == spoken


def test_descriptions_in_a_sentence() -> None:
    assert [a_value_of(kind) for kind in (INTEGER, FLOAT, NULL, ANY)] == ["an integer", "a number", "null", "anything"]
