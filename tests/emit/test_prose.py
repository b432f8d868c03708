"""Comments and docstrings: any text of a graph, unable to end them or to hide in them."""

from __future__ import annotations

import ast

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from graphwright.emit.prose import WIDTH, in_docstring, paragraphs, plain
from graphwright.source.spelling import quoted, quoted_like

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


@pytest.mark.parametrize("unseen", ["\u3164", "\u2800", "\ufe0f", "\u034f", "\U000e0101", "\u200b", "\u202e", "\xad"])
def test_what_people_would_not_see_is_an_escape(unseen: str) -> None:
    for text in (
        plain(f"a{unseen}b"),
        in_docstring(f"a{unseen}b"),
        quoted(f"a{unseen}b"),
        quoted_like(f"a{unseen}b", "'"),
    ):
        assert unseen not in text
        assert f"{ord(unseen):x}" in text.lower()
    assert yaml.safe_load(quoted(f"é{unseen}\U0001f600")) == f"é{unseen}\U0001f600"


def test_long_lines_are_wrapped_and_blank_ones_kept() -> None:
    lines = list(paragraphs("word " * 40 + "\n\n\n\nnext"))
    assert all(len(line) <= WIDTH for line in lines)
    assert lines[-2:] == ["", "next"]
