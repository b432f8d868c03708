"""Schemas as people write them, with names that mean something to Python; graphs and contracts around them; values.

Objects that a key tells apart, in lists, nullable and by reference; parts put together by `allOf`; formats, defaults,
enums of mixed values. The strategies of `schemas.py` draw keywords at random, of which few make an object with keys.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from property.clashing import clashing_names

Schema = dict[str, Any]

_SCALARS: Final[SearchStrategy[Schema]] = st.sampled_from(
    [
        *({"type": kind} for kind in ("string", "integer", "number", "boolean", "null")),
        *({"type": kinds} for kinds in (["string", "null"], ["integer", "string"], ["boolean", "number", "null"])),
        *({"enum": values} for values in (["a", "b"], [1, 2], [1, 2.5, "a", None, True], [0, False], [-1], [True])),
        *({"const": value} for value in (True, None, "x y", -1, 1.5, "class")),
        *({"type": "string", "format": name} for name in ("date-time", "email", "uuid", "uri", "of my own")),
        *(
            {"type": "string", "pattern": "^a"},
            {"type": "integer", "minimum": 0},
            {"type": "array"},
            {"type": "object"},
        ),
        *({"$ref": "#/$defs/one"}, {"$ref": "#/$defs/two"}, {"$ref": "#/$defs/class"}, {}),
    ]
)
_DEFAULTS: Final[SearchStrategy[Schema]] = st.sampled_from(
    [
        {"type": "string", "default": "a"},
        {"enum": ["a", 1], "default": 1},
        {"type": ["object", "null"], "default": None},
        {"type": "array", "items": {"type": "integer"}, "default": []},
        {"type": "object", "properties": {"self": {"type": "boolean", "default": True}}, "default": {}},
    ]
)
_tags: Final = st.lists(
    st.sampled_from(["card", "cash", "None", "a b", "a-b", "a_b", "é", 1, 2, True, False]), min_size=2, unique_by=str
).map(lambda tags: tags[:4])


def _objects(inner: SearchStrategy[Schema]) -> SearchStrategy[Schema]:
    """An object with a few keys, some of them required, which may have others."""

    def put_together(properties: Schema, wanted: Any, extra: Schema) -> Schema:
        required = [key for number, key in enumerate(properties) if wanted >> number & 1]
        return {"type": "object", "properties": properties, "required": required, **extra}

    others = st.fixed_dictionaries({}, optional={"additionalProperties": st.just(False) | inner})
    return st.builds(
        put_together, st.dictionaries(clashing_names, inner | _DEFAULTS, max_size=3), st.integers(0, 7), others
    )


@st.composite
def _told_apart(draw: DrawFn, inner: SearchStrategy[Schema]) -> Schema:
    """Alternatives that the constants of a key tell apart, mostly, and possibly null."""
    key, combining = draw(clashing_names), draw(st.sampled_from(["oneOf", "anyOf"]))
    options: list[Schema] = []
    for tag in draw(_tags):
        option = draw(_objects(inner))
        constant = draw(st.sampled_from([{"const": tag}, {"enum": [tag, f"{tag}!"]}]))
        needed = [key] if draw(st.integers(0, 5)) else []
        option["properties"].pop(key, None)
        option["properties"] = {key: constant, **option["properties"]}
        options.append({**option, "required": [*needed, *(name for name in option["required"] if name != key)]})
    return {combining: options + draw(st.sampled_from([[], [], [{"type": "null"}], [{"type": "string"}]]))}


@st.composite
def _one_of_the_keys(draw: DrawFn, inner: SearchStrategy[Schema]) -> Schema:
    """An object of which one key or another is required."""
    found = draw(_objects(inner))
    return {**found, "anyOf": [{"required": [key]} for key in found["properties"]] or [{}]}


def _parts(first: Schema, second: Schema) -> Schema:
    return {"allOf": [first, second, {"$ref": "#/$defs/one"}]}


_schemas: Final[SearchStrategy[Schema]] = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        _objects(inner),
        _told_apart(inner),
        _one_of_the_keys(inner),
        st.builds(_parts, _objects(inner), _objects(inner)),
        inner.map(lambda items: {"type": "array", "items": items}),
        inner.map(lambda others: {"type": "object", "additionalProperties": others}),
        st.builds(lambda one, two: {"anyOf": [one, two]}, inner, inner),
    ),
    max_leaves=8,
)


@st.composite
def _documents(draw: DrawFn) -> Schema:
    """An object, with definitions of which one refers to itself."""
    defs = {"one": draw(_objects(_SCALARS)), "class": draw(_told_apart(_SCALARS))}
    defs["one"]["properties"] = {
        key: each for key, each in defs["one"]["properties"].items() if "one" not in each.get("$ref", "")
    }
    two = {"type": "object", "properties": {"more": {"$ref": "#/$defs/two"}, "None": draw(_SCALARS)}}
    root = draw(st.one_of(_objects(_schemas), _objects(_schemas), _one_of_the_keys(_schemas)))
    return {**root, "$defs": {**defs, "two": two}}


@st.composite
def typed_graphs(draw: DrawFn) -> tuple[dict[str, object], dict[str, Schema]]:
    """A graph, and contracts by tool: with schemas of the inputs, the params, the results, the state and the output."""
    keys = draw(st.lists(clashing_names.filter(lambda key: key != "inputs" and key[0] != "_"), min_size=1, unique=True))
    tools = [f"svc/{name}" for name in draw(st.lists(st.sampled_from("abc"), min_size=1, unique=True))]
    contracts: dict[str, Schema] = {}
    nodes: dict[str, object] = {}
    for number, tool in enumerate(tools):
        result = {"type": "object", "properties": {"value": draw(_schemas)}, "required": ["value"]}
        document = draw(_documents())
        result["$defs"] = document["$defs"]
        contracts[tool] = {"params": {**document, "required": []}, "result": result}
        nodes[f"call {number}"] = {
            "action": {"item_id": tool},
            "assign": dict.fromkeys(keys[number : number + 2], "${result.value}"),
            "next": f"call {number + 1}",
        }
    nodes[f"call {len(tools)}"] = {
        "action": {"item_id": tools[0]},
        "assign": {"answer": "${result.value}", "ready": True},
        "next": [{"to": "one", "when": {"path": "state.answer", "op": "exists"}}, {"to": "other"}],
    }
    output = {"output": {"it": "${state.answer}", "ok": True}} if draw(st.booleans()) else {}
    nodes["one"] = {"type": "return", **output}
    nodes["other"] = {"type": "return", "output": {"all": "${inputs}", "ok": False}}
    config: dict[str, object] = {"start": "call 0", "nodes": nodes}
    if draw(st.booleans()):
        document = draw(_documents())
        config["state_schema"] = {"properties": {"answer": draw(_schemas)}, "$defs": document["$defs"]}
    graph: dict[str, object] = {"tool_type": "graph", "permissions": ["rye.execute.tool.svc.*"], "config": config}
    return {**graph, "config_schema": draw(_documents())}, contracts


def sample(schema: Any, chance: Random, document: Schema, depth: int = 0) -> Any:
    """A value that a schema may take."""
    if not isinstance(schema, dict) or depth > 5:
        return chance.choice([None, "a", 1, {}, []])
    if "$ref" in schema:
        return sample(document["$defs"][schema["$ref"].rpartition("/")[2]], chance, document, depth + 1)
    if "const" in schema or "enum" in schema:
        return chance.choice(schema.get("enum") or [schema["const"]])
    if "allOf" in schema:
        parts = [sample(part, chance, document, depth + 1) for part in schema["allOf"]]
        return {key: value for part in parts if isinstance(part, dict) for key, value in part.items()}
    if "properties" not in schema and ("oneOf" in schema or "anyOf" in schema):
        return sample(chance.choice(schema.get("oneOf") or schema["anyOf"]), chance, document, depth + 1)
    kind = schema.get("type")
    match chance.choice(kind) if isinstance(kind, list) else kind:
        case "object":
            found = {
                key: sample(part, chance, document, depth + 1)
                for key, part in schema.get("properties", {}).items()
                if (key in schema.get("required", ()) and "default" not in part) or chance.random() < 0.6
            }
            if depth and ("properties" not in schema or chance.random() < 0.2):
                found["more"] = sample(schema.get("additionalProperties"), chance, document, depth + 1)
            return found
        case "array":
            return [sample(schema.get("items"), chance, document, depth + 1) for _ in range(chance.randint(0, 2))]
        case name:
            scalars = {"string": "a", "integer": 3, "number": 1.5, "boolean": True, "null": None}
            return scalars.get(str(name), chance.choice([None, "a", 1]))
