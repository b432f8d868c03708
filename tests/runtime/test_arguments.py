"""Wrong arguments of `run`: each is named before anything happens, and misspelled ids of tools are not ignored."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from graphwright_runtime.abi import Graph
from graphwright_runtime.inprocess import InProcessHost
from running import compile_text, loaded
from runtime.test_tools import write

GRAPH = """
tool_type: graph
permissions: ["*"]
config:
  start: load
  nodes:
    load: {action: {item_id: "tool:shop/load-orders"}, assign: {orders: "${result.orders}"}, next: note}
    note: {action: {item_id: "ITEM"}, next: end}
    end: {type: return, output: {orders: "${state.orders}"}}
"""


def shop(item: str = "tool:rye/agent/threads/internal/emitter", more: str = "start: load") -> Any:
    text = GRAPH.replace("ITEM", item).replace("start: load", more)
    with loaded(compile_text(text.replace('emitter"}', 'emitter", params: {event: e}}'))) as module:
        return module


def orders(params: Mapping[str, object]) -> object:
    return {"orders": 3}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"project": 3}, "project must be a string or a path, not a value of type int"),
        (
            {"tools": [orders]},
            "tools must be a mapping of item ids to callables or graphs, or an object with the methods",
        ),
        (
            {"tools": {"shop/load-orders": 3}},
            "tools['shop/load-orders'] is neither a callable nor a generated graph: 3",
        ),
        ({"dispatch": {}}, "dispatch must be callable, not a value of type dict"),
        ({"capabilities": "rye.*"}, "capabilities must be a sequence of patterns, not a value of type str"),
        ({"capabilities": [1]}, "capabilities must be a sequence of patterns, not a value of type list"),
        ({"env": [("A", "b")]}, "env must be a mapping of strings to strings, not a value of type list"),
        ({"env": {"A": 1}}, "env must be a mapping of strings to strings, not a value of type dict"),
        ({"host": InProcessHost}, "host must be a host: an object with the methods now, new_run_id"),
        ({"host": object()}, "host must be a host: an object with the methods now, new_run_id"),
        ({"run_id": 7}, "run_id must be a string, not a value of type int"),
        ({"resume": Path("x")}, "resume must be a string, not a value of type"),
        ({"allow_changed": "yes"}, "allow_changed must be True or False, not a value of type str"),
        ({"strict_tools": 1}, "strict_tools must be True or False, not a value of type int"),
        ({"on_event": "print"}, "on_event must be a plain function"),
        ({"tool": {}}, "unexpected keyword argument 'tool'"),
    ],
)
def test_an_argument_of_the_wrong_type_is_named(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(TypeError) as raised:
        shop().run_sync({}, **arguments)
    assert says in str(raised.value)


def test_a_durability_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="durability is one of process, power, exit, off, not 'full'"):
        shop().run_sync({}, durability="full")


@pytest.mark.parametrize(
    "written", ["shop/load_orders", "shop/load-order", "shop/laod-orders", "Shop/Load-Orders", "shop/load-ordersx"]
)
def test_a_misspelled_id_is_an_error_even_if_the_project_has_the_tool(written: str, tmp_path: Path) -> None:
    write(tmp_path / ".ai/tools/shop/load-orders.py", "def execute(params):\n    return {'orders': -1}\n")
    says = f"tools\\['{written}'\\]: .* does not call this tool; did you mean 'shop/load-orders'\\?$"
    with pytest.raises(ValueError, match=says):
        shop().run_sync({}, tools={written: orders}, project=tmp_path)


@pytest.mark.parametrize("more", ["shop/refund", "shop/load_orders", "mail/send", "rye/bash"])
def test_a_toolbox_may_have_more_than_the_graph_calls(more: str) -> None:
    result = shop().run_sync({}, tools={"shop/load-orders": orders, more: orders})
    assert (result.error, result.output) == (None, {"orders": 3})


def test_ids_that_differ_in_a_number_are_different_tools(tmp_path: Path) -> None:
    write(tmp_path / ".ai/tools/shop/load-orders.py", "def execute(params):\n    return {'orders': 1}\n")
    result = shop().run_sync({}, tools={"shop/load-orders2": orders}, project=tmp_path)
    assert result.output == {"orders": 1}


def test_an_id_that_a_template_may_give_is_no_mistake(tmp_path: Path) -> None:
    write(tmp_path / ".ai/tools/shop/load-orders.py", "def execute(params):\n    return {'orders': 1}\n")
    called = shop("tool:shop/${state.orders}")
    result = called.run_sync({}, tools={"shop/load-order": orders}, project=tmp_path)
    assert "no tool `shop/1`" in str(result.error)


def test_the_actions_of_hooks_are_called_too() -> None:
    hook = "hooks: [{event: graph_started, action: {item_id: team/notify}}]\n  start: load"
    called = shop(more=hook)
    tools = {"shop/load-orders": orders, "team/notify": orders}
    assert called.run_sync({}, tools=tools).success
    with pytest.raises(ValueError, match="did you mean 'team/notify'"):
        called.run_sync({}, tools={"shop/load-orders": orders, "team/notfy": orders})


# --- strict_tools


def test_strict_tools_run_nothing_else(tmp_path: Path) -> None:
    write(tmp_path / ".ai/tools/shop/load-orders.py", "def execute(params):\n    return {'orders': -1}\n")
    result = shop().run_sync({}, tools={}, strict_tools=True, project=tmp_path)
    assert result.error == "`shop/load-orders` is not in `tools`, and with `strict_tools` nothing else runs"
    assert (result.status, result.node) == ("error", "load")
    result = shop().run_sync({}, tools={"shop/load-orders": orders}, strict_tools=True)
    assert "`rye/agent/threads/internal/emitter` is not in `tools`" in str(result.error)


def test_strict_tools_hold_for_what_tools_call_and_for_nested_graphs() -> None:
    async def outer(params: dict[str, Any], context: Any) -> object:
        return await context.call("rye/bash", {"command": "true"})

    result = shop().run_sync({}, tools={"shop/load-orders": outer}, strict_tools=True)
    assert "`rye/bash` is not in `tools`" in str(result.error)
    with loaded(compile_text(GRAPH.replace("shop/load-orders", "x/fetch").replace("ITEM", "x/log"))) as module:
        inner: Graph[Any, Any, Any] = module.GRAPH
    result = shop().run_sync({}, tools={"shop/load-orders": inner}, strict_tools=True)
    assert "`x/fetch` is not in `tools`, and with `strict_tools` nothing else runs" in str(result.error)


def test_with_strict_tools_dispatch_still_answers() -> None:
    result = shop().run_sync({}, dispatch=lambda call, _: {"orders": call.item_id}, strict_tools=True)
    assert result.output == {"orders": "shop/load-orders"}
