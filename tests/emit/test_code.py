"""Expressions put together: what binds loosely gets parentheses, nothing else does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from graphwright.emit.code import AND, OR, Code, choice, joined, negated

_Pair = tuple[Code, bool]

_leaves: SearchStrategy[_Pair] = st.sampled_from([(Code("yes()"), True), (Code("no()"), False)])


def _above(below: SearchStrategy[_Pair]) -> SearchStrategy[_Pair]:
    several = st.lists(below, min_size=2, max_size=3)
    return st.one_of(
        several.map(lambda given: (joined("or", OR, [code for code, _ in given]), any(value for _, value in given))),
        several.map(lambda given: (joined("and", AND, [code for code, _ in given]), all(value for _, value in given))),
        below.map(lambda given: (negated(given[0]), not given[1])),
        st.tuples(below, below, below).map(
            lambda given: (
                choice(given[0][0], given[1][0], given[2][0]),
                given[1][1] if given[0][1] else given[2][1],
            )
        ),
    )


@given(st.recursive(_leaves, _above, max_leaves=12))
def test_what_is_put_together_means_what_was_meant(pair: _Pair) -> None:
    code, value = pair
    assert eval(code.text, {"yes": lambda: True, "no": lambda: False}) is value


def test_no_needless_parentheses() -> None:
    a, b, c = Code("a"), Code("b"), Code("c")
    assert joined("or", OR, [joined("and", AND, [a, b]), c]).text == "a and b or c"
    assert joined("and", AND, [joined("or", OR, [a, b]), c]).text == "(a or b) and c"
    assert negated(joined("or", OR, [a, b])).text == "not (a or b)"
    assert negated(negated(a)).text == "a"
    assert choice(a, b, choice(b, c, a)).text == "b if a else c if b else a"
