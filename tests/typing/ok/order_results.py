"""State and output of a graph whose tools have contracts: what they return is what is known of both."""

from __future__ import annotations

from typing import Literal, assert_never, assert_type

from built.shop import orders

from graphwright_runtime.abi import Failed


def by_end(result: orders.Outcome) -> str:
    """The types of results come from contracts, through the state, to the outputs."""
    assert_type(result.state["total"], float)
    assert_type(result.state["receipt"], int)
    assert_type(result.state["offer"]["id"], str)
    assert_type(result.state["offer"].get("until"), str | None)
    match result.ended_at:
        case "accepted":
            assert_type(result.output, orders.OutputAccepted)
            return f"{result.output['receipt']}: {result.output['offer']['id']}"
        case "rejected":
            assert_type(result.output["reason"], str)
            return result.output["reason"]
        case "unsold":
            assert_type(result, Failed[orders.State, orders.OutputUnsold, Literal["unsold"], orders.NodeName])
            assert_type(result.output["code"], int)
            return result.error
        case "quote" | "book" | "tell":
            assert_type(result.output, None)
            return result.error
        case None:
            return "refused"
        case _:
            assert_never(result.ended_at)


def by_name(node: orders.NodeName) -> bool:
    """The nodes where a run can only fail have a name of their own."""
    failing: orders.FailureNode = "book"
    return node == failing
