"""Writes strings of a YAML file, and the flow of a graph, safely into comments and docstrings."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Final

from graphwright import ir
from graphwright.ir.printer import value_text
from graphwright.language.operators import OPERATORS
from graphwright.visible import visible

#: Maximum length of a line of a docstring.
WIDTH: Final = 84

#: Inserted into what could be read as an encoding declaration; the second one has no effect in a shell.
BACKSLASH: Final = "\\"
NOTHING_IN_SHELL: Final = "''"

#: Maximum number of nodes to show.
MAX_NODES: Final = 40
#: Maximum number of transitions of one node to show, and maximum length of a condition.
MAX_WAYS: Final = 6
MAX_CONDITION: Final = 40

_COOKIE: Final = re.compile("coding(?=[:=])")


def plain(text: str) -> str:
    """The text on one line, with invisible characters escaped."""
    return visible(text.replace("\n", " ").replace("\t", " "))


def without_cookie(text: str, *, between: str) -> str:
    """The text for a comment in which Python could find an encoding declaration: `coding=x` is split."""
    return _COOKIE.sub(lambda match: match[0] + between, text)


def in_docstring(line: str) -> str:
    """One line of a docstring in triple quotes."""
    return plain(line).replace("\\", "\\\\").replace('"""', '\\"\\"\\"').rstrip()


def paragraphs(text: str) -> Iterator[str]:
    """A description as lines of a docstring: keeps line breaks, wraps long lines, and merges blank lines."""
    blank = True
    for line in text.strip().splitlines():
        wrapped = textwrap.wrap(line.strip(), WIDTH, break_long_words=False, break_on_hyphens=False)
        if wrapped or not blank:
            yield from map(in_docstring, wrapped or [""])
        blank = not wrapped


def flow_summary(graph: ir.Graph) -> Iterator[str]:
    """Lines of a docstring, one per node, beginning with the start node."""
    nodes = list(graph.nodes.values())
    nodes.sort(key=lambda node: node.name != graph.start)
    for node in nodes[:MAX_NODES]:
        yield in_docstring(_line(node))
    if len(nodes) > MAX_NODES:
        yield f"… and {len(nodes) - MAX_NODES} more nodes"


def _line(node: ir.Node) -> str:
    if isinstance(node, ir.ReturnNode):
        return f"{node.name} (return, status error)" if node.fails else f"{node.name} (return)"
    ways = [_way(edge) for edge in node.edges[:MAX_WAYS]]
    if len(node.edges) > MAX_WAYS:
        ways.append(f"… {len(node.edges) - MAX_WAYS} more")
    elif not node.edges or node.edges[-1].when is not None:
        ways.append("end")
    kind = " (foreach)" if isinstance(node, ir.ForeachNode) else ""
    rescue = f" ; on error → {node.on_error.target}" if node.on_error is not None else ""
    return f"{node.name}{kind} → {' | '.join(ways)}{rescue}"


def _way(edge: ir.Edge) -> str:
    if edge.when is None:
        return str(edge.target)
    condition = _condition(edge.when)
    if len(condition) > MAX_CONDITION:
        condition = f"{condition[:MAX_CONDITION].rstrip()}…"
    return f"{edge.target} ({condition})"


def _condition(condition: ir.Condition) -> str:
    """A condition for people; of a combination only the first parts, because the rest would be truncated."""
    match condition:
        case ir.Compare(op="exists", left=left):
            return f"{left.written} exists"
        case ir.Compare(op, left, right):
            return f"{left.written} {OPERATORS[op].symbol or op} {value_text(right)}"
        case ir.Not(ir.Compare() as inner):
            return f"not {_condition(inner)}"
        case ir.AnyOf(parts) | ir.AllOf(parts):
            word = " or " if isinstance(condition, ir.AnyOf) else " and "
            return word.join(_condition(part) if isinstance(part, ir.Compare) else "(…)" for part in parts[:MAX_WAYS])
        case _:
            return "not (…)"
