"""Where the known types of values do not fit what is done with them: one pass over all values of a graph.

Only what can be wrong in every run is a mismatch: a type of which nothing is known fits everything, and so does a
null that comes from a path, because it is rather a missing value than a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import yaml

from graphwright import ir
from graphwright.analysis import operations
from graphwright.analysis.jsontype import ARRAY, NULL, NUMBER, OBJECT, STRING, Type
from graphwright.analysis.typing import Scope, Types
from graphwright.expr.nodes import Segment
from graphwright.ir import visit
from graphwright.language.operators import ORDERS
from graphwright.pattern import pattern
from graphwright.record import Record

_NUMERIC = pattern(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*")
_NOT_FOR_TEXT: Final = frozenset({"array", "object", "boolean"})


class TextRange(Record):
    """A stretch of a scalar's decoded text."""

    at: yaml.ScalarNode
    start: int
    end: int


class Unaddable(Record):
    """An operation that fails for these types; `right` is None for a negation."""

    owner: str
    operator: str
    left: Type
    right: Type | None
    place: TextRange


class Unordered(Record):
    """A comparison that fails for these types whenever its left side is not null."""

    owner: str
    compare: ir.Compare
    left: Type
    right: Type


class TextOrder(Record):
    """An ordering of two texts where one looks like a number; `number` is that text."""

    owner: str
    compare: ir.Compare
    number: str
    on_right: bool


class OddText(Record):
    """A list, mapping or boolean that becomes a part of a text."""

    owner: str
    type: Type
    written: str
    place: TextRange


class NoField(Record):
    """A path with a step that its value never has: `before` is the type of what `segment` is looked up in."""

    owner: str
    read: ir.Read
    segment: Segment
    before: Type
    place: TextRange


class Mismatches:
    """Everything found in one graph. `owner` is the node or hook as messages call it."""

    def __init__(self) -> None:
        self.sums: list[Unaddable] = []
        self.orders: list[Unordered] = []
        self.text_orders: list[TextOrder] = []
        self.texts: list[OddText] = []
        self.fields: list[NoField] = []


def mismatches(graph: ir.Graph, types: Types) -> Mismatches:
    """Look at every value and comparison of the graph."""
    search = _Search(types)
    for node in visit.nodes(graph.body):
        search.node(node)
    for number, hook in enumerate(graph.hooks, 1):
        search.owner = f"hook `{hook.hook_id}`" if hook.hook_id else f"hook {number}"
        nowhere = Scope(None, event=hook.event)
        if hook.when is not None:
            search.condition(hook.when, nowhere)
        if isinstance(hook.action, ir.Action):
            for _, value, _ in visit.action_operands(hook.action):
                search.value(value, nowhere)
    return search.found


def range_of(value: ir.Value, at: yaml.ScalarNode) -> TextRange | None:
    """Where a value inside a template stands; None for a constant, which does not know it."""
    match value:
        case ir.Read(start=start, end=end) | ir.Arithmetic(start=start, end=end) | ir.Negative(start=start, end=end):
            return TextRange(at, start, end)
        case _:
            parts = [part for child in visit.children(value) if (part := range_of(child, at)) is not None]
            ends = [value.end] if isinstance(value, ir.Pipe) else []
            if not parts:
                return None
            return TextRange(at, min(part.start for part in parts), max([*ends, *(part.end for part in parts)]))


class _Search:
    """The pass; `found` collects."""

    def __init__(self, types: Types) -> None:
        self._types = types
        self.found = Mismatches()
        self.owner = ""
        self._plain: dict[int, bool] = {}
        self._present: dict[ir.Root, dict[tuple[Segment, ...], Type]] = {ir.Root.STATE: {}, ir.Root.INPUTS: {}}

    def node(self, node: ir.Node) -> None:
        self.owner = f"node `{node.name}`"
        scope = Scope(node)
        for _, value, _ in visit.operands(node):
            self.value(value, scope)
        for entry in node.assigns:
            if not self._is_plain(entry.value):
                self._assigns(node)
                break
        for condition in visit.conditions(node):
            self.condition(condition, scope, node)

    def _assigns(self, node: ir.Node) -> None:
        for entry, inside in self._types.assigning(node):
            self.value(entry.value, inside)

    def condition(self, condition: ir.Condition, here: Scope, node: ir.Node | None = None) -> None:
        """Look at a condition of a hook, or at one of an edge of `node`; `here` is the scope before its edges."""
        for compare in visit.comparisons(condition):
            scope = here
            is_same = compare.left.root in self._present and not self._types.depends_on_place(compare.left)
            if node is not None and not (is_same and isinstance(compare.right, ir.Const)):
                scope = self._types.leaving(node)
            if not self._is_plain(compare.left):
                self._read(compare.left, compare.left_at, scope)
            self.value(compare.right, scope)
            if compare.op in ORDERS:
                self._order(compare, scope)
            elif compare.op == "in" and not isinstance(compare.right, ir.Const):
                self._membership(compare, scope)

    # --- values ---------------------------------------------------------------------------------------------

    def _is_plain(self, value: ir.Value) -> bool:
        """Whether there is nothing in a value that could be wrong: constants and paths of one step, which most are.

        Templates of equal text share their value, so it is looked into once.
        """
        if isinstance(value, ir.Template):
            value = value.value
            plain = self._plain.get(id(value))
            if plain is None:
                plain = self._plain[id(value)] = self._is_plain(value)
            return plain
        if isinstance(value, ir.Read):
            return len(value.path) < (1 if value.root is ir.Root.ITEM else 2)
        if isinstance(value, ir.Const):
            return True
        if isinstance(value, ir.Text | ir.Arithmetic | ir.Negative):
            return False
        return all(map(self._is_plain, visit.children(value)))

    def _kind(self, value: ir.Value, scope: Scope) -> Type:
        """The type of a value where it is not null, which for inputs and most keys is the same everywhere."""
        if not isinstance(value, ir.Read) or value.root not in self._present or self._types.depends_on_place(value):
            return self._types.of(value, scope).present
        known = self._present[value.root]
        found = known.get(value.path)
        if found is None:
            found = known[value.path] = self._types.of(value, scope).present
        return found

    def value(self, value: ir.Value, scope: Scope) -> None:
        if isinstance(value, ir.Template):
            if not self._is_plain(value):
                self._inside(value.value, value.at, scope)
        elif isinstance(value, ir.MapOf):
            for _, entry in value.entries:
                self.value(entry, scope)
        elif isinstance(value, ir.ListOf):
            for entry in value.items:
                self.value(entry, scope)

    def _inside(self, value: ir.Value, at: yaml.ScalarNode, scope: Scope) -> None:
        """A value within the template at `at`."""
        if isinstance(value, ir.Read):
            self._read(value, at, scope)
            return
        if isinstance(value, ir.Const):
            return
        for child in visit.children(value):
            self._inside(child, at, scope)
        if isinstance(value, ir.Text):
            self._text(value, at, scope)
        elif isinstance(value, ir.Arithmetic):
            left, right = self._types.of(value.left, scope), self._types.of(value.right, scope)
            known = says_something(left, value.left) and says_something(right, value.right)
            if known and not operations.arithmetic(value.operator, left, right).kinds:
                place = TextRange(at, value.start, value.end)
                self.found.sums.append(Unaddable(self.owner, value.operator, left, right, place))
        elif isinstance(value, ir.Negative):
            operand = self._types.of(value.operand, scope)
            if says_something(operand, value.operand) and not operations.negative(operand).kinds:
                self.found.sums.append(Unaddable(self.owner, "-", operand, None, TextRange(at, value.start, value.end)))

    def _text(self, text: ir.Text, at: yaml.ScalarNode, scope: Scope) -> None:
        for part in text.parts:
            if isinstance(part, str):
                continue
            kind = self._kind(part, scope)
            if kind.kinds and kind.kinds <= _NOT_FOR_TEXT:
                place = range_of(part, at)
                if place is not None:
                    self.found.texts.append(OddText(self.owner, kind, at.value[place.start : place.end], place))

    def _read(self, read: ir.Read, at: yaml.ScalarNode, scope: Scope) -> None:
        for start, path in self._starts(read, scope):
            for segment in path:
                following = operations.step(start, segment)
                if following == NULL and start.present.kinds and not _is_empty(start.present):
                    place = TextRange(at, read.start, read.end)
                    self.found.fields.append(NoField(self.owner, read, segment, start.present, place))
                    return
                start = following

    def _starts(self, read: ir.Read, scope: Scope) -> Iterator[tuple[Type, tuple[Segment, ...]]]:
        """What is known of the beginning of a path, and the steps that remain; nothing where that says nothing.

        That an input, a state key or a key of a result exists at all is the business of other rules.
        """
        path = read.path
        if read.root is ir.Root.ITEM:
            if path:
                yield self._types.of(_beginning(read, 0), scope), path
        elif len(path) > 1:
            if read.root is ir.Root.INPUTS:
                yield operations.step(self._types.listed_inputs, path[0]), path[1:]
            elif read.root in (ir.Root.STATE, ir.Root.RESULT):
                yield self._types.of(_beginning(read, 1), scope), path[1:]

    # --- comparisons ----------------------------------------------------------------------------------------

    def _order(self, compare: ir.Compare, scope: Scope) -> None:
        left = self._kind(compare.left, scope)
        if (
            isinstance(compare.right, ir.Const)
            and "integer" in left.kinds
            and type(compare.right.value) in (int, float)
        ):
            return
        right = self._types.of(compare.right, scope)
        if isinstance(compare.right, ir.Const) and not right.kinds & (NUMBER.kinds | STRING.kinds):
            return  # no right side for an ordering whatever is left: reported as that
        unordered = left.kinds <= _NOT_FOR_TEXT  # a list, mapping or boolean has no order with anything
        known = left.kinds and (unordered or says_something(right, compare.right))
        texts = "string" in left.kinds and "string" in right.kinds
        if known and not texts and not (left.kinds & NUMBER.kinds and right.kinds & NUMBER.kinds):
            self.found.orders.append(Unordered(self.owner, compare, left, right))
        elif texts:
            self._text_order(compare, left, right)

    def _text_order(self, compare: ir.Compare, left: Type, right: Type) -> None:
        if (number := _looks_numeric(right)) is not None:
            self.found.text_orders.append(TextOrder(self.owner, compare, number, on_right=True))
        elif (number := _looks_numeric(left)) is not None:
            self.found.text_orders.append(TextOrder(self.owner, compare, number, on_right=False))

    def _membership(self, compare: ir.Compare, scope: Scope) -> None:
        right = self._types.of(compare.right, scope)
        if says_something(right, compare.right) and not right.kinds & (ARRAY.kinds | NULL.kinds):
            self.found.orders.append(Unordered(self.owner, compare, self._types.of(compare.left, scope), right))


def _beginning(read: ir.Read, length: int) -> ir.Read:
    return ir.Read(read.root, read.path[:length], read.written, read.start, read.end)


def _is_empty(kind: Type) -> bool:
    """Whether a type is only known from an empty list or mapping, which someone means to fill."""
    no_items = kind.items is not None and not kind.items.kinds
    return (kind.kinds == ARRAY.kinds and no_items) or (kind.kinds == OBJECT.kinds and kind.closed and not kind.fields)


def says_something(kind: Type, value: ir.Value) -> bool:
    """Whether a type is worth judging by: known, possible, and no null that merely stands for a missing value."""
    return kind.known and bool(kind.kinds) and (kind != NULL or isinstance(value, ir.Const))


def _looks_numeric(kind: Type) -> str | None:
    """A text that reads as a number, where every value is a text from a finite set with such a one in it."""
    if kind.present.kinds != STRING.kinds:
        return None
    return next((text for text in kind.values or () if isinstance(text, str) and _NUMERIC.fullmatch(text)), None)
