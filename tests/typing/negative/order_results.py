"""What cannot be read from the results of `shop/orders`."""

from __future__ import annotations

from built.shop import orders


def misread(result: orders.Outcome) -> object:
    # wrong [typeddict-item | reportGeneralTypeIssues]: not a key of the state
    result.state["totl"]
    # wrong [typeddict-item | reportGeneralTypeIssues]: not a key of what the tool returns
    result.state["offer"]["idd"]
    # wrong [operator | reportOperatorIssue]: of another type
    result.state["receipt"] + "1"
    match result.ended_at:
        case "accepted":
            # wrong [typeddict-item | reportGeneralTypeIssues reportUnknownVariableType]: the output of another end
            return result.output["reason"]
        case "rejected":
            # wrong [typeddict-item | reportGeneralTypeIssues reportUnknownVariableType]: the output of another end
            return result.output["total"]
        case "book":
            # wrong [index | reportOptionalSubscript reportUnknownVariableType]: a run that fails there has no output
            return result.output["total"]
        case _:
            return None


def misnamed(result: orders.Outcome) -> bool:
    # wrong [assignment | reportAssignmentType]: not a node
    name: orders.NodeName = "fetch"
    # wrong [assignment | reportAssignmentType]: a node where a run cannot fail
    failing: orders.FailureNode = "accepted"
    # wrong [comparison-overlap | reportUnnecessaryComparison]: not a node
    return result.node == "fetsh" or name == failing
