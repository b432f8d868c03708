"""Where the types of values do not fit the operations on them: one pass over all values of a graph.

Only what is wrong in every run is a mismatch. An unknown type fits everything, and so does a null that comes from a
path, because it is a missing value rather than a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import yaml

from graphwright import ir
from graphwright.analysis import operations
from graphwright.analysis.jsontype import ARRAY, NULL, NUMBER, OBJECT, STRING, Type
from graphwright.analysis.typing import ProgramPoint, Types
from graphwright.expr.nodes import Segment
from graphwright.ir import visit
from graphwright.language.operators import ORDERS
from graphwright.language.pipes import PIPES
from graphwright.pattern import pattern
from graphwright.record import Record

_NUMERIC = pattern(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*")
_NOT_FOR_TEXT: Final = frozenset({"array", "object", "boolean"})


class TextRange(Record):
    """A range of a scalar's decoded text."""

    at: yaml.ScalarNode
    start: int
    end: int


class Unaddable(Record):
    """An operation that fails for these types; `right` is None for a negation."""

    owner: str
    operator: str
    left: Type
    right: Type | None
    range: TextRange


class Unpipable(Record):
    """A pipe that fails for every value of the operand's type other than null."""

    owner: str
    name: str
    operand: Type
    range: TextRange


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
    """A list, mapping or boolean that is interpolated into a string."""

    owner: str
    type: Type
    written: str
    range: TextRange


class NoField(Record):
    """A path with a step that its value never has: `before` is the type that `segment` is looked up in.

    `left` is the number of steps from that one on.
    """

    owner: str
    read: ir.Read
    segment: Segment
    before: Type
    left: int
    range: TextRange


class Mismatches:
    """Everything found in one graph. `owner` is the node or hook as messages call it."""

    def __init__(self) -> None:
        self.sums: list[Unaddable] = []
        self.pipes: list[Unpipable] = []
        self.orders: list[Unordered] = []
        self.text_orders: list[TextOrder] = []
        self.texts: list[OddText] = []
        self.fields: list[NoField] = []


def mismatches(graph: ir.Graph, types: Types) -> Mismatches:
    """Check every value and comparison of the graph."""
    search = _Search(types)
    for node in visit.nodes(graph.body):
        search.node(node)
    for hook in graph.hooks:
        search.owner = hook.owner
        nowhere = ProgramPoint(None, event=hook.event)
        if hook.when is not None:
            search.condition(hook.when, nowhere)
        if isinstance(hook.action, ir.Action):
            for _, value, _ in visit.action_operands(hook.action):
                search.value(value, nowhere)
    return search.found


def range_of(value: ir.Value, at: yaml.ScalarNode) -> TextRange | None:
    """The range of a value inside a template; None for a constant, which does not know its position."""
    match value:
        case ir.Read(start=start, end=end) | ir.Negative(start=start, end=end):
            return TextRange(at, start, end)
        case ir.Arithmetic(operations=(*_, last)):
            return TextRange(at, last.start, last.end)
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
        point = ProgramPoint(node)
        for _, value, _ in visit.operands(node):
            self.value(value, point)
        for entry in node.assigns:
            if not self._is_plain(entry.value):
                self._assigns(node)
                break
        for condition in visit.conditions(node):
            self.condition(condition, point, node)

    def _assigns(self, node: ir.Node) -> None:
        for entry, inside in self._types.assigning(node):
            self.value(entry.value, inside)

    def condition(self, condition: ir.Condition, here: ProgramPoint, node: ir.Node | None = None) -> None:
        """Check a condition of a hook, or of an edge of `node`; `here` is the point before its edges."""
        for compare in visit.comparisons(condition):
            point = here
            is_same = compare.left.root in self._present and not self._types.depends_on_place(compare.left)
            if node is not None and not (is_same and isinstance(compare.right, ir.Const)):
                point = self._types.leaving(node)
            if not self._is_plain(compare.left):
                self._read(compare.left, compare.left_at, point)
            self.value(compare.right, point)
            if compare.op in ORDERS:
                self._order(compare, point)
            elif compare.op == "in" and not isinstance(compare.right, ir.Const):
                self._membership(compare, point)

    # --- values ---------------------------------------------------------------------------------------------

    def _is_plain(self, value: ir.Value) -> bool:
        """Whether nothing in a value can be wrong: constants and paths of one step, which most values are.

        Templates of equal text share their value, so each is checked once.
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
        if isinstance(value, ir.Text | ir.Arithmetic | ir.Negative) or (isinstance(value, ir.Pipe) and _refuses(value)):
            return False
        return all(map(self._is_plain, visit.children(value)))

    def _kind(self, value: ir.Value, point: ProgramPoint) -> Type:
        """The type of a value where it is not null, which for inputs and most keys is the same everywhere."""
        if not isinstance(value, ir.Read) or value.root not in self._present or self._types.depends_on_place(value):
            return self._types.of(value, point).present
        known = self._present[value.root]
        found = known.get(value.path)
        if found is None:
            found = known[value.path] = self._types.of(value, point).present
        return found

    def value(self, value: ir.Value, point: ProgramPoint) -> None:
        if isinstance(value, ir.Template):
            if not self._is_plain(value):
                self._inside(value.value, value.at, point)
        elif isinstance(value, ir.MapOf):
            for _, entry in value.entries:
                self.value(entry, point)
        elif isinstance(value, ir.ListOf):
            for entry in value.items:
                self.value(entry, point)

    def _inside(self, value: ir.Value, at: yaml.ScalarNode, point: ProgramPoint) -> None:
        """A value within the template at `at`."""
        if isinstance(value, ir.Read):
            self._read(value, at, point)
            return
        if isinstance(value, ir.Const):
            return
        for child in visit.children(value):
            self._inside(child, at, point)
        if isinstance(value, ir.Text):
            self._text(value, at, point)
        elif isinstance(value, ir.Arithmetic):
            for each, left, right in self._types.operand_types(value, point):
                known = is_informative(left, value.first) and is_informative(right, each.operand)
                if known and not operations.arithmetic(each.operator, left, right).kinds:
                    stretch = TextRange(at, each.start, each.end)
                    self.found.sums.append(Unaddable(self.owner, each.operator, left, right, stretch))
        elif isinstance(value, ir.Pipe):
            self._pipe(value, at, point)
        elif isinstance(value, ir.Negative):
            operand = self._types.of(value.operand, point)
            if is_informative(operand, value.operand) and not operations.negative(operand).kinds:
                self.found.sums.append(Unaddable(self.owner, "-", operand, None, TextRange(at, value.start, value.end)))

    def _pipe(self, pipe: ir.Pipe, at: yaml.ScalarNode, point: ProgramPoint) -> None:
        refused = _refuses(pipe)
        operand = self._types.of(pipe.operand, point).present if refused else NULL
        place = range_of(pipe, at)
        if refused and operand.kinds and operand.kinds <= refused and place is not None:
            self.found.pipes.append(Unpipable(self.owner, pipe.name, operand, place))

    def _text(self, text: ir.Text, at: yaml.ScalarNode, point: ProgramPoint) -> None:
        for part in text.parts:
            if isinstance(part, str):
                continue
            kind = self._kind(part, point)
            if kind.kinds and kind.kinds <= _NOT_FOR_TEXT:
                stretch = range_of(part, at)
                if stretch is not None:
                    self.found.texts.append(OddText(self.owner, kind, at.value[stretch.start : stretch.end], stretch))

    def _read(self, read: ir.Read, at: yaml.ScalarNode, point: ProgramPoint) -> None:
        for start, path in self._starts(read, point):
            for number, segment in enumerate(path):
                following = operations.step(start, segment)
                if following == NULL and start.present.kinds and not _is_empty(start.present):
                    stretch = TextRange(at, read.start, read.end)
                    self.found.fields.append(
                        NoField(self.owner, read, segment, start.present, len(path) - number, stretch)
                    )
                    return
                start = following

    def _starts(self, read: ir.Read, point: ProgramPoint) -> Iterator[tuple[Type, tuple[Segment, ...]]]:
        """The type of the beginning of a path, and the steps that remain; empty if the type is unknown.

        Whether an input, a state key or a key of a result exists at all is up to other rules.
        """
        path = read.path
        if read.root is ir.Root.ITEM:
            if path:
                yield self._types.of(_beginning(read, 0), point), path
        elif len(path) > 1:
            if read.root is ir.Root.INPUTS:
                yield operations.step(self._types.listed_inputs, path[0]), path[1:]
            elif read.root in (ir.Root.STATE, ir.Root.RESULT, ir.Root.EVENT):
                yield self._types.of(_beginning(read, 1), point), path[1:]

    # --- comparisons ----------------------------------------------------------------------------------------

    def _order(self, compare: ir.Compare, point: ProgramPoint) -> None:
        left = self._kind(compare.left, point)
        if (
            isinstance(compare.right, ir.Const)
            and "integer" in left.kinds
            and type(compare.right.value) in (int, float)
        ):
            return
        right = self._types.of(compare.right, point)
        if isinstance(compare.right, ir.Const) and not right.kinds & (NUMBER.kinds | STRING.kinds):
            return  # no left side can be ordered with this right side, which is reported
        unordered = left.kinds <= _NOT_FOR_TEXT  # a list, mapping or boolean cannot be ordered
        known = left.kinds and (unordered or is_informative(right, compare.right))
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

    def _membership(self, compare: ir.Compare, point: ProgramPoint) -> None:
        right = self._types.of(compare.right, point)
        if is_informative(right, compare.right) and not right.kinds & (ARRAY.kinds | NULL.kinds):
            self.found.orders.append(Unordered(self.owner, compare, self._types.of(compare.left, point), right))


def _refuses(pipe: ir.Pipe) -> frozenset[str]:
    """The types of which a pipe takes no value."""
    return PIPES[pipe.name].refuses if pipe.name in PIPES else frozenset()


def _beginning(read: ir.Read, length: int) -> ir.Read:
    return ir.Read(read.root, read.path[:length], read.written, read.start, read.end)


def _is_empty(kind: Type) -> bool:
    """Whether a type is only known from an empty list or mapping, which is meant to be filled."""
    no_items = kind.items is not None and not kind.items.kinds
    return (kind.kinds == ARRAY.kinds and no_items) or (kind.kinds == OBJECT.kinds and kind.closed and not kind.fields)


def is_informative(kind: Type, value: ir.Value) -> bool:
    """Whether a type is reliable: known, possible, and not just a null that stands for a missing value."""
    return kind.known and bool(kind.kinds) and (kind != NULL or isinstance(value, ir.Const))


def _looks_numeric(kind: Type) -> str | None:
    """A string that looks numeric, if every value is from a finite set of strings that contains such a one."""
    if kind.present.kinds != STRING.kinds:
        return None
    return next((text for text in kind.values or () if isinstance(text, str) and _NUMERIC.fullmatch(text)), None)
