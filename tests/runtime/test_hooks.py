"""Hooks on the events of a run (language.md §8)."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime
from typing import Any

import pytest

from cases.graphs import graph as graph_text
from graphwright_runtime.abi import Action, Control, Hook, NodeError, dynamic, equal, execute
from running import run_text
from runtime.small import NOTIFY, AnyCursor, graph, ran, work_continued, work_rescued

SENT: dict[str, list[object]] = {"svc/work": [{"n": 3}], "svc/notify": [{"sent": True}]}


def notify(event: Any, **more: Any) -> Hook:
    """A hook that passes on the context of its event, without what templates can read everywhere."""
    fields = lambda context: {name: value for name, value in context.items() if name[0] != "_"}  # noqa: E731
    return Hook(event, action=NOTIFY, params=fields, **more)


def notified(run: Any) -> list[dict[str, Any]]:
    return [call.params for call in run.calls if call.item_id == "svc/notify"]


def test_started_and_completed_stand_around_everything() -> None:
    record = graph(hooks=(notify("graph_completed"), notify("graph_started")), initial=lambda: {"tag": "x"})
    run = ran(record, SENT, {"day": "Mon"}, run_id="r")
    assert run.called == ["svc/notify", "svc/work", "svc/notify"]
    started, completed = notified(run)
    assert started == {
        "graph_id": "tests/small",
        "graph_run_id": "r",
        "inputs": {"day": "Mon"},
        "state": {"tag": "x", "step_count": 0, "inputs": {"day": "Mon"}},
    }
    assert completed == {
        "graph_id": "tests/small",
        "graph_run_id": "r",
        "steps": 2,
        "status": "completed",
        "state": {"tag": "x", "n": 3, "step_count": 2, "inputs": {"day": "Mon"}},
    }


def test_after_step_follows_every_node_but_return() -> None:
    run = ran(graph(work_rescued, hooks=(notify("after_step"),)), {**SENT, "svc/work": [ValueError("boom")]})
    first, second = notified(run)
    assert (first["node"], first["next_node"], first["status"], first["step_count"]) == ("work", "rescue", "error", 1)
    assert (second["node"], second["next_node"], second["status"]) == ("rescue", "done", "ok")
    assert first["state"]["_last_error"]["error"] == "boom"
    assert "result" not in first


def test_after_step_has_the_result_and_the_new_state() -> None:
    run = ran(graph(hooks=(notify("after_step"),)), SENT)
    assert notified(run) == [
        {
            "node": "work",
            "next_node": "done",
            "step_count": 1,
            "status": "ok",
            "result": {"n": 3},
            "state": {"n": 3, "step_count": 1, "inputs": {}},
        }
    ]


def test_after_step_sees_the_error_of_a_suppressed_and_of_a_last_step() -> None:
    run = ran(graph(work_continued, hooks=(notify("after_step"),)), {**SENT, "svc/work": [ValueError("boom")]})
    assert notified(run)[0]["result"] == {"status": "error", "error": "boom"}
    run = ran(graph(hooks=(notify("after_step"),)), {**SENT, "svc/work": [ValueError("boom")]})
    (only,) = notified(run)
    assert (only["status"], "next_node" in only) == ("error", False)


def test_completed_comes_at_failed_ends_too() -> None:
    run = ran(graph(hooks=(notify("graph_completed"),)), {**SENT, "svc/work": [ValueError("boom")]})
    assert notified(run)[0]["status"] == "error"
    assert notified(run)[0]["error"] == "boom"
    run = ran(graph(max_steps=1, hooks=(notify("graph_completed"),)), SENT)
    assert notified(run)[0]["error"] == "Max steps exceeded (1)"


def test_a_condition_selects_and_sees_the_context() -> None:
    hooks = (
        notify("after_step", when=lambda context: equal(context["node"], "work")),
        notify("after_step", when=lambda context: equal(context["node"], "never")),
    )
    assert len(notified(ran(graph(hooks=hooks), SENT))) == 1


def failing_condition(context: Any) -> bool:
    raise NodeError("cannot be compared")


@pytest.mark.parametrize(
    ("hook", "said"),
    [
        (notify("after_step", id="tell"), "hook tell on after_step failed: smtp down"),
        (Hook("after_step", action=Action("execute", "tool", "x", "rye.execute.tool.x")), "permission denied"),
        (Hook("after_step", action=lambda context: dynamic("execute", None, None)), "an item id must be a string"),
        (Hook("after_step", when=failing_condition, control=Control("fail")), "cannot be compared"),
        (Hook("after_step", action=NOTIFY, params=lambda context: {"when": "now"}), "smtp down"),
    ],
)
def test_a_hook_that_fails_is_a_warning(hook: Hook, said: str, caplog: pytest.LogCaptureFixture) -> None:
    script: dict[str, list[object]] = {"svc/work": [{"n": 3}], "svc/notify": [ValueError("smtp down")]}
    with caplog.at_level(logging.WARNING, "graphwright_runtime"):
        run = ran(graph(hooks=(hook,)), script, watched=True)
    assert run.result.status == "completed"
    assert said in caplog.text
    (event,) = [event for event in run.events if event.event_type == "hook_failed"]
    assert event.payload["event"] == "after_step"


@pytest.mark.parametrize(
    ("answer", "calls"),
    [
        ({"action": "retry", "max_retries": 2}, 3),
        ({"action": "retry"}, 4),
        ({"action": "retry", "max_retries": "2"}, 4),
        ({"action": "fail"}, 1),
        ({"action": "abort"}, 1),
        ({"action": "continue"}, 1),
        ({"action": "something"}, 1),
        ({"retry": True}, 1),
        ("retry", 1),
    ],
)
def test_what_a_tool_decides(answer: object, calls: int) -> None:
    script: dict[str, list[object]] = {"svc/work": [ValueError("boom")], "svc/notify": [answer]}
    run = ran(graph(work_rescued, hooks=(Hook("error", action=NOTIFY),)), script)
    assert run.called.count("svc/work") == calls
    ends = isinstance(answer, dict) and answer.get("action") in ("fail", "abort")
    assert run.result.status == ("error" if ends else "completed")


def test_a_tool_grants_steps_and_is_asked_again() -> None:
    async def again(c: AnyCursor) -> str | None:
        return "work"

    answers: list[object] = [{"action": "continue", "additional_steps": 2}, {"no": "more"}]
    run = ran(graph(again, max_steps=2, hooks=(notify("limit"),)), {"svc/notify": answers})
    assert run.result.steps == 4
    assert [(each["limit_code"], each["current_value"], each["current_max"]) for each in notified(run)] == [
        ("max_steps_exceeded", 2, 2),
        ("max_steps_exceeded", 4, 4),
    ]


def test_layer_three_never_decides() -> None:
    script: dict[str, list[object]] = {"svc/work": [ValueError("boom")], "svc/notify": [{"action": "retry"}]}
    run = ran(graph(work_rescued, hooks=(Hook("error", layer=3, action=NOTIFY),)), script)
    assert run.called == ["svc/work", "svc/notify"]


def test_bugs_in_hooks_are_not_hidden() -> None:
    def broken(context: Any) -> bool:
        raise AttributeError("a bug")

    result = ran(graph(hooks=(Hook("after_step", when=broken, control=Control("fail")),)), SENT).result
    assert (result.status, result.error) == ("error", "AttributeError: a bug")


def test_a_cancellation_reaches_a_hook_and_goes_on() -> None:
    async def slow(call: Any, context: Any) -> object:
        if call.item_id == "svc/notify":
            await asyncio.sleep(30)
        return {}

    async def main() -> None:
        async with asyncio.timeout(0.05):
            await execute(graph(hooks=(notify("graph_started"),)), {}, dispatch=slow, env={})

    with pytest.raises(TimeoutError):
        asyncio.run(main())


NOTIFYING = """\
start: work
state: {user: {name: null}}
hooks:
  - event: after_step
    id: told
    condition: {path: status, value: "${state.user.status || state.user.state || 'ok'}"}
    action:
      item_id: tool:shop/notify
      params:
        greeting: "hello ${state.user.name}"
        names: ["${state.user.name}"]
        loud: "${result.titel | upper}"
        node: "${node} after ${next_node}"
  - event: graph_completed
    action:
      item_id: tool:shop/notify
      params: {error: "${error}", at: "${status} ${graph_id}", reason: "failed: ${error}", user: "${state.user.name}"}
nodes:
  work: {action: {item_id: tool:shop/work}, next: more}
  more: {action: {item_id: tool:shop/work}, next: done}
  done: {type: return}
"""


def test_hooks_read_the_run_and_the_time() -> None:
    text = graph_text(
        """\
start: work
hooks:
  - event: after_step
    condition: {path: _run.step, value: 2}
    action:
      item_id: tool:shop/notify
      params: {run: "${_run.id} ${_run.graph_id}", step: "${_run.step}", now: "${_now}", at: "${_timestamp}"}
nodes:
  work: {action: {item_id: tool:shop/work}, next: more}
  more: {action: {item_id: tool:shop/work}, next: done}
  done: {type: return}
"""
    )
    ran = run_text(text, {}, lambda item_id, params: {})
    (sent,) = [call.params for call in ran.calls if call.item_id == "shop/notify"]
    assert (sent["run"], sent["step"]) == (f"{ran.result.graph_run_id} graph", 2)
    assert datetime.fromisoformat(str(sent["now"])).timestamp() * 1000 == pytest.approx(sent["at"], abs=1)


def test_templates_of_hooks_that_come_out_null_are_noted_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "graphwright_runtime"):
        ran = run_text(graph_text(NOTIFYING), {}, lambda item_id, params: {"title": "mr"})
    assert ran.result.status == "completed"
    assert [record.message.partition(": ")[2] for record in caplog.records] == [
        "hook told: state.user.name is null",
        "hook told: result.titel | upper is null (did you mean result.title?)",
        "hook 2: state.user.name is null",
    ]
    sent = [call.params for call in ran.calls if call.item_id == "shop/notify"]
    assert sent[0] == {"greeting": "hello ", "names": [None], "node": "work after more"}
    assert sent[-1] == {"at": "completed graph", "reason": "failed: "}
