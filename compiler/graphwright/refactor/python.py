"""Finds the key of a generated module in Python code, and renames it.

Only certain uses are changed: subscripts of a result's state, dicts that are passed as inputs, `Inputs(…)`. All other
strings and arguments with that name, in a file that imports the module, must be checked manually.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst
from libcst.metadata import (
    CodeRange,
    MetadataWrapper,
    ParentNodeProvider,
    PositionProvider,
    QualifiedNameProvider,
    ScopeProvider,
)

from graphwright.diagnostic import Edit, Span
from graphwright.refactor.key import Key, Occurrences, Uncertain
from graphwright.refactor.meaning import Meaning, Meanings

#: Methods of mappings whose first argument is a key.
_BY_KEY: Final = frozenset({"get", "pop", "setdefault"})
_WHY: Final = "may mean the same"
_INVALID: Final = "this file cannot be parsed as Python, so it was not searched"


def python_occurrences(
    path: str, text: str, module: str, key: Key, new: str, *, returns_state: bool
) -> Occurrences | None:
    """The edits in a Python file; None if it neither imports the module nor mentions its name.

    `path` is the path in messages. `module` is the dotted name with which imports of the module end. `returns_state`:
    the output of the graph is its state.
    """
    try:
        wrapper = MetadataWrapper(cst.parse_module(text))
        positions = wrapper.resolve(PositionProvider)
        meanings = Meanings(
            module,
            wrapper.resolve(QualifiedNameProvider),
            wrapper.resolve(ScopeProvider),
            wrapper.resolve(ParentNodeProvider),
            returns_state=returns_state,
        )
    except (cst.ParserSyntaxError, RecursionError):
        return Occurrences((), (Uncertain(Span(path, 1, 1, 1, 1), _INVALID),)) if module in text else None
    if not meanings.imports_module() and module not in text:
        return None
    finder = _Finder(meanings, key, new)
    wrapper.module.visit(finder)
    finder.possible.clear()
    wrapper.module.visit(finder)  # again, now that the variables that are passed as inputs are known
    certain = {id(node): node for node in finder.certain}
    edits = [Edit(_span(path, positions[node]), _written(node, new)) for node in certain.values()]
    left = [_span(path, positions[node]) for node in finder.possible if id(node) not in certain]
    return Occurrences.of(sorted(edits, key=lambda edit: edit.span), (Uncertain(span, _WHY) for span in sorted(left)))


def _written(node: cst.CSTNode, new: str) -> str:
    """The new name as a string in the same quotes, or as the name of an argument."""
    if isinstance(node, cst.SimpleString):
        return f"{node.prefix}{node.quote}{new}{node.quote}"
    return new


def _span(path: str, place: object) -> Span:
    if not isinstance(place, CodeRange):
        raise TypeError("libcst gives every node a range")
    start, end = place.start, place.end
    return Span(path, start.line, start.column + 1, end.line, end.column + 1)


class _Finder(cst.CSTVisitor):
    """Collects the strings and argument names that certainly are the key, and those that may be."""

    def __init__(self, meanings: Meanings, key: Key, new: str) -> None:
        super().__init__()
        self._meanings = meanings
        self._name = key.name
        self._wanted = Meaning(key.namespace)
        self._as_argument = new.isidentifier()
        self._returns: list[cst.Annotation | None] = []
        self._tables: list[cst.CSTNode] = []
        self.certain: list[cst.CSTNode] = []
        self.possible: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Called for each node, outer ones first."""
        match node:
            case cst.Subscript(value=value, slice=elements) if self._is_mapping(value):
                for element in elements:
                    self._take(element.slice.value if isinstance(element.slice, cst.Index) else None)
            case cst.Comparison(left=left, comparisons=targets):
                for target in targets:
                    if isinstance(target.operator, cst.In | cst.NotIn) and self._is_mapping(target.comparator):
                        self._take(left)
            case cst.Call():
                self._call(node)
            case cst.AnnAssign(annotation=annotation, value=cst.BaseExpression() as value):
                if self._meanings.annotation(annotation) is self._wanted:
                    self._mapping(value)
            case cst.FunctionDef(returns=returns):
                self._returns.append(returns)
            case cst.Return(value=cst.BaseExpression() as value) if self._returns:
                if self._meanings.annotation(self._returns[-1]) is self._wanted:
                    self._mapping(value)
            case cst.SimpleString() if node.evaluated_value == self._name:
                self.possible.append(node)
            case cst.Arg(keyword=cst.Name(value=name) as keyword) if name == self._name:
                self.possible.append(keyword)
            case _:
                pass
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        """Called for each node, inner ones first."""
        if isinstance(original_node, cst.FunctionDef):
            self._returns.pop()

    def _call(self, node: cst.Call) -> None:
        function = node.func
        if isinstance(function, cst.Attribute) and function.attr.value in _BY_KEY and self._is_mapping(function.value):
            self._take(node.args[0].value if node.args else None)
        member = self._meanings.member(function)
        if member is not None and member.lower() == self._wanted.value:  # Inputs(…), State(…)
            self._arguments(node)
        given = self._meanings.passed_inputs(node) if self._wanted is Meaning.INPUTS else None
        if given is not None:
            self._mapping(given)

    # --- certain ones ---------------------------------------------------------------------------------------------

    def _is_mapping(self, expression: cst.BaseExpression) -> bool:
        """Whether an expression is the wanted mapping: the state or the inputs."""
        if self._meanings.of(expression) is self._wanted:
            return True
        return isinstance(expression, cst.Name) and any(
            any(table is each for each in self._tables) for table in _values(self._meanings, expression)
        )

    def _mapping(self, expression: cst.BaseExpression) -> None:
        """Rename the key in an expression that creates the mapping, or in the only value of a variable."""
        match expression:
            case cst.Dict(elements=elements):
                for element in elements:
                    if isinstance(element, cst.DictElement):
                        self._take(element.key)
            case cst.Call(func=cst.Name(value="dict")):
                self._arguments(expression)
            case cst.Name():
                for value in _values(self._meanings, expression):
                    self._tables.append(value)
                    self._mapping(value)
            case _:
                return

    def _arguments(self, call: cst.Call) -> None:
        for argument in call.args:
            if argument.keyword is not None and argument.keyword.value == self._name and self._as_argument:
                self.certain.append(argument.keyword)
            elif argument.keyword is None and not argument.star:
                self._mapping(argument.value)

    def _take(self, expression: cst.BaseExpression | None) -> None:
        if isinstance(expression, cst.SimpleString) and expression.evaluated_value == self._name:
            self.certain.append(expression)


def _values(meanings: Meanings, name: cst.Name) -> Iterator[cst.Dict | cst.Call]:
    """The mapping that is assigned to a variable, if it is assigned only once."""
    assignments = meanings.assignments(name)
    if len(assignments) == 1:
        _, value = meanings.assigned(assignments[0])
        if isinstance(value, cst.Dict) or (
            isinstance(value, cst.Call) and isinstance(value.func, cst.Name) and value.func.value == "dict"
        ):
            yield value
