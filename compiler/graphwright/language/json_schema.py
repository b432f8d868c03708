"""Generates the JSON Schema of the language (draft 2020-12), for editors, from its tables.

It covers what can be checked in one mapping: keys, types, words and bounds. `check` covers what depends on other parts
of the file, such as whether a target exists.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from graphwright.language.keys import ACTION, CONDITION, CONFIG, CONTROL, EDGE, HOOK, LIMITS, RETRY, TOP
from graphwright.language.nodes import NODES
from graphwright.language.sections import TEXT, TEXTS, Fragment, Key, Section, in_section

#: Keys that begin with `x-` are allowed everywhere.
_EXTENSIONS: Final = {"patternProperties": {"^x-": True}, "additionalProperties": False}

_NULL: Final = {"type": "null"}
_EMPTY: Final = {"type": "object", "maxProperties": 0}

#: A comparison needs a value, except `exists`, which takes none (or `true`).
_VALUE: Final = {
    "if": {"anyOf": [{"properties": {key: {"const": "exists"}}, "required": [key]} for key in ("op", "operator")]},
    "then": {"properties": {"value": {"const": True}}},
    "else": {"required": ["value"]},
}
#: An action names its item, unless it searches.
_NAMED: Final = {
    "if": {"properties": {"primary": {"const": "search"}}, "required": ["primary"]},
    "else": {"required": ["item_id"]},
}

#: A return node with an `error` must have `status: error`.
_FAILING: Final = {
    "if": {"properties": {"error": TEXT}, "required": ["error"]},
    "then": {"properties": {"status": {"const": "error"}}, "required": ["status"]},
}

#: The keys of each form of a condition and a control literal.
_COMPARED: Final = ("path", "op", "operator", "value")
_COMBINED: Final = ("any", "all", "not")
_CONTROLS: Final = (("retry", "max_retries"), ("fail",), ("abort",), ("continue", "additional_steps"))


def json_schema() -> dict[str, object]:
    """The schema of a whole graph."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "graphwright state graph"}
    return schema | _mapping(TOP, TOP.table.values()) | {"$defs": _parts()}


def _parts() -> dict[str, object]:
    """The definitions that `in_section` refers to."""
    plain = {each.name: _mapping(each, each.table.values()) for each in (CONFIG, LIMITS, RETRY, EDGE, HOOK)}
    combined = [_form(CONDITION, key) for key in _COMBINED]
    return {
        **plain,
        "action": _mapping(ACTION, ACTION.table.values()) | _NAMED,
        "node": _node(),
        **{f"{name}_node": _mapping(each, each.table.values()) for name, each in NODES.items()},
        "return_node": _mapping(NODES["return"], NODES["return"].table.values()) | _FAILING,
        "condition": _one_of(CONDITION, [_form(CONDITION, *_COMPARED) | _VALUE, *combined, _EMPTY]),
        "control": _one_of(CONTROL, [_form(CONTROL, *keys) for keys in _CONTROLS]),
        "next": {"anyOf": [TEXT, {"type": "array", "items": in_section("edge")}]},
        "names": {"anyOf": [TEXT, TEXTS]},
    }


def _node() -> dict[str, object]:
    """The schema of a node selects that of its type by `if` and `then`, so that editors show one clear message."""
    typed = {
        name: {"properties": {"type": {"const": name}}, "required": ["type"]} for name in NODES if name != "action"
    }
    rules = [{"if": test, "then": in_section(f"{name}_node")} for name, test in typed.items()]
    rules.append({"if": {"not": {"anyOf": list(typed.values())}}, "then": in_section("action_node")})
    properties = {"type": {"enum": [*NODES, None], "default": "action"}}
    return {"type": "object", "properties": properties, "allOf": rules}


def _mapping(section: Section, keys: Iterable[Key]) -> dict[str, object]:
    found = {key.name: _value(key) for key in keys}
    required = [key.name for key in keys if key.required]
    names = {"required": required} if required else {}
    return {"description": section.doc, "type": "object", "properties": found, **names, **_EXTENSIONS}


def _form(section: Section, *names: str) -> dict[str, object]:
    """A mapping with these keys; the first one is required."""
    return _mapping(section, [section.table[name] for name in names]) | {"required": [names[0]]}


def _one_of(section: Section, forms: Iterable[Fragment]) -> dict[str, object]:
    return {"description": section.doc, "oneOf": list(forms)}


def _value(key: Key) -> dict[str, object]:
    about: dict[str, object] = {"description": key.doc}
    if key.default is not None:
        about["default"] = key.default
    if key.deprecated:
        about["deprecated"] = True
    return about | (_or_null(key.schema) if key.nullable else dict(key.schema))


def _or_null(schema: Fragment) -> dict[str, object]:
    kind = schema.get("type")
    return {**schema, "type": [kind, "null"]} if isinstance(kind, str) else {"anyOf": [schema, _NULL]}
