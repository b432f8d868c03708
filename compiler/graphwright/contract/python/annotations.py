"""Converts type hints to JSON Schema. An empty schema means that a hint is not understood, and accepts anything."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final, TypeAlias

from graphwright.contract.python.literals import NotLiteralError, literal
from graphwright.contract.python.module import Module
from graphwright.contract.python.search import Place, Search
from graphwright.diagnostic import Json
from graphwright.record import Record

#: A JSON Schema.
Schema: TypeAlias = dict[str, Json]

#: Maximum nesting of types, and maximum number of parts of types for one tool.
_MAX_DEPTH: Final = 24
_MAX_PARTS: Final = 5_000

_TYPING: Final = ("typing.", "typing_extensions.")
_SIMPLE: Final = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "None": "null",
    "dict": "object",
    "list": "array",
    "tuple": "array",
}
_MAPPINGS: Final = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "DefaultDict", "OrderedDict", "Counter"})
_LISTS: Final = frozenset(
    {"list", "List", "Sequence", "MutableSequence", "Iterable", "Collection", "Deque", "deque", "Reversible"}
)
_TUPLES: Final = frozenset({"tuple", "Tuple"})
#: Generic types that only annotate the type in their brackets.
_TRANSPARENT: Final = frozenset({"Required", "NotRequired", "ReadOnly", "Final", "ClassVar", "Unpack"})
_AWAITABLE: Final = frozenset({"Awaitable", "Coroutine"})


class Hint(Record):
    """A type hint and the file that contains it."""

    expression: ast.expr
    module: Module


class Marks(Record):
    """The qualifiers around the type of a field, such as `NotRequired[…]`, and the metadata of `Annotated`."""

    hint: Hint
    required: bool | None = None
    is_class_variable: bool = False
    metadata: tuple[ast.expr, ...] = ()


class Annotations:
    """Converts type hints to schemas; `of_class` converts classes, `of_call` calls that make a class.

    `returned`: the values are what instances become in a result, with every field, rather than what they are made of.
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

    def marks(self, hint: Hint) -> Marks:
        """The type of a field without its qualifiers."""
        found = Marks(self.written_out(hint))
        for _ in range(_MAX_DEPTH):
            expression, module = found.hint.expression, found.hint.module
            if not isinstance(expression, ast.Subscript):
                return found
            name = self.name_of(expression.value, module)
            parts = _parts_of(expression.slice)
            if name == "Annotated":
                inner, metadata = parts[0], (*parts[1:], *found.metadata)
                found = Marks(Hint(inner, module), found.required, found.is_class_variable, metadata)
            elif name in _TRANSPARENT:
                required = {"Required": True, "NotRequired": False}.get(name, found.required)
                is_class = found.is_class_variable or name == "ClassVar"
                found = Marks(Hint(parts[0], module), required, is_class, found.metadata)
            else:
                return found
            found = Marks(self.written_out(found.hint), found.required, found.is_class_variable, found.metadata)
        return found

    def name_of(self, expression: ast.expr, module: Module) -> str | None:
        """The last part of the name of an installed type, such as `Optional` for `t.Optional`; None for other names."""
        target = self.search.target(expression, module)
        return target.rpartition(".")[2] if isinstance(target, str) and _is_for_types(target) else None

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
            case str() as name if _is_for_types(name):
                return _plain(name)
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
            return {**self.schema(hints[0]), **described(self, hints[0], parts[1:])}
        if name in _TRANSPARENT:
            return self.schema(hints[0])
        if name in _MAPPINGS:
            values = self.schema(hints[1]) if len(hints) == 2 and name != "Counter" else {}
            return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
        if name in _LISTS:
            return _list_of(self.schema(hints[0]))
        if name in _TUPLES:
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
            return _list_of(self.schema(hints[0]))
        return _list_of(either([self.schema(hint) for hint in hints]))

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
        return {"enum": found} if found else {}


def either(options: list[Schema]) -> Schema:
    """A schema that accepts the values of any of several schemas; constants are combined in one list."""
    distinct: list[Schema] = []
    for option in options:
        if not option:
            return {}
        if option not in distinct:
            distinct.append(option)
    if len(distinct) == 1:
        return distinct[0]
    return {"anyOf": list(distinct)} if distinct else {}


def described(annotations: Annotations, hint: Hint, metadata: list[ast.expr]) -> Schema:
    """The description in the metadata of `Annotated`: a string, or the `description` argument of a call."""
    for entry in metadata:
        candidates = [entry]
        if isinstance(entry, ast.Call):
            candidates = [each.value for each in entry.keywords if each.arg == "description"]
            if annotations.name_of(entry.func, hint.module) == "Doc":
                candidates = entry.args[:1]
        for candidate in candidates:
            if isinstance(candidate, ast.Constant) and isinstance(candidate.value, str):
                return {"description": candidate.value}
    return {}


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


def _is_for_types(name: str) -> bool:
    """Whether an installed name is a type of Python, or creates one."""
    return name.startswith(("builtins.", *_TYPING, "collections.", "types.NoneType", "pydantic."))


def _plain(name: str) -> Schema:
    """The schema of a type without brackets, by its full name."""
    last = name.rpartition(".")[2]
    if last in ("None", "NoneType"):
        return {"type": "null"}
    if name.startswith("builtins.") and last in _SIMPLE:
        return {"type": _SIMPLE[last]}
    if name.startswith("pydantic."):
        strict = {"StrictStr": "str", "StrictInt": "int", "StrictFloat": "float", "StrictBool": "bool"}
        return {"type": _SIMPLE[strict[last]]} if last in strict else {}
    if last in _MAPPINGS:
        return {"type": "object"}
    if last in _LISTS | _TUPLES:
        return {"type": "array"}
    return {"type": "string"} if last in ("LiteralString", "AnyStr", "Text") else {}


def _list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items} if items else {"type": "array"}
