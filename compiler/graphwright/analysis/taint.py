"""Determines which values can contain untrusted text: inputs, and results of tools.

Such text must not reach a shell unquoted. The analysis is flow-insensitive: a key is tainted if any of its assignments
is. Values that are harmless because of their type or a pipe (numbers, booleans, fixed words, quoted text) are not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Final

from graphwright import ir
from graphwright.analysis.jsontype import Type
from graphwright.analysis.symbols import resolve
from graphwright.ir import visit
from graphwright.language.events import RUNTIME_FIELDS
from graphwright.language.pipes import PIPES
from graphwright.pattern import pattern
from graphwright.record import Record

#: Kinds of value that the shell reads as one harmless word.
_SAFE_KINDS: Final = frozenset({"null", "boolean", "integer", "number"})

_SAFE_TEXT: Final = pattern(r"[\w@%+=:,./-]*\Z", re.ASCII)

TypeOf = Callable[["ir.Value", "ir.Node | None"], Type]


class TaintSource(Record):
    """A path through which untrusted text enters; `origin` describes its source in messages."""

    read: ir.Read
    origin: str


class Taint:
    """Taint in one graph. `type_of` returns the type of a value. `is_open`: other graphs assign the state."""

    def __init__(self, graph: ir.Graph, type_of: TypeOf, *, is_open: bool = False) -> None:
        self._graph = graph
        self._type_of = type_of
        self._default = "a graph can assign it any text" if is_open else None

    def sources(self, value: ir.Value, node: ir.Node | None, *, quoted: bool = False) -> Iterator[TaintSource]:
        """The paths in a value through which untrusted text reaches it, in the order in which they are written.

        With `quoted`, also those whose text is quoted for the shell.
        """
        for read in untrusted(value, quoted=quoted):
            for source in self._sources(read, node):
                key = _state_key(source)
                origin = self.keys.get(key, self._default) if key is not None else _origin(source, node)
                if origin is not None:
                    yield TaintSource(read, origin)
                    break

    @cached_property
    def keys(self) -> Mapping[str, str]:
        """The tainted state keys, each with the origin of its text."""
        keys: dict[str, str] = {"_last_error": "it contains the message of an error"}
        feeds: dict[str, list[str]] = {}
        for node in visit.nodes(self._graph.body):
            for entry in node.assigns:
                for read in (source for each in untrusted(entry.value) for source in self._sources(each, node)):
                    key, origin = _state_key(read), _origin(read, node)
                    if key is not None:
                        feeds.setdefault(key, []).append(entry.key)
                    elif origin is not None:
                        keys.setdefault(entry.key, origin)
            if isinstance(node, ir.ForeachNode) and node.collect is not None:
                keys.setdefault(node.collect, f"it comes from the results of node `{node.name}`")
        waiting = list(keys)
        while waiting:
            key = waiting.pop()
            for fed in feeds.get(key, ()):
                if fed not in keys:
                    keys[fed] = keys[key]
                    waiting.append(fed)
        return keys

    def _sources(self, read: ir.Read, node: ir.Node | None) -> Iterator[ir.Read]:
        """The path itself or, for a loop variable, what the loop iterates over; empty if it is harmless."""
        if _is_harmless(self._type_of(read, node)):
            return
        if read.root is ir.Root.ITEM and isinstance(node, ir.ForeachNode):
            yield from untrusted(node.over)
        else:
            yield read


def _state_key(read: ir.Read) -> str | None:
    root, path = resolve(read)
    return str(path[0]) if root is ir.Root.STATE and path else None


def _origin(read: ir.Read, node: ir.Node | None) -> str | None:
    """The origin of the text of a path, None if it is the graph itself."""
    root, path = resolve(read)
    match root:
        case ir.Root.INPUTS:
            return "the caller chooses it"
        case ir.Root.RESULT:
            return f"it comes from the result of node `{node.name}`" if node is not None else "it is a tool's result"
        case ir.Root.EVENT if not path or path[0] not in RUNTIME_FIELDS:
            return "it comes from the event"
        case _:
            return None


def untrusted(value: ir.Value, *, quoted: bool = False) -> Iterator[ir.Read]:
    """The paths in a value whose text it can contain unchanged or, with `quoted`, quoted for the shell."""
    match value:
        case ir.Read():
            yield value
        case ir.Pipe(name=name) if name in PIPES and PIPES[name].shell_safe and not (quoted and name == "quote"):
            return
        case ir.Arithmetic(operations=operations) if any(operation.operator != "+" for operation in operations):
            return  # the result is a number
        case ir.Negative():
            return
        case _:
            for child in visit.children(value):
                yield from untrusted(child, quoted=quoted)


def _is_harmless(found: Type) -> bool:
    if found.values is not None and all(_is_safe_scalar(value) for value in found.values):
        return found.kinds <= _SAFE_KINDS | {"string"}
    return found.kinds <= _SAFE_KINDS


def _is_safe_scalar(value: object) -> bool:
    return not isinstance(value, str) or _SAFE_TEXT.match(value) is not None
