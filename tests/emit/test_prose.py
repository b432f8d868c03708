"""Comments and docstrings: any text of a graph, unable to end them or to hide in them."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from graphwright.emit.prose import WIDTH, in_docstring, paragraphs, plain

_texts = st.one_of(st.text(), st.text(st.sampled_from("\"'\\\n\t #\u202e\x00{}a "), max_size=20))


@given(_texts)
def test_a_comment_is_one_printable_line(text: str) -> None:
    assert plain(text).isprintable()


@given(_texts)
def test_a_docstring_holds_its_lines(text: str) -> None:
    lines = ["first", *paragraphs(text), in_docstring(text)]
    body = "\n".join(lines)
    module = ast.parse(f'"""{body}\n"""\nafter = 1\n')
    assert len(module.body) == 2
    assert all(line.isprintable() and line == line.rstrip() for line in lines)


def test_long_lines_are_wrapped_and_blank_ones_kept() -> None:
    lines = list(paragraphs("word " * 40 + "\n\n\n\nnext"))
    assert all(len(line) <= WIDTH for line in lines)
    assert lines[-2:] == ["", "next"]
