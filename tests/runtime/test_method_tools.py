"""Tools that are the methods of one object, as the protocol `Tools` of a module wants them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from graphwright_runtime.context import Context
from graphwright_runtime.testing import record, replay
from running import compile_text, loaded

GRAPH = """
tool_type: graph
permissions: ["*"]
config:
  start: load
  hooks: [{event: graph_completed, action: {item_id: shop/tell, params: {what: done}}}]
  nodes:
    load: {action: {item_id: "tool:shop/load-orders", params: {day: today}}, assign: {n: "${result.n}"}, next: sum}
    sum: {action: {item_id: "tool:shop/sum", params: {n: "${state.n}"}}, assign: {n: "${result.n}"}, next: end}
    end: {type: return, output: {n: "${state.n}"}}
"""


@pytest.fixture(scope="module")
def shop() -> Iterator[ModuleType]:
    with loaded(compile_text(GRAPH)) as module:
        yield module


class Shop:
    """One of each kind: async, sync, with the context."""

    def __init__(self) -> None:
        self.told: list[object] = []
        self.looked_up = 0

    async def shop_load_orders(self, params: Mapping[str, object]) -> dict[str, int]:
        return {"n": len(str(params["day"]))}

    @property
    def shop_sum(self) -> Any:
        self.looked_up += 1
        return self.add

    def add(self, params: Mapping[str, Any], context: Context | None = None) -> dict[str, int]:
        assert context is not None
        return {"n": params["n"] + context.step}

    def shop_tell(self, params: Mapping[str, object], /) -> None:
        self.told.append(params["what"])


def test_methods_are_the_tools(shop: Any) -> None:
    tools = Shop()
    result = shop.run_sync({}, tools=tools, strict_tools=True)
    assert (result.output, tools.told) == ({"n": 7}, ["done"])
    assert tools.looked_up == 1, "methods are looked up when a run starts"


def test_as_an_iterator_of_events(shop: Any) -> None:
    async def last() -> Any:
        stream = shop.GRAPH.events({}, tools=Shop())
        async with stream as events:
            async for _ in events:
                pass
        return stream.result

    assert asyncio.run(last()).output == {"n": 7}


def test_attributes_and_modules_will_do(shop: Any) -> None:
    tools = SimpleNamespace(shop_load_orders=lambda params: {"n": 1}, shop_sum=lambda params: params, shop_tell=print)
    assert shop.run_sync({}, tools=tools).output == {"n": 1}


def test_a_mapping_is_one_whatever_methods_it_has(shop: Any) -> None:
    class Both(dict[str, Any]):
        def shop_load_orders(self, params: object) -> object:
            raise AssertionError("the entry is the tool")

    tools = Both({"shop/load-orders": lambda params: {"n": 3}, "shop/sum": dict, "shop/tell": print})
    assert shop.run_sync({}, tools=tools).output == {"n": 3}


def test_what_is_missing_is_named_before_anything_runs(shop: Any) -> None:
    class Half:
        def shop_load_orders(self, params: object) -> object:
            raise AssertionError("nothing is to run")

    wanted = (
        r"tools lacks methods of `Tools`: Half has no `shop_sum` \(for `shop/sum`\), no `shop_tell` \(for `shop/tell`\)"
    )
    with pytest.raises(TypeError, match=wanted):
        shop.run_sync({}, tools=Half())


def test_a_method_that_only_the_protocol_has_is_missing(shop: Any) -> None:
    def never(self: object, params: object) -> object:
        raise AssertionError("nothing is to run")

    half = type("Half", (shop.Tools,), {"shop_load_orders": never, "shop_tell": never})
    with pytest.raises(TypeError, match=r"tools lacks methods of `Tools`: Half has no `shop_sum` \(for `shop/sum`\)$"):
        shop.run_sync({}, tools=half())


def test_an_object_without_one_of_the_methods(shop: Any) -> None:
    class Desk:
        def load_orders(self, params: object) -> object:
            raise AssertionError("nothing is to run")

    with pytest.raises(TypeError, match="Desk has no `shop_load_orders`"):
        shop.run_sync({}, tools=Desk())


@pytest.mark.parametrize("tools", [Shop, [], "shop", 3, object()])
def test_no_tools_at_all(shop: Any, tools: object) -> None:
    kind = "Shop" if tools is Shop else f"a value of type {type(tools).__name__}"
    wanted = "a mapping of item ids to callables or graphs, or an object with the methods of `Tools`"
    with pytest.raises(TypeError, match=f"tools must be {wanted}, not {kind}"):
        shop.run_sync({}, tools=tools)


def test_a_method_that_is_no_tool(shop: Any) -> None:
    tools = SimpleNamespace(shop_load_orders=3, shop_sum=dict, shop_tell=print)
    with pytest.raises(TypeError, match=r"tools\['shop/load-orders'\] is neither a callable nor a generated graph: 3"):
        shop.run_sync({}, tools=tools)


def test_a_run_with_methods_is_recorded(shop: Any, tmp_path: Path) -> None:
    record(shop.GRAPH, {}, tmp_path / "case.json", tools=Shop())
    assert replay(shop.GRAPH, tmp_path / "case.json").output == {"n": 7}


def test_a_graph_that_calls_no_tool_takes_no_object() -> None:
    text = "tool_type: graph\nconfig: {start: end, nodes: {end: {type: return}}}\n"
    with loaded(compile_text(text)) as module:
        assert not hasattr(module, "Tools")
        with pytest.raises(TypeError, match="tools must be a mapping of item ids to callables or graphs, not a value"):
            module.run_sync({}, tools=Shop())
