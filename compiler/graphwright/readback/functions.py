"""Reads the function of a node: what the node calls and sets, and its successors."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from graphwright.readback.constants import Call, Constants, UnreadableError
from graphwright.record import Record

Function = ast.AsyncFunctionDef


class CalledItem(Record):
    """The item that a node or a hook calls. `item_id` and `capability` are None if they are only known at run time."""

    primary: str
    kind: str | None
    item_id: str | None
    capability: str | None

    @property
    def text(self) -> str:
        """The item in messages: `tool:rye/bash`, `load knowledge:style`, `search tool`."""
        item = ":".join(filter(None, (self.kind, self.item_id))) or "an item"
        return item if self.primary == "execute" else f"{self.primary} {item}"


class NodeFunction(Record):
    """The outline of a node's function. In `successors`, None is the end of the run; `on_error` is the error edge.

    `continues`: after an error, the node's edges apply. `options` are those of the call, as source text.
    """

    calls: CalledItem | None
    dynamic: bool
    assigns: tuple[str, ...]
    successors: tuple[str | None, ...]
    on_error: str | None
    continues: bool
    options: Mapping[str, str]


def item_of(action: Call) -> CalledItem:
    """The item of an `Action` record."""
    words = [each if isinstance(each, str) else None for each in (*action.arguments, None, None, None, None)[:4]]
    return CalledItem(words[0] or "execute", words[1], words[2] or None, words[3])


def node_function(function: Function, functions: Mapping[str, ast.FunctionDef], constants: Constants) -> NodeFunction:
    """The outline of a node's function. `functions` are those at the top level of the module, including edges."""
    handler = next((each for each in ast.walk(function) if isinstance(each, ast.ExceptHandler)), None)
    rescue = [] if handler is None else list(_inside(handler.body))
    skipped = set(map(id, rescue))
    body = [each for each in _inside(function.body) if id(each) not in skipped]
    call = next((each for each in body if _method(each) in ("call", "call_with", "each")), None)
    calls, dynamic = (None, False) if not isinstance(call, ast.Call) else _item(call, body, constants)
    continues = any(_method(each) == "suppressed" for each in rescue)
    reached = _targets(body, functions)
    error = None if continues or handler is None else next(iter(_targets(rescue, functions)), None)
    written = _annotated(function.returns)
    ends = [None] if not reached or None in written else []
    return NodeFunction(
        calls=calls,
        dynamic=dynamic,
        assigns=tuple(dict.fromkeys(_assigned(body))),
        successors=(*(name for name in written if name is not None and name in reached), *ends),
        on_error=error,
        continues=continues,
        options=_options(call) if isinstance(call, ast.Call) else {},
    )


def _inside(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    for statement in body:
        yield from ast.walk(statement)


def _method(node: ast.AST) -> str | None:
    """The method of the cursor that is called, as in `c.call(…)`; None for any other code."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="c"), attr=name)):
            return name
        case _:
            return None


def _item(call: ast.Call, body: Sequence[ast.AST], constants: Constants) -> tuple[CalledItem | None, bool]:
    """The called item, and whether its id is only known at run time."""
    called: ast.AST | None = call.args[0] if call.args else None
    if isinstance(called, ast.Name) and called.id not in constants:  # a function that creates the action for an item
        called = next((each for each in body if _is_dynamic(each)), None)
    if isinstance(called, ast.Call) and _is_dynamic(called):
        primary, kind = (each.value if isinstance(each, ast.Constant) else None for each in called.args[:2])
        return CalledItem(str(primary), kind if isinstance(kind, str) else None, None, None), True
    if not isinstance(called, ast.expr):
        return None, False
    try:
        value = constants.value(called)
    except UnreadableError:
        return None, False
    return (item_of(value), False) if isinstance(value, Call) else (None, False)


def _is_dynamic(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="dynamic"), args=[_, _, *_]):
            return True
        case _:
            return False


def _targets(body: Sequence[ast.AST], functions: Mapping[str, ast.FunctionDef]) -> set[str]:
    """The nodes that statements lead to: with `return`, with `target = …`, or through a function for the edges."""
    found: set[str] = set()
    inner = {id(each) for function in body if isinstance(function, ast.FunctionDef) for each in ast.walk(function)}
    for node in body:
        match node:
            case _ if id(node) in inner:
                continue
            case ast.Return(value=ast.expr() as value):
                found.update(_chosen(value, functions))
            case ast.Assign(targets=[ast.Name(id="target")], value=value):
                found.update(_chosen(value, functions))
            case ast.AnnAssign(target=ast.Name(id="target"), value=ast.expr() as value):
                found.update(_chosen(value, functions))
            case _:
                continue
    return found


def _chosen(value: ast.expr, functions: Mapping[str, ast.FunctionDef]) -> Iterator[str]:
    match value:
        case ast.Constant(value=str() as name):
            yield name
        case ast.IfExp(body=one, orelse=other):
            yield from _chosen(one, functions)
            yield from _chosen(other, functions)
        case ast.Call(func=ast.Name(id=name)) if name in functions:
            yield from (each for each in _annotated(functions[name].returns) if each is not None)
        case _:
            return


def _annotated(annotation: ast.expr | None) -> list[str | None]:
    """The nodes in `Literal["a", "b"] | None`, in order; None for the end."""
    constants = [each.value for each in ast.walk(annotation) if isinstance(each, ast.Constant)] if annotation else []
    return [each for each in constants if each is None or isinstance(each, str)]


def _assigned(body: Sequence[ast.AST]) -> Iterator[str]:
    """The state keys that are set."""
    for node in body:
        match node:
            case ast.Call(args=[ast.Constant(value=str() as key), *_]) if _method(node) == "assign":
                yield key
            case ast.Call(args=[ast.Dict(keys=keys)]) if _method(node) == "commit":
                yield from _texts(keys)
            case ast.FunctionDef(name="assign", body=[*_, ast.Return(value=ast.Dict(keys=keys))]):
                yield from _texts(keys)
            case _:
                continue


def _texts(keys: Sequence[ast.expr | None]) -> Iterator[str]:
    return (each.value for each in keys if isinstance(each, ast.Constant) and isinstance(each.value, str))


def _options(call: ast.Call) -> dict[str, str]:
    """The options of a call, without those that are only used in messages."""
    return {
        option.arg: ast.unparse(option.value)
        for option in call.keywords
        if option.arg is not None and option.arg not in ("assign", "check", "path")
    }
