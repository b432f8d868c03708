"""`assert_run`: what each assertion says when it does not hold."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphwright_runtime.testing import Fails, RunAssertion, ScriptedTools, assert_run, run_scripted
from testkit.graphs import AnyGraph
from testkit.graphs import tickets as tickets


def chain(tickets: AnyGraph, answer: object) -> RunAssertion:
    tools = ScriptedTools({"tickets/list": answer, "tickets/read": [{"n": 1}, Fails("denied", "no")] * 9})
    return assert_run(run_scripted(tickets, {}, tools), tools)


HOLDS: list[Callable[[RunAssertion], object]] = [
    lambda run: run.completed().ended_at("done").took_path("fetch", "read", "done").not_visited("report"),
    lambda run: run.visited("fetch", "done").visited("read").not_called("tickets/report"),
    lambda run: run.with_output({"read": [{"n": 1}]}).with_state({"tickets": [7]}),
    lambda run: run.called("tickets/read").called("tickets/read", times=1, params={"id": 7}),
    lambda run: run.called("tickets/read", times=0, params={"id": 8}),
]

FAILS: list[tuple[Callable[[RunAssertion], object], str]] = [
    (lambda run: run.failed(), "expected the run to have the status `error`, but it is `completed`"),
    (lambda run: run.cancelled(), "expected the run to have the status `cancelled`, but it is `completed`"),
    (lambda run: run.completed_with_errors(), "expected the run to have the status `completed_with_errors`"),
    (lambda run: run.visited("read", "fetch"), "expected the run to visit `fetch` after `read`, but it did not"),
    (lambda run: run.visited("report"), "expected the run to visit `report`, but it did not"),
    (lambda run: run.not_visited("read"), "expected the run not to visit `read`, but it did"),
    (lambda run: run.took_path("fetch"), "expected the path fetch, but it was fetch → read → done"),
    (lambda run: run.ended_at("read"), "expected the run to end at `read`, but it ended at node `done`"),
    (lambda run: run.with_output({"read": []}), "output.read[0]: not expected"),
    (lambda run: run.with_state({"tickets": [7, 8]}), "state.tickets[1]: expected 8, but the list ends before"),
    (lambda run: run.called("tickets/report"), "expected `tickets/report` to be called at least once, but it was not"),
    (lambda run: run.called("tickets/read", times=2), "to be called twice, but it was called once"),
    (lambda run: run.not_called("tickets/read"), "expected `tickets/read` not to be called, but it was called once"),
    (
        lambda run: run.called("tickets/read", params={"id": 8}),
        'with {"id": 8}, but it was not; with other params it was called once, first: params.id: expected 8, got 7',
    ),
]


@pytest.mark.parametrize("number", range(len(HOLDS)))
def test_what_holds_passes(tickets: AnyGraph, number: int) -> None:
    HOLDS[number](chain(tickets, {"tickets": [7]}))


@pytest.mark.parametrize("number", range(len(FAILS)))
def test_what_does_not_hold_says_so(tickets: AnyGraph, number: int) -> None:
    assertion, said = FAILS[number]
    with pytest.raises(AssertionError) as failure:
        assertion(chain(tickets, {"tickets": [7]}))
    first, *account = str(failure.value).splitlines()
    assert said in first
    assert "  path   fetch → read → done" in account
    assert "  call   read: tickets/read {\"id\": 7} gave {'n': 1}" in account


def test_how_a_run_failed(tickets: AnyGraph) -> None:
    run = chain(tickets, {"tickets": [1, 2]})
    run.failed("read", error="NO", category="denied").failed()
    failures: list[tuple[Callable[[], object], str]] = [
        (lambda: run.failed("fetch"), "expected the run to fail in node `fetch`, but it failed in node `read`"),
        (lambda: run.failed(error="gone"), "expected an error that contains 'gone'"),
        (lambda: run.failed(category="timeout"), "of the category `timeout`, but it is `denied`"),
    ]
    for assertion, said in failures:
        with pytest.raises(AssertionError) as failure:
            assertion()
        assert said in str(failure.value)
        assert "  error  node `read`: " in str(failure.value)


def test_calls_need_the_script(tickets: AnyGraph) -> None:
    result = run_scripted(tickets, {}, {"tickets/list": {"tickets": []}})
    with pytest.raises(TypeError, match=r"assert_run\(result, tools\)"):
        assert_run(result).completed().called("tickets/list")
