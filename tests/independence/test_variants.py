"""The same graph written another way, with or without a mistake in it, has the same findings.

Places aside, for they move: what is compared is the code, the text under the caret and the message.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest

from graphwright.diagnostic import Severity
from independence.finding import change, changed, look
from independence.mistakes import CLAIMS, LETTER, MISTAKES
from rules.finding import Project

Rewrite = Callable[[str], str]

PROJECT = Project({"post/letter": LETTER})
TEXTS = [CLAIMS, *(changed(CLAIMS, [change(CLAIMS, mistake.old, mistake.new)]) for mistake in MISTAKES)]
#: Every so many texts are rewritten every time.
EVERY = 31

#: Nodes that can be removed from between two others.
MORE = """\
      next: first_more
    first_more:
      action: {item_id: tool:claims/more}
      assign: {much: "${result.much}"}
      on_error: sorry
      next: second_more
    second_more:
      type: gate
      next:
        - {to: done, when: {path: state.much, value: 1}}
        - to: done
    nothing:
"""

_CONDITION = re.compile(r"when: (\{(?:[^{}]|\{[^{}]*\})*\})$", re.MULTILINE)
_EQUALITY = re.compile(r"when: \{path: ([\w.]+)(?:, op: eq)?, value: (\w+)\}$", re.MULTILINE)


def _nodes(text: str) -> tuple[str, list[str]]:
    """What stands above the nodes, and each node."""
    start = text.index("  nodes:\n") + len("  nodes:\n")
    return text[:start], re.findall(r"^    \S.*\n(?:      .*\n)*", text[start:], re.MULTILINE)


def _reordered(text: str) -> str:
    above, nodes = _nodes(text)
    return above + "".join(reversed(nodes))


def _commented(text: str) -> str:
    above, nodes = _nodes(text)
    above = above.replace("config:\n", "# How it runs.\nconfig:  # from here on\n")
    return f"# Claims.\n{above}" + "".join(f"    # {number}\n{node}" for number, node in enumerate(nodes))


REWRITES: dict[str, Rewrite] = {
    "the nodes in another order": _reordered,
    "comments": _commented,
    "more nodes": lambda text: text.replace("      next: done\n    nothing:\n", MORE),
    "operator for op": lambda text: re.sub(r"\bop:", "operator:", text),
    "eq left out": lambda text: text.replace("op: eq, ", ""),
    "eq written out": lambda text: re.sub(r"(path: [\w.]+), value:", r"\1, op: eq, value:", text),
    "not ne for eq": lambda text: _EQUALITY.sub(r"when: {not: {path: \1, op: ne, value: \2}}", text),
    "all of one": lambda text: _CONDITION.sub(r"when: {all: [\1]}", text),
    "any of one": lambda text: _CONDITION.sub(r"when: {any: [\1]}", text),
}

#: New names, and the old ones.
RENAMED = {"is_there_work": "any_claims", "rulings": "verdicts"}


def told(text: str, names: dict[str, str] | None = None) -> Counter[tuple[str, Severity, str, str]]:
    """What is found, with `names` put back; notes on spellings and on permissions aside, for they tell what is new."""

    def back(said: str) -> str:
        for new, old in (names or {}).items():
            said = said.replace(new, old)
        return said

    found = (one for one in look(PROJECT, text) if one.code not in ("GW111", "GW602"))
    return Counter((one.code, one.severity, back(one.caret), back(one.message)) for one in found)


def _check(texts: list[str], rewrite: Rewrite, names: dict[str, str] | None = None) -> None:
    assert rewrite(CLAIMS) != CLAIMS
    for text in texts:
        assert told(rewrite(text), names) == told(text)


def _renamed(text: str) -> str:
    for new, old in RENAMED.items():
        text = re.sub(rf"\b{old}\b", new, text)
    return text


@pytest.mark.parametrize("name", REWRITES)
def test_another_way_of_writing_changes_nothing(name: str) -> None:
    _check(TEXTS[::EVERY], REWRITES[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", REWRITES)
def test_another_way_of_writing_changes_nothing_of_any_mistake(name: str) -> None:
    _check(TEXTS, REWRITES[name])


@pytest.mark.slow
def test_other_names_change_nothing() -> None:
    own = [text for text, mistake in zip(TEXTS[1:], MISTAKES, strict=True) if "any_claim" not in mistake.new]
    _check([CLAIMS, *(text for text in own if "state.verdict}" not in text)], _renamed, RENAMED)


@pytest.mark.slow
def test_a_gate_may_be_two() -> None:
    """One that assigns and one that decides; what is said of the edges names the second one."""
    written = 'count: "${state.claims | length}"\n      next:\n'
    instead = 'count: "${state.claims | length}"\n      next: routing\n    routing:\n      type: gate\n      next:\n'
    for text in TEXTS:
        if written in text:
            parted = told(text.replace(written, instead))
            assert {one[:3] for one in parted} == {one[:3] for one in told(text)}
