"""Alternatives of objects: how the members of a union are named, and what stays wider."""

from __future__ import annotations

import types
from typing import get_type_hints

import pytest
import yaml

from graphwright.analysis.jsontype import MAX_VARIANTS
from graphwright.ir import Json
from graphwright.readback.module import read_module
from graphwright.readback.types import TypeDeclaration
from running import compile_text, loaded


def around(**properties: Json) -> str:
    """A graph with inputs that have these schemas."""
    done = {"type": "return", "output": "${inputs}"}
    schema = {"type": "object", "properties": properties}
    graph = {"tool_type": "graph", "permissions": [], "config_schema": schema}
    return yaml.safe_dump({**graph, "config": {"start": "done", "nodes": {"done": done}}}, allow_unicode=True)


def declared(**properties: Json) -> dict[str, TypeDeclaration]:
    return dict(read_module(compile_text(around(**properties)).encode()).types)


def members(schema: Json) -> str | None:
    """What the alias of the input `it` means."""
    found = declared(it=schema)
    return found["InputsIt"].value if "InputsIt" in found else None


def tagged(key: str, *values: Json, **more: Json) -> Json:
    """Objects that a key tells apart."""
    options: list[Json] = [{"properties": {key: {"const": value}, **more}, "required": [key]} for value in values]
    return {"type": "object", "oneOf": options}


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        (tagged("kind", "card", "bank transfer"), ["1", "2"]),
        (tagged("kind", "card", "bank-transfer"), ["Card", "BankTransfer"]),
        (tagged("kind", "a-b", "a_b", "aB"), ["AB", "AB_", "AB_2"]),
        (tagged("kind", "", "x"), ["1", "2"]),
        (tagged("ok", True, False), ["True", "False"]),
        (tagged("version", 1, 2), ["1", "2"]),
        (tagged("mixed", 1, True), ["1", "2"]),
        (tagged("class", "None", "é"), ["None", "É"]),
        (tagged("__kind", "x", "y"), ["X", "Y"]),
    ],
)
def test_names_of_members(schema: Json, names: list[str]) -> None:
    assert members(schema) == " | ".join(f"InputsIt{name}" for name in names)


def test_names_clash_with_nothing() -> None:
    found = declared(it=tagged("kind", "card", "cash"), it_card=tagged("k", "x", "y"), itCash={"required": ["a"]})
    assert found["InputsIt"].value == "InputsItCard | InputsItCash"
    assert found["InputsItCard_"].value == "InputsItCard_X | InputsItCard_Y"


def test_what_alternatives_have_in_common_is_defined_once() -> None:
    owner: Json = {"type": "object", "properties": {"name": {"type": "string"}}}
    found = declared(it=tagged("kind", "a", "b", owner=owner))
    assert [name for name in found if "Owner" in name] == ["InputsItOwner", "OutputItOwner"]


def test_alternatives_that_annotations_cannot_tell_apart_are_one() -> None:
    one: dict[str, Json] = {"type": "object", "properties": {"a": {"type": "string"}}}
    found = declared(it={"anyOf": [one, {**one, "additionalProperties": False}]})
    fields = found["InputsIt"].fields
    assert fields is not None
    assert fields["a"].annotation == "str"


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "oneOf": [{"required": ["a"]}, {}]},
        {"anyOf": [{"type": "object"}, {"type": "object", "properties": {"a": {"type": "string"}}}]},
        {"oneOf": [{"type": "object", "additionalProperties": {"type": kind}} for kind in ("integer", "string")]},
        tagged("kind", *(f"k{number}" for number in range(MAX_VARIANTS + 1))),
    ],
)
def test_what_stays_wider(schema: Json) -> None:
    assert members(schema) is None or "|" not in str(members(schema))


def test_a_union_at_run_time() -> None:
    schema: Json = {"anyOf": [tagged("kind", "card", "cash"), {"type": "object", "additionalProperties": True}]}
    text = around(
        it=tagged("kind", "card", "class"), other={"anyOf": [tagged("k", "a"), {"type": "null"}]}, wide=schema
    )
    with loaded(compile_text(text)) as module:
        hints = get_type_hints(module.Inputs)
        assert isinstance(hints["it"], types.UnionType)
        for name in module.__all__:
            if isinstance(made := getattr(module, name), type):
                assert get_type_hints(made) or name == "Output"
