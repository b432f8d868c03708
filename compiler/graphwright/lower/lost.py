"""What stands in parts of the file that were reported and left out.

Nobody may call unused what they read, unassigned what they set, or unreachable where they lead.
"""

from __future__ import annotations

from collections.abc import Iterator

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright import ir
from graphwright.expr import nodes
from graphwright.expr.parser import parse_path, parse_template
from graphwright.model import GraphSpec
from graphwright.source.reader import Source

_ROOTS = {"state": ir.Root.STATE, "inputs": ir.Root.INPUTS}


_ANYTHING = (ir.Read(ir.Root.STATE, (), "state", 0, 0), ir.Read(ir.Root.INPUTS, (), "inputs", 0, 0))


def lost_reads(spec: GraphSpec, *, blank: bool) -> tuple[ir.Read, ...]:
    """Everything that may be read by what was left out of the graph; anything at all where something is `blank`."""
    found = tuple(read for node in spec.lost for read in _reads(spec.source, node))
    return (*found, *_ANYTHING) if blank else found


def lost_words(spec: GraphSpec) -> frozenset[str]:
    """Every key and text in what was left out: it may name nodes, and keys of the state."""
    return frozenset(word for node in spec.lost for word in _words(node))


def _words(node: Node) -> Iterator[str]:
    if isinstance(node, ScalarNode):
        yield node.value
    elif isinstance(node, MappingNode):
        for pair in node.value:
            for part in pair:
                yield from _words(part)
    else:
        for item in node.value:
            yield from _words(item)


def _reads(source: Source, node: Node) -> Iterator[ir.Read]:
    """What the templates and condition paths at or below `node` would read."""
    if isinstance(node, MappingNode):
        for key, value in source.entries(node):
            if key.value == "path" and isinstance(value, ScalarNode):
                path = parse_path(value.value)
                if isinstance(path, nodes.Path):
                    yield _read(path, value.value)
            yield from _reads(source, value)
    elif isinstance(node, ScalarNode):
        if "${" in node.value:
            for part in parse_template(node.value).template.parts:
                if isinstance(part, nodes.Hole):
                    yield from (_read(path, node.value) for path in _paths(part.expression))
    else:
        for item in node.value:
            yield from _reads(source, item)


def _read(path: nodes.Path, text: str) -> ir.Read:
    root = _ROOTS.get(path.name, ir.Root.UNKNOWN)
    return ir.Read(root, path.segments, text[path.start : path.end], path.start, path.end)


def _paths(expression: nodes.Expression) -> Iterator[nodes.Path]:
    match expression:
        case nodes.Path():
            yield expression
        case nodes.ListOf(parts) | nodes.Fallback(parts):
            for part in parts:
                yield from _paths(part)
        case nodes.Negative(operand):
            yield from _paths(operand)
        case nodes.Arithmetic(left=left, right=right):
            yield from _paths(left)
            yield from _paths(right)
        case nodes.Pipe(operand=operand, arguments=arguments):
            yield from _paths(operand)
            for argument in arguments:
                yield from _paths(argument)
        case _:
            return
