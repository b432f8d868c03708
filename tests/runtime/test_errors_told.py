"""Errors made from the exceptions of tools: groups, causes, quotas."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphwright_runtime.abi import NodeError, execute_sync
from graphwright_runtime.classify import classify
from graphwright_runtime.toolerror import failed
from runtime.small import graph, ran


def told(error: BaseException) -> tuple[str, str]:
    """The text and the category that a tool's exception comes to."""
    fault = failed(error)
    if fault is not error:
        fault.__cause__ = error
    return str(fault), classify(fault)


class WebError(Exception):
    def __init__(self, status_code: int, message: str) -> None:
        super().__init__(message)
        self.status_code = status_code


def behind(error: Exception, cause: Exception, *, explicit: bool = True) -> Exception:
    try:
        try:
            raise cause
        except Exception as first:
            if explicit:
                raise error from first
            raise error  # noqa: B904 - what is tested is a context without a cause
    except Exception as raised:
        return raised


RESET = ConnectionError("connection reset by peer")


@pytest.mark.parametrize(
    ("error", "text", "category"),
    [
        (ExceptionGroup("unhandled errors in a TaskGroup", [RESET]), "connection reset by peer", "transient"),
        (ExceptionGroup("g", [ExceptionGroup("h", [TimeoutError("late")])]), "late", "timeout"),
        (
            ExceptionGroup("g", [RESET, TimeoutError("late")]),
            "2 errors: ConnectionError: connection reset by peer; TimeoutError: late",
            "transient",
        ),
        (
            ExceptionGroup("g", [ExceptionGroup("h", [RESET]), ValueError("bad")]),
            "2 errors: ConnectionError: connection reset by peer; ValueError: bad",
            "permanent",
        ),
        (
            ExceptionGroup("g", [ValueError(str(number)) for number in range(5)]),
            "5 errors: ValueError: 0; ValueError: 1; ValueError: 2; …",
            "permanent",
        ),
        (ExceptionGroup("g", [WebError(503, "a"), WebError(502, "")]), "2 errors: WebError: a; WebError", "transient"),
        (ExceptionGroup("g", [WebError(429, "a")] * 2), "2 errors: WebError: a; WebError: a", "rate_limited"),
        (ExceptionGroup("g", [NodeError("no", category="denied")]), "no", "denied"),
        (BaseExceptionGroup("g", [SystemExit(2), KeyError(1)]), "2 errors: SystemExit: 2; KeyError: 1", "permanent"),
        (behind(RuntimeError(), RESET), "RuntimeError: connection reset by peer", "transient"),
        (behind(RuntimeError(), RESET, explicit=False), "RuntimeError: connection reset by peer", "transient"),
        (behind(RuntimeError("failed"), RESET), "failed", "permanent"),
        (behind(RuntimeError(), ValueError()), "RuntimeError", "permanent"),
        (WebError(429, "You exceeded your current quota"), "You exceeded your current quota", "permanent"),
        (WebError(429, "Slow down"), "Slow down", "rate_limited"),
        (WebError(503, "billing is down"), "billing is down", "transient"),
    ],
)  # fmt: skip
def test_what_is_told(error: BaseException, text: str, category: str) -> None:
    assert told(error) == (text, category)


def test_a_context_that_was_suppressed_is_not_told() -> None:
    error = behind(RuntimeError(), RESET, explicit=False)
    error.__suppress_context__ = True
    assert told(error) == ("RuntimeError", "permanent")


def test_a_result_that_tells_of_a_quota_is_permanent() -> None:
    run = ran(graph(), {"svc/work": [{"success": False, "error": "insufficient credits", "status_code": 429}]})
    assert len(run.calls) == 1


@pytest.mark.parametrize(("errors", "calls"), [([RESET], 4), ([RESET, TimeoutError()], 4), ([RESET, ValueError()], 1)])
def test_a_task_group_is_tried_again_where_all_of_its_errors_are(errors: list[Exception], calls: int) -> None:
    made = 0

    async def fails(error: Exception) -> None:
        raise error

    async def tool(params: dict[str, Any]) -> object:
        nonlocal made
        made += 1
        async with asyncio.TaskGroup() as group:
            for error in errors:
                group.create_task(fails(error))
        return {}

    result = ran(graph(), tools={"svc/work": tool}).result
    assert made == calls
    assert result.error is not None
    assert "connection reset by peer" in result.error
    assert result.exception is not None
    assert isinstance(result.exception.__cause__, ExceptionGroup)


def test_an_error_without_text_tells_nothing_of_what_went_on_outside_of_its_tool() -> None:
    async def tool(params: dict[str, Any]) -> object:
        raise LookupError

    assert execute_sync(graph(), {}, tools={"svc/work": tool}).error == "LookupError"


def test_an_error_without_text_tells_nothing_of_an_earlier_attempt() -> None:
    errors: list[Exception] = [ConnectionError("first"), LookupError()]

    async def tool(params: dict[str, Any]) -> object:
        raise errors.pop(0)

    assert ran(graph(), tools={"svc/work": tool}).result.error == "LookupError"
