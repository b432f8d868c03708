"""Type inference for a graph's state, inputs, results and values.

The type of a state key is the join of the definitions that reach the read (`definitions.py`), or of all of its
assignments if they are not distinguished. `assignment.py` tells, through `definite`, whether the key may still be
unassigned and therefore null. The fixpoint is computed over definitions: an assign is evaluated again when one that it
reads has changed, and one that keeps changing is widened, so the cost stays nearly linear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from graphwright import ir
from graphwright.analysis import operations
from graphwright.analysis.declared import Declared
from graphwright.analysis.definitions import Definition, Definitions
from graphwright.analysis.events import event_field
from graphwright.analysis.fallible import collects_surely, is_list
from graphwright.analysis.fixpoint import solve
from graphwright.analysis.jsontype import (
    ANY,
    INTEGER,
    MAX_FIELDS,
    NEVER,
    NULL,
    OBJECT,
    STRING,
    Field,
    Type,
    from_value,
    join,
    limited,
    list_of,
    meet,
    object_of,
)
from graphwright.analysis.tools import FAILURE, SUPPRESSED, Contracts, Results, may_start, no_contract
from graphwright.expr.nodes import Segment
from graphwright.ir import visit
from graphwright.model import UNKNOWN_NAME
from graphwright.record import Record

#: Namespaces whose values can differ each time a node runs.
_CHANGING: Final = frozenset({ir.Root.STATE, ir.Root.ITEM, ir.Root.EVENT})

_LAST_ERROR: Final = object_of({"node": Field(STRING, True), "error": Field(STRING, True)})
_RETRIES: Final = object_of({}, others=INTEGER)

#: The type of the list that a loop has collected when it ends the run, which only hooks see.
_STOPPED: Final = list_of(join(OBJECT, FAILURE, NULL))


class ProgramPoint(Record):
    """A point where values are resolved: a node (None: a hook, on this `event`) and what it has done before.

    `assigned` are the keys that the node itself has set. `failed`: its action may have failed under the policy
    `continue`, so that `result` may be the error and `assigned` does not apply.
    """

    node: ir.Node | None
    assigned: frozenset[str] = frozenset()
    failed: bool = False
    event: str | None = None


class _Entry(Record):
    """An assignment of a key whose type depends on the state: an `assign` with its point, or a `collect`."""

    definition: Definition
    point: ProgramPoint
    value: ir.Value | None


class Types(Declared):
    """The types of one graph. `definite` tells whether a state key is surely assigned when a node begins; `definitions`
    are the distinguished assignments.
    """

    def __init__(
        self,
        graph: ir.Graph,
        *,
        definite: Callable[[str, str], bool] | None = None,
        contracts: Contracts = no_contract,
        definitions: Definitions | None = None,
    ) -> None:
        super().__init__(graph)
        self._definite = definite or (lambda _node, key: key in graph.state)
        self._results = Results(contracts)
        self._items: dict[str, Type] = {}
        self._inputs: dict[tuple[Segment, ...], Type] = {}
        self._leaving: dict[str, ProgramPoint] = {}
        self._fixed: dict[int, bool] = {}
        self._shared: dict[tuple[int, int], Type] = {}
        self._known: dict[Definition, Type] = {}
        self._definitions = definitions or Definitions(graph)
        self._initially = ANY if UNKNOWN_NAME in graph.state else NEVER  # the type of a key in the initial state
        self._reading: set[Definition] | None = None

    # --- what others ask ------------------------------------------------------------------------------------

    @cached_property
    def state(self) -> Mapping[str, Type]:
        """The types of all keys that can be assigned, including `_last_error` and `_retries`.

        That a key may be unassigned is not part of its type.
        """
        self._solve()
        found: dict[str, Type] = {}
        for (key, _), kind in self._known.items():
            found[key] = join(found[key], kind) if key in found else kind
        return found

    def depends_on_place(self, read: ir.Read) -> bool:
        """Whether a path begins with a state key whose definitions are distinguished."""
        return read.root is ir.Root.STATE and bool(read.path) and self._definitions.is_split(str(read.path[0]))

    def of(self, value: ir.Value, place: ir.Node | ProgramPoint | None) -> Type:
        """The type of a value; `NEVER` if evaluating it always fails.

        `place`: a node stands for its beginning (action, `over`, output); see `assigning` and `leaving` for later
        points. None for a hook.
        """
        point = place if isinstance(place, ProgramPoint) else ProgramPoint(place)
        _ = self.state
        return self._of(value, point)

    def strings(self, value: ir.Value, place: ir.Node | ProgramPoint | None) -> tuple[str, ...] | None:
        """The possible strings of a value; None if they are unknown."""
        found = self.of(value, place)
        if found.values is None or found.kinds - {"string"}:
            return None
        return tuple(text for text in found.values if isinstance(text, str))

    def operand_types(self, chain: ir.Arithmetic, point: ProgramPoint) -> Iterator[tuple[ir.Operation, Type, Type]]:
        """The operations of a chain, each with the types of what it is applied to: the result so far, its operand."""
        left = self.of(chain.first, point)
        for each in chain.operations:
            right = self.of(each.operand, point)
            yield each, left, right
            left = operations.arithmetic(each.operator, left, right)

    def assigning(self, node: ir.Node) -> Iterator[tuple[ir.Assign, ProgramPoint]]:
        """The node's assigns, each with the point at which its value is resolved."""
        assigned = frozenset[str]()
        for entry in node.assigns:
            yield entry, ProgramPoint(node, assigned)
            assigned |= {entry.key}

    def leaving(self, node: ir.Node) -> ProgramPoint:
        """The point at which the conditions of the node's edges are evaluated."""
        found = self._leaving.get(node.name)
        if found is None:
            found = self._leaving[node.name] = self._left(node)
        return found

    def _left(self, node: ir.Node) -> ProgramPoint:
        if not isinstance(node, ir.ForeachNode):
            return ProgramPoint(node, frozenset([entry.key for entry in node.assigns]), self.can_be_suppressed(node))
        collected, over = node.collect, node.over
        collects = is_list(over, self.of(over, node)) and collects_surely(self._graph, node)
        may_lack = self.can_be_suppressed(node) and not collects
        return ProgramPoint(node, frozenset() if collected is None or may_lack else frozenset((collected,)))

    def can_be_suppressed(self, node: ir.Node) -> bool:
        """Whether the run can continue along this node's edges after it has failed."""
        return self._graph.settings.on_error == "continue" and isinstance(node, ir.RoutedNode) and node.on_error is None

    def result(self, node: ir.Node) -> Type:
        """The type of the action's result on success, unwrapped."""
        if not isinstance(node, ir.CallingNode):
            return NULL
        return ANY if node.action is None else self._results.of(node.action)

    def item(self, node: ir.Node) -> Type:
        """The type of the variable of a foreach."""
        _ = self.state
        return self._item(node)

    def collected(self, node: ir.Node) -> Type:
        """The type of the list that a foreach collects."""
        _ = self.state
        return self._assigned(ProgramPoint(node), None)

    # --- values ---------------------------------------------------------------------------------------------

    def _of(self, value: ir.Value, point: ProgramPoint) -> Type:
        match value:
            case ir.Template(value=inner):
                fixed = not point.failed and self._is_fixed(inner)
                return self._once(inner, point) if fixed else self._of(inner, point)
            case ir.Read() | ir.Pipe() | ir.Const() | ir.Text() if not self._graph.doubt.trusts(value):
                return ANY
            case ir.Read():
                return self._read(value, point)
            case ir.Const(constant):
                return from_value(constant)
            case ir.Text():
                return STRING
            case ir.FirstOf(operands) if not all(map(self._graph.doubt.trusts, operands)):
                return ANY
            case ir.FirstOf(operands):
                return operations.fallback([self._of(operand, point) for operand in operands])
            case ir.Arithmetic(first, chain):
                found = self._of(first, point)
                for each in chain:
                    found = operations.arithmetic(each.operator, found, self._of(each.operand, point))
                return found
            case ir.Negative(operand):
                return operations.negative(self._of(operand, point))
            case ir.Pipe(name, operand, arguments):
                return operations.pipe(name, self._of(operand, point), [self._of(given, point) for given in arguments])
            case ir.ListOf(items):
                return list_of(join(*(self._of(item, point) for item in items)))
            case ir.MapOf(entries) if len(entries) > MAX_FIELDS:
                return OBJECT
            case ir.MapOf(entries):
                return object_of({key: Field(self._of(entry, point), True) for key, entry in entries})

    def _is_fixed(self, value: ir.Value) -> bool:
        """Whether a value reads neither state nor loop variables, so its type depends at most on that of the result."""
        found = self._fixed.get(id(value))
        if found is None:
            if isinstance(value, ir.Read):
                found = value.root not in _CHANGING
            else:
                found = isinstance(value, ir.Text) or all(map(self._is_fixed, visit.children(value)))
            self._fixed[id(value)] = found
        return found

    def _once(self, value: ir.Value, point: ProgramPoint) -> Type:
        """The type of a fixed value, shared by equal templates."""
        key = (id(value), id(self.result(point.node)) if point.node is not None else 0)
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = self._of(value, point)
        return found

    def _read(self, read: ir.Read, point: ProgramPoint) -> Type:
        root, path = read.root, read.path
        if root is ir.Root.EVENT and path and path[0] in ("state", "inputs"):
            if path[0] == "state" and len(path) > 1 and path[1] in self._collected:
                return operations.at_path(join(self._key(str(path[1]), point), _STOPPED), path[2:])
            root, path = ir.Root.STATE if path[0] == "state" else ir.Root.INPUTS, path[1:]
            if root is ir.Root.STATE and path[:1] == ("step_count",):
                return INTEGER
        match root:
            case ir.Root.STATE:
                return operations.at_path(self._key(str(path[0]), point), path[1:]) if path else OBJECT
            case ir.Root.INPUTS:
                return self._input(path)
            case ir.Root.RESULT if point.node is not None:
                found = self.result(point.node)
                if path and found.closed and found.field(str(path[0])) is None:
                    return ANY  # the tool does not return it, which is reported
                return operations.at_path(join(found, SUPPRESSED) if point.failed else found, path)
            case ir.Root.ITEM if point.node is not None:
                return operations.at_path(self._item(point.node), path)
            case ir.Root.NOW:
                return STRING
            case ir.Root.TIMESTAMP:
                return INTEGER
            case ir.Root.EVENT if point.event is not None and path:
                return operations.at_path(event_field(point.event, str(path[0]), self._names), path[1:])
            case ir.Root.RUN:
                return INTEGER if path == ("step",) else STRING
            case _:
                return ANY

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """The names of all nodes."""
        return tuple(node.name for node in visit.nodes(self._graph.body))

    @cached_property
    def _collected(self) -> frozenset[str]:
        """The keys that loops collect into."""
        loops = (node for node in visit.nodes(self._graph.body) if isinstance(node, ir.ForeachNode))
        return frozenset(loop.collect for loop in loops if loop.collect is not None)

    def _input(self, path: tuple[Segment, ...]) -> Type:
        found = self._inputs.get(path)
        if found is None:
            found = self._inputs[path] = operations.at_path(self.inputs, path)
        return found

    def _key(self, key: str, point: ProgramPoint) -> Type:
        """The type of a read of a state key; a key that nothing sets is reported elsewhere and may be anything."""
        node, definitions = point.node, self._definitions
        is_own = node is not None and key in point.assigned
        if is_own and not point.failed:
            return self._joined((definitions.of(key, node),))
        reaching = definitions.every(key) if node is None else definitions.reaching(key, node)
        found = self._joined((*reaching, definitions.of(key, node)) if is_own else reaching)
        return found if node is not None and self._definite(node.name, key) else join(found, NULL)

    def _joined(self, definitions: Sequence[Definition]) -> Type:
        if self._reading is not None:
            self._reading.update(definitions)
        return join(*(self._known.get(each, ANY) for each in definitions))

    def _item(self, node: ir.Node) -> Type:
        if not isinstance(node, ir.ForeachNode):
            return ANY
        if self._reading is not None:
            return operations.items_of(self._of(node.over, ProgramPoint(node)))
        found = self._items.get(node.name)
        if found is None:
            found = self._items[node.name] = operations.items_of(self._of(node.over, ProgramPoint(node)))
        return found

    # --- the fixpoint over state keys -----------------------------------------------------------------------

    def _solve(self) -> None:
        known, definitions = self._known, self._definitions
        declared = self.declared_key
        for key, literal in self._graph.state.items():
            found = from_value(literal) if self._graph.doubt.trusts(self._graph.state_at.get(key)) else ANY
            known[definitions.of(key, None)] = _declared(found, declared(key))
        for key, kept in (("_last_error", _LAST_ERROR), ("_retries", _RETRIES)):
            known[key, None] = join(known.get((key, None), NEVER), kept)
        entries = tuple(self._entries(declared))
        for entry in entries:
            known.setdefault(entry.definition, self._initially)

        def assigned(number: int) -> tuple[Type, set[Definition]]:
            entry = entries[number]
            reading: set[Definition] = set()
            self._reading = reading
            found = _declared(self._assigned(entry.point, entry.value), declared(entry.definition[0]))
            self._reading = None
            return found, reading

        solve(known, [entry.definition for entry in entries], assigned)
        possible = {key for (key, _), found in known.items() if found.kinds}
        known.update({each: ANY for each in known if each[0] not in possible})  # nothing else assigns it

    def _entries(self, declared: Callable[[str], Type]) -> Iterator[_Entry]:
        """The assignments that depend on the state; types of the others are recorded immediately."""
        known = self._known
        for node in visit.nodes(self._graph.body):
            here = ProgramPoint(node)
            for number, entry in enumerate(node.assigns):
                definition = self._definitions.of(entry.key, node)
                value, before = entry.value, known.get(definition, self._initially)
                if before is ANY:
                    continue
                inner = value.value if isinstance(value, ir.Template) else value
                if not self._is_fixed(inner):
                    yield _Entry(definition, ProgramPoint(node, frozenset(e.key for e in node.assigns[:number])), value)
                else:
                    found = _declared(limited(self._once(inner, here)), declared(entry.key))
                    known[definition] = join(before, found)
            if isinstance(node, ir.ForeachNode) and node.collect is not None:
                yield _Entry(self._definitions.of(node.collect, node), here, None)

    def _assigned(self, point: ProgramPoint, value: ir.Value | None) -> Type:
        """The type of one assignment; a value of None is a `collect`."""
        if value is not None:
            return self._of(value, point)
        node = point.node
        if not isinstance(node, ir.ForeachNode) or node.action is None:
            return list_of(ANY)
        item = self.result(node)
        if node.action.async_exec:  # the id of the started item is collected
            started = item.field("thread_id") or item.field("graph_run_id")
            item = started.type if started is not None and started.required else ANY
        elif may_start(node.action):
            item = ANY
        if node.on_error is not None:
            item = join(item, FAILURE, NULL)
        elif self._graph.settings.on_error == "continue":
            item = join(item, FAILURE)
        return list_of(item)


def _declared(found: Type, declared: Type) -> Type:
    """A type restricted by `state_schema`; if they contradict each other, the schema takes precedence."""
    if declared is ANY or not declared.kinds or not found.kinds:
        return found
    narrowed = meet(found, declared)
    return narrowed if narrowed.kinds else declared
