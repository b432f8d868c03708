"""The example graphs in the documentation of the rules."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from graphwright.rules.catalogue import catalogue
from graphwright.rules.registry import Rule


@dataclass(frozen=True, slots=True)
class Example:
    """An example of a rule: a graph, or words on how to get there."""

    how: str
    graph: str


def example(rule: Rule, label: str) -> Example:
    """The example under `Fails:` or `Passes:`; the graph that passes may be given by what changes in the other."""
    found = re.search(rf"^{label}:(.*)$((?:\n(?:    .*)?)*)", rule.documentation, re.MULTILINE)
    assert found is not None, f"{rule.code} has no `{label}:`"
    text = textwrap.dedent(found[2]).strip("\n") + "\n"
    if text.startswith(("-", "+", " ")):
        text = _changed(example(rule, "Fails").graph, text)
    return Example(found[1].strip(), text)


def examples(*labels: str) -> Iterator[tuple[str, str]]:
    """Each example graph under one of the labels (`Fails`, `Passes`), with the code of its rule."""
    for code, rule in catalogue().items():
        for label in labels:
            found = example(rule, label)
            if not found.how:
                yield code, found.graph


def _changed(graph: str, change: str) -> str:
    """A graph with the lines of `-` replaced by those of `+`; each place occurs once, a line next to it included."""
    graph = f"\n{graph}"
    for place in change.strip("\n").split("\n\n"):
        lines = place.splitlines()
        before = "".join(f"\n{line[1:]}" for line in lines if line[0] != "+") + "\n"
        after = "".join(f"\n{line[1:]}" for line in lines if line[0] != "-") + "\n"
        assert graph.count(before) == 1, f"{graph.count(before)} times in the graph that fails: {before}"
        graph = graph.replace(before, after)
    return graph[1:]
