"""Determines which expressions of a Python file are the inputs, the state or a result of an imported module.

libcst resolves names. A variable has the meaning of its annotation; without one, all values that are assigned to it in
its scope must have the same meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final

import libcst as cst
from libcst.metadata import Assignment, QualifiedName, QualifiedNameSource, Scope

#: Maximum length of a chain of variables that are assigned to each other.
_DEEPEST: Final = 10


class Meaning(Enum):
    """The meaning of a value. A pending one becomes a result when it is awaited."""

    INPUTS = "inputs"
    STATE = "state"
    RESULT = "result"
    PENDING = "pending"


#: The results of a module's entry points, which are functions of the module and methods of its `GRAPH`.
ENTRY_POINTS: Final = {"run": Meaning.PENDING, "run_sync": Meaning.RESULT, "events": None}
#: The functions that run the graph that is their first argument with the inputs that are their second one.
_TESTING: Final = frozenset(
    f"graphwright_runtime.testing.{name}"
    for name in ("run_scripted", "trial.run_scripted", "record", "recording.record")
)
_TYPES: Final = {"Inputs": Meaning.INPUTS, "State": Meaning.STATE, "Outcome": Meaning.RESULT}
#: Generic types of results.
_RESULTS: Final = ("RunResult", "Failed")


class Meanings:
    """Determines meanings in one file. `module` is the dotted name with which imports of the module end.

    `returns_state`: the output of the graph is its state.
    """

    def __init__(
        self,
        module: str,
        names: Mapping[cst.CSTNode, Iterable[QualifiedName]],
        scopes: Mapping[cst.CSTNode, Scope | None],
        parents: Mapping[cst.CSTNode, cst.CSTNode],
        *,
        returns_state: bool,
    ) -> None:
        self._module = module
        self._names = names
        self._scopes = scopes
        self._parents = parents
        self._attributes = ("state", "output") if returns_state else ("state",)

    def member(self, node: cst.CSTNode) -> str | None:
        """The name in the module to which an expression refers, such as `run` or `GRAPH.run`; otherwise None."""
        found = [each for each in self._resolved(node) if each.source is QualifiedNameSource.IMPORT]
        if len(found) != 1 or len(found) != len(list(self._resolved(node))):
            return None
        name = found[0].name.lstrip(".")
        module, dot, member = f".{name}".rpartition(f".{self._module}.")
        return member if dot and f".{name}" == f"{module}{dot}{member}" else None

    def imports_module(self) -> bool:
        """Whether the file imports the module or a name from it."""
        suffix = f".{self._module}"
        return any(
            f".{each.name.lstrip('.')}".endswith(suffix) or f"{suffix}." in f".{each.name.lstrip('.')}"
            for names in self._names.values()
            for each in _listed(names)
            if each.source is QualifiedNameSource.IMPORT
        )

    def entry_point(self, call: cst.Call) -> str | None:
        """The called entry point (`run`, `run_sync` or `events`); None for any other call."""
        member = self.member(call.func)
        name = None if member is None else member.removeprefix("GRAPH.")
        return name if name in ENTRY_POINTS else None

    def passed_inputs(self, call: cst.Call) -> cst.BaseExpression | None:
        """The inputs that a call passes to the graph: the first argument of an entry point, or of a test the second."""
        position = 1 if self._is_test(call) else 0 if self.entry_point(call) is not None else None
        if position is None:
            return None
        named = [each.value for each in call.args if each.keyword is not None and each.keyword.value == "inputs"]
        before = call.args[: position + 1]
        if named or len(before) <= position or any(each.star or each.keyword is not None for each in before):
            return named[0] if named else None
        return before[position].value

    def _is_test(self, call: cst.Call) -> bool:
        """Whether a function for tests is called to run the graph."""
        called = {each.name for each in self._resolved(call.func)}
        graphs = [each.value for each in call.args[:1] if each.keyword is None]
        graphs += [each.value for each in call.args if each.keyword is not None and each.keyword.value == "graph"]
        return bool(called) and called <= _TESTING and [self.member(each) for each in graphs] == ["GRAPH"]

    def annotation(self, annotation: cst.Annotation | None) -> Meaning | None:
        """The meaning of an annotation such as `Inputs`, `State`, `Outcome`, `RunResult[State, …]`; otherwise None."""
        if annotation is None:
            return None
        return self._annotated(annotation.annotation)

    def _annotated(self, expression: cst.BaseExpression) -> Meaning | None:
        if isinstance(expression, cst.Subscript):
            base = [each.name for each in self._resolved(expression.value)]
            parts = [each.slice.value for each in expression.slice if isinstance(each.slice, cst.Index)]
            if any(name.endswith(_RESULTS) for name in base) and any(self._is_state(part) for part in parts):
                return Meaning.RESULT
            return None
        return _TYPES.get(self.member(expression) or "")

    def _is_state(self, expression: cst.BaseExpression) -> bool:
        return self._annotated(expression) is Meaning.STATE

    def of(self, expression: cst.BaseExpression, depth: int = 0) -> Meaning | None:
        """The meaning of an expression; None if it is not certain."""
        if depth > _DEEPEST:
            return None
        match expression:
            case cst.Call():
                return self._of_call(expression, depth)
            case cst.Await(expression=awaited):
                return Meaning.RESULT if self.of(awaited, depth + 1) is Meaning.PENDING else None
            case cst.Attribute(value=value, attr=cst.Name(value=name)) if name in self._attributes:
                return Meaning.STATE if self.of(value, depth + 1) is Meaning.RESULT else None
            case cst.Name():
                return self._of_variable(expression, depth)
            case _:
                return None

    def _of_call(self, call: cst.Call, depth: int) -> Meaning | None:
        entry = self.entry_point(call)
        if entry is not None:
            return ENTRY_POINTS[entry]
        if self._is_test(call):
            return Meaning.RESULT
        called = {each.name for each in self._resolved(call.func)}
        if called == {"asyncio.run"} and call.args:
            return Meaning.RESULT if self.of(call.args[0].value, depth + 1) is Meaning.PENDING else None
        return _TYPES.get(self.member(call.func) or "")

    def _of_variable(self, name: cst.Name, depth: int) -> Meaning | None:
        every = [self.assigned(each) for each in self.assignments(name)]
        declared = [annotation for annotation, _ in every if annotation is not None]
        if declared:  # type checkers ensure that all assignments match it
            return self.annotation(declared[0]) if len(declared) == 1 else None
        found = {None if value is None else self.of(value, depth + 1) for _, value in every}
        return found.pop() if len(found) == 1 else None

    def assignments(self, name: cst.Name) -> list[cst.CSTNode]:
        """The nodes that assign to a variable in its scope."""
        scope = self._scopes.get(name)
        return [] if scope is None else [each.node for each in scope[name.value] if isinstance(each, Assignment)]

    def assigned(self, node: cst.CSTNode) -> tuple[cst.Annotation | None, cst.BaseExpression | None]:
        """The annotation and the value of an assignment to a single name; otherwise None for both."""
        parent = self._parents.get(node)
        match node, parent:
            case cst.Param(annotation=annotation), _:
                return annotation, None
            case _, cst.Param(name=name, annotation=annotation) if name is node:
                return annotation, None
            case _, cst.AnnAssign(target=target, annotation=annotation, value=value) if target is node:
                return annotation, value
            case _, cst.AssignTarget():
                statement = self._parents.get(parent) if parent is not None else None
                return None, statement.value if isinstance(statement, cst.Assign) else None
            case _:
                return None, None

    def _resolved(self, node: cst.CSTNode) -> list[QualifiedName]:
        return _listed(self._names.get(node, ()))


def _listed(names: object) -> list[QualifiedName]:
    """A list of qualified names, which libcst may compute lazily."""
    found = names() if callable(names) else names
    return [each for each in found if isinstance(each, QualifiedName)] if isinstance(found, Iterable) else []
