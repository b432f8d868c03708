"""Logging: a logger for each module, records that know their run, and no configuration on import."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from commands import graphwright
from graphwright_runtime.abi import Hook
from graphwright_runtime.context import Context
from graphwright_runtime.log import RunFilter
from runtime.small import NOTIFY, WORK, AnyCursor, graph, ran, reset, work_continued

FORMAT = "%(name)s|%(graph_id)s|%(graph_run_id)s|%(graph_node)s|%(graph_step)s|%(message)s"


class Kept(logging.Handler):
    """Keeps what was logged, formatted; its own filter is the one that people add."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter(FORMAT))
        self.addFilter(RunFilter())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def kept() -> Iterator[Kept]:
    handler, root = Kept(), logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield handler
    root.setLevel(before)
    root.removeHandler(handler)


def test_the_life_of_a_run(kept: Kept) -> None:
    script = {"svc/work": [reset(), ValueError("boom")]}
    ran(graph(work_continued, hooks=(Hook("graph_completed", action=NOTIFY),)), script, run_id="r")
    [started, again, failed, hook, ended] = kept.lines
    about = "|tests/small|r|"
    assert started == f"graphwright_runtime.lifecycle{about}None|None|r: started tests/small"
    assert again.startswith(f"graphwright_runtime.failure{about}work|1|r: node work is executed again in ")
    assert failed.startswith(
        f"graphwright_runtime.failure{about}work|1|r: node work failed, and the run continues: boom\n"
    )
    assert hook.startswith(f"graphwright_runtime.hooks{about}done|3|r: hook 1 on graph_completed failed: ")
    assert ended.startswith(f"graphwright_runtime.lifecycle{about}done|3|r: ended after 3 steps and ")
    assert ended.endswith(" s: completed_with_errors")


async def calls(c: AnyCursor) -> str | None:
    await c.call_with(WORK, {})
    return "done"


@pytest.mark.parametrize("in_a_thread", [False, True])
def test_what_tools_log_knows_the_run_too(kept: Kept, in_a_thread: bool) -> None:
    log = logging.getLogger("shop.tools")

    def plain(params: object) -> dict[str, int]:
        log.warning("said")
        return {}

    async def coroutine(params: object) -> dict[str, int]:
        return plain(params)

    ran(graph(calls), tools={"svc/work": plain if in_a_thread else coroutine}, run_id="r")
    log.warning("outside")
    assert "shop.tools|tests/small|r|work|1|said" in kept.lines
    assert kept.lines[-1] == "shop.tools|None|None|None|None|outside"


def test_items_at_once_and_graphs_below(kept: Kept) -> None:
    log = logging.getLogger("shop.tools")

    async def leaf(c: AnyCursor) -> str | None:
        log.warning("below")
        return "done"

    async def each(c: AnyCursor) -> str | None:
        await c.each(WORK, [1, 2, 3], lambda x: {"x": x}, collect="out", parallel=3)
        log.warning("above")
        return "done"

    async def tool(params: Mapping[str, Any], context: Context) -> object:
        return await context.run_graph(graph(leaf, id="tests/child"), {})

    ran(graph(each), tools={"svc/work": tool}, run_id="r")
    said = [line.split("|")[1:] for line in kept.lines if line.startswith("shop")]
    assert [(graph_id, message) for graph_id, *_, message in said] == [("tests/child", "below")] * 3 + [
        ("tests/small", "above")
    ]
    assert len({run for _, run, *_ in said}) == 4
    started = [line for line in kept.lines if ": started tests/child, called by r" in line]
    assert len(started) == 3


def test_each_step_at_level_debug(kept: Kept) -> None:
    steps = logging.getLogger("graphwright_runtime.steps")
    steps.setLevel(logging.DEBUG)
    try:
        ran(graph(), {"svc/work": [{}]}, run_id="r")
    finally:
        steps.setLevel(logging.NOTSET)
    first, second = [line for line in kept.lines if line.startswith("graphwright_runtime.steps")]
    assert first.startswith("graphwright_runtime.steps|tests/small|r|work|1|r: step 1 work: ok after ")
    assert first.endswith(" ms, then done")
    assert second.endswith(" ms, then the end")


def test_a_record_keeps_what_it_says_of_itself(kept: Kept) -> None:
    logging.getLogger("shop").warning("said", extra={"graph_node": "mine"})
    assert kept.lines == ["shop|None|None|mine|None|said"]


def test_importing_and_running_sets_nothing_up() -> None:
    code = (
        "import logging, graphwright_runtime.launch, graphwright_runtime.progress\n"
        "assert not logging.getLogger().handlers\n"
        "for name, each in logging.root.manager.loggerDict.items():\n"
        "    assert not getattr(each, 'handlers', []) and not getattr(each, 'level', 0), name\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_verbose_shows_the_life_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.yaml").write_text(
        "tool_type: graph\nconfig:\n  start: a\n  nodes:\n    a: {type: gate, next: z}\n    z: {type: return}\n",
        "utf-8",
    )
    done = graphwright("run", "-q", "-v", "g.yaml", "--run-id", "r")
    assert done.code == 0
    first, last = done.stderr.splitlines()
    assert first == "info: graphwright_runtime.lifecycle: r: started g"
    assert last.startswith("info: graphwright_runtime.lifecycle: r: ended after 2 steps and ")
    assert last.endswith(" s: completed")
