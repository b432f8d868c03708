"""The line for the running node, at any width."""

from __future__ import annotations

import pytest

from graphwright_runtime.progress import Signs
from graphwright_runtime.running import Running
from graphwright_runtime.statusline import cut, width

SIGNS = Signs()


def running(step: int = 2, nodes: int = 4) -> Running:
    run = Running("tests/crawl", nodes, 0, set())
    run.start(step, "read", 1, 100.0)
    return run


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.5, "0s"), (59.9, "59s"), (60, "1m00s"), (125, "2m05s"), (3599, "59m59s"), (3840, "1h04m"), (90_000, "25h00m")],
)
def test_how_long(seconds: float, shown: str) -> None:
    assert running().status(100 + seconds, 80, SIGNS) == f"[graph:crawl] step 2/4 read … {shown}"


def test_a_loop_says_less_where_there_is_less_room() -> None:
    run = running()
    for finished in range(1, 31):
        run.count(finished, 120, finished in (3, 5))
    shown = [run.status(110.0, columns, SIGNS) for columns in (100, 80, 64, 56, 48, 34, 24, 3, 1, 0)]
    assert shown == [
        "[graph:crawl] step 2/4 read ━━━━━━────────────────── 30/120, 2 failed, 3.0/s, eta 30s",
        "[graph:crawl] step 2/4 read ━━━━─────────────── 30/120, 2 failed, 3.0/s, eta 30s",
        "[graph:crawl] step 2/4 read 30/120, 2 failed, 3.0/s, eta 30s",
        "[graph:crawl] step 2/4 read 30/120, 2 failed, 3.0/s",
        "[graph:crawl] step 2/4 read 30/120, 2 failed",
        "[graph:crawl] step 2/4 read 30/120",
        "[graph:crawl] step 2/4 …",
        "[g…",
        "…",
        "",
    ]


def test_a_loop_that_was_resumed_is_as_fast_as_it_is_now() -> None:
    run = running()
    run.count(1_001, 2_000, False)
    assert "1.0/s, eta 16m39s" in run.status(101.0, 100, SIGNS)


def test_a_slow_loop_counts_by_the_minute() -> None:
    run = running()
    run.count(1, 3, False)
    assert "1/3, 3.0/min, eta 40s" in run.status(120.0, 100, SIGNS)


def test_wide_characters_take_two_columns() -> None:
    assert (width("abc"), width("日本"), width("e\u0301")) == (3, 4, 1)
    assert cut("日本語", 6, "…") == "日本語"
    assert cut("日本語", 5, "…") == "日本…"
    assert cut("日本語", 4, "…") == "日…"


def test_a_line_now_and_then() -> None:
    run = running()
    due = [seconds for seconds in range(1, 500) if run.is_due(100.0 + seconds, 30)]
    assert due == [30, 60, 120, 240, 480]
    run.count(7, 9, False)
    assert run.report(130.0, "...") == "step 2/4 read ... 30s (7/9)"
