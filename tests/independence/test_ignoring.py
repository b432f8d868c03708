"""A comment takes away the finding that it names, where it stands, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from graphwright.checking.inspection import inspect
from graphwright.checking.levels import is_firm
from graphwright.diagnostic import Diagnostic
from graphwright.facts import Facts
from graphwright.source.reader import read_text
from independence.finding import change, changed
from independence.mistakes import CLAIMS, LETTER, MISTAKES, Mistake
from rules.finding import Project

PROJECT = Project({"post/letter": LETTER})
#: The mistakes that a comment can be about: a comment is none that is needed.
COMMENTED = [mistake for mistake in MISTAKES if mistake.code != "GW009"]

_BLOCK = re.compile(r"\s*(?:- )?[\w-]+: \|$")
_ENTRY = re.compile(r"    \S|  \S|\S")


@cache
def check(text: str) -> tuple[Diagnostic, ...]:
    """What is found in a text."""
    return inspect(Facts(read_text(text, "graph.yaml"), graph_id="graph", project=PROJECT)).findings


def told(found: list[Diagnostic], inserted: int | None = None) -> Counter[tuple[str, int, str]]:
    """The findings by code, line and message, in lines as they are after one is inserted before line `inserted`."""
    return Counter(
        (
            one.code,
            one.span.line + (inserted is not None and one.span.line >= inserted),
            re.sub(r"\blines? \d+", "line", one.message),
        )
        for one in found
    )


def _found(mistake: Mistake) -> tuple[str, list[Diagnostic], Diagnostic]:
    """The text with the mistake, all that is found in it, and what is found of the mistake."""
    text = changed(CLAIMS, [change(CLAIMS, mistake.old, mistake.new)])
    found = list(check(text))
    before = {(one.code, one.message) for one in check(CLAIMS)}
    return text, found, next(one for one in found if one.code == mistake.code and (one.code, one.message) not in before)


def _holds(found: list[Diagnostic], text: str, inserted: int | None, gone: list[Diagnostic], stale: bool) -> None:
    """All is found but for what is `gone`, and a comment that takes nothing away is named."""
    after = list(check(text))
    others = [one for one in after if one.code != "GW009"]
    assert told(others) == told([one for one in found if one not in gone], inserted)
    assert len(after) - len(others) == stale


def _line(text: str, one: Diagnostic) -> int:
    """The number of the line at whose end a comment on a finding can stand: of a block text its first."""
    lines = text.split("\n")
    for number in range(one.span.line - 1, -1, -1):
        if _BLOCK.match(lines[number]):
            return number
        if number < one.span.line - 1 and re.match(r" {,10}\S", lines[number]):
            break
    return one.span.line - 1


def _commented(text: str, line: int, code: str) -> str:
    lines = text.split("\n")
    lines[line] += f"  # graphwright: ignore[{code}]"
    return "\n".join(lines)


@pytest.mark.parametrize(
    "mistake",
    [pytest.param(each, marks=() if number % 4 == 0 else pytest.mark.slow) for number, each in enumerate(COMMENTED)],
    ids=str,
)
def test_a_comment_on_the_line_takes_away_what_it_names(mistake: Mistake) -> None:
    text, found, own = _found(mistake)
    firm = is_firm(own.code, own.severity)
    gone = [] if firm else [one for one in found if one.code == own.code and one.span.line == own.span.line]
    _holds(found, _commented(text, _line(text, own), own.code), None, gone, stale=firm)


@pytest.mark.slow
@pytest.mark.parametrize("mistake", COMMENTED, ids=str)
def test_a_comment_that_names_something_else_takes_nothing_away(mistake: Mistake) -> None:
    text, found, own = _found(mistake)
    other = "GW607" if own.code != "GW607" else "GW302"
    _holds(found, _commented(text, _line(text, own), other), None, [], stale=True)


@pytest.mark.slow
@pytest.mark.parametrize("mistake", COMMENTED, ids=str)
def test_a_comment_above_takes_away_what_stands_below_it(mistake: Mistake) -> None:
    text, found, own = _found(mistake)
    lines = text.split("\n")
    first = next(number for number in range(own.span.line - 1, -1, -1) if _ENTRY.match(lines[number]))
    indent = len(lines[first]) - len(lines[first].lstrip())
    last = next((n for n in range(first + 1, len(lines)) if re.match(rf" {{,{indent}}}\S", lines[n])), len(lines))
    lines.insert(first, f"{' ' * indent}# graphwright: ignore[{own.code}]")
    firm = is_firm(own.code, own.severity)
    if first == 0:
        last = len(lines)  # it stands above everything
    gone = [] if firm else [one for one in found if one.code == own.code and first < one.span.line <= last]
    _holds(found, "\n".join(lines), first + 1, gone, stale=firm)


@pytest.mark.slow
@pytest.mark.parametrize("mistake", COMMENTED, ids=str)
def test_a_comment_above_everything_takes_it_away_everywhere(mistake: Mistake) -> None:
    text, found, own = _found(mistake)
    gone = [one for one in found if one.code == own.code and not is_firm(one.code, one.severity)]
    _holds(found, f"# graphwright: ignore[{own.code}]\n{text}", 1, gone, stale=is_firm(own.code, own.severity))
