"""Objects that do not implement the tools of a graph."""

from __future__ import annotations

from built.shop import orders
from modules import declared

from graphwright_runtime.abi import Context, Params


class Complete:
    """Right, so that each class below has one mistake."""

    def shop_quote(self, params: orders.ShopQuoteParams) -> orders.ShopQuoteResult:
        # wrong [typeddict-item | reportReturnType]: the result lacks a key
        return {"offer": {"id": "1"}}

    def shop_book(self, params: orders.ShopBookParams) -> int:
        # wrong [typeddict-item | reportGeneralTypeIssues reportUnknownArgumentType]: no such param
        return len(params["price"])

    def shop_tell_sales(self, params: Params) -> None:
        assert params


class OtherResult(Complete):
    """An async tool whose result is not what the contract says."""

    # wrong [override | reportIncompatibleMethodOverride]: a string
    async def shop_book(self, params: orders.ShopBookParams) -> str:
        return str(params)


class Results:
    """The same without a base class that is right."""

    def shop_quote(self, params: orders.ShopQuoteParams) -> orders.ShopQuoteResult:
        raise NotImplementedError

    async def shop_book(self, params: orders.ShopBookParams) -> str:
        return str(params)

    def shop_tell_sales(self, params: Params) -> None:
        assert params


class OtherParams:
    """A tool that wants more than the contract promises."""

    def shop_quote(self, params: dict[str, str]) -> orders.ShopQuoteResult:
        raise NotImplementedError

    def shop_book(self, params: orders.ShopBookParams) -> int:
        return len(params)

    def shop_tell_sales(self, params: Params, context: Context) -> None:
        assert params, context


class Half:
    """A tool is missing."""

    def shop_quote(self, params: orders.ShopQuoteParams) -> orders.ShopQuoteResult:
        raise NotImplementedError

    def shop_book(self, params: orders.ShopBookParams) -> int:
        return len(params)


class Unfinished(orders.Tools):
    """A subclass that lacks tools."""

    def shop_book(self, params: orders.ShopBookParams, /) -> int:
        return len(params)


def run(inputs: orders.Inputs) -> None:
    orders.run_sync(inputs, tools=Complete())
    # wrong [arg-type | reportArgumentType]: another result
    orders.run_sync(inputs, tools=Results())
    # wrong [arg-type | reportArgumentType]: other params
    orders.run_sync(inputs, tools=OtherParams())
    # wrong [arg-type | reportArgumentType]: one is missing
    orders.run_sync(inputs, tools=Half())
    # wrong [arg-type | reportArgumentType]: the class, not an object
    orders.run_sync(inputs, tools=Complete)
    # wrong [abstract | reportAbstractUsage]: not implemented
    orders.run_sync(inputs, tools=Unfinished())
    # wrong [arg-type | reportArgumentType]: the tools of another graph
    declared.run_sync({"team": "x"}, tools=Complete())
