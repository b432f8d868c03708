"""Reads the inputs of a run from the command line: `-i name=value` and `--inputs FILE`."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from graphwright.cli.command import UsageError
from graphwright.content import content_of
from graphwright.suggest import nearest

if TYPE_CHECKING:
    from graphwright.ir import Json

#: How to write values of each type, for messages.
_WRITTEN = {
    "integer": "an integer",
    "number": "a number",
    "boolean": "`true` or `false`",
    "array": "a list as JSON, such as '[1, 2]'",
    "object": "a mapping as JSON, such as '{\"a\": 1}'",
    "null": "`null`",
}


class _DuplicateKeyError(ValueError):
    """A JSON object has a duplicate key."""


def read_inputs(
    pairs: Iterable[str], source: str | None, types: Mapping[str, Sequence[str]], declared: Collection[str] | None
) -> dict[str, Json]:
    """Read the inputs; `-i` takes precedence over the file. Raises `UsageError`.

    `types` are the JSON types of each described input, empty if it accepts any; other inputs are strings. `declared`
    are the names of all inputs; None if others are accepted as well.
    """
    inputs = {} if source is None else _from_file(source)
    _refuse_unknown(f"--inputs {source}", inputs, declared)
    given: dict[str, str] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"`-i {pair}`: expected name=value")
        if name in given:
            raise UsageError(f"`-i {pair}`: the input `{name}` is given twice, before as `-i {given[name]}`")
        given[name] = pair
        _refuse_unknown(f"-i {pair}", [name], declared)
        inputs[name] = _value(pair, text, types.get(name, ()))
    return inputs


def _refuse_unknown(option: str, names: Iterable[str], declared: Collection[str] | None) -> None:
    for name in names:
        if declared is not None and name not in declared:
            near = nearest(name, declared)
            hint = f"did you mean `{near}`?" if near else f"declared: {', '.join(declared)}"
            raise UsageError(f"`{option}`: the graph has no input `{name}`; {hint}")


def _from_file(source: str) -> dict[str, Json]:
    try:
        inputs = _parsed(_standard_input() if source == "-" else content_of(Path(source)).decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"`--inputs {source}` cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"`--inputs {source}` is not UTF-8: {error.reason} at byte {error.start}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"`--inputs {source}` is not JSON: {error}") from error
    if not isinstance(inputs, dict):
        raise UsageError(f"`--inputs {source}` must contain a JSON object: {{name: value}}")
    return inputs


def _standard_input() -> str:
    if sys.stdin is None:
        raise UsageError("`--inputs -`: standard input is closed")
    data = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read().removeprefix("\ufeff") if data is None else data.read().decode("utf-8-sig")


def _parsed(text: str) -> Json:
    """Parse JSON. Raises ValueError, also for duplicate keys and for extensions such as `NaN`."""
    value: Json = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    return value


def _unique(pairs: Sequence[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found:
            raise _DuplicateKeyError(f"the key `{key}` occurs twice in one object")
        found[key] = value
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"`{name}` is not a JSON number")


def _value(pair: str, text: str, types: Sequence[str]) -> Json:
    """The text as a value of the first type that it fits; a string if that is allowed and nothing else fits."""
    problem = ""
    if types:
        try:
            value = _parsed(text)
            if any(kind != "string" and _is(value, kind) for kind in types):
                return value
        except _DuplicateKeyError as error:
            problem = f"; {error}"
        except (ValueError, RecursionError):  # it can only be a string
            pass
    if not types or "string" in types:
        return text
    raise UsageError(f"`-i {pair}`: expected {' or '.join(_WRITTEN[kind] for kind in types)}{problem}")


def _is(value: Json, kind: str) -> bool:
    return kind == _type_of(value) or (kind == "number" and _type_of(value) == "integer")


def declared_types(schema: Json) -> dict[str, tuple[str, ...]]:
    """The JSON types of each input that a `config_schema` declares; empty if it accepts any."""
    from graphwright.schema.types import from_schema

    found: dict[str, tuple[str, ...]] = {}
    for name, field in from_schema(schema).fields:
        kinds = field.type.kinds if field.type.known else frozenset()
        kinds -= {"integer"} if "number" in kinds else set()
        found[name] = tuple(kind for kind in (*_WRITTEN, "string") if kind in kinds)
    return found


def _type_of(value: Json) -> str:
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return names.get(type(value), "null")
