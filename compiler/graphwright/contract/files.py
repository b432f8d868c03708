"""Reads manifests: YAML or JSON files that declare the params and the result of a tool.

A manifest has the keys `params` and `result` (JSON Schema), `env_requires` and `description`. A tool definition in the
dialect of graphs (`tool_type`, `config_schema`) is also read as a manifest.
"""

from __future__ import annotations

from typing import Final

from yaml.nodes import MappingNode, Node

from graphwright.contract.manifest import Manifest
from graphwright.diagnostic import Json
from graphwright.faults.yaml import AmbiguousScalar
from graphwright.pattern import pattern
from graphwright.schema.references import reference_problems
from graphwright.schema.structure import problems
from graphwright.source.reader import Pair, Source, read_bytes
from graphwright.suggest import nearest

#: The keys of a manifest.
KEYS: Final = ("params", "result", "env_requires", "description")
#: The corresponding keys in a tool definition.
_DIALECT: Final = {"config_schema": "params", "output_schema": "result"}

#: The keys of a tool definition that are used.
_OF_DIALECT: Final = frozenset({*_DIALECT, "env_requires", "description"})
#: Faults that make the contents of a file unreliable.
_BROKEN: Final = frozenset({"GW001", "GW002", "GW005"})
_LISTED: Final = ", ".join(f"`{key}`" for key in KEYS)

_VARIABLE: Final = pattern(r"[A-Za-z_][A-Za-z0-9_]*")


class _InvalidError(Exception):
    """A manifest is invalid: the reason and the location."""

    def __init__(self, line: int | None, text: str) -> None:
        super().__init__(text if line is None else f"line {line}: {text}")


def read_manifest(data: bytes, origin: str, *, is_own: bool) -> Manifest | None:
    """The manifest in a file, with a `problem` if it cannot be used.

    `is_own`: the file can only be a manifest. Any other file is a manifest if it defines a tool that is not a graph;
    otherwise None.
    """
    source = read_bytes(data, origin)
    try:
        return _read(source, origin, is_own)
    except _InvalidError as error:
        return Manifest(origin, problem=str(error)) if is_own else None


def _read(source: Source, origin: str, is_own: bool) -> Manifest | None:
    broken = next((fault for fault in source.faults if source.root is None or fault.code in _BROKEN), None)
    if broken is not None:
        what = "a key occurs twice" if broken.code == "GW002" else "it is not valid YAML"
        raise _InvalidError(broken.span.line, what)
    for fault in source.faults:
        if isinstance(fault, AmbiguousScalar) and not fault.text_read:
            what = f"`{fault.text}` reads as {fault.reads}: write that, or put the string in quotes"
            raise _InvalidError(fault.span.line, what)
    if not isinstance(source.root, MappingNode):
        raise _InvalidError(None, f"it must be a mapping with the keys {_LISTED}")
    written = source.entries(source.root)
    if any(key.value == "tool_type" for key, _ in written):
        entries = {_DIALECT.get(key.value, key.value): value for key, value in written if key.value in _OF_DIALECT}
    elif is_own:
        _check_keys(source, written)
        entries = {key.value: value for key, value in written}
    else:
        return None
    return Manifest(
        origin,
        _schema(source, "params", entries.get("params")),
        _schema(source, "result", entries.get("result")),
        _names(source, entries.get("env_requires")),
        _text(source, entries.get("description")),
    )


def _check_keys(source: Source, written: list[Pair]) -> None:
    for key, _ in written:
        if key.value not in KEYS:
            near = _DIALECT.get(key.value) or nearest(key.value, KEYS)
            hint = f"did you mean `{near}`?" if near else f"the keys are {_LISTED}"
            raise _InvalidError(source.line(key), f"unknown key `{key.value}`; {hint}")


def _schema(source: Source, key: str, node: Node | None) -> Json:
    if node is None or source.value(node) is True:
        return True
    if not isinstance(node, MappingNode):
        raise _InvalidError(source.line(node), f"`{key}` must be a JSON Schema (a mapping)")
    for problem in (*problems(source, node), *reference_problems(source, node)):
        raise _InvalidError(source.line(problem.at), f"`{key}` is not a valid JSON Schema: {problem.text}")
    return source.value(node)


def _names(source: Source, node: Node | None) -> tuple[str, ...]:
    value = None if node is None else source.value(node)
    if node is None or value is None:
        return ()
    names = value if isinstance(value, list) else [value]
    found = tuple(name for name in names if isinstance(name, str) and _VARIABLE.fullmatch(name))
    if len(found) != len(names):
        raise _InvalidError(source.line(node), "`env_requires` must be a list of names of environment variables")
    return found


def _text(source: Source, node: Node | None) -> str:
    value = None if node is None else source.value(node)
    return " ".join(value.split()) if isinstance(value, str) else ""
