"""Regular expressions: ECMAScript's in schemas, Python's in conditions, both in bounded time."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphwright_runtime.checks import Problems, check_with_jsonschema
from graphwright_runtime.errors import NodeError
from graphwright_runtime.patterns.allowance import shared
from graphwright_runtime.patterns.engine import Dialect, Pattern, compiled
from graphwright_runtime.patterns.reader import PatternError

ECMA = [
    ("^[a-z]+$", ["abc"], ["abc\n", "A"]),
    (r"^\d+$", ["12"], ["١٢"]),
    (r"^\D$", ["٣"], ["3"]),
    (r"^\w+$", ["a_1"], ["é"]),
    (r"^\s$", ["\ufeff", "\u2003", "\v", "\u2028"], ["\x1c", "\x85"]),
    (r"^\p{Lu}+$", ["ÀB"], ["a"]),
    (r"^\P{L}$", ["1"], ["a"]),
    (r"^[\p{L}\d]+$", ["é1"], ["-"]),
    (r"^\p{Script=Greek}$", ["α"], ["a"]),
    (r"^\u{1F600}$", ["😀"], ["x"]),
    (r"^\uD83D\uDE00$", ["😀"], []),
    (r"^\x41\u0042\0$", ["AB\0"], []),
    (r"^\/a\-b\.$", ["/a-b."], ["/a-bc"]),
    (r"^\cJ$", ["\n"], ["J"]),
    (r"^[\b]$", ["\b"], ["b"]),
    (r"^(?<year>\d{4})-\k<year>$", ["2020-2020"], ["2020-2021"]),
    (r"^(?:(a)|b)\1$", ["aa", "b"], ["a", "ba"]),
    (r"(?<!a)b", ["cb", "b"], ["ab"]),
    (r"(?<=\$)\d+", ["$5"], ["5"]),
    (r"^(?!.*--)[a-z-]+$", ["a-b"], ["a--b"]),
    (r"^.$", ["😀"], ["\u2028", "\r", "\n"]),
    (r"^[^]$", ["\n"], [""]),
    (r"a[]", [], ["a"]),
    (r"^[\w-]+$", ["a-b"], ["a b"]),
    (r"^[\S\d]$", ["a", "1"], [" "]),
    (r"^[^\S\n]$", [" "], ["\n", "a"]),
    (r"\bfoo\b", ["éfoo"], ["xfoo"]),
    (r"^\{a\}$", ["{a}"], []),
    (r"^(?i:abc)$", ["ABC"], ["ABCD"]),
    ("^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]),
    (r"^[{}]\]$", ["{]", "}]"], ["]"]),
    (r"^(a\1)b$", ["ab"], ["aab"]),
    (r"^(?:(?<n>a\k<n>)b)+$", ["abab"], ["aab"]),
    (r"^\1(a)$", ["a"], ["aa"]),
    (r"^(?:^)*(?:(?=a))?a$", ["a"], ["b"]),
    (r"^(?s:.)(?-s:.)$", ["\na"], ["a\n"]),
    (r"(?m:^b$)", ["a\nb", "b\u2028a"], ["ab"]),
    (r"^\u{0000000041}{0000000002}$", ["AA"], ["A"]),
    (r"^\p{gc=Lu}\p{sc=Grek}\p{ASCII}$", ["Aα."], ["aα."]),
    (r"^\p{General_Category=Decimal_Number}$", ["٣"], ["²"]),
]  # fmt: skip

REFUSED = [
    r"\Z", r"\a", "(", ")", "[a", "a**", "*", "(?P<n>a)", "(?i)a", "a{3,2}", r"\p{Foo}", r"\k<x>", r"\2", r"\p", "a\\",
    "(?<n>a)(?<n>b)", r"\u{110000}", "[b-a]", "(?#x)", "^*", "$?", r"\b+", "(?=a)+", "(?!a){2}", "(?<=a)*", "(?<!a)?",
    "{1}", "a{,2}", "a{", "a}", "a]", "a{1", "(?:foo){e<=1}", "[[:alpha:]]", r"\p{lu}", r"\p{LU}", r"\p{Greek}",
    r"\p{IsL}", r"\p{Block=ASCII}", r"\p{script=Greek}", r"\p{Script=greek}", r"\p{Script=Oldpersian}", r"\p{L=L}",
    r"\p{Alphabetic=Y}", "(?i-i:a)", "(?-:a)", "(?ii:a)", "(" * 5000, "a" * 60_000, "(((a{100}){100}){100}){100}",
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "found", "missed"), ECMA, ids=[each[0] for each in ECMA])
def test_patterns_of_schemas_are_those_of_ecmascript(pattern: str, found: list[str], missed: list[str]) -> None:
    expression = Pattern(pattern, "ecma")
    assert [text for text in found if not expression.search(text)] == []
    assert [text for text in missed if expression.search(text)] == []


@pytest.mark.parametrize("pattern", REFUSED, ids=[each[:12] for each in REFUSED])
def test_what_is_no_pattern_of_ecmascript_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        compiled(pattern, "ecma")


_PIECES = [
    *"abAB1_ -.^$|()[]{}*+?,:=!<>#&~\\", r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\b", r"\B", r"\A", r"\Z", r"\1",
    "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?P<n>", "(?P=n)", "(?i:", "(?x:", "(?s:", "(?m:", "(?>", "(?(1)", "{2}",
    "{,2}", "{1,}", "[^", "[a-z]", r"[\W\d]", r"[^\S_]", r"\x41", r"\u0660", r"\101", r"\0", "é", "ß", "İ", "\n", "²",
    "٣", "(?i)", "(?a)", "(?x)", ")", "a*", "b+?", "{e<=1}", "[[:alpha:]]", "(?#c)",
]  # fmt: skip
_TEXTS = [
    "", "a", "ab", "aA1_", "a b", "a\n", "\n", "é²٣", "aab bba", "_-", ":alpha:]", "{e<=1}", "aa\nbb", "I İ i ı",
    "ß SS", "\x1c", "a{2}", "]", "\\", "k K",
]  # fmt: skip


@settings(max_examples=600)
@given(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=7).map("".join))
def test_patterns_of_conditions_are_those_of_python(pattern: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = re.compile(pattern)
        except re.error:
            with pytest.raises(PatternError):
                compiled(pattern, "python")
            return
    found = Pattern(pattern, "python")
    assert [found.search(text) for text in _TEXTS] == [bool(expected.search(text)) for text in _TEXTS]


SLOW = [
    ("^(a|aa)+$", "a" * 200 + "!"),
    ("a+$", "a" * 200_000 + "b"),
    ("a.*b.*c.*d.*e", "a" * 3000 + "b" * 3000 + "c" * 3000),
    (r"(x+x+)+y", "x" * 5000),
]


@pytest.mark.parametrize(("pattern", "text"), SLOW, ids=[each[0] for each in SLOW])
def test_no_search_takes_longer_than_its_text_may_take(pattern: str, text: str) -> None:
    expression = Pattern(pattern, "python")
    began = time.process_time()
    with pytest.raises(NodeError, match="takes too long"):
        expression.search(text)
    assert time.process_time() - began < 3


LONG = [
    ("b" + "a" * 5000, "b" + "a" * 5000),
    ("a" * 2500 + "b" + "a" * 2500, "a" * 2500 + "b" + "a" * 2500),
    ("(?i:b" + "ß" * 3000 + ")", "B" + "ß" * 3000),
    ("b" + "(?:aaa)" * 1500, "b" + "a" * 4500),
    ("b" + "a{1}" * 5000, "b" + "a" * 5000),
]


@pytest.mark.parametrize("dialect", ["ecma", "python"])
@pytest.mark.parametrize(("pattern", "text"), LONG, ids=[each[0][:8] for each in LONG])
def test_plain_characters_are_looked_for_by_the_clock_too(pattern: str, text: str, dialect: Dialect) -> None:
    """As a whole the engine would compare all of them at every place of the text, and not look at the clock."""
    expression = Pattern(pattern, dialect)
    assert expression.search(f"x{text}x")
    began = time.process_time()
    with contextlib.suppress(NodeError):
        assert not expression.search(text[-2:] * 100_000)
    assert time.process_time() - began < 3


#: As many letters as a pattern may name, no two of which follow each other.
LETTERS = "".join(chr(0x4E00 + 2 * each) if each < 10_000 else chr(0x10000 + 2 * each) for each in range(20_000))
LARGE = [
    (f"^[{LETTERS}]*$", LETTERS[-1]),
    (f"[{LETTERS}]", "a"),
    (f"[{LETTERS}]+x?", "a"),
    (f"(?={LETTERS[0]}|[{LETTERS}])y*", "a"),
    (f"^[^{LETTERS}]*b", "a"),
    (f"(?i:[{LETTERS}])", "a"),
    ("|".join(LETTERS), "a"),
    (f"(?:[{LETTERS}]|a)*?b", "a"),
]


@pytest.mark.parametrize("dialect", ["ecma", pytest.param("python", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("pattern", "letter"), LARGE, ids=[each[0][:6] for each in LARGE])
def test_large_sets_are_looked_through_by_the_clock_too(pattern: str, letter: str, dialect: Dialect) -> None:
    """The engine compares a character with each member, and would do so for a whole text before it looks at a clock."""
    expression = Pattern(pattern, dialect)
    assert expression.search(f"{LETTERS[0]}xy") or letter == LETTERS[-1] or "b" in pattern
    began = time.process_time()
    with contextlib.suppress(NodeError):
        expression.search(letter * 300_000)
    assert time.process_time() - began < 1.2


QUADRATIC, TEXT = "a+$", "a" * 4_000 + "b"  # some tens of milliseconds


def test_the_searches_of_one_check_have_their_time_together() -> None:
    began = time.process_time()
    with shared(), pytest.raises(NodeError, match=r"after [\d,]+ other searches"):
        any(Pattern(QUADRATIC, "ecma").search(TEXT) for _ in range(1_000))
    assert time.process_time() - began < 3


def test_many_quick_searches_are_no_reason_to_stop() -> None:
    with shared():
        expression = Pattern("^[a-z]+$", "ecma")
        assert all(expression.search("abc") for _ in range(100_000))


def test_a_task_has_its_time_again_after_others_had_their_turn() -> None:
    async def searching(pause: bool) -> None:
        for _ in range(60):
            Pattern(QUADRATIC, "ecma").search(TEXT)
            if pause:
                await asyncio.sleep(0)

    asyncio.run(searching(pause=True))
    with pytest.raises(NodeError, match="other searches"):
        asyncio.run(searching(pause=False))


SCHEMAS: list[dict[str, object]] = [
    {"patternProperties": {"(x+x+)+y": True}},
    {"$ref": "#/$defs/a", "$defs": {"a": {"patternProperties": {"(x+x+)+y": True}}}},
    {"allOf": [{"if": True, "then": {"patternProperties": {"(x+x+)+y": True}}}]},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_keys_that_nothing_else_speaks_of_are_found_in_bounded_time(schema: dict[str, object]) -> None:
    began = time.process_time()
    with pytest.raises(NodeError, match="takes too long"):
        check_with_jsonschema({**schema, "unevaluatedProperties": False}, {"x" * 5_000: 1}, Problems())
    assert time.process_time() - began < 3
