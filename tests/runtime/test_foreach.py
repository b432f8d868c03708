"""foreach: both modes, item errors, limits, no tasks left over (language.md §7)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest

from graphwright_runtime.abi import Control, Hook, NodeError, Retry, add, dynamic, execute
from runtime.small import WORK, AnyCursor, graph, noting, ran, reset, retry_hook

Node = Callable[[AnyCursor], Any]


def looping(**options: Any) -> Node:
    """A foreach node over `inputs.xs` that collects into `out`."""

    async def node(c: AnyCursor) -> str | None:
        def params(x: Any) -> dict[str, object]:
            return {"x": x}

        out = await c.each(WORK, c.inputs["xs"], params, collect="out", **options)
        c.commit({"out": out})
        return "done"

    return node


def rescued(**options: Any) -> Node:
    loop = looping(**options)

    async def node(c: AnyCursor) -> str | None:
        try:
            following: str | None = await loop(c)
            return following
        except NodeError as error:
            await c.failed(error)
            return "rescue"

    return node


def continued(**options: Any) -> Node:
    loop = looping(keep_going=True, **options)

    async def node(c: AnyCursor) -> str | None:
        try:
            following: str | None = await loop(c)
            return following
        except NodeError as error:
            await c.suppressed(error)
            return "done"

    return node


def foreach(node: Node, **more: Any) -> Any:
    return graph(node, kinds={"work": "foreach", "rescue": "gate", "done": "return"}, **more)


def echo(params: dict[str, Any]) -> dict[str, Any]:
    if params["x"] == "bad":
        raise ValueError("boom")
    return {"got": params["x"]}


async def aecho(params: dict[str, Any]) -> dict[str, Any]:
    return echo(params)


MODES = pytest.mark.parametrize("parallel", [None, 1, 2, 64])
TOOLS = pytest.mark.parametrize("tool", [echo, aecho])
FAILED = {"status": "error", "error": "boom"}


@MODES
@TOOLS
def test_results_are_collected_in_the_order_of_the_items(parallel: int | None, tool: Any) -> None:
    run = ran(foreach(looping(parallel=parallel)), inputs={"xs": [3, 1, 2]}, tools={"svc/work": tool})
    assert run.result.state == {"out": [{"got": 3}, {"got": 1}, {"got": 2}]}


def test_order_does_not_depend_on_who_is_done_first() -> None:
    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(params["x"] / 100)
        return {"x": params["x"]}

    xs = [5, 1, 4, 0, 3]
    run = ran(foreach(looping(parallel=5)), inputs={"xs": xs}, tools={"svc/work": tool})
    assert run.result.state["out"] == [{"x": x} for x in xs]


@pytest.mark.parametrize("parallel", [2, 3])
def test_no_more_than_allowed_run_at_once(parallel: int) -> None:
    running = most = 0

    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001)
        running -= 1
        return {}

    ran(foreach(looping(parallel=parallel)), inputs={"xs": list(range(20))}, tools={"svc/work": tool})
    assert most == parallel


@pytest.mark.parametrize(
    ("over", "count"), [([], 0), (None, 0), ("[1, 2]", 2), (' [{"a": 1}]\n', 1), ([None, [1], {}], 3)]
)
def test_what_can_be_looped_over(over: object, count: int, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "graphwright_runtime"):
        run = ran(foreach(looping()), {"svc/work": [{}]}, {"xs": over})
    assert run.result.state == {"out": [{}] * count}
    assert ("is null: there are no items" in caplog.text) is (over is None)


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ("a.csv b.csv", "the string 'a.csv b.csv'"),
        ('{"a": 1}', "the string"),
        ("x" * 100, f"the string '{'x' * 40}'…"),
        (3, "the number 3"),
        (True, "true"),
        ({"k": 1}, "a mapping of 1"),
    ],
)
def test_what_cannot_be_looped_over(over: object, said: str) -> None:
    result = ran(foreach(rescued()), {"svc/work": [{}]}, {"xs": over}).result
    assert result.path == ("work", "rescue", "done")
    assert f"`over` must be a list, not {said}" in result.state["_last_error"]["error"]
    assert "out" not in result.state


def test_the_whole_loop_is_never_repeated() -> None:
    run = ran(foreach(rescued(), hooks=(retry_hook(),)), {"svc/work": [{}]}, {"xs": 3})
    assert run.result.path == ("work", "rescue", "done")
    assert "_retries" not in run.result.state


def test_sequential_assigns_are_seen_by_later_items() -> None:
    async def node(c: AnyCursor) -> str | None:
        def params(x: Any) -> dict[str, object]:
            return {"x": x, "balance": c.state["balance"]}

        def assign(x: Any, result: Any) -> dict[str, object]:
            return {"balance": add(c.state["balance"], x), "last": result["ref"]}

        await c.each(WORK, c.inputs["xs"], params, assign=assign)
        return "done"

    run = ran(
        foreach(node, initial=lambda: {"balance": 100}),
        {"svc/work": [{"ref": "a"}, {"ref": "b"}]},
        {"xs": [5, -20]},
    )
    assert run.result.state == {"balance": 85, "last": "b"}
    assert [call.params["balance"] for call in run.calls] == [100, 105]
    failing = ran(
        foreach(node, initial=lambda: {"balance": 100}),
        {"svc/work": [{"ref": "a"}, {"ref": "b"}]},
        {"xs": [5, "x", 1]},
    )
    assert failing.result.state["balance"] == 105
    assert failing.result.state["last"] == "a"
    assert "item 1 of 3 failed" in str(failing.result.error)


def test_thread_ids_are_collected() -> None:
    run = ran(foreach(looping(thread_ids=True)), {"svc/work": [{"thread_id": "t-1"}, {"x": 1}]}, {"xs": [1, 2]})
    assert run.result.state == {"out": ["t-1", None]}


def test_dynamic_ids_are_checked_item_by_item() -> None:
    async def node(c: AnyCursor) -> str | None:
        await c.each(lambda x: dynamic("execute", None, x), c.inputs["xs"], lambda x: {})
        return "done"

    run = ran(foreach(node), {"svc/a": [{}]}, {"xs": ["svc/a", "admin/drop", "svc/a"]})
    assert run.called == ["svc/a"]
    assert "item 1 of 3 failed: permission denied" in str(run.result.error)


# --- item errors


@pytest.mark.parametrize("parallel", [None, 1])
@TOOLS
def test_fail_stops_at_the_first_failing_item(parallel: int | None, tool: Any) -> None:
    run = ran(foreach(looping(parallel=parallel)), inputs={"xs": [1, "bad", 3, 4]}, tools={"svc/work": tool})
    assert (run.result.status, run.result.node) == ("error", "work")
    assert run.result.error == "item 1 of 4 failed: boom"
    assert run.result.state == {
        "out": [{"got": 1}, FAILED, None, None],
        "_last_error": {"node": "work", "error": "item 1 of 4 failed: boom"},
    }
    assert run.result.exception is not None
    assert str(run.result.exception.__cause__) == "boom"


def test_parallel_lets_running_items_finish_and_starts_no_more() -> None:
    started: list[object] = []

    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        started.append(params["x"])
        await asyncio.sleep(0.01 if params["x"] == 1 else 0.03)
        return echo({"x": "bad" if params["x"] == 1 else params["x"]})

    result = ran(foreach(rescued(parallel=3)), inputs={"xs": [0, 1, 2, 3, 4]}, tools={"svc/work": tool}).result
    assert started == [0, 1, 2]
    assert result.state["out"] == [{"got": 0}, FAILED, {"got": 2}, None, None]
    assert result.path == ("work", "rescue", "done")


@MODES
@TOOLS
def test_continue_completes_the_loop(parallel: int | None, tool: Any) -> None:
    run = ran(foreach(continued(parallel=parallel)), inputs={"xs": ["bad", 1, "bad"]}, tools={"svc/work": tool})
    assert run.result.status == "completed_with_errors"
    assert run.result.state["out"] == [FAILED, {"got": 1}, FAILED]
    assert run.result.errors[0].error == "items 0, 2 of 3 failed: [0] boom; [2] boom"
    assert len(run.result.errors) == 1


def test_an_error_quotes_a_few_texts_and_names_every_index() -> None:
    run = ran(foreach(continued()), inputs={"xs": ["bad"] * 5}, tools={"svc/work": echo})
    assert run.result.errors[0].error == "items 0, 1, 2, 3, 4 of 5 failed: [0] boom; [1] boom; [2] boom; …"


@pytest.mark.parametrize("bad", [{"success": False, "error": "empty"}, {"at": object()}])
def test_bad_results_fail_their_item(bad: dict[str, Any]) -> None:
    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        return bad if params["x"] else {"rows": [1]}

    run = ran(foreach(continued(parallel=2)), inputs={"xs": [0, 1, 0]}, tools={"svc/work": tool})
    assert [item.get("rows") for item in run.result.state["out"]] == [[1], None, [1]]


def test_results_are_copies() -> None:
    kept: list[dict[str, Any]] = []

    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        kept.append({"x": params["x"]})
        return kept[-1]

    run = ran(foreach(looping(parallel=2)), inputs={"xs": [1]}, tools={"svc/work": tool})
    kept[0]["x"] = 9
    assert run.result.state["out"] == [{"x": 1}]


def test_nested_items_are_copied_for_the_tool() -> None:
    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        params["x"].append("changed")
        return {}

    run = ran(foreach(looping(parallel=2), validate=None), inputs={"xs": [[1], [2]]}, tools={"svc/work": tool})
    assert run.result.success
    assert run.result.output == {"out": [{}, {}]}


# --- retries belong to items


@pytest.mark.parametrize("parallel", [None, 2])
def test_each_item_has_its_own_attempts(parallel: int | None) -> None:
    counts: dict[int, int] = {}

    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        counts[params["x"]] = counts.get(params["x"], 0) + 1
        if counts[params["x"]] < 2:
            raise reset()
        return {}

    policy = Retry(2, backoff_ms=1, jitter=False)
    record = foreach(looping(parallel=parallel), retries={"work": policy}, builtin_hooks=False)
    run = ran(record, inputs={"xs": [1, 2, 3]}, tools={"svc/work": tool})
    assert run.result.success
    assert counts == {1: 2, 2: 2, 3: 2}
    assert run.host.slept == [0.001] * 3


def test_the_built_in_retry_acts_on_items() -> None:
    run = ran(foreach(looping()), {"svc/work": [{"n": 1}, reset(), {"n": 2}]}, {"xs": ["a", "b"]})
    assert run.result.state == {"out": [{"n": 1}, {"n": 2}], "_retries": {"work": 1}}
    assert [call.params["x"] for call in run.calls] == ["a", "b", "b"]


def test_hooks_are_asked_for_items() -> None:
    asked: list[object] = []
    hook = Hook("error", when=noting(asked, "node"), control=Control("continue"))
    run = ran(foreach(continued(), hooks=(hook,)), inputs={"xs": ["bad", 1, "bad"]}, tools={"svc/work": echo})
    assert asked == ["work", "work"]
    assert run.result.status == "completed_with_errors"


@pytest.mark.parametrize("parallel", [None, 3])
def test_fail_from_a_hook_ends_the_run_at_once(parallel: int | None) -> None:
    cancelled: list[object] = []

    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        if params["x"] == "bad":
            raise ValueError("boom")
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            cancelled.append(params["x"])
            raise
        return {}

    record = foreach(continued(parallel=parallel), hooks=(Hook("error", control=Control("fail")),))
    run = ran(record, inputs={"xs": ["bad", 1, 2]}, tools={"svc/work": tool})
    assert (run.result.status, run.result.error) == ("error", "item 0 of 3 failed: boom")
    assert cancelled == ([1, 2] if parallel else [])


def test_timeout_counts_per_item() -> None:
    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(30 if params["x"] == "slow" else 0.01)
        return {}

    record = foreach(continued(parallel=2, timeout_s=0.1), builtin_hooks=False)
    run = ran(record, inputs={"xs": [1, "slow", 2]}, tools={"svc/work": tool})
    assert run.result.state["out"] == [{}, {"status": "error", "error": "timed out after 0.1 s"}, {}]


def test_items_can_be_cached() -> None:
    run = ran(foreach(looping(cache=True)), {"svc/work": [{"n": 1}, {"n": 2}]}, {"xs": ["a", "b", "a"]})
    assert run.result.state["out"] == [{"n": 1}, {"n": 2}, {"n": 1}]
    assert len(run.calls) == 2


# --- cancellation


@pytest.mark.parametrize("parallel", [None, 4])
def test_cancelling_waits_for_every_worker(parallel: int | None) -> None:
    cleaned: list[object] = []

    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        try:
            await asyncio.sleep(30)
        finally:
            await asyncio.sleep(0.01)
            cleaned.append(params["x"])
        return {}

    async def main() -> None:
        record = foreach(continued(parallel=parallel), hooks=(retry_hook(),))
        task = asyncio.create_task(execute(record, {"xs": [0, 1, 2, 3, 4]}, tools={"svc/work": tool}, env={}))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())
    assert sorted(map(str, cleaned)) == (["0", "1", "2", "3"] if parallel else ["0"])


@pytest.mark.parametrize("parallel", [None, 8])
def test_a_loop_that_never_waits_lets_others_have_their_turn(parallel: int | None) -> None:
    async def main() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await execute(
                    foreach(looping(parallel=parallel)), {"xs": [1] * 2_000_000}, tools={"svc/work": aecho}, env={}
                )

    asyncio.run(main())


def test_a_bug_in_an_item_ends_the_run_and_is_no_item_error() -> None:
    async def node(c: AnyCursor) -> str | None:
        def params(x: Any) -> dict[str, object]:
            raise AttributeError("a bug")

        await c.each(WORK, [1, 2], params, parallel=2, keep_going=True)
        return "done"

    result = ran(foreach(node), {"svc/work": [{}]}).result
    assert (result.status, result.error, result.errors) == ("error", "AttributeError: a bug", ())
