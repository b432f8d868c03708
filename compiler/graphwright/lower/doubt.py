"""What recovery had to assume, as the record of doubt in the IR.

What an omitted part reads is not unused, what it sets is not unassigned, and where it leads is not unreachable.
"""

from __future__ import annotations

from collections.abc import Iterator

from yaml.nodes import Node, ScalarNode

from graphwright import ir
from graphwright.expr import nodes
from graphwright.expr.parser import parse_path
from graphwright.faults.expressions import OtherSyntax
from graphwright.faults.names import InvalidPattern
from graphwright.faults.yaml import DuplicateKey
from graphwright.model import GraphSpec
from graphwright.pattern import pattern

_ROOTS = {"state": ir.Root.STATE, "inputs": ir.Root.INPUTS}
_PATH = pattern(r"\b(?:state|inputs)(?:\.[\w-]+|\[[^\[\]]*\])+")
_ANYTHING = (ir.Read(ir.Root.STATE, (), "state", 0, 0), ir.Read(ir.Root.INPUTS, (), "inputs", 0, 0))


def doubt_of(spec: GraphSpec) -> ir.Doubt:
    """The record of doubt of a graph that has been lowered."""
    recovery, source = spec.recovery, spec.source
    omitted, log = recovery.omitted, recovery.log
    twice = [fault.span.line for fault in log.of(DuplicateKey)]
    bodies = [(node.name, source.span(node.at)) for node in spec.nodes] if twice else []
    plain = log.of(OtherSyntax)
    reads = tuple(read for node in omitted for read in _reads(node))
    return ir.Doubt(
        guesses={id(part): part for part in recovery.guessed},
        reads=(*reads, *_ANYTHING) if recovery.anything or recovery.lacks_node else reads,
        words=frozenset(word for node in omitted for word in _words(node)),
        merged=frozenset(name for name, body in bodies if any(body.line <= line <= body.end_line for line in twice)),
        unreadable=tuple(fault.pattern for fault in log.of(InvalidPattern) if not fault.suggestion),
        plain=frozenset(name for fault in plain for name in fault.names),
        plain_at=frozenset(id(fault.whole) for fault in plain if fault.whole is not None),
        lacks_node=recovery.lacks_node,
    )


def _words(node: Node) -> Iterator[str]:
    """Every key and string at or below a node."""
    if isinstance(node, ScalarNode):
        yield node.value
    for item in node.value if not isinstance(node, ScalarNode) else ():
        for part in item if isinstance(item, tuple) else (item,):
            yield from _words(part)


def _reads(node: Node) -> Iterator[ir.Read]:
    """The state keys and inputs that the strings at or below a node name, whether or not they are templates."""
    for word in _words(node):
        for found in _PATH.finditer(word):
            path = parse_path(found[0])
            if isinstance(path, nodes.Path):
                yield ir.Read(_ROOTS[path.name], path.segments, found[0], path.start, path.end)
