"""Places in the text of a graph, and the steps through its mappings and lists that lead there."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import yaml

from graphwright.diagnostic import Span

Steps = tuple[str | int, ...]


def steps_to(text: str, span: Span) -> Steps:
    """The keys and indices that lead to what begins at a place of a text; a key leads to its entry."""
    return _steps(_composed(text), span.line - 1, span.column - 1)


@lru_cache(maxsize=4)
def _composed(text: str) -> yaml.Node:
    root = yaml.compose(text)
    assert root is not None
    return root


def _steps(node: yaml.Node, line: int, column: int) -> Steps:
    if isinstance(node, yaml.MappingNode):
        pairs: Iterable[tuple[str | int, yaml.Node, yaml.Node]] = ((key.value, key, value) for key, value in node.value)
    elif isinstance(node, yaml.SequenceNode):
        pairs = ((index, item, item) for index, item in enumerate(node.value))
    else:
        return ()
    for step, first, value in pairs:
        begins = (first.start_mark.line, first.start_mark.column)
        ends = (value.end_mark.line, value.end_mark.column)
        if begins <= (line, column) < ends:
            return (step, *_steps(value, line, column))
    return ()


def at(graph: object, steps: Steps) -> object:
    """What is there in a graph; None where there is nothing."""
    found: object = graph
    for step in steps:
        if isinstance(found, dict):
            found = found.get(step)
        elif isinstance(found, list) and isinstance(step, int) and step < len(found):
            found = found[step]
        else:
            return None
    return found
