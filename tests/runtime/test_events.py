"""The events that listeners and hosts receive."""

from __future__ import annotations

import asyncio

import pytest

from graphwright_runtime.abi import Action, Event, Json, execute
from graphwright_runtime.context import Context
from graphwright_runtime.host import Step
from runtime.small import WORK, AnyCursor, QuickHost, graph, ran, reset, work_rescued


class Keeping(QuickHost):
    """A host that keeps every step."""

    persists = True

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[Step] = []

    async def commit(self, step: Step) -> None:
        self.steps.append(step)


def test_the_events_of_a_run() -> None:
    run = ran(graph(work_rescued), {"svc/work": [reset(), ValueError("boom")]}, watched=True, run_id="r")
    assert [event.event_type for event in run.events] == [
        "graph_started",
        "step_started",
        "node_retry",
        "step_completed",
        "step_started",
        "step_completed",
        "step_started",
        "step_completed",
        "graph_completed",
    ]
    retry, failed = dict(run.events[2].payload), dict(run.events[3].payload)
    assert isinstance(retry.pop("wait_s"), float)
    assert retry == {
        "step": 1,
        "node": "work",
        "by": "builtin",
        "category": "transient",
        "error": "connection reset",
    }
    assert failed.pop("elapsed_ms") is not None
    assert failed == {
        "step": 1,
        "node": "work",
        "kind": "action",
        "next_node": "rescue",
        "status": "error",
        "error": "boom",
        "delta": {"_retries": {"work": 1}, "_last_error": {"node": "work", "error": "boom"}},
    }
    assert all(event.graph_run_id == "r" for event in run.events)
    assert run.events[-1].payload == {"status": "completed", "steps": 3, "error": None, "node": None}


def test_a_host_that_keeps_steps_is_given_each_before_the_next() -> None:
    host = Keeping()
    record = graph(work_rescued)
    ran(record, {"svc/work": [ValueError("boom")]}, host=host, run_id="r")
    assert [(step.step, step.node, step.next_node, step.status) for step in host.steps] == [
        (1, "work", "rescue", "error"),
        (2, "rescue", "done", "ok"),
        (3, "done", None, "ok"),
    ]
    assert host.steps[1].delta == {"rescued": True}


@pytest.mark.parametrize("raised", [RuntimeError("the listener's own"), SystemExit(2), asyncio.CancelledError()])
def test_a_listener_that_raises_changes_nothing(raised: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    seen: list[str] = []

    def listener(event: Event) -> None:
        seen.append(event.event_type)
        raise raised

    run = ran(graph(), {"svc/work": [{"n": 1}]}, on_event=listener)
    assert (run.result.status, run.result.state) == ("completed", {"n": 1})
    assert seen[-1] == "graph_completed"
    warnings = [record.message for record in caplog.records]
    assert len(warnings) == len(set(seen)), "one for each kind of event"
    assert all(f": {type(raised).__name__}" in each for each in warnings)


def test_a_listener_is_called_and_not_awaited() -> None:
    async def listener(event: Event) -> None: ...

    for wrong in (listener, 3):
        with pytest.raises(TypeError, match="on_event"):
            ran(graph(), on_event=wrong)


class Bare:
    """A host that has what a host must have, and nothing else."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.dispatched = 0

    def now(self) -> float:
        return 1.0

    def new_run_id(self, graph_id: str) -> str:
        return "run-1"

    def random(self) -> float:
        return 0.5

    async def dispatch(self, action: Action, params: dict[str, Json], context: Context) -> object:
        self.dispatched += 1
        return {"n": self.dispatched}

    async def sleep(self, seconds: float) -> None:
        pass

    async def commit(self, step: Step) -> None:
        self.steps.append(step.node)

    def cancel_requested(self) -> bool:
        return False


async def twice_with_cache(c: AnyCursor) -> str | None:
    result = await c.call_with(WORK, {"n": 1}, cache=True)
    c.commit({"n": result["n"]})
    return "work" if c.step == 1 else "done"


def test_a_host_may_keep_no_results_and_is_told_of_every_step_unless_it_says_otherwise() -> None:
    host = Bare()
    result = asyncio.run(execute(graph(twice_with_cache), {}, env={}, host=host))
    assert result.status == "completed"
    assert host.steps == ["work", "work", "done"]
    assert host.dispatched == 2
