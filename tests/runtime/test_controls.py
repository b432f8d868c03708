"""What hooks decide: every control at every event, as a literal and by the built-in tool, in compiled graphs."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest

from graphwright_runtime.abi import Event
from running import QuickHost, compile_text, loaded

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.svc.*]
config:
  start: work
  max_steps: 3
  on_max_steps: ON_MAX_STEPS
  on_error: ON_ERROR
  builtin_hooks: false
  hooks:
    - HOOK
  nodes:
    work:
      action: {item_id: "tool:svc/work"}
      assign: {left: "${result.left}"}
      next: [{to: work, when: {path: state.left, op: gt, value: 0}}, {to: done}]
    done: {type: return, output: "${state.left}"}
"""
CONTROLS = ["retry", "fail", "abort", "continue"]


class Ran:
    """A run of the graph: `left` are the results of the tool, or errors, one a call; the last one again and again."""

    def __init__(self, hook: str, left: list[int | None], on_error: str = "fail", on_max_steps: str = "fail") -> None:
        self.calls = 0
        self.events: list[Event] = []
        text = GRAPH.replace("ON_MAX_STEPS", on_max_steps).replace("ON_ERROR", on_error).replace("HOOK", hook)

        async def work(params: dict[str, Any]) -> dict[str, Any]:
            value = left[min(self.calls, len(left) - 1)]
            self.calls += 1
            if value is None:
                raise ValueError("boom")
            return {"left": value}

        with loaded(compile_text(text)) as module:
            ran = module.run(
                {}, tools={"svc/work": work}, host=QuickHost(), on_event=self.events.append, capabilities=["*svc*"]
            )
            self.result = asyncio.run(ran)


def by_tool(event: str, control: str, **amounts: object) -> str:
    """A hook that calls the built-in tool; it needs no capability."""
    params = json.dumps({"action": control, **amounts})
    return f"{{event: {event}, action: {{item_id: 'tool:rye/agent/threads/internal/control', params: {params}}}}}"


def literal(event: str, control: str, **amounts: object) -> str:
    """A hook that decides by itself."""
    return f"{{event: {event}, action: {json.dumps({control: True, **amounts})}}}"


BOTH = pytest.mark.parametrize("hook", [by_tool, literal])


@BOTH
@pytest.mark.parametrize(("most", "calls"), [(None, 4), (1, 2), (2, 3), (7, 6)])
def test_error_retry(hook: Any, most: int | None, calls: int) -> None:
    amounts = {} if most is None else {"max_retries": most}
    ran = Ran(hook("error", "retry", **amounts), [None] * 5 + [0])
    assert ran.calls == calls, "three retries by default"
    assert ran.result.status == ("completed" if calls > 5 else "error")
    assert ran.result.state["_retries"] == {"work": calls - 1}
    assert ran.result.steps == (2 if calls > 5 else 1), "retries are no steps"
    assert [each.payload["by"] for each in ran.events if each.event_type == "node_retry"] == ["hook"] * (calls - 1)


@BOTH
@pytest.mark.parametrize("control", ["fail", "abort"])
def test_error_fail(hook: Any, control: str) -> None:
    ran = Ran(hook("error", control), [None, 0], on_error="continue")
    assert (ran.result.status, ran.result.error, ran.result.node, ran.calls) == ("error", "boom", "work", 1)
    assert Ran(by_tool("after_step", "fail"), [None, 0], on_error="continue").result.status == "completed_with_errors"


@BOTH
@pytest.mark.parametrize(("more", "calls"), [(None, 20), (1, 20), (8, 20)])
def test_limit_continue(hook: Any, more: int | None, calls: int) -> None:
    amounts = {} if more is None else {"additional_steps": more}
    ran = Ran(hook("limit", "continue", **amounts), [*range(19, -1, -1)])
    assert (ran.result.status, ran.result.output, ran.calls) == ("completed", 0, calls), "asked at each new limit"


@BOTH
@pytest.mark.parametrize("control", ["fail", "abort"])
@pytest.mark.parametrize("policy", ["fail", "return", "flag"])
def test_limit_fail(hook: Any, control: str, policy: str) -> None:
    ran = Ran(hook("limit", control), [5], on_max_steps=policy)
    assert (ran.result.status, ran.result.error, ran.result.node) == ("error", "Max steps exceeded (3)", "work")
    unasked = Ran(by_tool("graph_started", "fail"), [5], on_max_steps=policy).result
    assert unasked.status == ("error" if policy == "fail" else "completed")


@pytest.mark.parametrize(
    ("event", "control"),
    [
        *((event, control) for event in ("graph_started", "after_step", "graph_completed") for control in CONTROLS),
        ("error", "continue"),
        ("limit", "retry"),
    ],
)
def test_elsewhere_a_control_has_no_effect_and_says_so(
    event: str, control: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        calm = Ran(by_tool(event, control), [1, 0] if event != "limit" else [5], on_max_steps="return")
        assert calm.result.status == "completed"
        failing = Ran(by_tool(event, control), [None])
    assert (failing.result.status, failing.result.error, failing.calls) == ("error", "boom", 1)
    kind = "fail" if control == "abort" else control
    assert f"hook 1: `{kind}` has no effect on {event}" in caplog.text


def test_a_control_without_effect_leaves_the_say_to_others() -> None:
    hooks = f"{by_tool('error', 'continue')}\n    - {literal('error', 'retry')}"
    assert Ran(hooks, [None, 0]).result.status == "completed"


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"action": "${error.code}"}, "missing parameter `action`"),
        ({"action": "${error.message}"}, "`action` must be one of `retry`, `fail`, `abort`, `continue`, not 'boom'"),
        ({"action": "retry", "max_retries": "${step_count - 1}"}, "`max_retries` must be an integer above zero"),
    ],
)
def test_params_that_decide_nothing_are_a_failed_hook(params: dict[str, str], said: str) -> None:
    item = "tool:rye/agent/threads/internal/control"
    hook = f"{{event: error, action: {{item_id: '{item}', params: {json.dumps(params)}}}}}"
    ran = Ran(hook, [None])
    [failed] = [each for each in ran.events if each.event_type == "hook_failed"]
    assert said in str(failed.payload["error"])
    assert (ran.result.error, ran.calls) == ("boom", 1)


def test_the_emitter_tells_whoever_listens() -> None:
    item = "tool:rye/agent/threads/internal/emitter"
    params = '{event: "at ${node}", n: "${step_count}", state: "${state.left}"}'
    ran = Ran(f"{{event: after_step, action: {{item_id: '{item}', params: {params}}}}}", [1, 0])
    told = [each.payload for each in ran.events if each.event_type == "emitted"]
    assert told == [
        {"event": "at work", "payload": {"n": 1, "state": 1}},
        {"event": "at work", "payload": {"n": 2, "state": 0}},
    ]
