"""Converts type hints to JSON Schema. An empty schema means that a hint is not understood, and accepts anything."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from graphwright.contract.python.forms import (
    LISTS,
    MAPPINGS,
    TUPLES,
    Schema,
    Validation,
    either,
    is_for_types,
    list_of,
    plain,
    sequence,
)
from graphwright.contract.python.literals import NotLiteralError, literal
from graphwright.contract.python.metadata import annotated, strictness
from graphwright.contract.python.module import Hint, Module
from graphwright.contract.python.search import Place, Search
from graphwright.diagnostic import Json
from graphwright.record import Record, replace

#: Maximum nesting of types, and maximum number of parts of types for one tool.
_MAX_DEPTH: Final = 24
_MAX_PARTS: Final = 5_000

#: Generic types that only annotate the type in their brackets.
_TRANSPARENT: Final = frozenset({"Required", "NotRequired", "ReadOnly", "Final", "ClassVar", "Unpack"})
_AWAITABLE: Final = frozenset({"Awaitable", "Coroutine"})


class Marks(Record):
    """The qualifiers around the type of a field, such as `NotRequired[…]`, and the metadata of `Annotated`."""

    hint: Hint
    required: bool | None = None
    is_class_variable: bool = False
    metadata: tuple[Hint, ...] = ()


class Annotations:
    """Converts type hints to schemas; `of_class` converts classes, `of_call` calls that make a class.

    `returned`: the values are what instances become in a result, with every field, rather than what they are made of.
    `validation`: how pydantic validates the values that are being described.
    """

    def __init__(
        self,
        search: Search,
        of_class: Callable[[Place, Annotations], Schema],
        of_call: Callable[[str, ast.Call, Hint, Annotations], Schema],
        *,
        returned: bool = False,
    ) -> None:
        self.search = search
        self.returned = returned
        self.validation: Validation = "none"
        self._of_class = of_class
        self._of_call = of_call
        self._depth = 0
        self._parts = 0
        self._within: list[tuple[object, str]] = []

    def schema(self, hint: Hint) -> Schema:
        """The schema of the values that a hint describes."""
        self._parts += 1
        if self._depth >= _MAX_DEPTH or self._parts > _MAX_PARTS:
            return {}
        self._depth += 1
        try:
            return self._schema(hint.expression, hint.module)
        finally:
            self._depth -= 1

    @contextmanager
    def validating(self, validation: Validation) -> Iterator[None]:
        """Describe values that are validated in this way."""
        before, self.validation = self.validation, validation
        try:
            yield
        finally:
            self.validation = before

    def marked(self, marks: Marks, *more: Hint) -> Schema:
        """The schema of a type with its metadata, and with more of it."""
        metadata = (*marks.metadata, *more)
        with self.validating(strictness(metadata, self.search, self.validation)):
            schema = self.schema(marks.hint)
        return annotated(schema, metadata, self.search, self.validation, returned=self.returned)

    def marks(self, hint: Hint) -> Marks:
        """The type of a field without its qualifiers."""
        found = Marks(self.written_out(hint))
        for _ in range(_MAX_DEPTH):
            found = replace(found, hint=self._unaliased(found.hint))
            expression, module = found.hint.expression, found.hint.module
            if not isinstance(expression, ast.Subscript):
                return found
            name = self.name_of(expression.value, module)
            parts = _parts_of(expression.slice)
            if name == "Annotated":
                metadata = (*(Hint(part, module) for part in parts[1:]), *found.metadata)
                found = replace(found, hint=Hint(parts[0], module), metadata=metadata)
            elif name in _TRANSPARENT:
                required = {"Required": True, "NotRequired": False}.get(name, found.required)
                is_class = found.is_class_variable or name == "ClassVar"
                found = Marks(Hint(parts[0], module), required, is_class, found.metadata)
            else:
                return found
            found = replace(found, hint=self.written_out(found.hint))
        return found

    def _unaliased(self, hint: Hint) -> Hint:
        """The `Annotated[…]` that a name stands for; any other hint itself."""
        target = self.search.target(hint.expression, hint.module)
        match target:
            case Place(module=module, definition=ast.Subscript(value=name) as inner):
                return Hint(inner, module) if self.name_of(name, module) == "Annotated" else hint
            case _:
                return hint

    def name_of(self, expression: ast.expr, module: Module) -> str | None:
        """The last part of the name of an installed type, such as `Optional` for `t.Optional`; None for other names."""
        target = self.search.target(expression, module)
        return target.rpartition(".")[2] if isinstance(target, str) and is_for_types(target) else None

    def written_out(self, hint: Hint) -> Hint:
        """The hint, parsed if it is a string."""
        for _ in range(3):
            match hint.expression:
                case ast.Constant(value=str() as text):
                    try:
                        hint = Hint(ast.parse(text.strip(), mode="eval").body, hint.module)
                    except (SyntaxError, ValueError, RecursionError, MemoryError):
                        return Hint(ast.Constant(value=...), hint.module)
                case _:
                    break
        return hint

    def _schema(self, expression: ast.expr, module: Module) -> Schema:
        match expression:
            case ast.Constant(value=None):
                return {"type": "null"}
            case ast.Constant(value=str()):
                return self.schema(self.written_out(Hint(expression, module)))
            case ast.BinOp(op=ast.BitOr()):
                return self._union(_alternatives(expression), module)
            case ast.Subscript(value=value, slice=inner):
                return self._subscript(value, _parts_of(inner), module)
            case ast.Name() | ast.Attribute():
                return self._named(expression, module)
            case _:
                return {}

    def _named(self, expression: ast.expr, module: Module) -> Schema:
        match self.search.target(expression, module):
            case str() as name if is_for_types(name):
                return plain(name, self.validation)
            case Place(definition=ast.ClassDef()) as place:
                return self._once(place, lambda: self._of_class(place, self))
            case Place(module=other, definition=ast.Call() as call) as place:
                return self._once(place, lambda: self._new_type(call, other))
            case Place(module=other, definition=ast.expr() as inner) as place:
                return self._once(place, lambda: self.schema(Hint(inner, other)))
            case _:
                return {}

    def _once(self, place: Place, read: Callable[[], Schema]) -> Schema:
        """The schema of a definition, computed once; inside itself, a recursive one accepts anything."""
        key = (place.module.path, place.name)
        if key in self._within:
            return {}
        self._within.append(key)
        try:
            return read()
        finally:
            self._within.pop()

    def _new_type(self, call: ast.Call, module: Module) -> Schema:
        """`NewType("Name", str)`, `TypedDict("Name", {…})`; the result of any other call is unknown."""
        name = self.name_of(call.func, module)
        if len(call.args) != 2 or name is None:
            return {}
        if name == "NewType":
            return self.schema(Hint(call.args[1], module))
        return self._of_call(name, call, Hint(call.args[1], module), self)

    def _subscript(self, value: ast.expr, parts: list[ast.expr], module: Module) -> Schema:
        name = self.name_of(value, module)
        hints = [Hint(part, module) for part in parts]
        if name is None:
            return self._generic(value, module)
        if name == "Optional":
            return either([self.schema(hints[0]), {"type": "null"}])
        if name == "Union":
            return self._union(parts, module)
        if name == "Literal":
            return self._literal(parts, module)
        if name == "Annotated":
            return self.marked(Marks(hints[0], metadata=tuple(hints[1:])))
        if name in _TRANSPARENT:
            return self.schema(hints[0])
        if name in MAPPINGS:
            values = self.schema(hints[1]) if len(hints) == 2 and name != "Counter" else {}
            return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
        if name in LISTS:
            return sequence(name, self.schema(hints[0]), self.validation)
        if name in TUPLES:
            return self._tuple(hints)
        if name in _AWAITABLE:
            return self.schema(hints[-1])
        return {}

    def _generic(self, value: ast.expr, module: Module) -> Schema:
        """A generic class of the project; its type variables accept anything."""
        found = self.search.target(value, module)
        is_class = isinstance(found, Place) and isinstance(found.definition, ast.ClassDef)
        return self._named(value, module) if is_class else {}

    def _tuple(self, hints: list[Hint]) -> Schema:
        if len(hints) == 2 and isinstance(hints[1].expression, ast.Constant) and hints[1].expression.value is ...:
            return list_of(self.schema(hints[0]))
        return list_of(either([self.schema(hint) for hint in hints]))

    def _union(self, parts: list[ast.expr], module: Module) -> Schema:
        return either([self.schema(Hint(part, module)) for part in parts])

    def _literal(self, parts: list[ast.expr], module: Module) -> Schema:
        """`Literal["a", Color.RED, Other]`: constants, members of enumerations, and other literal types."""
        found: list[Json] = []
        for part in parts:
            try:
                found.append(literal(part, module, self.search))
            except NotLiteralError:
                values = self.schema(Hint(part, module)).get("enum")
                if not isinstance(values, list):
                    return {}
                found += values
        if self.validation != "none" and any(each in (0, 1) for each in found if isinstance(each, bool | int | float)):
            return {}  # pydantic takes `True` for 1
        return {"enum": found} if found else {}


def _alternatives(expression: ast.expr) -> list[ast.expr]:
    """The parts of `a | b | c`, without recursion, because there can be many."""
    found: list[ast.expr] = []
    pending = [expression]
    while pending:
        current = pending.pop()
        if isinstance(current, ast.BinOp) and isinstance(current.op, ast.BitOr):
            pending += [current.right, current.left]
        else:
            found.append(current)
    return found


def _parts_of(inner: ast.expr) -> list[ast.expr]:
    return list(inner.elts) if isinstance(inner, ast.Tuple) and inner.elts else [inner]
