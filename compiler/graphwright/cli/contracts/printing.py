"""Prints contracts as a table, as text, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from graphwright.analysis.jsontype import Field, Type
from graphwright.analysis.type_text import describe
from graphwright.cli.runs.printing import json_text, table
from graphwright.contract.catalogue import KnownTool
from graphwright.ir import Json
from graphwright.render.layout import printable
from graphwright.schema.types import from_schema
from graphwright.schema.walk import mapping

_COLUMNS = ("TOOL", "PARAMS", "RESULT", "CONTRACT")
#: The longest list of names in a table, in characters.
_WIDTH = 40
#: How many levels of objects within objects are shown: types may contain themselves.
_DEPTH = 3


def as_table(tools: Sequence[KnownTool]) -> str:
    """One line for each tool."""
    return table([_COLUMNS, *((each.item_id, _names(each.params), _names(each.result), each.origin) for each in tools)])


def as_text(tool: KnownTool) -> str:
    """The whole contract of one tool."""
    return "".join(f"{line}\n".replace(" \n", "\n") for line in _lines(tool))


def as_json(tools: Sequence[KnownTool]) -> str:
    """`{"version": 1, "tools": […]}`, sorted by id. Unknown schemas are `true`."""
    return json_text({"version": 1, "tools": [_entry(each) for each in tools]})


def _entry(tool: KnownTool) -> Json:
    return {
        "id": tool.item_id,
        "kind": tool.kind,
        "contract": tool.origin,
        "description": tool.description,
        "capability": tool.capability or None,
        "params": tool.params,
        "result": tool.result,
        "env_requires": list(tool.env_requires),
        "called_by": [
            {"graph": each.graph_id, "path": each.path, "line": each.line, "caller": each.owner} for each in tool.calls
        ],
    }


def _lines(tool: KnownTool) -> Iterator[str]:
    yield printable(tool.item_id)
    facts = [
        ("about", [tool.description] if tool.description else []),
        ("contract", [tool.origin]),
        ("capability", [tool.capability] if tool.capability else []),
        ("params", list(_described(tool.params))),
        ("result", list(_described(tool.result))),
        ("env", list(tool.env_requires)),
        ("called by", [f"{each.path}:{each.line} {each.owner}" for each in tool.calls]),
    ]
    for name, lines in facts:
        for number, line in enumerate(lines):
            yield f"  {'' if number else name:<12}{printable(line)}"


def _names(schema: Json) -> str:
    """The names of the fields, optional ones with a question mark."""
    kind = from_schema(schema, fills=False)
    if not kind.fields:
        return "unknown" if not kind.known else "none" if kind.closed else describe(kind)
    names = ", ".join(name if field.required else f"{name}?" for name, field in _fields(schema, kind))
    return names if len(names) <= _WIDTH else f"{names[: _WIDTH - 1]}…"


def _described(schema: Json) -> Iterator[str]:
    """A line for each field, with its type, default and description."""
    kind = from_schema(schema, fills=False)
    if not kind.fields:
        yield _names(schema)
        return
    properties = mapping(mapping(schema).get("properties"))
    for name, field in _fields(schema, kind):
        own = mapping(properties.get(name))
        notes = [] if field.required else ["optional"]
        if "default" in own:
            notes.append(f"default {json.dumps(own['default'], ensure_ascii=False)}")
        about = own.get("description")
        line = f"{name}: {_typed(field.type)}" + (f" ({', '.join(notes)})" if notes else "")
        yield f"{line}  {' '.join(about.split())}" if isinstance(about, str) else line
        yield from _inside(field.type)
    if kind.closed:
        yield "and no others"


def _inside(kind: Type, depth: int = 1) -> Iterator[str]:
    """A line for each field of an object, or of the items of a list, and of what is in these."""
    for name, field in kind.fields or kind.item.fields:
        yield f"{'  ' * depth}{name}: {_typed(field.type)}{'' if field.required else ' (optional)'}"
        if depth < _DEPTH:
            yield from _inside(field.type, depth + 1)


def _typed(kind: Type) -> str:
    if kind.values is not None and kind.kinds <= {"string", "integer", "boolean", "null", "number"}:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in kind.values)
    return describe(kind)


def _fields(schema: Json, kind: Type) -> list[tuple[str, Field]]:
    """The fields in the order of the schema."""
    order = {name: number for number, name in enumerate(mapping(mapping(schema).get("properties")))}
    return sorted(kind.fields, key=lambda entry: order.get(entry[0], len(order)))
