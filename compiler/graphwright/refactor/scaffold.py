"""Writes the Python file of a tool with the signature that graphs expect; existing code stays as it is."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import libcst as cst

from graphwright.analysis.jsontype import Type
from graphwright.refactor.hints import Hints

#: Names of `typing` that hints use.
_OF_TYPING: Final = ("Any", "Literal", "NotRequired", "TypedDict")
_BLANK: Final = cst.EmptyLine(indent=False)
_Statement: TypeAlias = "cst.SimpleStatementLine | cst.BaseCompoundStatement"


class NotScaffoldedError(Exception):
    """Why a file is not changed. `str()` completes a sentence that begins with its name."""


def scaffold(before: bytes, item_id: str, params: Type, result: Type) -> bytes:
    """The file with `execute` and its type hints; equal to `before` if it already has them.

    `params`, `result`: what the tool takes and returns, `ANY` if unknown. Raises NotScaffoldedError.
    """
    if before.startswith(BOM_UTF8):  # # libcst drops it
        return BOM_UTF8 + scaffold(before.removeprefix(BOM_UTF8), item_id, params, result)
    try:
        module = cst.parse_module(before)
    except (cst.ParserSyntaxError, SyntaxError, ValueError, RecursionError) as error:
        raise NotScaffoldedError("is not valid Python") from error
    bound = dict(_bound(module.body))
    function = bound.get("execute")
    if "execute" in bound and function is None:
        raise NotScaffoldedError("defines `execute` in another way than `def execute(params)`")
    typing = {
        name: f"typing.{name}"
        for name in ("Any", "Literal", "NotRequired", "TypedDict")
        if _is_other(module, bound, name)
    }
    hints = Hints(bound.keys(), typing)
    body: list[_Statement] = [*module.body]
    if function is None:
        text = _function(hints, params, result, item_id)
        body += _statements(module, "".join(f"\n\n{each}" for each in (*hints.classes, text)))
    else:
        changed = _annotated(function, hints, params, result)
        if changed is function:
            return before
        at = body.index(function)
        body[at : at + 1] = [*_statements(module, "".join(f"\n\n{each}" for each in hints.classes)), changed]
    body = _with_imports(module, body, _imports(hints, typing, bound))
    return module.with_changes(body=body, has_trailing_newline=module.has_trailing_newline or function is None).bytes


def _function(hints: Hints, params: Type, result: Type, item_id: str) -> str:
    """The text of a new function."""
    taken, returned = hints.mapping(params, "Params"), hints.mapping(result, "Result")
    what = f"{item_id} has no code yet"
    return f'def execute(params: {taken}) -> {returned}:\n    raise NotImplementedError("{what}")\n'


def _annotated(function: cst.FunctionDef, hints: Hints, params: Type, result: Type) -> cst.FunctionDef:
    """The function with the missing hints added; the same object if none are missing."""
    changed = function
    place = "posonly_params" if function.params.posonly_params else "params"
    positional: Sequence[cst.Param] = getattr(function.params, place)
    if positional and positional[0].annotation is None and params.fields:
        hint = cst.Annotation(cst.parse_expression(hints.mapping(params, "Params")))
        first = positional[0].with_changes(annotation=hint)
        changed = changed.with_changes(params=changed.params.with_changes(**{place: [first, *positional[1:]]}))
    if function.returns is None and result.fields:
        hint = cst.Annotation(cst.parse_expression(hints.mapping(result, "Result")))
        changed = changed.with_changes(returns=hint)
    return changed


def _bound(body: Sequence[_Statement]) -> Iterator[tuple[str, cst.FunctionDef | None]]:
    """The names that the statements of a module bind; with the function, if a name is bound once, by a function."""
    from libcst.metadata import GlobalScope, MetadataWrapper, ScopeProvider

    wrapper = MetadataWrapper(cst.Module(body), unsafe_skip_copy=True)
    scopes = {scope for scope in wrapper.resolve(ScopeProvider).values() if isinstance(scope, GlobalScope)}
    own = {each.name.value: each for each in body if isinstance(each, cst.FunctionDef)}
    for scope in scopes:
        for name in dict.fromkeys(each.name for each in scope.assignments):
            yield name, own.get(name) if len(scope[name]) == 1 else None


def _is_other(module: cst.Module, bound: Mapping[str, object], name: str) -> bool:
    """Whether a name has another meaning in the file than in `typing`."""
    return name in bound and name not in _from_typing(module)


def _from_typing(module: cst.Module) -> set[str]:
    """The names that are imported from `typing` under their own name."""
    found: set[str] = set()
    for statement in module.body:
        for part in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
            if isinstance(part, cst.ImportFrom) and not isinstance(part.names, cst.ImportStar) and not part.relative:
                source = cst.Module([]).code_for_node(part.module) if part.module is not None else ""
                if source in ("typing", "typing_extensions"):
                    found |= {each.evaluated_name for each in part.names if each.asname is None}
    return found


def _imports(hints: Hints, typing: Mapping[str, str], bound: Mapping[str, object]) -> list[str]:
    """The import statements that the hints need."""
    names = sorted(name for name in hints.imported if name not in typing and name not in bound)
    lines = [f"from typing import {', '.join(names)}\n"] if names else []
    return [*lines, *(["import typing\n"] if typing.keys() & hints.imported and "typing" not in bound else [])]


def _with_imports(module: cst.Module, body: list[_Statement], imports: list[str]) -> list[_Statement]:
    """The statements with imports after those at the top, or after the docstring."""
    at, has_imports = 0, False
    for number, statement in enumerate(body):
        parts = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
        is_import = bool(parts) and all(isinstance(part, cst.Import | cst.ImportFrom) for part in parts)
        is_docstring = not number and module.get_docstring() is not None
        if not is_import and not is_docstring:
            break
        at, has_imports = number + 1, has_imports or is_import
    new = _statements(module, "".join(imports))
    if new and at and not has_imports:
        new[0] = new[0].with_changes(leading_lines=[_BLANK])
    return [*body[:at], *new, *body[at:]]


def _statements(module: cst.Module, text: str) -> list[_Statement]:
    """Parse statements with the line breaks and indentation of the file."""
    parsed = cst.parse_module(text, config=module.config_for_parsing)
    found = list(parsed.body)
    if found and parsed.header:
        found[0] = found[0].with_changes(leading_lines=[*parsed.header, *found[0].leading_lines])
    return found
