"""The protocol `Tools`: which tools it has, under which names, of which types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from commands import graphwright
from graphwright.readback.module import read_module
from graphwright.readback.types import MethodType
from running import compile_text, loaded

CALLS = """\
tool_type: graph
permissions: ["*"]
config:
  start: n0
  nodes:
"""


def calling(*item_ids: str) -> str:
    """A graph with a node for each of these ids."""
    nodes = [
        f"    n{number}: {{action: {{item_id: {json.dumps(item_id, ensure_ascii=False)}}}, next: n{number + 1}}}\n"
        for number, item_id in enumerate(item_ids)
    ]
    return f"{CALLS}{''.join(nodes)}    n{len(item_ids)}: {{type: return}}\n"


def methods(text: str) -> dict[str, MethodType]:
    found = read_module(compile_text(text).encode()).types.get("Tools")
    return {} if found is None else dict(found.methods or {})


def test_a_tool_without_a_contract() -> None:
    assert methods(calling("tickets/list")) == {"tickets_list": MethodType("Params", "object")}


def test_what_comes_with_the_runtime_and_what_a_template_names_is_left_out() -> None:
    assert methods(calling("rye/file-system/list", "x/${inputs.name}")) == {}


@pytest.mark.parametrize(
    ("item_ids", "names"),
    [
        (["list", "class", "str", "type", "match"], ["list_", "class_", "str_", "type_", "match_"]),
        (["Any", "Literal", "Params", "Protocol", "object"], ["Any", "Literal_", "Params_", "Protocol_", "object_"]),
        (["self", "__init__", "_x", "x/mro"], ["self", "init__", "x", "x_mro"]),
        (["Inputs", "Tools", "run"], ["Inputs", "Tools", "run"]),
        (["2/3", "x y/z", "ﬁ/le"], ["_2_3", "x_y_z", "fi_le"]),
    ],
)
def test_names_clash_with_nothing(item_ids: list[str], names: list[str]) -> None:
    assert list(methods(calling(*item_ids))) == names


def test_names_do_not_clash_with_each_other() -> None:
    spelled = ["a/b", "a-b", "a_b", "a.b"]
    found = methods(calling(*spelled))
    assert len(found) == len(spelled)
    assert list(found)[2] == "a_b", "the id that is spelled like it has the name"
    assert methods(calling(*reversed(spelled))) == found


MANIFESTS: dict[str, Any] = {
    "shop/orders": {
        "params": {
            "type": "object",
            "properties": {"day": {"type": "string"}, "kind": {"enum": ["new", "paid"]}},
            "required": ["day"],
        },
        "result": {
            "type": "object",
            "properties": {
                "orders": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}
            },
            "required": ["orders"],
        },
    },
    "shop/counts": {
        "params": {"type": "object", "additionalProperties": {"type": "integer"}},
        "result": {"type": "object", "additionalProperties": {"type": "number"}},
    },
    "shop/name": {"result": {"type": ["string", "null"]}},
    "shop/tell": {"params": {"type": "object"}, "result": {"type": "object"}},
    "shop/nothing": {"params": {"type": "object", "additionalProperties": False}},
}


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The module of a graph that calls all of them."""
    monkeypatch.chdir(tmp_path)
    for item_id, manifest in MANIFESTS.items():
        path = Path("contracts", f"{item_id}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(manifest), "utf-8")
    nodes = calling(*MANIFESTS).replace('shop/orders"}', 'shop/orders", params: {day: today}}')
    Path("graph.yaml").write_text(nodes, "utf-8")
    done = graphwright("build", "--no-sign", "graph.yaml")
    assert done.code == 0, done.stderr
    return Path("generated", "graph.py").read_bytes()


def test_contracts_are_the_types(module: bytes) -> None:
    types = read_module(module).types
    assert types["Tools"].methods == {
        "shop_orders": MethodType("ShopOrdersParams", "AwaitableOrValue[ShopOrdersResult]"),
        "shop_counts": MethodType("dict[str, int]", "AwaitableOrValue[Mapping[str, float]]"),
        "shop_name": MethodType("Params", "AwaitableOrValue[str | None]"),
        "shop_tell": MethodType("Params", "AwaitableOrValue[Mapping[str, object]]"),
        "shop_nothing": MethodType("Params", "object"),
    }
    fields = types["ShopOrdersParams"].fields
    assert fields is not None
    assert {key: (each.annotation, each.required) for key, each in fields.items()} == {
        "day": ("str", True),
        "kind": ("Literal['new', 'paid']", False),
    }


def test_types_can_be_asked_for_at_run_time(module: bytes) -> None:
    with loaded(module.decode()) as made:
        hints = get_type_hints(made.Tools.shop_orders)
        assert hints["params"] is made.ShopOrdersParams
        assert made.ShopOrdersResult in hints["return"].__args__


def test_inspect_shows_the_methods(module: bytes) -> None:
    shown = graphwright("inspect", "generated/graph.py").stdout
    assert "Tools\n  shop_orders   ShopOrdersParams -> AwaitableOrValue[ShopOrdersResult]\n" in shown
    told = json.loads(graphwright("inspect", "generated/graph.py", "--format", "json").stdout)
    assert told["types"]["Tools"]["methods"]["shop_name"] == {
        "params": "Params",
        "returns": "AwaitableOrValue[str | None]",
    }
