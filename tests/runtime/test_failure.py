"""Retries, error hooks, error edges, the policy (language.md §7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphwright_runtime.abi import Control, Hook, NodeError, Retry
from graphwright_runtime.classify import classify
from runtime.small import (
    NOTIFY,
    WORK,
    AnyCursor,
    graph,
    ran,
    rescue,
    reset,
    retry_hook,
    work_continued,
    work_rescued,
)

LAST = {"node": "work", "error": "boom"}
BOOM = [ValueError("boom")]


def test_an_error_edge_is_taken_with_the_error_in_the_state() -> None:
    result = ran(graph(work_rescued), {"svc/work": BOOM}).result
    assert (result.status, result.path) == ("completed", ("work", "rescue", "done"))
    assert result.state == {"rescued": True, "_last_error": LAST}
    assert result.errors == ()


def test_continue_goes_on_and_lists_the_error() -> None:
    result = ran(graph(work_continued), {"svc/work": BOOM}).result
    assert (result.status, result.success) == ("completed_with_errors", True)
    assert result.state == {"rescued": True, "_last_error": LAST}
    assert result.to_dict()["errors"] == [{"step": 1, "node": "work", "error": "boom"}]


def test_a_condition_that_fails_is_a_node_error_and_after_a_suppressed_one_does_not_hold() -> None:
    seen: list[str] = []

    async def node(c: AnyCursor) -> str | None:
        def fails() -> bool:
            seen.append("asked")
            raise NodeError("cannot be compared")

        try:
            return "done" if c.holds(fails) else "rescue"
        except NodeError as error:
            await c.suppressed(error)
            return "done" if c.holds(fails) else "rescue"

    result = ran(graph(node)).result
    assert (result.path, result.status) == (("work", "rescue", "done"), "completed_with_errors")
    assert seen == ["asked", "asked"]


def test_a_failing_expression_is_a_node_error_like_any_other() -> None:
    async def node(c: AnyCursor) -> str | None:
        try:
            raise NodeError("`+` takes two numbers")
        except NodeError as error:
            await c.failed(error)
            return "rescue"

    result = ran(graph(node)).result
    assert result.state["_last_error"] == {"node": "work", "error": "`+` takes two numbers"}


def test_a_return_node_that_fails_ends_the_run() -> None:
    async def failing(c: AnyCursor) -> None:
        raise NodeError("no output")

    record = graph(extra={"done": failing}, kinds={"done": "return"})
    result = ran(record, {"svc/work": [{"n": 1}]}).result
    assert (result.status, result.error, result.node, result.ended_at) == ("error", "no output", "done", "done")
    assert result.state == {"n": 1, "_last_error": {"node": "done", "error": "no output"}}


# --- the built-in retry


def test_the_built_in_retry_waits_longer_each_time_and_is_counted() -> None:
    run = ran(graph(), {"svc/work": [reset(), reset(), {"n": 1}]})
    assert run.result.state == {"n": 1, "_retries": {"work": 2}}
    assert len(run.calls) == 3
    assert run.result.steps == 2
    first, second = run.host.slept
    assert 0.5 <= first <= 1
    assert 1 <= second <= 2


def test_the_built_in_retry_gives_up_after_three() -> None:
    run = ran(graph(work_rescued), {"svc/work": [reset()]})
    assert len(run.calls) == 4
    assert run.result.state["_retries"] == {"work": 3}
    assert run.result.state["_last_error"]["error"] == "connection reset"


def test_retries_are_counted_per_run_and_node() -> None:
    async def node(c: AnyCursor) -> str | None:
        await c.call(WORK, {})
        c.assign("n", c.state.get("n", 0) + 1)
        return "work" if c.state["n"] < 3 else "done"

    script = [reset(), {}, reset(), {}, reset(), {}]
    run = ran(graph(node), {"svc/work": script})
    assert run.result.state == {"n": 3, "_retries": {"work": 3}}
    assert ran(graph(node), {"svc/work": [*script[:5], reset(), {}]}).result.status == "error"


@pytest.mark.parametrize("error", [ValueError("malformed"), {"success": False, "error": "no such account"}])
def test_permanent_errors_are_not_retried(error: object) -> None:
    run = ran(graph(), {"svc/work": [error]})
    assert len(run.calls) == 1


def test_the_built_in_retry_can_be_switched_off() -> None:
    run = ran(graph(builtin_hooks=False), {"svc/work": [reset()]})
    assert len(run.calls) == 1
    assert run.result.state == {"_last_error": {"node": "work", "error": "connection reset"}}


def test_a_rate_limit_says_how_long_to_wait() -> None:
    slow_down = {"success": False, "error": "429 Too Many Requests", "retry_after": 7}
    run = ran(graph(), {"svc/work": [slow_down, {"n": 1}]})
    assert run.host.slept == [7.0]
    assert run.result.success


# --- a node's own policy


def test_a_policy_replaces_the_built_in_retry_and_is_not_counted() -> None:
    policy = Retry(3, backoff_ms=100, max_backoff_ms=150, multiplier=2, jitter=False)
    run = ran(graph(work_rescued, retries={"work": policy}), {"svc/work": [reset()]})
    assert len(run.calls) == 3
    assert run.host.slept == [0.1, 0.15]
    assert "_retries" not in run.result.state


def test_a_policy_for_other_categories_retries_nothing() -> None:
    run = ran(graph(retries={"work": Retry(5, categories=("rate_limited",))}), {"svc/work": [reset()]})
    assert len(run.calls) == 1


def test_one_attempt_is_no_retry() -> None:
    assert len(ran(graph(retries={"work": Retry(1)}), {"svc/work": [reset()]}).calls) == 1


def test_a_policy_counts_afresh_at_every_visit() -> None:
    async def node(c: AnyCursor) -> str | None:
        await c.call(WORK, {})
        c.assign("n", c.state.get("n", 0) + 1)
        return "work" if c.state["n"] < 3 else "done"

    policy = Retry(2, jitter=False)
    run = ran(graph(node, retries={"work": policy}), {"svc/work": [reset(), {}, reset(), {}, reset(), {}]})
    assert run.result.success
    assert run.host.slept == [1.0] * 3


def test_a_zero_wait_does_not_sleep() -> None:
    run = ran(graph(retries={"work": Retry(2, backoff_ms=0)}), {"svc/work": [reset(), {}]})
    assert run.host.slept == []


# --- error hooks


def test_hooks_come_after_the_policy() -> None:
    policy = Retry(2, backoff_ms=0)
    run = ran(graph(retries={"work": policy}, hooks=(retry_hook(1),)), {"svc/work": [reset()]})
    assert len(run.calls) == 3
    assert run.result.state["_retries"] == {"work": 1}


def test_a_hook_retries_three_times_unless_it_says_otherwise() -> None:
    assert len(ran(graph(hooks=(retry_hook(),)), {"svc/work": BOOM}).calls) == 4
    assert len(ran(graph(hooks=(retry_hook(1),)), {"svc/work": BOOM}).calls) == 2
    assert len(ran(graph(hooks=(retry_hook(0),)), {"svc/work": BOOM}).calls) == 1


def test_a_hooks_used_up_retry_does_not_start_the_built_in_one() -> None:
    run = ran(graph(work_rescued, hooks=(retry_hook(1),)), {"svc/work": [reset()]})
    assert len(run.calls) == 2
    assert run.result.path == ("work", "rescue", "done")


def test_fail_ends_the_run_before_edge_and_last_error() -> None:
    result = ran(graph(work_rescued, hooks=(Hook("error", control=Control("fail")),)), {"svc/work": BOOM}).result
    assert (result.status, result.error, result.node) == ("error", "boom", "work")
    assert (result.path, result.state) == (("work",), {})


def test_the_first_control_of_the_lowest_layer_wins_and_all_hooks_run() -> None:
    hooks = (
        Hook("error", layer=3, control=Control("fail")),
        Hook("error", layer=2, control=Control("fail")),
        Hook("error", when=lambda event: False, control=Control("fail")),
        Hook("error", action=NOTIFY, params=lambda event: {"node": event["node"]}),
        retry_hook(1),
    )
    run = ran(graph(work_rescued, hooks=hooks), {"svc/work": BOOM, "svc/notify": [{"sent": True}]})
    assert run.called == ["svc/work", "svc/notify"] * 2
    assert run.result.path == ("work", "rescue", "done")


def test_the_context_of_an_error_hook() -> None:
    seen: list[Any] = []

    def params(event: Any) -> dict[str, object]:
        seen.append({key: event[key] for key in event if not key.startswith("_")})
        return {}

    hook = Hook("error", action=NOTIFY, params=params)
    record = graph(work_rescued, hooks=(hook,), initial=lambda: {"tag": "x"})
    ran(record, {"svc/work": [{"success": False, "error": "gone", "code": 410}], "svc/notify": [{}]}, {"day": "Mon"})
    assert seen == [
        {
            "error": {"message": "gone", "type": "ToolError", "code": 410},
            "classification": {"category": "permanent", "retryable": False},
            "node": "work",
            "step_count": 1,
            "state": {"tag": "x", "step_count": 1, "inputs": {"day": "Mon"}},
        }
    ]


def test_an_error_in_the_handler_ends_the_run() -> None:
    async def failing(c: AnyCursor) -> str | None:
        raise NodeError("second")

    result = ran(graph(work_rescued, extra={"rescue": failing}), {"svc/work": BOOM}).result
    assert (result.error, result.node) == ("second", "rescue")
    assert result.state["_last_error"] == {"node": "rescue", "error": "second"}


# --- classification


class HttpError(Exception):
    def __init__(self, status_code: int, message: str = "failed") -> None:
        super().__init__(message)
        self.status_code = status_code


class Response:
    status_code = 503


class WrappedError(Exception):
    response = Response()


@pytest.mark.parametrize(
    ("raised", "category"),
    [
        (TimeoutError(), "timeout"),
        (ConnectionResetError("x"), "transient"),
        (HttpError(0), "transient"),
        (HttpError(408), "timeout"),
        (HttpError(429), "rate_limited"),
        (HttpError(429, "quota exceeded"), "permanent"),
        (HttpError(404), "permanent"),
        (HttpError(404, "timed out"), "permanent"),
        (HttpError(502), "transient"),
        (HttpError(504), "timeout"),
        (HttpError(500), "permanent"),
        (HttpError(500, "connection refused"), "transient"),
        (WrappedError("bad"), "transient"),
        (OSError("Temporary failure in name resolution"), "transient"),
        (ValueError("request timed out"), "timeout"),
        (ValueError("Too Many Requests"), "rate_limited"),
        (ValueError("rate limit reached"), "rate_limited"),
        (ValueError("quota exceeded, rate limit"), "permanent"),
        (ValueError("your billing address"), "permanent"),
        (ValueError("temporarily unavailable"), "transient"),
        (OSError(101, "Network is unreachable"), "transient"),
        (ValueError("boom"), "permanent"),
    ],
)
def test_classification(raised: Exception, category: str) -> None:
    run = ran(graph(builtin_hooks=False), {"svc/work": [raised]})
    error = run.result.exception
    assert error is not None
    assert classify(error) == category


def test_a_library_that_names_its_errors_like_pythons() -> None:
    namespace = type("ConnectionError", (Exception,), {})
    error = NodeError("x")
    error.__cause__ = namespace()
    assert classify(error) == "transient"


RULES = """
[[errors]]
category = "transient"
condition = { all = [
    { path = "error.message", op = "contains", value = "deadlock" },
    { not = { path = "error.type", value = "ValueError" } },
] }

[[errors]]
category = "rate_limited"
condition = { any = [ { path = "error.code", op = "gte", value = 900 }, { path = "node", value = "other" } ] }
"""


def project_with(rules: str, folder: Path) -> Path:
    (folder / ".graphwright").mkdir()
    (folder / ".graphwright" / "errors.toml").write_text(rules, "utf-8")
    return folder


def test_a_project_adds_its_own_rules(tmp_path: Path) -> None:
    project = project_with(RULES, tmp_path)
    assert len(ran(graph(), {"svc/work": [RuntimeError("deadlock"), {}]}, project=project).calls) == 2
    assert len(ran(graph(), {"svc/work": [ValueError("deadlock"), {}]}, project=project).calls) == 1
    assert len(ran(graph(), {"svc/work": [HttpError(901), {}]}, project=project).calls) == 2


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("errors = 3", "`errors` must be a list of tables: write [[errors]]"),
        ("[[errors]]\ncategory = 'x'", "errors[0].category: must be one of cancelled, denied, timeout, transient"),
        ("[[errors]]\ncategory = 'timeout'", "errors[0].condition: must be a table with `path`"),
        ("[[errors]]\ncategory = 'timeout'\ncondition = {path = 'a', op = 'like'}", "`op` one of eq, ne, lt"),
        ("[[errors]]\ncategory = 'timeout'\ncondition = {any = 3}", "errors[0].condition.any: must be a list"),
        ("[[errors", "is ignored: "),
        ("errors = [3]", "errors[0]: must be a table"),
    ],
)
def test_a_bad_table_is_one_warning(rules: str, message: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run = ran(graph(rescue), project=project_with(rules, tmp_path))
    assert run.result.success
    assert caplog.records == []
    run = ran(graph(), {"svc/work": BOOM}, project=tmp_path)
    assert run.result.error == "boom"
    assert [message in record.message for record in caplog.records] == [True]
