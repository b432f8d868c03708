"""Emits the function of a node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from graphwright import ir
from graphwright.emit import routes
from graphwright.emit.assigns import assigned, commit_text
from graphwright.emit.blocks import action_code, call_options, call_text, statement
from graphwright.emit.code import Code
from graphwright.emit.displays import declaration
from graphwright.emit.edges import EdgeFunctions, edge_functions
from graphwright.emit.expressions import declared_code, params_code, value_code
from graphwright.emit.foreach import loop
from graphwright.emit.knowledge import Knowledge
from graphwright.emit.model import NodeCode, Structure, marked
from graphwright.emit.prose import plain
from graphwright.emit.routes import Step
from graphwright.emit.scope import TAKEN, FunctionScope
from graphwright.emit.types import Annotations
from graphwright.emit.uses import Uses
from graphwright.names import Namespace
from graphwright.record import Record


class EmitContext(Record):
    """The context for all nodes. `functions`, `views`: names by node; `inputs`: the type of a cursor's inputs."""

    graph: ir.Graph
    knowledge: Knowledge
    uses: Uses
    types: Annotations
    functions: Mapping[str, str]
    views: Mapping[str, str]
    inputs: str


def node_code(node: ir.Node, context: EmitContext) -> NodeCode:
    """The parts of a node's function."""
    return _Writer(node, context).write()


class _Writer:
    """Emits the parts of one node in the order of execution, because later ones use what earlier ones define."""

    def __init__(self, node: ir.Node, context: EmitContext) -> None:
        self.node = node
        self.context = context
        self.scope = FunctionScope(context.uses, context.knowledge, node, Namespace(TAKEN))
        self.line = node.name_at.start_mark.line + 1
        self.returns_nothing = False

    def write(self) -> NodeCode:
        node, scope = self.node, self.scope
        definitions, call, assigns, delta = self._work()
        found, edges = self._edges()
        commit = statement(scope, commit_text(delta), self.line) if delta else []
        fallible = bool(call or assigns or len(found) > 1) and isinstance(node, ir.RoutedNode)
        successors = routes.targets(found)
        if fallible and node.on_error is not None:
            successors.append(node.on_error.target)
        self.returns_nothing = successors == [None]
        collects = isinstance(node, ir.ForeachNode)  # before its edges are chosen
        route, leave = self._way(found, edges, apart=bool(commit) and not collects)
        rescue = self._rescue(found, edges) if fallible else []
        if not (call or assigns or route or commit or leave):
            leave = statement(scope, "return None", self.line)
        if isinstance(node, ir.ActionNode) and (scope.frame.result or (edges is not None and edges.frame.result)):
            call[-1] = f"result = {call[-1]}"
            if edges is not None and edges.frame.result and rescue and node.on_error is None:
                empty = f"result: {scope.uses.runtime('Result')} = {{}}"
                definitions = [*definitions, *statement(scope, empty, self.line)]
        view = self._view()
        return NodeCode(
            kind=node.kind,
            place=plain(f"{self.context.graph.path}:{self.line}"),
            function=self.context.functions[node.name],
            view=view,
            cursor=self._cursor(whole=scope.frame.state or (edges is not None and edges.frame.state)),
            returns=routes.literal_type(successors, scope),
            setup=(*self._members(), *definitions),
            body=(*call, *commit, *route, *leave) if collects else (*call, *assigns, *route, *commit, *leave),
            rescue=tuple(rescue),
            edges=edges.functions if edges is not None else (),
        )

    def _work(self) -> tuple[list[str], list[str], list[str], list[tuple[str, str]]]:
        """The inner functions, the call, the assigns, and the delta to commit."""
        node, scope = self.node, self.scope
        delta: list[tuple[str, str]] = []
        match node:
            case ir.ReturnNode():
                return [], self._finish(node), [], delta
            case ir.ForeachNode():
                definitions, call, delta = loop(node, scope, keep_going=self._passes_over)
                return definitions, call, [], delta
            case ir.ActionNode():
                call = self._call(node)
                return [], call, assigned(node, scope, delta), delta
            case ir.GateNode():
                return [], [], assigned(node, scope, delta), delta
            case _:
                assert_never(node)

    def _finish(self, node: ir.ReturnNode) -> list[str]:
        """The end of the run, with the output of the return node if it has one."""
        scope = self.scope
        if node.fails:
            return self._fail(node)
        if node.output is None:
            return statement(scope, "c.finish()", self.line)
        line = self.line if node.output_at is None else node.output_at.start_mark.line + 1
        if self.context.knowledge.declarations.is_output_proved(node):
            return statement(scope, f"c.finish({value_code(node.output, scope).text})", line)
        code = declared_code(node.output, scope)
        local = scope.local("output")
        check = f'{scope.uses.checks.of_output()}({local}, "output", {scope.uses.runtime("misfit")})'
        lines = statement(scope, f"{local}{declaration(code)} = {code.text}", line)
        return [*lines, marked(check, line), marked(f"c.finish({local})", line)]

    def _fail(self, node: ir.ReturnNode) -> list[str]:
        """The end of the run with an error."""
        error = Code("None") if node.error is None else value_code(node.error, self.scope)
        output = [] if node.output is None else [value_code(node.output, self.scope)]
        at = node.error_at or node.output_at or node.name_at
        arguments = () if node.error is None and node.output is None else (error, *output)
        return statement(self.scope, call_text("c.fail", arguments, []), at.start_mark.line + 1)

    def _call(self, node: ir.ActionNode) -> list[str]:
        action = node.action
        if action is None:
            raise ValueError(f"action node {node.name!r} has no action")
        arguments = (action_code(action, self.scope), params_code(action.params, self.scope))
        options = call_options(node)
        text = call_text("c.call_with" if options else "c.call", arguments, options)
        return statement(self.scope, f"await {text}", action.at.start_mark.line + 1)

    # --- the way out --------------------------------------------------------------------------------------

    @property
    def _passes_over(self) -> bool:
        """Whether the graph continues along the node's edges when it fails."""
        return self.context.graph.settings.on_error == "continue" and self.node.on_error is None

    def _edges(self) -> tuple[list[Step], EdgeFunctions | None]:
        """The edges, and a function for them if there are many or they are needed twice."""
        node = self.node
        conditional = any(edge.when is not None for edge in node.edges)
        if not conditional or (len(node.edges) <= routes.MAX_CHAIN and not self._passes_over):
            return routes.complete(routes.steps(node.edges, self.scope), node), None
        name = f"_edges_{self.context.functions[node.name]}"
        return edge_functions(node, self.scope, name, self._cursor, forgiving=self._passes_over)

    def _way(self, found: list[Step], edges: EdgeFunctions | None, *, apart: bool) -> tuple[list[str], list[str]]:
        """The code that finds the next node, and the code that returns it; combined if there is nothing to commit."""
        scope = self.scope
        if edges is not None:
            call = edges.call(edges.assigned.values())
            if not apart:
                return [], statement(scope, f"return {call}", self.line)
            return statement(scope, f"target = {call}", self.line), statement(scope, "return target", self.line)
        if len(found) > 1 and not apart:
            return [], routes.direct(found, scope)
        if len(found) > 1:
            return routes.assignment(found, scope), statement(scope, "return target", self.line)
        if self.returns_nothing:
            return [], []
        return [], statement(scope, f"return {routes.shown(found[0].target)}", found[0].line)

    def _rescue(self, found: list[Step], edges: EdgeFunctions | None) -> list[str]:
        """The statements after `except NodeError as error`; empty if an error ends the run."""
        node, scope = self.node, self.scope
        if node.on_error is not None:
            at = node.on_error.target_at.start_mark.line + 1
            text = f"return {routes.shown(node.on_error.target)}"
            return [*statement(scope, "await c.failed(error)", self.line), *statement(scope, text, at)]
        if not self._passes_over:
            return []
        if edges is None:
            lines = statement(scope, "await c.suppressed(error)", self.line)
            return lines if self.returns_nothing else [*lines, *self._way(found, None, apart=False)[1]]
        passed_over = (
            "result = await c.suppressed(error, result)" if edges.frame.result else "await c.suppressed(error)"
        )
        lines = statement(scope, passed_over, self.line)
        before = [scope.state_key(key).text for key in edges.assigned]
        return [*lines, *statement(scope, f"return {edges.call(before)}", self.line)]

    # --- types --------------------------------------------------------------------------------------------

    def _members(self) -> list[str]:
        """Locals for the members of the cursor that are used."""
        frame, lines = self.scope.frame, list[str]()
        for wanted, member in ((frame.state, "state"), (frame.inputs, "inputs")):
            if wanted:
                lines += statement(self.scope, f"{member} = c.{member}", self.line)
        return lines

    def _view(self) -> Structure | None:
        """The TypedDict of the state keys that the node reads; None if it reads none."""
        types = self.context.types
        fields: list[tuple[str, str]] = []
        for key, definite in self.scope.keys.items():
            annotation = types.plain(self.context.knowledge.key_type(key))
            fields.append((key, annotation if definite else types.optional(annotation)))
        return types.laid_out(self.context.views[self.node.name], fields) if fields else None

    def _cursor(self, *, whole: bool) -> str:
        """The annotation of a cursor, by the keys that were read so far; if there are none: `whole` reads the state."""
        uses = self.context.uses
        if self.scope.keys:
            name = self.context.views[self.node.name]
        else:
            name = f"{uses.collections('Mapping')}[str, object]" if whole else "object"
        return f"{uses.runtime('Cursor')}[{name}, {self.context.inputs}]"
