"""A run as a whole: its result, inputs, environment, authority, limits, notes."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any

import pytest

from graphwright_runtime.abi import (
    ABI,
    Action,
    Control,
    Graph,
    Hook,
    NodeError,
    Problems,
    dynamic,
    execute,
    execute_sync,
)
from graphwright_runtime.capability import granted
from runtime.small import WORK, AnyCursor, QuickHost, done, graph, noting, ran, work, work_rescued


def test_the_result_says_how_it_went() -> None:
    run = ran(graph(initial=lambda: {"tag": "x"}), {"svc/work": [{"n": 3}]})
    result = run.result
    assert result.success
    assert (result.status, result.steps, result.ended_at) == ("completed", 2, "done")
    assert result.path == ("work", "done")
    assert result.state == {"tag": "x", "n": 3}
    assert result.output == {"tag": "x", "n": 3}
    assert re.fullmatch(r"small-\d+-[0-9a-f]{8}", result.graph_run_id)
    assert list(result.to_dict()) == ["success", "status", "state", "output", "steps", "graph_run_id", "ended_at"]
    assert repr(result) == f"<RunResult {result.graph_run_id}: completed at done after 2 steps>"


def test_a_failed_run_names_error_and_node_and_keeps_the_exception() -> None:
    run = ran(graph(), {"svc/work": [ValueError("boom")]})
    result = run.result
    assert not result.success
    assert (result.status, result.error, result.node, result.output) == ("error", "boom", "work", None)
    assert result.state == {"_last_error": {"node": "work", "error": "boom"}}
    assert result.to_dict()["node"] == "work"
    assert result.exception is not None
    assert result.exception.node == "work"
    assert isinstance(result.exception.__cause__, ValueError)


def test_an_end_without_return_node_gives_the_state() -> None:
    async def node(c: AnyCursor) -> str | None:
        c.assign("n", 1)
        return None

    result = ran(graph(node)).result
    assert result.output == {"n": 1}
    assert (result.status, result.ended_at) == ("completed", "work")


def test_a_given_run_id_is_kept_and_seen_by_nodes() -> None:
    async def node(c: AnyCursor) -> str | None:
        c.commit({"id": c.run_id, "graph": c.graph_id, "step": c.step, "node": c.node})
        return "done"

    result = ran(graph(node), run_id="r-1").result
    assert result.graph_run_id == "r-1"
    assert result.state == {"id": "r-1", "graph": "tests/small", "step": 1, "node": "work"}


def test_now_and_timestamp_are_the_hosts() -> None:
    class Noon(QuickHost):
        def now(self) -> float:
            return 1772452800.25

    async def node(c: AnyCursor) -> str | None:
        c.commit({"now": c.now(), "ms": c.timestamp()})
        return "done"

    state = ran(graph(node), host=Noon()).result.state
    assert state == {"now": "2026-03-02T12:00:00.250000+00:00", "ms": 1772452800250}


# --- what is checked before the first node


def validate(inputs: dict[str, object], problem: Problems) -> None:
    inputs.setdefault("limit", 10)
    if "day" not in inputs:
        problem.missing("day")
    if not isinstance(inputs["limit"], int):
        problem("limit", "is no integer")


def test_inputs_are_validated_and_defaults_filled_in_a_copy() -> None:
    async def node(c: AnyCursor) -> str | None:
        c.commit(dict(c.inputs))
        return "done"

    given = {"day": "Mon"}
    assert ran(graph(node, validate=validate), inputs=given).result.state == {"day": "Mon", "limit": 10}
    assert given == {"day": "Mon"}


def test_a_refusal_lists_everything_and_leaves_nothing() -> None:
    called: list[str] = []

    def initial() -> dict[str, object]:
        called.append("initial")
        return {}

    record = graph(
        validate=validate,
        initial=initial,
        required_env={"TOKEN": ("graph", "node work"), "SET": ("graph",)},
        hooks=(Hook("graph_completed", control=Control("fail")),),
    )
    run = ran(record, inputs={"limit": "x"}, env={"SET": ""}, watched=True)
    assert run.result.error == (
        "missing required input: 'day'; input 'limit': is no integer; "
        "missing environment variable: TOKEN (needed by graph, node work)"
    )
    assert (run.result.status, run.result.state, run.result.path, run.result.ended_at) == ("error", {}, (), None)
    assert run.calls == []
    assert called == []
    assert [event.event_type for event in run.events] == ["graph_error"]


@pytest.mark.parametrize(
    ("inputs", "error"),
    [({"x": {1}}, "inputs are not JSON: x: a set"), ([], "inputs must be a mapping, not list")],
)
def test_inputs_that_are_no_json(inputs: Any, error: str) -> None:
    assert asyncio.run(execute(graph(), inputs, env={})).error == error


def test_require_capabilities_refuses_the_graphs_own() -> None:
    record = graph(require_capabilities=True)
    assert "capabilities from the caller" in str(ran(record).result.error)
    assert ran(record, {"svc/work": [{}]}, capabilities=["*"]).result.success


# --- authority


def allowed(permissions: Any, capabilities: Any, item_id: str = "svc/work", env: Any = None) -> bool:
    return granted(permissions, capabilities, env or {}).allow(dynamic("execute", "tool", item_id))


def test_both_sets_must_match() -> None:
    assert allowed(["rye.execute.tool.svc.*"], None)
    assert not allowed(["rye.execute.tool.crm.*"], None)
    assert allowed(None, ["rye.execute.*"])
    assert not allowed(None, None)
    assert not allowed(["*"], [])
    assert not allowed([], ["*"])
    assert allowed(["*"], ["rye.execute.tool.svc.work"])
    assert not allowed(["rye.execute.tool.svc.*"], ["rye.execute.tool.crm.*"])


def test_older_words_in_patterns() -> None:
    load = dynamic("load", "knowledge", "docs/setup")
    assert granted(["ryeos.fetch.knowledge.docs.*"], ["rye.fetch.*"], {}).allow(load)


def test_internal_ids_are_free_but_not_by_detour() -> None:
    assert allowed([], [], "rye/agent/threads/internal/emitter")
    assert not allowed([], [], "rye/agent/threads/internal/../../admin")
    assert not allowed([], [], "rye/agent/threads/internals")


def test_a_parent_context_that_cannot_be_verified_grants_nothing() -> None:
    run = ran(graph(), {"svc/work": [{}]}, env={"RYE_PARENT_THREAD_ID": "p-1"}, capabilities=["*"])
    assert run.result.status == "error"
    assert "parent run `p-1` cannot be verified" in str(run.result.error)
    assert run.calls == []


def test_a_denial_is_a_node_error_and_nothing_is_called() -> None:
    run = ran(graph(work_rescued, permissions=("rye.execute.tool.crm.*",)), {"svc/work": [{}]})
    assert run.result.path == ("work", "rescue", "done")
    assert "`rye.execute.tool.svc.work`" in run.result.state["_last_error"]["error"]
    assert run.calls == []


@pytest.mark.parametrize(
    ("kind", "item_id", "expected"),
    [
        (None, "a/b", ("tool", "a/b", "rye.execute.tool.a.b")),
        (None, "directive:a/b", ("directive", "a/b", "rye.execute.directive.a.b")),
        (None, "other:a", ("tool", "other:a", "rye.execute.tool.other:a")),
        ("tool", "a/b", ("tool", "a/b", "rye.execute.tool.a.b")),
        ("directive", "directive:a/b", ("directive", "a/b", "rye.execute.directive.a.b")),
    ],
)
def test_dynamic_ids(kind: str | None, item_id: str, expected: tuple[str, str, str]) -> None:
    action = dynamic("execute", kind, item_id)
    assert (action.kind, action.item_id, action.capability) == expected


@pytest.mark.parametrize("item_id", [None, 3, "", [], "tool:"])
def test_a_dynamic_id_that_is_none(item_id: object) -> None:
    with pytest.raises(NodeError, match="item id"):
        dynamic("execute", None, item_id)


def test_a_dynamic_id_of_another_kind() -> None:
    with pytest.raises(NodeError, match="the kind of the action is tool, but its id is the string 'knowledge:a'"):
        dynamic("execute", "tool", "knowledge:a")


# --- limits


async def again(c: AnyCursor) -> str | None:
    c.assign("n", c.state.get("n", 0) + 1)
    return "work"


@pytest.mark.parametrize("watched", [False, True])
def test_max_steps(watched: bool) -> None:
    result = ran(graph(again, max_steps=70), watched=watched).result
    assert (result.status, result.error, result.node) == ("error", "Max steps exceeded (70)", "work")
    assert (result.steps, result.state) == (70, {"n": 70})


@pytest.mark.parametrize(("policy", "reached"), [("return", False), ("flag", True)])
def test_on_max_steps(policy: str, reached: bool) -> None:
    result = ran(graph(again, max_steps=3, on_max_steps=policy)).result
    assert (result.status, result.output, result.max_steps_reached) == ("completed", {"n": 3}, reached)
    assert ("max_steps_reached" in result.to_dict()) is reached


def test_a_limit_hook_grants_steps() -> None:
    hook = Hook("limit", when=lambda event: event["current_max"] == 3, control=Control("continue"))
    assert ran(graph(again, max_steps=3, hooks=(hook,))).result.steps == 53
    hook = Hook("limit", when=lambda event: event["current_max"] == 3, control=Control("continue", 2))
    assert ran(graph(again, max_steps=3, hooks=(hook,))).result.steps == 5
    hook = Hook("limit", control=Control("continue", 0))
    assert ran(graph(again, max_steps=3, hooks=(hook,))).result.steps == 3


def test_max_visits() -> None:
    result = ran(graph(again, max_visits={"work": 4})).result
    assert (result.error, result.node, result.steps) == ("Max visits exceeded (4)", "work", 4)
    seen: list[object] = []

    def once(event: Any) -> bool:
        seen.append((event["limit_code"], event["current_value"], event["current_max"]))
        return len(seen) == 1

    hook = Hook("limit", when=once, control=Control("continue", 2))
    assert ran(graph(again, max_visits={"work": 4}, hooks=(hook,))).result.steps == 6
    assert seen == [("max_visits_exceeded", 4, 4), ("max_visits_exceeded", 6, 6)]


def test_feedback_counts_visits_from_anywhere() -> None:
    async def node(c: AnyCursor) -> str | None:
        result = await c.call_with(WORK, {"a": 1}, feedback=c.state["n"] > 70)
        c.commit({"n": c.state["n"] + 1})
        return "work" if result["more"] else "done"

    script = [{"more": True}] * 72 + [{"more": False}]
    run = ran(graph(node, initial=lambda: {"n": 0}), {"svc/work": script})
    assert run.result.success
    assert [call.params for call in run.calls[-3:]] == [
        {"a": 1},
        {"a": 1, "feedback": {"visit": 72}},
        {"a": 1, "feedback": {"visit": 73, "previous": {"more": True}}},
    ]


def test_the_whole_run_can_time_out() -> None:
    async def slow(c: AnyCursor) -> str | None:
        await asyncio.sleep(30)
        return "done"

    result = ran(graph(slow, timeout_s=0.05)).result
    assert (result.status, result.error, result.node) == ("error", "the run timed out after 0.05 s", "work")


def test_a_call_can_time_out() -> None:
    async def node(c: AnyCursor) -> str | None:
        await c.call_with(WORK, {}, timeout_s=0.05)
        return "done"

    async def tool(params: dict[str, Any]) -> None:
        await asyncio.sleep(30)

    run = ran(graph(node, builtin_hooks=False), tools={"svc/work": tool})
    assert run.result.error == "timed out after 0.05 s"
    assert run.result.exception is not None
    assert run.result.exception.category == "timeout"


# --- cache


def test_equal_calls_of_a_node_come_from_the_cache() -> None:
    async def node(c: AnyCursor) -> str | None:
        result: Any = await c.call_with(WORK, {"x": c.state["n"] % 2, "same": True}, cache=True)
        result["list"].append("changed by nobody else")
        c.commit({"n": c.state["n"] + 1, "seen": [*c.state["seen"], result["v"]]})
        return "work" if c.state["n"] < 4 else "done"

    record = graph(node, initial=lambda: {"n": 0, "seen": []})
    run = ran(record, {"svc/work": [{"v": 0, "list": []}, {"v": 1, "list": []}]})
    assert run.result.state["seen"] == [0, 1, 0, 1]
    assert len(run.calls) == 2
    assert ran(record, {"svc/work": [{"v": 5, "list": []}]}).result.state["seen"] == [5, 5, 5, 5]


def test_failures_and_other_types_are_not_taken_from_the_cache() -> None:
    async def node(c: AnyCursor) -> str | None:
        await c.call_with(WORK, {"x": True if c.state["n"] else 1}, cache=True)
        c.commit({"n": c.state["n"] + 1})
        return "work" if c.state["n"] < 2 else "done"

    run = ran(graph(node, initial=lambda: {"n": 0}), {"svc/work": [ConnectionError("connection reset"), {}]})
    assert run.result.success
    assert [call.params["x"] for call in run.calls] == [1, 1, True]


# --- notes, records, entry points


def test_null_is_noted_once_with_what_was_meant(caplog: pytest.LogCaptureFixture) -> None:
    async def node(c: AnyCursor) -> str | None:
        assert c.note("state.greting", c.state.get("greting")) is None
        assert c.note("state.greting", None) is None
        assert c.note("state.user.nmae", None) is None
        assert c.note("result.x", None) is None
        assert c.note("state.tag", "x") == "x"
        return "done"

    with caplog.at_level(logging.WARNING, "graphwright_runtime"):
        ran(graph(node, initial=lambda: {"greeting": "hi", "user": {"name": 1}}), run_id="r")
    assert [record.message for record in caplog.records] == [
        "r: node work: state.greting is null (did you mean state.greeting?)",
        "r: node work: state.user.nmae is null (did you mean state.user.name?)",
        "r: node work: result.x is null",
    ]


def test_a_bug_ends_the_run_with_a_note() -> None:
    async def broken(c: AnyCursor) -> str | None:
        raise AttributeError("a bug")

    ended: list[object] = []
    hook = Hook("graph_completed", when=noting(ended, "status"), control=Control("fail"))
    result = ran(graph(broken, hooks=(hook,))).result
    assert (result.status, result.error, result.node) == ("error", "AttributeError: a bug", "work")
    assert result.exception is not None
    assert isinstance(result.exception.__cause__, AttributeError)
    assert result.exception.__notes__ == ["graphs/small.yaml, node work"]
    assert ended == ["error"]


def test_notes_lead_back_to_the_yaml() -> None:
    namespace: dict[str, Any] = {}
    source = "async def first(c): return 'work'\n\n\nasync def work(c):\n    x = 1\n    raise KeyError('x')\n"
    exec(compile(source, "generated/small.py", "exec"), namespace)
    nodes = {"first": namespace["first"], "work": namespace["work"], "done": done}
    record = Graph[Any, Any, Any](
        id="x", hash="", abi=ABI, source="graphs/x.yaml", start="work", nodes=nodes, lines="0:16 3:20 4:22 5:26"
    )
    exception = ran(record).result.exception
    assert exception is not None
    assert exception.__notes__ == ["graphs/x.yaml:26, node work"]


def test_another_abi_is_refused_in_one_line() -> None:
    with pytest.raises(ImportError) as raised:
        graph(abi=2)
    assert str(raised.value) == (
        "graphs/small.yaml was compiled for ABI 2, this is graphwright-runtime 0.1.0 with ABI 1: "
        "rebuild it with the matching graphwright"
    )


def test_a_name_that_the_abi_has_not_is_refused_in_one_line() -> None:
    with pytest.raises(ImportError, match="without `Reducer`: a module that needs it was compiled for another runtime"):
        exec("from graphwright_runtime.abi import Reducer")


def test_run_sync() -> None:
    assert execute_sync(graph(), {}, dispatch=lambda call, context: {"n": 1}, env={}).state == {"n": 1}

    async def inside() -> None:
        execute_sync(graph(), {})

    with pytest.raises(RuntimeError, match="await run"):
        asyncio.run(inside())


def test_without_a_project_nothing_is_kept(caplog: pytest.LogCaptureFixture) -> None:
    assert ran(graph(), {"svc/work": [{}]}, durability="off").result.success
    with caplog.at_level(logging.WARNING, "graphwright_runtime"):
        assert ran(graph(durability="process"), {"svc/work": [{}]}).result.success
    assert "requests durability `process`" in caplog.text


def test_a_record_can_run_many_times_at_once() -> None:
    async def slow(c: AnyCursor) -> str | None:
        await asyncio.sleep(0.01 * c.inputs["i"])
        c.assign("i", c.inputs["i"])
        return "done"

    record = graph(slow)

    async def main() -> list[Any]:
        runs = await asyncio.gather(*[execute(record, {"i": i}, env={}) for i in range(5)])
        return [run.state for run in runs]

    assert asyncio.run(main()) == [{"i": i} for i in range(5)]


def test_the_actions_of_a_record_are_checked_when_called_not_before() -> None:
    other = Action("execute", "tool", "admin/drop", "rye.execute.tool.admin.drop")
    assert ran(graph(work, actions=(WORK, other)), {"svc/work": [{}]}).result.success


def test_inputs_that_are_not_declared_are_logged_and_kept(caplog: pytest.LogCaptureFixture) -> None:
    async def node(c: AnyCursor) -> str | None:
        c.commit({"seen": dict(c.inputs)})
        return "done"

    record = graph(node, declared=("batch", "limit"))
    given = {"batch": 1, "limt": 2, "other": 3}
    assert ran(record, inputs=given).result.state == {"seen": given}
    assert [each.message for each in caplog.records] == [
        "tests/small does not declare an input 'limt' (did you mean 'limit'?)",
        "tests/small does not declare an input 'other'",
    ]
    caplog.clear()
    ran(graph(node), inputs=given)
    assert caplog.records == []
