"""Reads the nodes of a module from their functions and from the record of the graph."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Final

from graphwright.ir import Json
from graphwright.pattern import pattern
from graphwright.readback.constants import (
    Call,
    Constant,
    Constants,
    Name,
    UnreadableError,
    json_of,
    mapping_of,
    text_of,
)
from graphwright.readback.functions import NodeFunction, node_function
from graphwright.readback.types import declarations
from graphwright.record import Record

_EDGES: Final = pattern(r"\b_edges_\w+\(")
#: The comment above a node's function: `# graphs/report.yaml:16`.
_PLACE: Final = pattern(r"# .*:([0-9]{1,9})\Z")


class ModuleNode(Record):
    """A node of a module. `line` is the line in the YAML file, None if unknown.

    `digest` is the prefix of the sha256 of the node, empty if unknown. `code` is the code of its functions. `retry` are
    the options of its policy as source text, None if there is none; `reads` are the state keys that it reads.
    """

    name: str
    kind: str
    line: int | None
    digest: str
    function: NodeFunction
    code: str
    reads: tuple[str, ...]
    retry: str | None
    max_visits: Json


def module_nodes(
    tree: ast.Module, lines: Sequence[str], constants: Constants, options: Mapping[str, Constant]
) -> dict[str, ModuleNode]:
    """The nodes by name, in order. Raises `UnreadableError`."""
    coroutines = {each.name: each for each in tree.body if isinstance(each, ast.AsyncFunctionDef)}
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    kinds, visits = mapping_of(options.get("kinds")), mapping_of(options.get("max_visits"))
    retries, views = mapping_of(options.get("retries")), _views(tree)
    names = mapping_of(options.get("nodes"))
    digests = dict(zip(names, text_of(options.get("digests")).split(), strict=False))
    found: dict[str, ModuleNode] = {}
    for name, function_name in names.items():
        function = coroutines.get(function_name.text) if isinstance(function_name, Name) else None
        if function is None:
            raise UnreadableError(f"the function of node `{name}` is missing")
        kind, retry = kinds.get(name), retries.get(name)
        found[name] = ModuleNode(
            name=name,
            kind=kind if isinstance(kind, str) else "action",
            line=_source_line(lines[function.lineno - 2]) if function.lineno > 1 else None,
            digest=digests.get(name, ""),
            function=node_function(function, functions, constants),
            code=_code(function, functions),
            reads=views.get(_view(function), ()),
            retry=_retry(retry) if isinstance(retry, Call) else None,
            max_visits=json_of(visits.get(name)),
        )
    return found


def _code(function: ast.AsyncFunctionDef, functions: Mapping[str, ast.FunctionDef]) -> str:
    """The code of a node's function and of its edges, without names that are derived from the node's name."""
    parts: list[ast.FunctionDef | ast.AsyncFunctionDef] = [function]
    for part in parts:
        called = {each.id for each in ast.walk(part) if isinstance(each, ast.Name)}
        edges = (functions[name] for name in sorted(called) if name.startswith("_edges_") and name in functions)
        parts += [each for each in edges if each not in parts]
    return _EDGES.sub("_edges(", "\n".join(ast.unparse(each) for part in parts for each in part.body))


def _views(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    """The state keys that nodes read, by the name of their TypedDict."""
    blocks = [each.body for each in tree.body if isinstance(each, ast.If)]
    return {
        name: tuple(declaration.fields or ()) for block in blocks for name, declaration in declarations(block).items()
    }


def _view(function: ast.AsyncFunctionDef) -> str:
    match function.args.args:
        case [ast.arg(annotation=ast.Subscript(slice=ast.Tuple(elts=[ast.Name(id=name), *_])))]:
            return name
        case _:
            return ""


def _source_line(comment: str) -> int | None:
    """The line of the YAML file in the comment above a node's function."""
    found = _PLACE.match(comment)
    return None if found is None else int(found[1])


def _retry(retry: Call) -> str:
    attempts = retry.get("attempts", 0)
    given = {name: json_of(value) for name, value in retry.options.items() if name != "attempts"}
    words = [f"{3 if attempts is None else attempts} attempts"]
    words += [f"{name} {_listed(value)}" for name, value in given.items()]
    return ", ".join(words)


def _listed(value: Json) -> str:
    return "/".join(map(str, value)) if isinstance(value, list) else str(value)
