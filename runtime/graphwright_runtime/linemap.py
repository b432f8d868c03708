"""Maps lines of emitted modules to lines of the YAML."""

from __future__ import annotations

from bisect import bisect_right
from types import CodeType

from graphwright_runtime.branch import Branch
from graphwright_runtime.graph import AnyGraph


def note_place(branch: Branch, error: BaseException) -> None:
    """Add a note such as `graphs/x.yaml:26, node count_lines` to an error of a node, once."""
    graph, node = branch.run.graph, branch.node
    line = _yaml_line(graph, node, error)
    note = f"{graph.source}:{line}, node {node}" if line is not None else f"{graph.source}, node {node}"
    if note not in getattr(error, "__notes__", ()):
        error.add_note(note)


def _yaml_line(graph: AnyGraph, node: str, error: BaseException) -> int | None:
    code = getattr(graph.nodes[node], "__code__", None)
    if not isinstance(code, CodeType) or not graph.lines:
        return None
    found: int | None = None
    trace = error.__traceback__
    while trace is not None:  # find the innermost frame of the module
        if trace.tb_frame.f_code.co_filename == code.co_filename:
            found = trace.tb_lineno
        trace = trace.tb_next
    first = getattr(next(iter(graph.nodes.values())), "__code__", code)
    return None if found is None else _mapped(graph.lines, found - first.co_firstlineno)


def _mapped(lines: str, found: int) -> int | None:
    """The line of the YAML for a line of the module."""
    pairs = [(int(line), int(source)) for line, _, source in (word.partition(":") for word in lines.split())]
    position = bisect_right(pairs, found, key=lambda pair: pair[0])
    return pairs[position - 1][1] or None if position else None
