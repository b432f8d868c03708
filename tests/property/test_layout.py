"""However a graph is spelled in YAML: the same findings, each at the same thing, and fixes that mean the same."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright.checking.fix import apply_fixes
from graphwright.checking.inspection import inspect
from graphwright.diagnostic import Diagnostic, Span
from graphwright.facts import Facts
from graphwright.source.reader import read_text
from graphwright.source.scalars import STR
from mutation.bases import BASES
from mutation.mutants import misspelled
from mutation.slips import EDITS
from property.spelled import Spelled, Stretch
from property.spelling import content, spell
from property.strategies import Plan, plans
from property.texts import FEATURES
from rules.documented import examples

EXAMPLES = 600 if os.environ.get("CI") else 60
QUICK = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
WHOLE_FILE = (1, 1, 1, 1)


@dataclass(frozen=True)
class Case:
    """A graph with something to find, written like JSON, and what is found there."""

    root: Node

    @cached_property
    def spelled(self) -> Spelled:
        return spell(self.root, frozenset(), 0)

    @cached_property
    def findings(self) -> tuple[Diagnostic, ...]:
        return found_in(self.spelled.text)


def tree(text: str) -> Node:
    """The YAML nodes of a text."""
    root = yaml.compose(text, Loader=yaml.CSafeLoader)
    assert isinstance(root, Node)
    return root


def scalars(node: Node) -> Iterator[ScalarNode]:
    """Every text and number of a tree, keys included."""
    if isinstance(node, ScalarNode):
        yield node
        return
    for entry in node.value:
        for part in entry if isinstance(node, MappingNode) else (entry,):
            yield from scalars(part)


def cases() -> Iterator[Case]:
    """The failing example of each rule, and graphs with slips; of those that are YAML."""
    texts = [text for _, text in examples("Fails")]
    texts += [BASES[edit.path].replace(edit.old, edit.new) for edit in EDITS[::4]]
    for text in texts:
        with suppress(yaml.YAMLError):
            yield Case(tree(text))


def found_in(text: str) -> tuple[Diagnostic, ...]:
    """Everything that is said of a text."""
    return inspect(Facts(read_text(text))).findings


def said(text: str | None) -> str:
    """A message without the numbers of lines in it."""
    return re.sub(r"\bline \d+", "line N", text or "")


def stretch(text: str, span: Span) -> Stretch:
    """A span as offsets."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    return starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1


def moved(span: Span, spelled: Spelled, other: Spelled) -> set[Stretch]:
    """Where the thing at a span stands in another spelling; a text and the whole of its node may be at one place."""
    if span[1:] == WHOLE_FILE:
        return {(0, 0)}
    anchors = spelled.anchors(stretch(spelled.text, span))
    places = {other.stretch(anchor) for anchor in anchors}
    for path, part in anchors:
        if part is None:
            places |= {other.first_token(path), *other.first_key(path)}
    return places


def fixed(text: str) -> str:
    """A text after `check --fix`."""
    for _ in range(10):
        fixes = [each.fix for each in found_in(text) if each.fix]
        if not fixes:
            break
        text = apply_fixes(text, fixes).text
    return text


def assert_alike(case: Case, other: Spelled) -> None:
    """The same messages at the same things, second places included."""
    left = list(found_in(other.text))
    assert Counter(each.code for each in left) == Counter(each.code for each in case.findings)
    for one in case.findings:
        places = moved(one.span, case.spelled, other)
        assert places, f"{one.code} is at nothing in particular: {one.span}"
        matching = [each for each in left if (each.code, said(each.message)) == (one.code, said(one.message))]
        here = [each for each in matching if stretch(other.text, each.span) in places]
        shown = [other.text[slice(*stretch(other.text, each.span))] for each in matching]
        assert here, f"{one.code} {one.message}: at {shown}, not {[other.text[start:end] for start, end in places]}"
        same = here[0]
        left.remove(same)
        assert said(same.help) == said(one.help)
        assert [said(label.message) for label in same.related] == [said(label.message) for label in one.related]
        for label, expected in zip(same.related, one.related, strict=True):
            assert stretch(other.text, label.span) in moved(expected.span, case.spelled, other)


CASES = list(cases())
Way: TypeAlias = tuple[frozenset[str], int]
#: The ways to write, some of them at a time, and where to make use of them.
WAYS = st.tuples(st.frozensets(st.sampled_from(FEATURES)), st.integers(0, 1 << 32))


@QUICK
@given(st.sampled_from(CASES), WAYS)
def test_findings_are_at_the_same_things(case: Case, way: Way) -> None:
    other = spell(case.root, *way)
    assert content(tree(other.text)) == content(case.root), "the writer writes the same"
    assert_alike(case, other)


@settings(QUICK, max_examples=EXAMPLES // 3)
@given(st.sampled_from([case for case in CASES if any(each.fix for each in case.findings)]), WAYS)
def test_a_fixed_text_means_the_same(case: Case, way: Way) -> None:
    other = spell(case.root, *way)
    expected, fixed_other = fixed(case.spelled.text), fixed(other.text)
    assert content(tree(fixed_other)) == content(tree(expected))


def with_slips(root: Node, slips: list[int]) -> Case:
    """A graph in which some words are misspelled."""
    words = [node for node in scalars(root) if node.tag == STR and len(node.value) > 2]
    for slip in slips:
        word = words[slip % len(words)]
        word.value = misspelled(word.value)
    return Case(root)


SLIPS = st.lists(st.integers(0, 1 << 16), min_size=1, max_size=3)


@settings(QUICK, max_examples=EXAMPLES // 3)
@given(st.sampled_from(list(BASES.values())), SLIPS, WAYS)
def test_misspelled_words_are_at_the_same_things(text: str, slips: list[int], way: Way) -> None:
    case = with_slips(tree(text), slips)
    assert_alike(case, spell(case.root, *way))


@pytest.mark.slow
@QUICK
@given(plans(), SLIPS, WAYS)
def test_misspelled_words_of_any_graph_are_at_the_same_things(plan: Plan, slips: list[int], way: Way) -> None:
    case = with_slips(tree(plan.text), slips)
    assert_alike(case, spell(case.root, *way))


@settings(QUICK, max_examples=EXAMPLES // 4)
@given(st.sampled_from(CASES), WAYS)
def test_merged_entries_are_found_where_they_are_written(case: Case, way: Way) -> None:
    features, seed = way
    other = spell(case.root, features | {"merges"}, seed)
    assume("<<" in other.text)
    assert_alike(case, other)


@settings(QUICK, max_examples=EXAMPLES // 4)
@given(st.sampled_from(CASES), WAYS)
def test_an_alias_leads_to_what_it_stands_for(case: Case, way: Way) -> None:
    features, seed = way
    other = spell(case.root, features | {"aliases"}, seed)
    assume("*same" in other.text)
    expected = [(one.code, moved(one.span, case.spelled, other)) for one in case.findings]
    found = {
        (one.code, (0, 0) if one.span[1:] == WHOLE_FILE else stretch(other.text, one.span))
        for one in found_in(other.text)
    }
    assert all(any(code == said and at in places for said, places in expected) for code, at in found)
    assert all(any((code, at) in found for at in places) for code, places in expected)
