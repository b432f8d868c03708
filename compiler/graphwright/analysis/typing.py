"""The types of a graph's state, inputs, results and values.

State is typed without regard to the flow: a key has the join of everything that is ever assigned to it, which is
sound wherever it is read. Whether it can still be unassigned there, and so null, is asked of `assignment.py`
through `definite`. The fixpoint goes over keys: an assign is looked at again when a key that it reads has changed,
and a key that keeps changing is widened, so the cost stays near linear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from graphwright import ir
from graphwright.analysis import operations
from graphwright.analysis.bounds import UNBOUNDED, Bounds, bounds_at, schemas_at
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
from graphwright.analysis.symbols import resolve
from graphwright.analysis.tools import BUILTIN, FAILURE, SUPPRESSED, Contracts, Results
from graphwright.expr.nodes import Segment
from graphwright.ir import visit
from graphwright.model import UNKNOWN_NAME
from graphwright.record import Record
from graphwright.schema.types import from_schema

#: What can be different each time a node is run.
_CHANGING: Final = frozenset({ir.Root.STATE, ir.Root.ITEM, ir.Root.EVENT})

_LAST_ERROR: Final = object_of({"node": Field(STRING, True), "error": Field(STRING, True)})
_RETRIES: Final = object_of({}, others=INTEGER)

#: What is collected of a loop that ends the run: nodes never see it, hooks do.
_STOPPED: Final = list_of(join(OBJECT, FAILURE, NULL))


class Scope(Record):
    """A place where values are resolved: a node (None: a hook, on this `event`) and what it has done so far.

    `assigned`: the keys that the node itself has just set. `failed`: its action may have failed under the policy
    `continue`, so that `result` may be the error and `assigned` does not count.
    """

    node: ir.Node | None
    assigned: frozenset[str] = frozenset()
    failed: bool = False
    event: str | None = None


class _Entry(Record):
    """One assignment to a key whose type depends on the state: an `assign` with its scope, or a `collect`."""

    key: str
    scope: Scope
    value: ir.Value | None


class Types:
    """Types of one graph. `definite` tells whether a state key is surely assigned when a node begins."""

    def __init__(
        self,
        graph: ir.Graph,
        *,
        definite: Callable[[str, str], bool] | None = None,
        contracts: Contracts = BUILTIN.get,
    ) -> None:
        self._graph = graph
        self._definite = definite or (lambda _node, key: key in graph.state)
        self._results = Results(contracts)
        self._items: dict[str, Type] = {}
        self._inputs: dict[tuple[Segment, ...], Type] = {}
        self._bounds: dict[tuple[Segment, ...], Bounds] = {}
        self._leaving: dict[str, Scope] = {}
        self._fixed: dict[int, bool] = {}
        self._shared: dict[tuple[int, int], Type] = {}
        self._known: dict[str, Type] = {}
        self._initially = ANY if UNKNOWN_NAME in graph.state else NEVER  # what the initial state makes of a key
        self._reading: set[str] | None = None

    # --- what others ask ------------------------------------------------------------------------------------

    @cached_property
    def state(self) -> Mapping[str, Type]:
        """Every key that can be assigned, `_last_error` and `_retries` included, with the join of its values.

        Not being assigned yet is not part of the type.
        """
        self._solve()
        return self._known

    @cached_property
    def inputs(self) -> Type:
        """The inputs as nodes see them: checked, defaults filled in."""
        if self._graph.inputs_schema is None:
            return OBJECT
        found = meet(from_schema(self._graph.inputs_schema), OBJECT)
        return found if found.kinds else OBJECT

    @cached_property
    def listed_inputs(self) -> Type:
        """The inputs as their author means them: where properties are listed, there are no others."""
        if self._graph.inputs_schema is None:
            return OBJECT
        return from_schema(self._graph.inputs_schema, listed_only=True)

    @cached_property
    def declared_state(self) -> Type:
        """What `state_schema` says."""
        if self._graph.state_schema is None:
            return OBJECT
        return meet(from_schema(self._graph.state_schema, fills=False), OBJECT)

    def declared_key(self, key: str) -> Type:
        """What `state_schema` says of a key; what enters the state is checked to be so."""
        field = self.declared_state.field(key)
        return self.declared_state.others if field is None else field.type

    def of(self, value: ir.Value, place: ir.Node | Scope | None) -> Type:
        """The type of a value; `NEVER` where resolving it always fails.

        `place`: a node stands for its beginning (action, `over`, output), see `assigning` and `leaving` for what
        comes later; None for a hook.
        """
        scope = place if isinstance(place, Scope) else Scope(place)
        _ = self.state
        return self._of(value, scope)

    def is_declared(self, read: ir.Read) -> bool:
        """Whether the type of a path is declared, in `config_schema` or `state_schema`, or by the language."""
        root, path = resolve(read)
        if root is not ir.Root.STATE:
            return root in (ir.Root.INPUTS, ir.Root.EVENT)
        return bool(path) and str(path[0]) in self.declared_state.field_map

    @cached_property
    def reassigned(self) -> frozenset[str]:
        """The keys of the state that nodes set; the others keep the value that `config.state` gives them."""
        return frozenset(key for node in visit.nodes(self._graph.body) for key, _ in visit.keys_set(node))

    def bounds(self, read: ir.Read) -> Bounds:
        """What `config_schema` limits the numbers at a path to."""
        if read.root is not ir.Root.INPUTS:
            return UNBOUNDED
        found = self._bounds.get(read.path)
        if found is None:
            found = self._bounds[read.path] = bounds_at(self._graph.inputs_schema, read.path)
        return found

    def allows(self, path: Sequence[Segment], value: object) -> bool:
        """Whether `config_schema` allows a scalar at a path of the inputs; null stands for what is absent."""
        document = self._graph.inputs_schema
        if value is None or not isinstance(value, bool | int | float | str):
            return True
        from graphwright.schema.evaluation import violation  # few conditions compare inputs with constants

        return all(violation(value, schema, document) is None for schema in schemas_at(document, path))

    def assigning(self, node: ir.Node) -> Iterator[tuple[ir.Assign, Scope]]:
        """The node's assigns, each with the scope that its value is resolved in."""
        assigned = frozenset[str]()
        for entry in node.assigns:
            yield entry, Scope(node, assigned)
            assigned |= {entry.key}

    def leaving(self, node: ir.Node) -> Scope:
        """The scope of the conditions of the node's edges."""
        found = self._leaving.get(node.name)
        if found is None:
            found = self._leaving[node.name] = self._left(node)
        return found

    def _left(self, node: ir.Node) -> Scope:
        if not isinstance(node, ir.ForeachNode):
            return Scope(node, frozenset([entry.key for entry in node.assigns]), self.can_be_suppressed(node))
        collected, over = node.collect, node.over
        collects = is_list(over, self.of(over, node)) and collects_surely(self._graph, node)
        may_lack = self.can_be_suppressed(node) and not collects
        return Scope(node, frozenset() if collected is None or may_lack else frozenset((collected,)))

    def can_be_suppressed(self, node: ir.Node) -> bool:
        """Whether the graph goes on along this node's edges after it has failed."""
        return self._graph.settings.on_error == "continue" and isinstance(node, ir.RoutedNode) and node.on_error is None

    def result(self, node: ir.Node) -> Type:
        """What the node's action returns on success, unwrapped."""
        return self._results.of(node.action) if isinstance(node, ir.CallingNode) and node.action is not None else NULL

    def item(self, node: ir.Node) -> Type:
        """What the variable of a foreach holds."""
        _ = self.state
        return self._item(node)

    def collected(self, node: ir.Node) -> Type:
        """The list that a foreach collects."""
        _ = self.state
        return self._assigned(Scope(node), None)

    # --- values ---------------------------------------------------------------------------------------------

    def _of(self, value: ir.Value, scope: Scope) -> Type:
        match value:
            case ir.Template(value=inner):
                fixed = not scope.failed and self._is_fixed(inner)
                return self._once(inner, scope) if fixed else self._of(inner, scope)
            case ir.Read() | ir.Pipe() | ir.Const() if not self._graph.doubt.trusts(value):
                return ANY
            case ir.Read():
                return self._read(value, scope)
            case ir.Const(constant):
                return from_value(constant)
            case ir.Text():
                return STRING
            case ir.FirstOf(operands):
                return operations.fallback([self._of(operand, scope) for operand in operands])
            case ir.Arithmetic(operator, left, right):
                return operations.arithmetic(operator, self._of(left, scope), self._of(right, scope))
            case ir.Negative(operand):
                return operations.negative(self._of(operand, scope))
            case ir.Pipe(name, operand, arguments):
                return operations.pipe(name, self._of(operand, scope), [self._of(given, scope) for given in arguments])
            case ir.ListOf(items):
                return list_of(join(*(self._of(item, scope) for item in items)))
            case ir.MapOf(entries) if len(entries) > MAX_FIELDS:
                return OBJECT
            case ir.MapOf(entries):
                return object_of({key: Field(self._of(entry, scope), True) for key, entry in entries})

    def _is_fixed(self, value: ir.Value) -> bool:
        """Whether a value reads neither state nor loop variables, so that its type hangs on the result's at most."""
        found = self._fixed.get(id(value))
        if found is None:
            if isinstance(value, ir.Read):
                found = value.root not in _CHANGING
            else:
                found = isinstance(value, ir.Text) or all(map(self._is_fixed, visit.children(value)))
            self._fixed[id(value)] = found
        return found

    def _once(self, value: ir.Value, scope: Scope) -> Type:
        """The type of a fixed value; templates of equal text share theirs."""
        key = (id(value), id(self.result(scope.node)) if scope.node is not None else 0)
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = self._of(value, scope)
        return found

    def _read(self, read: ir.Read, scope: Scope) -> Type:
        root, path = read.root, read.path
        if root is ir.Root.EVENT and path and path[0] in ("state", "inputs"):
            if path[0] == "state" and len(path) > 1 and path[1] in self._collected:
                return operations.at_path(join(self._key(str(path[1]), scope), _STOPPED), path[2:])
            root, path = ir.Root.STATE if path[0] == "state" else ir.Root.INPUTS, path[1:]
            if root is ir.Root.STATE and path[:1] == ("step_count",):
                return INTEGER
        match root:
            case ir.Root.STATE:
                return operations.at_path(self._key(str(path[0]), scope), path[1:]) if path else OBJECT
            case ir.Root.INPUTS:
                return self._input(path)
            case ir.Root.RESULT if scope.node is not None:
                found = self.result(scope.node)
                return operations.at_path(join(found, SUPPRESSED) if scope.failed else found, path)
            case ir.Root.ITEM if scope.node is not None:
                return operations.at_path(self._item(scope.node), path)
            case ir.Root.NOW:
                return STRING
            case ir.Root.TIMESTAMP:
                return INTEGER
            case ir.Root.EVENT if scope.event is not None and path:
                return operations.at_path(event_field(scope.event, str(path[0]), self._names), path[1:])
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

    def _key(self, key: str, scope: Scope) -> Type:
        """What reading a state key gives; a key that nobody sets is reported elsewhere and may be anything."""
        if self._reading is not None:
            self._reading.add(key)
        found = self._known.get(key, ANY)
        if key in scope.assigned and not scope.failed:
            return found
        if scope.node is not None and self._definite(scope.node.name, key):
            return found
        return join(found, NULL)

    def _item(self, node: ir.Node) -> Type:
        if not isinstance(node, ir.ForeachNode):
            return ANY
        if self._reading is not None:
            return operations.items_of(self._of(node.over, Scope(node)))
        found = self._items.get(node.name)
        if found is None:
            found = self._items[node.name] = operations.items_of(self._of(node.over, Scope(node)))
        return found

    # --- the fixpoint over state keys -----------------------------------------------------------------------

    def _solve(self) -> None:
        known = self._known
        declared = self.declared_key
        for key, literal in self._graph.state.items():
            found = from_value(literal) if self._graph.doubt.trusts(self._graph.state_at.get(key)) else ANY
            known[key] = _declared(found, declared(key))
        for key, kept in (("_last_error", _LAST_ERROR), ("_retries", _RETRIES)):
            known[key] = join(known.get(key, NEVER), kept)
        entries = tuple(self._entries(declared))
        for entry in entries:
            known.setdefault(entry.key, self._initially)

        def assigned(number: int) -> tuple[Type, set[str]]:
            entry = entries[number]
            reading: set[str] = set()
            self._reading = reading
            found = _declared(self._assigned(entry.scope, entry.value), declared(entry.key))
            self._reading = None
            return found, reading

        solve(known, [entry.key for entry in entries], assigned)
        known.update({key: ANY for key, found in known.items() if not found.kinds})  # nothing assigns it but itself

    def _entries(self, declared: Callable[[str], Type]) -> Iterator[_Entry]:
        """The assignments that depend on the state; what the others assign is noted at once."""
        known = self._known
        for node in visit.nodes(self._graph.body):
            here = Scope(node)
            for number, entry in enumerate(node.assigns):
                value, before = entry.value, known.get(entry.key, self._initially)
                if before is ANY:
                    continue
                inner = value.value if isinstance(value, ir.Template) else value
                if not self._is_fixed(inner):
                    yield _Entry(entry.key, Scope(node, frozenset(e.key for e in node.assigns[:number])), value)
                else:
                    found = _declared(limited(self._once(inner, here)), declared(entry.key))
                    known[entry.key] = join(before, found)
            if isinstance(node, ir.ForeachNode) and node.collect is not None:
                yield _Entry(node.collect, here, None)

    def _assigned(self, scope: Scope, value: ir.Value | None) -> Type:
        """The type of one assignment; a value of None is a `collect`."""
        if value is not None:
            return self._of(value, scope)
        node = scope.node
        if not isinstance(node, ir.ForeachNode) or node.action is None:
            return list_of(ANY)
        item = ANY if node.action.async_exec else self.result(node)
        if node.on_error is not None:
            item = join(item, FAILURE, NULL)
        elif self._graph.settings.on_error == "continue":
            item = join(item, FAILURE)
        return list_of(item)


def _declared(found: Type, declared: Type) -> Type:
    """What `state_schema` leaves of a type; where they contradict each other, the schema is right."""
    if declared is ANY or not declared.kinds or not found.kinds:
        return found
    narrowed = meet(found, declared)
    return narrowed if narrowed.kinds else declared
