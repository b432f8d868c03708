"""The state of emitting one Python function: its names, what it reads, and the functions that it needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from graphwright import ir
from graphwright.emit.abi import IMPORTABLE
from graphwright.emit.code import Code, call
from graphwright.emit.knowledge import Knowledge
from graphwright.emit.literals import quoted
from graphwright.emit.uses import Uses
from graphwright.names import Namespace, identifier

#: Names with a fixed meaning in node functions, which are never used for state keys.
FIXED: Final = frozenset({"action", "assign", "c", "error", "event", "inputs", "params", "result", "state", "target"})

#: Names that locals must not have: the fixed names, and everything that a module may import.
TAKEN: Final = FIXED.union(*IMPORTABLE.values())


class OutlinedPart(NamedTuple):
    """A part of an expression that became a separate function, because it was nested too deeply."""

    name: str
    returns: str
    code: Code


class Frame:
    """The parts of the cursor that one top-level function, including its inner functions, needs.

    `assigned` are the locals that it reads, by state key.
    """

    def __init__(self) -> None:
        self.state = False
        self.inputs = False
        self.result = False
        self.cursor = False
        self.assigned: dict[str, str] = {}


class FunctionScope:
    """The names of one function.

    `node` is None in a hook on `event`, whose argument contains everything that can be read. `keys` are the state keys
    that the node reads (True: certainly assigned), shared by all functions of the node. `locals` are the keys that the
    function has assigned before, `item` is the loop variable.
    """

    def __init__(
        self, uses: Uses, knowledge: Knowledge, node: ir.Node | None, names: Namespace, event: str | None = None
    ) -> None:
        self.uses = uses
        self.knowledge = knowledge
        self.node = node
        self.names = names
        self.event = event
        self.frame = Frame()
        self.keys: dict[str, bool] = {}
        self.locals: dict[str, str] = {}
        self.item: str | None = None
        self.parts: list[OutlinedPart] = []

    def inner(self) -> FunctionScope:
        """The scope of an inner function, which can use the names of this one."""
        scope = self.beside()
        scope.frame = self.frame
        return scope

    def beside(self) -> FunctionScope:
        """The scope of another function of the same node, which receives the locals that it reads as arguments."""
        scope = FunctionScope(self.uses, self.knowledge, self.node, self.names, self.event)
        scope.keys = self.keys
        scope.locals = dict(self.locals)
        scope.item = self.item
        return scope

    def local(self, key: str) -> str:
        """A name for the value that this function assigns to a key."""
        return self.names.claim(identifier(key))

    @property
    def cursor(self) -> str:
        """The cursor; records that the function needs it."""
        self.frame.cursor = True
        return "c"

    def outlined(self, code: Code, returns: str) -> Code:
        """A call of a new function that returns `code`."""
        name = self.names.claim(f"part_{len(self.parts) + 1}")
        self.parts.append(OutlinedPart(name, returns, code))
        return call(name, ())

    def take_parts(self) -> list[OutlinedPart]:
        """The parts that the last expressions need, to be defined before the statement that uses them."""
        parts, self.parts = self.parts, []
        return parts

    # --- paths --------------------------------------------------------------------------------------------

    def read(self, read: ir.Read) -> Code:
        """The value at a path; null if it does not exist."""
        match read.root:
            case ir.Root.STATE:
                return self._state(read.path)
            case ir.Root.INPUTS:
                return self._inputs(read.path)
            case ir.Root.RESULT:
                self.frame.result = True
                return self._result(read.path)
            case ir.Root.ITEM if self.item is not None:
                return self._at(Code(self.item), read.path)
            case ir.Root.EVENT:
                return self._at(Code("event"), read.path)
            case ir.Root.NOW:
                return self._at(self._host("_now", "now()"), read.path)
            case ir.Root.TIMESTAMP:
                return self._at(self._host("_timestamp", "timestamp()"), read.path)
            case ir.Root.RUN if read.path and read.path[0] in ("id", "graph_id", "step"):
                step = str(read.path[0])
                return self._at(self._host("_run", step if step != "id" else "run_id", step), read.path[1:])
            case _:
                return Code("None")

    def state_key(self, key: str) -> Code:
        """The value of a state key before the assigns of this node."""
        self.frame.state = True
        if not key:  # not in the type of the state
            return self._at(Code("state"), (key,))
        definite = self.node is not None and self.knowledge.is_definite(self.node, key)
        self.keys[key] = definite
        return Code(f"state[{quoted(key)}]" if definite else f"state.get({quoted(key)})", depth=1)

    def _state(self, path: tuple[str | int, ...]) -> Code:
        if path and isinstance(path[0], str):
            local = self.locals.get(path[0])
            if local is None:
                return self._at(self.state_key(path[0]), path[1:])
            self.frame.assigned[path[0]] = local
            return self._at(Code(local), path[1:])
        self.frame.state = True
        self.frame.assigned.update(self.locals)
        entries = ["**state", *(f"{quoted(key)}: {name}" for key, name in self.locals.items())]
        return self._at(Code(f"{{{', '.join(entries)}}}", depth=1), path)

    def _inputs(self, path: tuple[str | int, ...]) -> Code:
        self.frame.inputs = True
        if not path or not isinstance(path[0], str):
            return self._at(Code("{**inputs}", depth=1), path)
        known = self.knowledge.inputs.get(path[0])
        if known is None and self.knowledge.inputs:
            return self._at(Code("inputs"), path)
        key = quoted(path[0])
        present = known is not None and known.required
        return self._at(Code(f"inputs[{key}]" if present else f"inputs.get({key})", depth=1), path[1:])

    def _result(self, path: tuple[str | int, ...]) -> Code:
        if len(path) == 1 and isinstance(path[0], str):
            return Code(f"result.get({quoted(path[0])})", depth=1)
        if not path:
            return Code("result.copy()", depth=1)
        return self._at(Code("result"), path)

    def _host(self, context: str, member: str, step: str | None = None) -> Code:
        """A value from the host: from the cursor in a node, from the event's context in a hook."""
        if self.node is None:
            return self._at(Code("event"), (context,) if step is None else (context, step))
        return Code(f"{self.cursor}.{member}", depth=1)

    def _at(self, base: Code, path: Iterable[str | int]) -> Code:
        steps = [Code(quoted(step) if isinstance(step, str) else repr(step)) for step in path]
        return call(self.uses.runtime("at"), (base, *steps)) if steps else base
