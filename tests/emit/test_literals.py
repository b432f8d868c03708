"""Constants: what is written reads back as what it was, and stays on its line."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from graphwright.emit.literals import MAX_DEPTH, MAX_LEAVES, encoded, lined, literal, quoted
from graphwright.ir import Json

_texts = st.one_of(
    st.text(),
    st.text(st.sampled_from("\"'\\\n{}#\u202e\u2066\u2028\x00\x1b\ud800é数🚀ab"), max_size=12),
)
_json: SearchStrategy[Json] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), _texts),
    lambda below: st.one_of(st.lists(below, max_size=4), st.dictionaries(_texts, below, max_size=4)),
    max_leaves=12,
)


@given(_texts)
def test_a_text_reads_back_and_stays_on_its_line(text: str) -> None:
    written = quoted(text)
    assert eval(written) == text
    assert written.isprintable(), "nothing that hides or turns the direction of writing"


@given(_json)
def test_a_constant_reads_back(value: Json) -> None:
    code = literal(value)
    if code is None:
        assert json.loads(eval(encoded(value))) == value
    else:
        assert repr(eval(code.text)) == repr(value)


def test_texts_of_several_lines_are_cut_only_when_they_are_long() -> None:
    assert lined("a\nb\n") == '"a\\nb\\n"'
    script = "set -e\n" + "echo something\n" * 8
    assert lined(script).startswith('("set -e\\n" "echo something\\n"')
    assert eval(lined(script)) == script


def test_what_is_too_deep_or_too_large_becomes_json_text() -> None:
    deep: Json = 1
    for _ in range(200):
        deep = [deep]
    wide: Json = [*range(MAX_LEAVES + 1)]
    for value in (deep, wide):
        assert literal(value) is None
        assert encoded(value).isascii()
        assert json.loads(eval(encoded(value))) == value
    nested: Json = 1
    for _ in range(MAX_DEPTH):
        nested = {"k": nested}
    assert literal(nested) is not None


def test_huge_integers_are_written_in_hexadecimal() -> None:
    value = 16**5_000 + 1
    code = literal(value)
    assert code is not None
    assert code.text.startswith("0x")
    assert eval(code.text) == value


def test_half_characters_are_no_literals() -> None:
    assert literal("\ud800") is None
    assert literal({"k": ["\udfff"]}) is None
    assert json.loads(eval(encoded("\ud800"))) == "\ud800"
