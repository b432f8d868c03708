"""Looks on while a graph runs, and notes everything that contradicts what the analysis says of it.

`Claims` holds the run against the facts, for any graph without errors. `Promises` looks for what must not happen to a
graph that the compiler has no complaint about, whether or not the facts foresaw it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cached_property
from typing import NamedTuple

from analysis.membership import belongs
from graphwright import ir
from graphwright.analysis import operations
from graphwright.analysis.jsontype import NUMBER, STRING, Type
from graphwright.analysis.mismatch import is_informative
from graphwright.analysis.reads import state_uses
from graphwright.analysis.type_text import describe
from graphwright.analysis.typing import ProgramPoint
from graphwright.facts import Facts
from graphwright.ir import Json, visit
from graphwright.ir.visit import Role
from reference.observer import Observer, Path, Place, Watched

ROOTS = {"state": ir.Root.STATE, "inputs": ir.Root.INPUTS, "result": ir.Root.RESULT, "_run": ir.Root.RUN}
ORDERS = {"gt", "gte", "lt", "lte"}


class Watcher(Observer):
    """Where a run is; what is wrong is noted, once each."""

    def __init__(self, facts: Facts) -> None:
        assert facts.graph is not None
        self.facts = facts
        self.graph = facts.graph
        self.wrong: dict[str, None] = {}
        self.here = ""
        self.scope = ProgramPoint(None)
        self.running: ir.Hook | None = None
        """The hook that is running; None: a node."""

    @property
    def node(self) -> ir.Node:
        return self.graph.nodes[self.here]

    @property
    def action(self) -> ir.Action | None:
        """The action of the hook or node that is running."""
        if self.running is None:
            return self.node.action if isinstance(self.node, ir.CallingNode) else None
        return self.running.action if isinstance(self.running.action, ir.Action) else None

    def note(self, text: str) -> None:
        """Note a contradiction."""
        self.wrong[f"{self.here if self.running is None else 'hook'}: {text}"] = None

    def hook(self, number: int | None) -> None:
        self.running = None if number is None else self.graph.hooks[number]
        if self.running is not None:
            self.scope = ProgramPoint(None)

    def enters(self, node: str, state: Mapping[str, object]) -> None:
        self.here = node
        self.scope = ProgramPoint(self.node)

    def resolving(self, what: str) -> None:
        if self.running is not None:
            return
        self.scope = ProgramPoint(self.node)
        if what.startswith("assign "):
            key = what.removeprefix("assign ")
            self.scope = next(scope for entry, scope in self.facts.types.assigning(self.node) if entry.key == key)

    def routes(self, *, failed: bool) -> None:
        self.scope = self.facts.types.leaving(self.node)

    def values(self) -> Iterator[ir.Value]:
        """Everything that the node resolves, or the hook that is running."""
        if self.action is not None:
            yield from (self.action.item_id, self.action.params)
        for condition in self.conditions():
            for compare in visit.comparisons(condition):
                yield compare.right
        if self.running is not None:
            return
        yield from (entry.value for entry in self.node.assigns)
        yield from (value for role, value, _ in visit.operands(self.node) if role in (Role.OVER, Role.OUTPUT))

    def conditions(self) -> Iterator[ir.Condition]:
        """The conditions of the node's edges, or that of the hook that is running."""
        if self.running is None:
            yield from (edge.when for edge in self.node.edges if edge.when is not None)
        elif self.running.when is not None:
            yield self.running.when


def templates(value: ir.Value) -> Iterator[ir.Template]:
    """Every template at or below a value."""
    if isinstance(value, ir.Template):
        yield value
    for child in visit.children(value):
        yield from templates(child)


class Sum(NamedTuple):
    """One operation of a chain, with what it is applied to."""

    left: ir.Value
    operation: ir.Operation


def operations_in(value: ir.Value) -> Iterator[Sum]:
    """Every operation of arithmetic at or below a value."""
    if isinstance(value, ir.Arithmetic):
        for count, operation in enumerate(value.operations):
            yield Sum(ir.Arithmetic(value.first, value.operations[:count]) if count else value.first, operation)
    for child in visit.children(value):
        yield from operations_in(child)


class Claims(Watcher):
    """Holds a run against the facts."""

    # --- state ----------------------------------------------------------------------------------------------------

    def enters(self, node: str, state: Mapping[str, object]) -> None:
        super().enters(node, state)
        if node not in self.facts.flow.reachable:
            self.note("is not reachable")
        assignment = self.facts.assignment
        for key in assignment.definite_in(node) - state.keys():
            self.note(f"`{key}` is not assigned")
        for key in state.keys() - assignment.possible_in(node) - {"_retries"}:
            self.note(f"`{key}` cannot be assigned")
        for key, value in state.items():
            self._fits(f"state.{key}", value, self.facts.types.state[key])

    def ends(self, state: Mapping[str, object]) -> None:
        for key in self.facts.assignment.definite_at_completion - state.keys():
            self.note(f"`{key}` is not assigned at the end")

    # --- ways -----------------------------------------------------------------------------------------------------

    def fails(self, node: str, target: str | None) -> None:
        if target is not None and target not in self.facts.flow.successors(node):
            self.note(f"does not lead to {target} on an error")

    def leaves(self, node: str, target: str | None, *, failed: bool) -> None:
        flow = self.facts.flow
        if target is None and not flow.may_end(node):
            self.note("cannot be the end")
        if target is not None and target not in flow.successors(node):
            self.note(f"does not lead to {target}")
        if target is None and self.node.edges and self.facts.coverage.exhaustive(self.node):
            self.note("leaves nothing over")

    def decides(self, edge: int, outcome: bool | None) -> None:
        conditions, taken = self.facts.conditions, self.node.edges[edge]
        if outcome and any(dead.edge is taken for dead in conditions.dead_edges(self.node)):
            self.note(f"edge {edge} is never taken")
        if taken.when is None or outcome is None:
            return
        for constant in conditions.constants(taken.when, self.node):
            if constant.condition is taken.when and constant.holds is not outcome:
                self.note(f"the condition of edge {edge} is constant")

    # --- types ----------------------------------------------------------------------------------------------------

    def resolves(self, what: str, value: object) -> None:
        resolved: ir.Value | None
        if self.running is not None and what != "params":
            return
        match what.split(" ")[0]:
            case "over":
                resolved = self.node.over if isinstance(self.node, ir.ForeachNode) else None
            case "params":
                resolved = self.action.params if self.action is not None else None
            case "output":
                resolved = visit.output(self.node)
            case "assign":
                resolved = next(entry.value for entry in self.node.assigns if f"assign {entry.key}" == what)
            case _:
                return
        if resolved is not None:
            self._fits(what, value, self.facts.types.of(resolved, self.scope))

    def calls(self, item_id: str, item: object, result: object) -> None:
        types = self.facts.types
        self._fits("result", result, types.result(self.node))
        if isinstance(self.node, ir.ForeachNode):
            self._fits("item", item, types.item(self.node))

    def reads(self, path: Path, value: object, scope: Watched) -> None:
        name, steps = path
        root = ROOTS.get(name, ir.Root.ITEM)
        if self.running is not None and root is not ir.Root.RUN:
            root, steps = ir.Root.EVENT, (name, *steps)
        if root is ir.Root.STATE and steps[:1] == ("inputs",):
            root, steps = ir.Root.INPUTS, steps[1:]
        read = ir.Read(root, steps, ".".join(map(str, (name, *steps))), 0, 0)
        self._fits(read.written, value, self.facts.types.of(read, self.scope))

    def operates(self, sign: str, left: object, right: object, place: Place) -> None:
        for written in self._written(sign, place):
            self._fits(f"left of `{sign}`", left, self.facts.types.of(written.left, self.scope))
            self._fits(f"right of `{sign}`", right, self.facts.types.of(written.operation.operand, self.scope))

    def _written(self, sign: str, place: Place) -> Iterator[Sum]:
        """The operations of the node that are written as the one at a place of a text."""
        text, start, end = place
        for value in self.values():
            for template in templates(value):
                for found in operations_in(template) if template.at.value == text else ():
                    written = text[found.operation.start : found.operation.end]
                    if found.operation.operator == sign and _bare(written) == _bare(text[start:end]):
                        yield found

    def _fits(self, what: str, value: object, kind: Type) -> None:
        assert isinstance(value, bool | int | float | str | list | dict | None)
        if not belongs(value, kind) and not (self.graph.state_schema is not None and belongs(_whole(value), kind)):
            self.note(f"{what} is {value!r}, which is not {describe(kind)} {kind.values or ''}")


class Promises(Claims):
    """Looks for what a graph without complaints must not do."""

    def reads(self, path: Path, value: object, scope: Watched) -> None:
        super().reads(path, value, scope)
        if self.running is not None:  # at times that no path tells
            return
        state = scope["state"]
        assert isinstance(state, dict)
        if scope.provided or not _is_missing(path, state) or any(self._is_there(each, state) for each in scope.instead):
            return
        if (self.here, path[1][0]) in self.noted:
            return
        self.note(f"`{path[0]}.{path[1][0]}` is read and not assigned")

    def leaves(self, node: str, target: str | None, *, failed: bool) -> None:
        super().leaves(node, target, failed=failed)
        if target is None and self.node.edges:
            self.note("falls off the end of its edges")

    def operates(self, sign: str, left: object, right: object, place: Place) -> None:
        super().operates(sign, left, right, place)
        if can_be_done(sign, left, right):
            return
        for written in self._written(sign, place):
            ours = self.facts.types.of(written.left, self.scope)
            theirs = self.facts.types.of(written.operation.operand, self.scope)
            if not (is_informative(ours, written.left) and is_informative(theirs, written.operation.operand)):
                continue
            if not operations.arithmetic(sign, ours, theirs).kinds:
                self.note(f"`{sign}` fails on {describe(ours)} and {describe(theirs)}, which are known")

    def compares(self, condition: Mapping[str, object], left: object, right: object) -> None:
        if condition.get("op") not in ORDERS or left is None or right is None or is_ordered(left, right):
            return
        for when in self.conditions():
            for compare in visit.comparisons(when):
                if compare.left.written == condition["path"] and compare.op == condition["op"]:
                    self._order(compare, left, right)

    def _order(self, compare: ir.Compare, left: object, right: object) -> None:
        ours = self.facts.types.of(compare.left, self.scope).present
        theirs = self.facts.types.of(compare.right, self.scope).present
        if not (ours.known and theirs.known and _is(left, ours) and _is(right, theirs)):
            return
        numbers = ours.kinds & NUMBER.kinds and theirs.kinds & NUMBER.kinds
        texts = ours.kinds & STRING.kinds and theirs.kinds & STRING.kinds
        if not numbers and not texts:
            self.note(f"`{compare.op}` fails on {describe(ours)} and {describe(theirs)}, which are known")

    def needs(self, capability: str) -> None:
        patterns = [permission.pattern for permission in self.graph.permissions or ()]
        if not any(fnmatchcase(capability, pattern) for pattern in patterns):
            self.note(f"`{capability}` is denied")

    def _is_there(self, path: Path, state: Mapping[str, object]) -> bool:
        """Whether a path is null although its key is assigned, or its input required: what follows is a fallback."""
        name, steps = path
        if name == "inputs":
            return bool(steps) and str(steps[0]) in self.certain
        return name == "state" and bool(steps) and not _is_missing(path, state)

    @cached_property
    def noted(self) -> frozenset[tuple[str, object]]:
        """Nodes and keys that only get a note: null does not match in the comparison, and a default edge follows."""
        facts = self.facts.assignment
        return frozenset(
            (name, key) for name in facts.usage for use, key, _ in state_uses(facts, name) if use.defaulted
        )

    @cached_property
    def certain(self) -> frozenset[str]:
        """The inputs that are never absent."""
        schema = self.graph.inputs_schema
        assert isinstance(schema, dict)
        properties, required = schema["properties"], schema["required"]
        assert isinstance(properties, dict)
        assert isinstance(required, list)
        filled = [name for name, each in properties.items() if isinstance(each, dict) and "default" in each]
        return frozenset([*filled, *map(str, required)])


def _is_missing(path: Path, state: Mapping[str, object]) -> bool:
    """Whether a path begins at a key of the state that is not assigned and that the runtime does not set."""
    name, steps = path
    if name != "state" or not steps or steps[0] in ("inputs", "_last_error", "_retries"):
        return False
    return steps[0] not in state


def _bare(text: str) -> str:
    return text.strip("() \n")


def _whole(value: Json) -> Json:
    """A value with 1 in place of each 1.0: what a schema calls an integer may be written either way."""
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _is(value: object, kind: Type) -> bool:
    assert isinstance(value, bool | int | float | str | list | dict | None)
    return belongs(value, kind)


def is_ordered(left: object, right: object) -> bool:
    """Whether two values have an order."""
    return (isinstance(left, str) and isinstance(right, str)) or (_is_number(left) and _is_number(right))


def can_be_done(sign: str, left: object, right: object) -> bool:
    """Whether an operation takes these two values, division by zero aside."""
    if _is_number(left) and _is_number(right):
        return True
    both_texts = isinstance(left, str) and isinstance(right, str)
    return sign == "+" and (both_texts or (isinstance(left, list) and isinstance(right, list)))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
