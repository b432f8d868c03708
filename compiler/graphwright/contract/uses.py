"""Infers what the graphs of a project expect of a tool: the params that they pass and the results that they read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.analysis.jsontype import ANY, NULL, OBJECT, STRING, Field, Type, join, list_of, object_of
from graphwright.expr.nodes import Segment
from graphwright.ir import visit
from graphwright.record import Record, replace

if TYPE_CHECKING:
    from graphwright.facts import Facts
    from graphwright.ir.visit import Caller


class Uses(Record):
    """How a tool is called. `params`: a closed object; a param is required if every call passes it and it is never
    null. `result`: a closed object of the fields that are read; `ANY` if there are none, or all of it is read.
    """

    params: Type
    result: Type


def uses_of(item_id: str, graphs: Iterable[Facts]) -> Uses:
    """How some graphs use a tool."""
    calls = [(facts, caller) for facts in graphs for caller in facts.callers if called_id(caller.action) == item_id]
    read = _Read()
    for facts, caller in calls:
        for path, kind in _results(facts, caller):
            read.add(path, kind)
    return Uses(_params(calls), ANY if read.is_whole or not read.below else read.type)


def _params(calls: list[tuple[Facts, Caller]]) -> Type:
    passed = [
        {name: facts.types.of(value, caller.node) for name, value in (visit.given(caller.action) or {}).items()}
        for facts, caller in calls
    ]
    names = dict.fromkeys(name for each in passed for name in each)
    found = {name: join(*(each[name] for each in passed if name in each)) for name in names}
    return object_of({name: _param(kind, always=all(name in each for each in passed)) for name, kind in found.items()})


def _param(kind: Type, *, always: bool) -> Field:
    """A param, required if every call passes it (`always`); a null is not passed."""
    if not kind.known:
        return Field(ANY, always)
    return Field(ANY if kind == NULL else _widened(kind.present), always and not kind.nullable)


def _widened(kind: Type) -> Type:
    """A type without the constants that calls happen to pass."""
    fields = tuple((name, Field(_widened(field.type), field.required)) for name, field in kind.fields)
    items = None if kind.items is None else _widened(kind.items)
    return replace(kind, items=items, fields=fields, values=None, variants=())


def _results(facts: Facts, caller: Caller) -> Iterator[tuple[tuple[Segment, ...], Type]]:
    """The paths below `result` that a node reads, each with the type that the value must have."""
    if caller.node is None:
        return
    for entry in caller.node.assigns:
        whole = entry.value.value if isinstance(entry.value, ir.Template) else entry.value
        for read in visit.reads(entry.value):
            if read.root is ir.Root.RESULT:
                yield read.path, _stored(facts, entry.key) if read is whole else ANY
    for condition in visit.conditions(caller.node):
        for compare in visit.comparisons(condition):
            if compare.left.root is ir.Root.RESULT:
                yield compare.left.path, _compared(compare)
            for read in visit.reads(compare.right):
                if read.root is ir.Root.RESULT:
                    yield read.path, ANY


def _stored(facts: Facts, key: str) -> Type:
    """The type that a key of the state must have: that in `state_schema`; a list if a loop iterates over it."""
    declared = facts.types.declared_key(key)
    if declared.known and declared.kinds:
        return declared
    for node in facts.nodes.values():
        if isinstance(node, ir.ForeachNode):
            over = node.over.value if isinstance(node.over, ir.Template) else node.over
            if isinstance(over, ir.Read) and over.root is ir.Root.STATE and over.path == (key,):
                return list_of(ANY)
    return ANY


def _compared(compare: ir.Compare) -> Type:
    """The type that a value must have to be compared with a constant."""
    right = compare.right.value if isinstance(compare.right, ir.Const) else None
    if compare.op == "regex":
        return STRING
    if compare.op not in ("eq", "ne", "gt", "gte", "lt", "lte") or right is None or isinstance(right, dict | list):
        return ANY
    return _kind(right)


def _kind(value: bool | float | str) -> Type:
    """The type of a constant, with all its other values."""
    from graphwright.analysis.jsontype import kind_of

    return Type(frozenset({kind_of(value)}))


class _Read:
    """A value, and the values below it that are read."""

    def __init__(self) -> None:
        self.kind = ANY
        self.is_whole = False
        self.below: dict[Segment, _Read] = {}

    def add(self, path: tuple[Segment, ...], kind: Type) -> None:
        """Note that the value at a path is read."""
        if path:
            self.below.setdefault(path[0], _Read()).add(path[1:], kind)
            return
        self.is_whole = True
        if not self.kind.known:
            self.kind = kind

    @property
    def type(self) -> Type:
        """A list if its items are read, an object if its fields are.

        A value that is stored as a whole may be read elsewhere, too, so only its kind is known.
        """
        if not self.below:
            return self.kind
        if all(str(segment).lstrip("-").isdecimal() for segment in self.below):
            return list_of(ANY if self.is_whole else join(*(each.type for each in self.below.values())))
        if self.is_whole:
            return OBJECT
        return object_of({str(segment): Field(each.type, True) for segment, each in self.below.items()})
