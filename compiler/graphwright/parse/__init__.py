"""Translates YAML nodes to the model: the graph as its author wrote it."""

from __future__ import annotations

from yaml.nodes import MappingNode

from graphwright.fault import FaultLog
from graphwright.model import GraphSpec
from graphwright.parse.graph import parse_graph
from graphwright.parse.hooks_file import parse_hooks_file
from graphwright.parse.reader import Reader
from graphwright.recover.recovery import Recovery
from graphwright.source.reader import Source


def parse(source: Source, log: FaultLog) -> GraphSpec | None:
    """The model of a file; its faults go to `log`. None if the top of the file is not a mapping."""
    if not isinstance(source.root, MappingNode):
        return None
    return parse_graph(Reader(Recovery(source, log)), source.root)


def parse_shared_hooks(source: Source, log: FaultLog) -> GraphSpec | None:
    """The model of a file of hooks, as `parse`; None if there is nothing in it."""
    return parse_hooks_file(Reader(Recovery(source, log)), source.root)


__all__ = ["parse", "parse_shared_hooks"]
