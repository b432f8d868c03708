"""Time, randomness and the end of a run: tests do not wait and are reproducible."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphwright_runtime.testing import (
    Crashes,
    Delayed,
    Fails,
    FrozenHost,
    ScriptedTools,
    SimulatedCrash,
    assert_run,
    run_scripted,
)
from testkit.graphs import AnyGraph
from testkit.graphs import tickets as tickets


def test_waits_take_no_time(tickets: AnyGraph) -> None:
    began = time.perf_counter()
    host = FrozenHost(clock=datetime(2026, 5, 1, 12, tzinfo=UTC))
    tools = {"tickets/list": Fails("transient"), "tickets/report": {}}
    assert run_scripted(tickets, {}, tools, host=host).success
    assert host.waits == [2.0, 4.0]
    assert host.now() == datetime(2026, 5, 1, 12, 0, 6, tzinfo=UTC).timestamp()
    assert time.perf_counter() - began < 2


def test_what_a_tool_asks_to_wait_for_counts(tickets: AnyGraph) -> None:
    host = FrozenHost()
    tools = ScriptedTools({"tickets/list": {"tickets": []}}).fail("tickets/list", call=1, retry_after=20)
    assert_run(run_scripted(tickets, {}, tools, host=host), tools).completed()
    assert host.waits == [20.0]


def test_a_slow_call_runs_into_the_timeout_of_its_node(tickets: AnyGraph) -> None:
    host = FrozenHost()
    tools = ScriptedTools({"tickets/list": {"tickets": []}}).delay("tickets/list", 31, call=1)
    assert_run(run_scripted(tickets, {}, tools, host=host), tools).completed().called("tickets/list", times=2)
    assert host.clock.elapsed == pytest.approx(30 + 2)
    assert tools.calls[0].outcome == "was cut off"


def test_a_slow_run_runs_into_its_own_timeout(tickets: AnyGraph) -> None:
    tools = ScriptedTools({"tickets/list": {"tickets": [1]}, "tickets/read": Delayed(1000, {})})
    result = run_scripted(tickets, {}, tools)
    assert_run(result, tools).failed("read", error="the run timed out after 900 s")


def test_items_run_at_once(tickets: AnyGraph) -> None:
    host = FrozenHost()
    tools = {"tickets/list": {"tickets": [1, 2, 3, 4]}, "tickets/read": Delayed(10, {})}
    assert run_scripted(tickets, {}, tools, host=host).success
    assert host.clock.elapsed == pytest.approx(20), "three at once, then the fourth"


def test_ids_and_chance_come_from_the_seed() -> None:
    def drawn(seed: int) -> tuple[str, float]:
        host = FrozenHost(seed=seed)
        return host.new_run_id("demo/tickets"), host.random()

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert drawn(0)[0] == "tickets-1767225600-d82c07cd"


def test_a_clock_without_a_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        FrozenHost(datetime(2026, 1, 1))


@pytest.mark.parametrize("where", ["fetch", 1])
def test_a_run_is_cancelled_after_a_step(tickets: AnyGraph, where: str | int) -> None:
    host = FrozenHost(cancel_after=where)
    tools = ScriptedTools({"tickets/list": {"tickets": [1]}, "tickets/read": {}})
    result = run_scripted(tickets, {}, tools, host=host)
    assert_run(result, tools).cancelled().took_path("fetch").not_called("tickets/read")
    assert [(step.node, step.delta) for step in host.steps] == [("fetch", {"tickets": [1]})]


def test_a_crash_after_a_step_leaves_what_a_killed_process_leaves(tickets: AnyGraph, tmp_path: Path) -> None:
    tools = ScriptedTools({"tickets/list": {"tickets": [1, 2]}, "tickets/read": {}})
    host = FrozenHost(crash_after="fetch")
    with pytest.raises(SimulatedCrash, match=r"after step 1 \(`fetch`\)"):
        run_scripted(tickets, {}, tools, host=host, project=tmp_path, run_id="r", durability="process")
    log = (tmp_path / ".ai/state/threads/r/transcript.jsonl").read_text("utf-8")
    assert '"step_completed"' in log
    assert "graph_cancelled" not in log
    assert "graph_error" not in log
    result = run_scripted(tickets, {}, tools, host=host, project=tmp_path, resume="r")
    assert_run(result, tools).completed().called("tickets/list", times=1).called("tickets/read", times=2)


def test_a_crash_during_a_call_repeats_that_call_alone(tickets: AnyGraph, tmp_path: Path) -> None:
    tools = ScriptedTools({"tickets/list": [Crashes(), {"tickets": [1, 2]}], "tickets/read": {}})
    tools.crash("tickets/read", call=2)
    for said in ("node `fetch` (step 1)", "node `read` (step 2)"):
        resume = None if "fetch" in said else "r"
        with pytest.raises(SimulatedCrash) as crashed:
            run_scripted(
                tickets, {}, tools, project=tmp_path, run_id="r", resume=resume, durability="process", env={"A": "b"}
            )
        assert said in str(crashed.value)
    result = run_scripted(tickets, {}, tools, project=tmp_path, resume="r")
    assert_run(result, tools).completed().took_path("fetch", "read", "done").called("tickets/list", times=2)
    keys = [call.idempotency_key for call in tools.of("tickets/list")]
    assert keys == ["r/1", "r/1"]


def test_only_a_scripted_run_can_crash(tickets: AnyGraph) -> None:
    result = tickets.run_sync({}, dispatch=ScriptedTools({"tickets/list": Crashes(), "tickets/report": {}}))
    assert "only be simulated in a run by `run_scripted`" in result.state["_last_error"]["error"]
