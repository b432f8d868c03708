"""Exports a graph as a drawing: Mermaid, Graphviz dot, or JSON for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import assert_never

from graphwright import ir
from graphwright.ir.printer import condition_text
from graphwright.record import Record
from graphwright.render.layout import printable_lines

FORMATS = ("mermaid", "dot", "json")
#: Maximum length of a condition on an edge.
_LONGEST = 60


class Arrow(Record):
    """An arrow from a node; `to` is None for the end of the run. `kind`: edge, default (unconditional) or error."""

    source: str
    to: str | None
    when: str | None
    kind: str


def export(graph: ir.Graph, form: str) -> str:
    """The graph in one of `FORMATS`."""
    return "".join(f"{line}\n" for line in {"mermaid": _mermaid, "dot": _dot, "json": _json}[form](graph))


def arrows(graph: ir.Graph) -> Iterator[Arrow]:
    """All arrows, in file order, including those to the end of the run from nodes that are not return nodes."""
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
    """The label of a node: its name, and on the next line what it calls."""
    if not isinstance(node, ir.CallingNode) or node.action is None:
        return node.name
    loop = f"each {node.variable}: " if isinstance(node, ir.ForeachNode) else ""
    return f"{node.name}\n{loop}{_calls(node) or '…'}"


def _shapes(node: ir.Node) -> tuple[str, str]:
    """The shape of a node: in Mermaid, with a placeholder for its label, and in dot."""
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
    edges = list(arrows(graph))
    yield "flowchart TD"
    if graph.start is not None:
        yield f"    start((start)) --> {keys[graph.start]}"
    for name, node in graph.nodes.items():
        yield f"    {keys[name]}{_shapes(node)[0].format(_mermaid_text(_label(node)))}"
    if any(edge.to is None for edge in edges):
        yield "    finish((end))"
    for edge in edges:
        line = "-.->" if edge.kind == "error" else "-->"
        text = "error" if edge.kind == "error" else _shortened(edge.when or "")
        label = f'|"{_mermaid_text(text)}"|' if text else ""
        yield f"    {keys[edge.source]} {line}{label} {'finish' if edge.to is None else keys[edge.to]}"


def _mermaid_text(text: str) -> str:
    """Text for a quoted label; characters that Mermaid could read as markup become entities."""
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
    edges = list(arrows(graph))
    yield f"digraph {_dot_text(graph.graph_id)} {{"
    yield "    node [shape=box];"
    if graph.start is not None:
        yield '    start [shape=circle, label="start"];'
        yield f"    start -> {keys[graph.start]};"
    for name, node in graph.nodes.items():
        yield f"    {keys[name]} [shape={_shapes(node)[1]}, label={_dot_text(_label(node))}];"
    if any(edge.to is None for edge in edges):
        yield '    finish [shape=doublecircle, label="end"];'
    for edge in edges:
        style = ' [style=dashed, label="error"]' if edge.kind == "error" else ""
        if edge.when is not None:
            style = f" [label={_dot_text(_shortened(edge.when))}]"
        yield f"    {keys[edge.source]} -> {'finish' if edge.to is None else keys[edge.to]}{style};"
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
        "edges": [{"from": edge.source, "to": edge.to, "when": edge.when, "kind": edge.kind} for edge in arrows(graph)],
    }
    yield json.dumps(drawing, indent=2, ensure_ascii=False)


def _calls(node: ir.Node) -> str | None:
    """The id of the item that a node calls; None if it calls nothing, or the id is only known during a run."""
    if not isinstance(node, ir.CallingNode) or node.action is None or not isinstance(node.action.item_id, ir.Const):
        return None
    item = node.action.item_id.value
    return item if isinstance(item, str) else None
