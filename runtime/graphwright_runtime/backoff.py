"""Computes the wait before another attempt from the retry policy, the tool's `retry_after` and the deadline."""

from __future__ import annotations

import asyncio
from math import isfinite
from typing import TYPE_CHECKING, Final

from graphwright_runtime.branch import Branch
from graphwright_runtime.graph import Retry
from graphwright_runtime.host import Host

if TYPE_CHECKING:
    from graphwright_runtime.durable.checkpoint import InFlight
    from graphwright_runtime.run import Run

#: The maximum number of seconds that a tool can request without a retry policy.
_MOST: Final = 60.0

#: The maximum of any ceiling, in milliseconds: thirty years.
_EVER: Final = 1e12


def backoff(branch: Branch, waits: Retry, attempt: int) -> float:
    """The wait after attempt number `attempt`, in seconds; jitter reduces it by up to half."""
    most = _ceiling(waits)
    try:
        wait = min(float(waits.backoff_ms * waits.multiplier ** (attempt - 1)) / 1000, most)
    except OverflowError:
        wait = most if waits.backoff_ms else 0.0
    return wait * (1 - branch.run.host.random() / 2) if waits.jitter else wait


def extended(branch: Branch, wait: float, asked: object) -> float:
    """The wait in seconds, increased if the tool requested more, and limited by the deadline of the run.

    `asked` is a `retry_after`: seconds as a number or string, or the date of an HTTP header; other values are ignored.
    It is limited by the `max_backoff_ms` of the node's policy, or to a minute without a policy.
    """
    run = branch.run
    seconds = _seconds(asked, run.host)
    if seconds is not None:
        policy = run.graph.retries.get(branch.node)
        wait = max(wait, min(seconds, _MOST if policy is None else _ceiling(policy)))
    if run.ends_at is not None:
        wait = min(wait, max(0.0, run.ends_at - asyncio.get_running_loop().time()))
    return wait


async def finish_wait(run: Run, in_flight: InFlight, index: int | None = None) -> None:
    """Wait for the rest of the time that an interrupted run was waiting before its next attempt at a node or item."""
    wait = in_flight.wait_left(run.host.now(), index)
    if wait > 0:
        await run.host.sleep(wait)


def _ceiling(waits: Retry) -> float:
    return float(min(waits.max_backoff_ms, _EVER)) / 1000


def _seconds(asked: object, host: Host) -> float | None:
    """A `retry_after` in seconds; None if it is not a valid one."""
    if isinstance(asked, bool) or not isinstance(asked, (int, float, str)):
        return None
    try:
        seconds = float(asked)
    except OverflowError:
        return None
    except ValueError:  # not a number
        seconds = _until(str(asked), host.now())
    return seconds if isfinite(seconds) and seconds >= 0 else None


def _until(date: str, now: float) -> float:
    """The seconds until a date such as `Wed, 21 Oct 2026 07:28:00 GMT`; -1 for an invalid date."""
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(date).timestamp() - now
    except (ValueError, TypeError, OverflowError, IndexError):
        return -1.0
