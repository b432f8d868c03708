"""Emits edges as functions of the module, if there are many or they are needed after both success and an error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from graphwright import ir
from graphwright.emit import routes
from graphwright.emit.blocks import statement
from graphwright.emit.model import Function
from graphwright.emit.routes import Step
from graphwright.emit.scope import Frame, FunctionScope

#: Maximum number of edges in one function; type checkers give up on longer ones.
MAX_EDGES: Final = 100

#: Returned by a function for some of the edges if none of them matches; no node has this name.
_NO_MATCH: Final = ""


class Cursors(Protocol):
    """The annotation of the cursor of functions of a node; `whole` if they read the state."""

    def __call__(self, *, whole: bool) -> str: ...


class EdgeFunctions(NamedTuple):
    """Functions that find the next node; the last one is called. `frame` is what they need of the node."""

    functions: tuple[Function, ...]
    frame: Frame

    @property
    def assigned(self) -> dict[str, str]:
        """The locals of the node that are passed to the function, by state key."""
        return self.frame.assigned

    def call(self, values: Iterable[str]) -> str:
        """A call, given the values for `assigned`."""
        return _call(self.functions[-1].name, self.frame, values)


def edge_functions(
    node: ir.Node, outer: FunctionScope, name: str, cursor: Cursors, *, forgiving: bool
) -> tuple[list[Step], EdgeFunctions | None]:
    """The edges of a node and the functions for them; None if there is only one edge.

    `forgiving`: see `steps`.
    """
    groups: list[tuple[list[Step], FunctionScope]] = []
    for start in range(0, len(node.edges), MAX_EDGES):
        scope = outer.beside()
        groups.append((routes.steps(node.edges[start : start + MAX_EDGES], scope, forgiving=forgiving), scope))
        if groups[-1][0] and groups[-1][0][-1].condition is None:
            break
    found = routes.complete([step for steps, _ in groups for step in steps], node)
    if len(found) == 1:
        return found, None
    annotation = cursor(whole=any(scope.frame.state for _, scope in groups))
    if len(groups) == 1:
        scope = groups[0][1]
        return found, EdgeFunctions((_function(name, found, scope, annotation),), scope.frame)
    return found, _in_groups(groups, found[-1], name, annotation)


def _in_groups(groups: list[tuple[list[Step], FunctionScope]], default: Step, name: str, cursor: str) -> EdgeFunctions:
    """One function for each group of edges, and one that calls them in turn."""
    functions: list[Function] = []
    frame = Frame()
    calls: list[str] = []
    for number, (found, scope) in enumerate(groups, 1):
        asked = [step for step in found if step.condition is not None]
        if not asked:
            continue
        asked.append(Step(_NO_MATCH, None, (), asked[-1].line))
        functions.append(_function(f"{name}_{number}", asked, scope, cursor))
        calls.append(_call(functions[-1].name, scope.frame, scope.frame.assigned.values()))
        frame.cursor |= scope.frame.cursor
        frame.state |= scope.frame.state
        frame.result |= scope.frame.result
        frame.assigned.update(scope.frame.assigned)
    scope = groups[0][1]
    body = statement(scope, f"return {' or '.join([*calls, routes.shown(default.target)])}", default.line)
    every = [step for found, _ in groups for step in found]
    returns = routes.literal_type(routes.targets([*every, default]), scope)
    functions.append(Function(name, _arguments(frame, scope, cursor), returns, tuple(body)))
    return EdgeFunctions(tuple(functions), frame)


def _function(name: str, found: list[Step], scope: FunctionScope, cursor: str) -> Function:
    """The function for edges that were emitted in `scope`."""
    frame = scope.frame
    body: list[str] = []
    for wanted, member in ((frame.state, "state"), (frame.inputs, "inputs")):
        if wanted:
            body += statement(scope, f"{member} = {scope.cursor}.{member}", found[0].line)
    body += routes.early_returns(found, scope)
    return Function(
        name, _arguments(frame, scope, cursor), routes.literal_type(routes.targets(found), scope), tuple(body)
    )


def _arguments(frame: Frame, scope: FunctionScope, cursor: str) -> str:
    arguments = [f"c: {cursor}"] * frame.cursor
    if frame.result:
        arguments.append(f"result: {scope.uses.runtime('Result')}")
    return ", ".join([*arguments, *(f"{local}: object" for local in frame.assigned.values())])


def _call(name: str, frame: Frame, values: Iterable[str]) -> str:
    return f"{name}({', '.join([*['c'] * frame.cursor, *['result'] * frame.result, *values])})"
