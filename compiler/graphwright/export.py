"""A graph as a drawing: mermaid, Graphviz' dot, or JSON for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import assert_never

from graphwright import ir
from graphwright.ir.printer import condition_text
from graphwright.record import Record
from graphwright.render.layout import printable_lines

FORMATS = ("mermaid", "dot", "json")
#: Characters of a condition on an edge.
_LONGEST = 60


class Arrow(Record):
    """A way from a node; `to` None is the end of the run. `kind`: edge, default (unconditional) or error."""

    source: str
    to: str | None
    when: str | None
    kind: str


def export(graph: ir.Graph, form: str) -> str:
    """The graph in one of `FORMATS`."""
    return "".join(f"{line}\n" for line in {"mermaid": _mermaid, "dot": _dot, "json": _json}[form](graph))


def arrows(graph: ir.Graph) -> Iterator[Arrow]:
    """Every way between nodes, in the order of the file; where the run may end apart from return nodes, too."""
    for node in graph.nodes.values():
        for edge in node.edges:
            if edge.target is not None:
                when = None if edge.when is None else condition_text(edge.when)
                yield Arrow(node.name, edge.target, when, "default" if when is None else "edge")
        if isinstance(node, ir.RoutedNode) and all(edge.when is not None for edge in node.edges):
            yield Arrow(node.name, None, None, "default")
        if node.on_error is not None and node.on_error.target is not None:
            yield Arrow(node.name, node.on_error.target, None, "error")


def _label(node: ir.Node) -> str:
    """The name, and below it what the node calls."""
    if not isinstance(node, ir.CallingNode) or node.action is None:
        return node.name
    loop = f"each {node.variable}: " if isinstance(node, ir.ForeachNode) else ""
    return f"{node.name}\n{loop}{_calls(node) or '…'}"


def _shapes(node: ir.Node) -> tuple[str, str]:
    """The shape of a node in mermaid, with a place for its label, and in dot."""
    match node:
        case ir.ActionNode():
            return '["{}"]', "box"
        case ir.GateNode():
            return '{{"{}"}}', "diamond"
        case ir.ForeachNode():
            return '[["{}"]]', "box3d"
        case ir.ReturnNode():
            return '(["{}"])', "oval"
        case _:
            assert_never(node)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


# --- mermaid -------------------------------------------------------------------------------------------------


def _mermaid(graph: ir.Graph) -> Iterator[str]:
    keys = {name: f"n{number}" for number, name in enumerate(graph.nodes)}
    ways = list(arrows(graph))
    yield "flowchart TD"
    if graph.start is not None:
        yield f"    start((start)) --> {keys[graph.start]}"
    for name, node in graph.nodes.items():
        yield f"    {keys[name]}{_shapes(node)[0].format(_mermaid_text(_label(node)))}"
    if any(way.to is None for way in ways):
        yield "    finish((end))"
    for way in ways:
        line = "-.->" if way.kind == "error" else "-->"
        text = "error" if way.kind == "error" else _shortened(way.when or "")
        label = f'|"{_mermaid_text(text)}"|' if text else ""
        yield f"    {keys[way.source]} {line}{label} {'finish' if way.to is None else keys[way.to]}"


def _mermaid_text(text: str) -> str:
    """Text between quotes; what mermaid would read as markup is written as an entity."""
    written = []
    for character in printable_lines(text):
        if character == "\n":
            written.append("<br/>")
        elif character.isalnum() or character in " _-./:,=+()[]…":
            written.append(character)
        else:
            written.append(f"#{ord(character)};")
    return "".join(written)


# --- dot -----------------------------------------------------------------------------------------------------


def _dot(graph: ir.Graph) -> Iterator[str]:
    keys = {name: f"n{number}" for number, name in enumerate(graph.nodes)}
    ways = list(arrows(graph))
    yield f"digraph {_dot_text(graph.graph_id)} {{"
    yield "    node [shape=box];"
    if graph.start is not None:
        yield '    start [shape=circle, label="start"];'
        yield f"    start -> {keys[graph.start]};"
    for name, node in graph.nodes.items():
        yield f"    {keys[name]} [shape={_shapes(node)[1]}, label={_dot_text(_label(node))}];"
    if any(way.to is None for way in ways):
        yield '    finish [shape=doublecircle, label="end"];'
    for way in ways:
        style = ' [style=dashed, label="error"]' if way.kind == "error" else ""
        if way.when is not None:
            style = f" [label={_dot_text(_shortened(way.when))}]"
        yield f"    {keys[way.source]} -> {'finish' if way.to is None else keys[way.to]}{style};"
    yield "}"


def _dot_text(text: str) -> str:
    escaped = printable_lines(text).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n") + '"'


# --- JSON ----------------------------------------------------------------------------------------------------


def _json(graph: ir.Graph) -> Iterator[str]:
    drawing = {
        "graph_id": graph.graph_id,
        "description": graph.description,
        "start": graph.start,
        "nodes": [
            {"name": node.name, "kind": node.kind, "calls": _calls(node), "description": node.description}
            for node in graph.nodes.values()
        ],
        "edges": [{"from": way.source, "to": way.to, "when": way.when, "kind": way.kind} for way in arrows(graph)],
    }
    yield json.dumps(drawing, indent=2, ensure_ascii=False)


def _calls(node: ir.Node) -> str | None:
    """The id of what a node calls, None where it calls nothing or the id is not known before the run."""
    if not isinstance(node, ir.CallingNode) or node.action is None or not isinstance(node.action.item_id, ir.Const):
        return None
    item = node.action.item_id.value
    return item if isinstance(item, str) else None
