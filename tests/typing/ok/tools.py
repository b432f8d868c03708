"""Tools as methods of one object: sync, async, with the context of the call; by structure or as a subclass."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from types import SimpleNamespace
from typing import assert_type

from built.shop import orders

from graphwright_runtime.abi import Context, Params


class Shop:
    """Nothing of the module but its types."""

    async def shop_quote(self, params: orders.ShopQuoteParams) -> orders.ShopQuoteResult:
        assert_type(params["name"], str)
        assert_type(params.get("discount"), float | None)
        return {"offer": {"id": params["name"]}, "total": 3}

    def shop_book(self, ordered: Mapping[str, object], context: Context | None = None) -> int:
        return len(ordered) + (0 if context is None else context.step)

    def shop_tell_sales(self, params: Params) -> None:
        assert params["total"]


class Checked(orders.Tools):
    """A subclass, of which type checkers know that nothing is missing."""

    def shop_quote(self, params: orders.ShopQuoteParams, /) -> Awaitable[orders.ShopQuoteResult]:
        return Shop().shop_quote(params)

    def shop_book(self, params: orders.ShopBookParams, /) -> int:
        return len(params.get("prices", {}))

    async def shop_tell_sales(self, params: Params, /) -> dict[str, object]:
        return params


async def run(inputs: orders.Inputs) -> None:
    """Every entry point takes such an object, and takes a mapping as before."""
    await orders.run(inputs, tools=Shop())
    orders.run_sync(inputs, tools=Checked(), strict_tools=True)
    orders.run_sync(inputs, tools={"shop/quote": Shop().shop_quote, "shop/tell-sales": print})
    orders.run_sync(inputs, tools=None)
    async for _ in orders.GRAPH.events(inputs, tools=Shop()):
        break
    tools: orders.Tools = Checked()
    assert not isinstance(tools, SimpleNamespace)
