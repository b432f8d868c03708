"""A place inside a scalar's decoded text is found again in the file, in every style that YAML has."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from graphwright.diagnostic import Span
from graphwright.source.reader import Source, read_text

MARK = "${state.here}"

#: Texts around the mark: words, blanks, quotes, line breaks, characters outside ASCII.
WORDS = st.text(alphabet="ab é🚀'\"\\:#,%", max_size=12)
LINES = st.lists(WORDS.map(str.strip), min_size=0, max_size=4)


def scalar_of(source: Source) -> yaml.ScalarNode:
    node = source.get(source.root, "outer", "key")
    assert isinstance(node, yaml.ScalarNode), source.faults
    return node


def found_at(source: Source, mark: str = MARK) -> Span:
    node = scalar_of(source)
    start = node.value.index(mark)
    return source.span_in(node, start, start + len(mark))


def text_at(text: str, span: Span) -> str:
    """What stands at a span of one line."""
    assert span.line == span.end_line
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[span.line - 1][span.column - 1 : span.end_column - 1]


@pytest.mark.parametrize(
    ("written", "line", "column"),
    [
        ("outer:\n  key: a ${state.here} b", 2, 10),
        ("outer:\n  key: first\n    second ${state.here}\n    third", 3, 12),
        ("outer:\n  key: first\n\n\n    second ${state.here}", 5, 12),
        ("outer: {key: 'it''s ${state.here}'}", 1, 21),
        ("outer:\n  key: 'one\n    two ${state.here}\n\n    three'", 3, 9),
        ('outer: {key: "tab \\t ${state.here}"}', 1, 22),
        ('outer: {key: "\\u00e9\\x41\\U0001F680 ${state.here}"}', 1, 36),
        ('outer:\n  key: "one \\\n    two ${state.here}"', 3, 9),
        ("outer:\n  key: |\n    one\n      two ${state.here}\n", 4, 11),
        ("outer:\n  key: |+2\n      one\n    two ${state.here}\n", 4, 9),
        ("outer:\n  key: >-  # folded\n    one\n    two ${state.here}\n\n    three\n", 4, 9),
        ("outer:\n  key: >\n    one\n\n      kept ${state.here}\n    three\n", 5, 12),
        ('outer: {key: &anchor !!str "x ${state.here}"}', 1, 31),
        ("outer:\n  key: &anchor x ${state.here}", 2, 18),
        ("outer:\r\n  key: |\r\n    one\r\n    two ${state.here}\r\n", 4, 9),
        ("\ufeffouter: {key: 'é🚀 ${state.here}'}", 1, 18),
    ],
)
def test_mark_is_found_where_it_was_written(written: str, line: int, column: int) -> None:
    span = found_at(read_text(written))
    assert (span.line, span.column) == (line, column)
    assert text_at(written.removeprefix("\ufeff"), span) == MARK


def test_escaped_characters_are_covered_whole() -> None:
    written = 'outer: {key: "a${state.\\u0068ere}b"}'
    span = found_at(read_text(written))
    assert text_at(written, span) == "${state.\\u0068ere}"


@given(before=WORDS, after=WORDS)
@settings(max_examples=60, deadline=None)
def test_single_quoted(before: str, after: str) -> None:
    written = "outer: {key: '" + (before + MARK + after).replace("'", "''") + "'}"
    assert text_at(written, found_at(read_text(written))) == MARK


@given(before=st.text(max_size=12, alphabet=st.characters(codec="utf-8", max_codepoint=0xFFFF)), after=WORDS)
@settings(max_examples=60, deadline=None)
def test_double_quoted(before: str, after: str) -> None:
    written = "outer: {key: " + json.dumps(before + MARK)[:-1] + json.dumps(after, ensure_ascii=False)[1:] + "}"
    assert text_at(written, found_at(read_text(written))) == MARK


@given(before=LINES, after=LINES, indent=st.integers(1, 4), style=st.sampled_from(["|", ">", "|-", ">+"]))
@settings(max_examples=120, deadline=None)
def test_blocks(before: list[str], after: list[str], indent: int, style: str) -> None:
    lines = [*before, f"x {MARK} y", *after]
    body = "".join(f"  {' ' * indent}{line}\n" for line in lines)
    first = next(line for line in lines if line)
    if lines[0] == "" or first.startswith("#"):
        lines.insert(0, "start")
        body = f"  {' ' * indent}start\n{body}"
    written = f"outer:\n  key: {style}\n{body}"
    span = found_at(read_text(written))
    assert text_at(written, span) == MARK
    assert span.line == 3 + lines.index(f"x {MARK} y")


@given(words=st.lists(st.sampled_from(["a", "bc", "é", "🚀x", "it's"]), min_size=1, max_size=8), data=st.data())
@settings(max_examples=80, deadline=None)
def test_plain_and_quoted_over_several_lines(words: list[str], data: st.DataObject) -> None:
    parts = [*words, MARK, "end"]
    joints = [data.draw(st.sampled_from([" ", "\n    ", "\n\n    ", "  \n    "])) for _ in parts]
    body = "".join(part + joint for part, joint in zip(parts, joints, strict=True)).rstrip()
    quote = data.draw(st.sampled_from(["", '"', "'"]))
    inner = body.replace("'", "''") if quote == "'" else body
    written = f"outer:\n  key: {quote}{inner}{quote}\n"
    assert text_at(written, found_at(read_text(written))) == MARK


def test_span_of_a_value_begins_at_its_quote_and_ends_behind_it() -> None:
    source = read_text('outer: {key: &a "text"  }')
    span = source.span(scalar_of(source))
    assert (span.column, span.end_column) == (17, 23)


def test_span_of_a_block_ends_with_its_last_line() -> None:
    source = read_text("outer:\n  key: |\n    one\n    two\n\n\nother: 1\n")
    span = source.span(scalar_of(source))
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 8, 4, 8)


def test_an_edge_begins_behind_its_dash_and_a_condition_at_its_first_key() -> None:
    source = read_text("next:\n  - {to: done}\n  -   when: {path: x}\n")
    edges = source.get(source.root, "next")
    assert isinstance(edges, yaml.SequenceNode)
    assert [source.first_token(edge).column for edge in edges.value] == [5, 7]
    assert [source.first_key(edge).column for edge in edges.value] == [6, 7]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('key: "${st\\u0061te.her\\x65} x"', "${st\\u0061te.her\\x65}"),
        ('key: "x ${state.here\\U0000007d"', "${state.here\\U0000007d"),
        ('key: "x ${state.\\\n  here} y"', "${state.\\\n  here}"),
    ],
)
def test_a_place_in_escapes_is_theirs_to_the_end(written: str, shown: str) -> None:
    source = read_text(written)
    node = source.get(source.root, "key")
    assert isinstance(node, yaml.ScalarNode)
    start = node.value.index(MARK)
    span = source.span_in(node, start, start + len(MARK))
    lines = written.split("\n")
    begin, end = [sum(len(line) + 1 for line in lines[: number - 1]) for number in (span.line, span.end_line)]
    assert written[begin + span.column - 1 : end + span.end_column - 1] == shown


@pytest.mark.parametrize(
    ("value", "end"),
    [
        ("\n    a: b  # told\n    # and\n# more\n\nz: 1\n", (2, 9)),
        (" &x # told\n    - a:\n       b  \n  # more\nz: 1\n", (3, 9)),
        ("\n  - a: {b: c}  # told\n\n", (2, 14)),
        ("\n    a: &e [1]\n    b: *e  # told\n  # more\n", (3, 10)),
        ("\n    - &e [1]\n    - c: *e\n  # more\n", (3, 12)),
        (" [a, # told\n  b] # more\n", (2, 5)),
        ("\n    a: |\n      b\n\n    # more\n", (3, 8)),
    ],
)
def test_a_mapping_or_list_ends_with_its_last_value(value: str, end: tuple[int, int]) -> None:
    source = read_text(f"key:{value}")
    node = source.get(source.root, "key")
    assert node is not None, source.faults
    span = source.span(node)
    assert (span.end_line, span.end_column) == end


def test_a_plain_text_ends_with_what_yaml_takes_for_a_letter() -> None:
    source = read_text("key: a\u00a0 \t# told\n")
    node = source.get(source.root, "key")
    assert node is not None
    assert source.written(node) == "a\u00a0"


@pytest.mark.parametrize("value", ["&x # told\n  a", "!!str # told\n  # more\n  &x a", "&x\n  a", "&x !!str\ta"])
def test_a_value_begins_behind_its_anchor_tag_and_their_comments(value: str) -> None:
    source = read_text(f"key: {value}")
    node = source.get(source.root, "key")
    assert node is not None
    assert source.written(node) == "a"
