"""What is waited before another attempt, and what a tool may ask for."""

from __future__ import annotations

import asyncio
from email.utils import formatdate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphwright_runtime.abi import Control, Hook, Retry
from runtime.small import WORK, AnyCursor, graph, ran, retry_hook

POLICY = Retry(3, backoff_ms=100, max_backoff_ms=5_000, jitter=False)


class BusyError(Exception):
    """Has what HTTP libraries have."""

    def __init__(self, retry_after: object) -> None:
        super().__init__("too many requests")
        self.retry_after = retry_after


def waited(asked: object, **more: Any) -> list[float]:
    """The waits of a node whose tool asks for one each time."""
    busy = {"success": False, "error": "too many requests", "retry_after": asked}
    run = ran(graph(**more), {"svc/work": [busy]})
    assert run.result.status == "error"
    raised = ran(graph(**more), {"svc/work": [BusyError(asked)]})
    assert len(raised.host.slept) == len(run.host.slept)
    return run.host.slept


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        (2, 2),
        (2.5, 2.5),
        ("3", 3),
        (" 1.5 ", 1.5),
        (0, 0.1),
        (3600, 5),
        ("1e18", 5),
        (1e300, 5),
        (10**300, 5),
        (-5, 0.1),
        ("-5", 0.1),
        (10**400, 0.1),
        ("1e400", 0.1),
        ("inf", 0.1),
        ("nan", 0.1),
        (True, 0.1),
        ([7], 0.1),
        ({"s": 7}, 0.1),
        ("soon", 0.1),
        ("", 0.1),
        (None, 0.1),
        ("Mon, 01 Jan 0001 00:00:00 GMT", 0.1),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.1),
        ("Wed, 21 Oct 9999 07:28:00 GMT", 5),
        ("Wed, 99 Oct 2026 07:28:00 GMT", 0.1),
    ],
)
def test_the_ceiling_of_the_policy_holds(asked: object, seconds: float) -> None:
    assert waited(asked, retries={"work": POLICY})[0] == seconds


@pytest.mark.parametrize("asked", [float("nan"), float("inf")])
def test_an_exception_may_ask_for_what_is_no_number(asked: float) -> None:
    run = ran(graph(retries={"work": POLICY}), {"svc/work": [BusyError(asked)]})
    assert run.host.slept == [0.1, 0.2]


def test_a_date_is_a_wait_until_then() -> None:
    [first, *_] = waited(formatdate(ran(graph()).host.now() + 3, usegmt=True), retries={"work": POLICY})
    assert 1.5 < first <= 3


@pytest.mark.parametrize(("asked", "seconds"), [(40, 40), (3600, 60), ("1e18", 60)])
def test_without_a_policy_it_is_a_minute_at_most(asked: object, seconds: float) -> None:
    assert waited(asked) == [seconds] * 3
    assert waited(asked, hooks=(retry_hook(2),), builtin_hooks=False) == [seconds] * 2


def test_a_service_that_is_unavailable_may_ask_too() -> None:
    script = {"svc/work": [{"success": False, "error": "x", "status_code": 503, "retry_after": 9}, {"n": 1}]}
    run = ran(graph(), script)
    assert (run.result.status, run.host.slept) == ("completed", [9])


def test_no_wait_is_longer_than_what_the_run_has_left() -> None:
    waits = waited(50, timeout_s=10)
    assert all(9 < each <= 10 for each in waits)


@pytest.mark.parametrize(
    ("policy", "seconds"),
    [
        (Retry(3, backoff_ms=1, multiplier=1e308, max_backoff_ms=2000, jitter=False), [0.001, 2, 2]),
        (Retry(3, backoff_ms=10**400, multiplier=10**400, max_backoff_ms=2000, jitter=False), [2, 2, 2]),
        (Retry(3, backoff_ms=1e308, multiplier=10.0, max_backoff_ms=10**400, jitter=False), [1e9, 1e9, 1e9]),
        (Retry(3, backoff_ms=0, multiplier=1e308, jitter=False), [0, 0, 0]),
    ],
)
def test_waits_never_overflow(policy: Retry, seconds: list[float]) -> None:
    policy.attempts = 4
    run = ran(graph(retries={"work": policy}), {"svc/work": [ConnectionError("reset")]})
    assert run.result.error == "reset"
    assert run.host.slept == [each for each in seconds if each]


@given(asked=st.one_of(st.integers(), st.floats(), st.text(), st.booleans(), st.binary()))
def test_whatever_is_asked_for_a_wait_is_a_wait(asked: object) -> None:
    run = ran(graph(), {"svc/work": [BusyError(asked)]})
    assert run.result.error == "too many requests"
    assert all(0 < each <= 60 for each in run.host.slept)


# --- how often


def foreach(parallel: int | None, **more: Any) -> Any:
    async def node(c: AnyCursor) -> str | None:
        await c.each(WORK, [0, 1, 2], lambda x: {"x": x}, parallel=parallel, collect="out", keep_going=True)
        return "done"

    return graph(node, kinds={"work": "foreach", "rescue": "gate", "done": "return"}, **more)


@pytest.mark.parametrize("parallel", [None, 3])
@pytest.mark.parametrize(("hooks", "times"), [((), 3), ((retry_hook(2),), 2)])
def test_each_item_has_retries_of_its_own(parallel: int | None, hooks: tuple[Hook, ...], times: int) -> None:
    failures = {0: times, 1: 0, 2: times}

    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(0)
        if failures[params["x"]]:
            failures[params["x"]] -= 1
            raise ConnectionError("reset")
        return {"x": params["x"]}

    run = ran(foreach(parallel, hooks=hooks), tools={"svc/work": tool})
    assert run.result.status == "completed"
    assert run.result.state == {"_retries": {"work": 2 * times}}


@pytest.mark.parametrize("parallel", [None, 3])
def test_an_item_gives_up_after_its_own_retries(parallel: int | None) -> None:
    run = ran(foreach(parallel), {"svc/work": [ConnectionError("reset")]})
    assert run.result.state["_retries"] == {"work": 9}
    assert len(run.calls) == 12


@pytest.mark.parametrize(
    ("amount", "calls", "warns"),
    [
        (2, 3, ""),
        (None, 4, ""),
        (0, 1, "not the number 0: nothing is granted"),
        (-1, 1, "not the number -1: nothing is granted"),
        (2.5, 4, "not the number 2.5: the default applies"),
        ("2", 4, "not the string '2': the default applies"),
        (True, 4, "not true: the default applies"),
        ([2], 4, "not a list of 1: the default applies"),
    ],
)
def test_how_often_a_tool_wants_it_tried_again(
    amount: object, calls: int, warns: str, caplog: pytest.LogCaptureFixture
) -> None:
    answer = {"action": "retry", "max_retries": amount}
    hook = Hook("error", action=WORK, params=lambda context: {"asked": True})

    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        if "asked" in params:
            return answer
        made.append(1)
        raise ValueError("boom")

    made: list[int] = []
    ran(graph(hooks=(hook,)), tools={"svc/work": tool})
    assert len(made) == calls
    assert [record.message.partition(": ")[2] for record in caplog.records] == (
        [f"`max_retries` of a hook must be a positive integer, {warns}"] if warns else []
    )


@pytest.mark.parametrize(("amount", "steps"), [(3, 5), (0, 2), (-7, 2), (10**400, 100)])
def test_how_many_steps_a_tool_grants(amount: int, steps: int) -> None:
    async def around(c: AnyCursor) -> str | None:
        return "work" if len(c.path) < 99 else "done"

    grants = iter([amount])

    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        return {"action": "continue", "additional_steps": next(grants, 0)}

    record = graph(
        around, max_steps=2, hooks=(Hook("limit", action=WORK), Hook("limit", layer=2, control=Control("fail")))
    )
    assert ran(record, tools={"svc/work": tool}).result.steps == steps
