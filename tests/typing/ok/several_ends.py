"""A graph with several ends: the node at which a run ended tells what it gave."""

from __future__ import annotations

from typing import assert_never, assert_type, get_args, get_type_hints

from modules import ends

from graphwright_runtime.abi import Failed, RunResult
from graphwright_runtime.testing import ScriptedTools, record, run_scripted


def decided(result: ends.Outcome) -> str:
    """Every end by its node; at the others a run can only fail, and there is no output."""
    match result.ended_at:
        case "approved":
            assert_type(result.output, ends.OutputApproved)
            return result.output["approved_by"]
        case "rejected" | "expired":
            assert_type(result.output, ends.OutputRejected)
            return result.output["reason"]
        case "refused":
            assert_type(result.output, ends.OutputRefused)
            return f"{result.error}: {result.output['code']}"
        case "counted":
            assert_type(result.output, int | None)
            return str(result.output)
        case "handed_over":
            assert_type(result.output, ends.State)
            return result.state["title"]
        case "ask" | "silent" | None:
            return result.error or "refused"
        case _:
            assert_never(result.ended_at)


def by_comparison(result: ends.Outcome) -> str | None:
    """The same with `if`."""
    if result.ended_at == "approved":
        return result.output["approved_by"]
    if result.ended_at == "ask":
        assert_type(result, Failed[ends.State, None, ends.FailureNode, ends.NodeName])
        assert_type(result.output, None)
        return result.error
    return None


def by_success(result: ends.Outcome) -> ends.Output | None:
    """`Failed` goes when the run is known to be a success, and remains when it is known to be a failure."""
    if result.success is True:
        if result.ended_at == "counted":
            assert_type(result.output, int | None)
        return result.output
    match result:
        case Failed(error=error, status="error"):
            assert_type(error, str)
        case _:
            pass
    return None


async def run(inputs: ends.Inputs) -> str:
    """Every entry point gives the union."""
    assert_type(ends.run_sync({"title": "x"}), ends.Outcome)
    assert_type(run_scripted(ends.GRAPH, inputs, ScriptedTools({})), ends.Outcome)
    assert_type(run_scripted(ends.GRAPH, {"title": "x"}, {"x/ask": {"said": "yes"}}, env={}), ends.Outcome)
    assert_type(record(ends.GRAPH, {"title": "x"}, "recording.json"), ends.Outcome)
    result = await ends.run({"title": "x"})
    assert_type(result, ends.Outcome)
    assert_type(result.ended_at, ends.NodeName | None)
    assert_type(result.path, tuple[ends.NodeName, ...])
    assert_type(result.node, ends.NodeName | None)
    assert_type(result.state["title"], str)
    return decided(result)


def of_any_graph(result: RunResult[object, object]) -> str | None:
    return result.ended_at


def passed_on() -> str | None:
    return of_any_graph(ends.run_sync({"title": "x"}))


HINTS = [get_type_hints(kind) for kind in (ends.OutputApproved, ends.OutputRejected, ends.OutputRefused)]
NAMES: tuple[str, ...] = get_args(ends.NodeName)
