"""The inputs of a run from the command line: `-i name=value` and `--inputs FILE`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.cli.command import UsageError
from graphwright.suggest import nearest

if TYPE_CHECKING:
    from graphwright.ir import Json

#: How a value of each type is written, for messages.
_WRITTEN = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
    "array": "a list as JSON, such as '[1, 2]'",
    "object": "a mapping as JSON, such as '{\"a\": 1}'",
    "null": "`null`",
}


def read_inputs(pairs: Iterable[str], source: str | None, types: Mapping[str, Sequence[str]]) -> dict[str, Json]:
    """The inputs; a pair comes before what the file says. Raises `UsageError`.

    `types` are the JSON types of each declared input, empty where any will do; without declared inputs everything is
    taken, as text.
    """
    inputs = {} if source is None else _from_file(source)
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"`-i {pair}`: expected name=value")
        if types and name not in types:
            near = nearest(name, types)
            hint = f"did you mean `{near}`?" if near else f"declared: {', '.join(types)}"
            raise UsageError(f"`-i {pair}`: the graph has no input `{name}`; {hint}")
        inputs[name] = _value(pair, text, types.get(name, ()))
    return inputs


def _from_file(source: str) -> dict[str, Json]:
    try:
        if source == "-" and sys.stdin is None:
            raise UsageError("`--inputs -`: standard input is closed")
        text = sys.stdin.read() if source == "-" else Path(source).read_text("utf-8")
        inputs = json.loads(text)
    except OSError as error:
        raise UsageError(f"`--inputs {source}` cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"`--inputs {source}` is no JSON: {error}") from error
    if not isinstance(inputs, dict):
        raise UsageError(f"`--inputs {source}` must hold a JSON object: {{name: value}}")
    return inputs


def _value(pair: str, text: str, types: Sequence[str]) -> Json:
    """A value of the first type that the text can be; text where that is allowed and nothing else fits."""
    if types:
        with suppress(ValueError, RecursionError):  # no JSON: text is all that it can be
            value: Json = json.loads(text)
            if any(kind != "string" and _is(value, kind) for kind in types):
                return value
    if not types or "string" in types:
        return text
    raise UsageError(f"`-i {pair}`: expected {' or '.join(_WRITTEN[kind] for kind in types)}")


def _is(value: Json, kind: str) -> bool:
    return kind == _type_of(value) or (kind == "number" and _type_of(value) == "integer")


def declared_types(schema: Json) -> dict[str, tuple[str, ...]]:
    """The JSON types of each input that a `config_schema` declares."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return {}
    return {name: _types(own) for name, own in properties.items()}


def _types(schema: Json) -> tuple[str, ...]:
    """What a schema allows, as far as its own words say it: `type`, else the types of `const`, `enum`, `anyOf`."""
    if not isinstance(schema, dict):
        return ()
    declared = schema.get("type")
    if isinstance(declared, str):
        return (declared,) if declared in (*_WRITTEN, "string") else ()
    if isinstance(declared, list):
        return tuple(str(kind) for kind in declared if kind in (*_WRITTEN, "string"))
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if isinstance(values, list) and values:
        return tuple(dict.fromkeys(_type_of(value) for value in values))
    for word in ("anyOf", "oneOf"):
        options = schema.get(word)
        if isinstance(options, list):
            found = [_types(option) for option in options]
            return tuple(dict.fromkeys(kind for kinds in found for kind in kinds)) if all(found) else ()
    return ()


def _type_of(value: Json) -> str:
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return names.get(type(value), "null")
