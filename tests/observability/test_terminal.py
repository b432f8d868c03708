"""Progress on real terminals, wide and narrow, and the output that remains after a run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from observability.terminal import Terminal

GRAPH = """\
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: first
  nodes:
    first: {type: gate, next: read_pages}
    read_pages:
      type: foreach
      over: "${inputs.pages}"
      parallel: true
      max_concurrency: 4
      action: {item_id: "tool:t/page", params: {page: "${item}"}}
      collect: pages
      next: summarize
    summarize: {action: {item_id: "tool:t/slow"}, next: done}
    done: {type: return}
config_schema: {type: object, properties: {pages: {type: array}}, required: [pages]}
"""
OUTER = """\
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: inner
  nodes:
    inner: {action: {item_id: "tool:crawl", params: {pages: []}}, next: done}
    done: {type: return}
"""
PAGE = """\
import asyncio
async def execute(params, project_path):
    await asyncio.sleep(0.05)
    return {"n": params["page"]}
"""
#: Waits for a file; says something on both streams while it does.
SLOW = """\
import pathlib, sys, time
def execute(params, project_path):
    folder = pathlib.Path(project_path)
    while not (folder / "go").exists():
        time.sleep(0.02)
        if (folder / "say").exists():
            (folder / "say").unlink()
            print("said on standard output")
            print("said on standard error", file=sys.stderr)
    return {}
"""
WIDE = '{"pages": [' + ",".join(map(str, range(100))) + "]}"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    tools = tmp_path / ".ai/tools"
    (tools / "t").mkdir(parents=True)
    for name, text in {"crawl.yaml": GRAPH, "outer.yaml": OUTER, "t/page.py": PAGE, "t/slow.py": SLOW}.items():
        (tools / name).write_text(text, "utf-8")
    (tmp_path / "inputs.json").write_text(WIDE, "utf-8")
    return tmp_path


@pytest.fixture
def on_terminal(project: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(columns: int, *arguments: str, **env: str) -> Terminal:
        graph = arguments or ("crawl", "--inputs", "inputs.json")
        opened.append(Terminal(project, columns, *graph, env=env))
        return opened[-1]

    yield start
    for each in opened:
        each.kill()


@pytest.mark.parametrize("columns", [120, 40, 12])
def test_a_loop_shows_a_bar_that_fits(on_terminal: Callable[..., Terminal], project: Path, columns: int) -> None:
    terminal = on_terminal(columns)
    if columns >= 80:
        [bar] = terminal.until(lambda lines: any("━" in line for line in lines))[1:]
        assert re.fullmatch(r"\[graph:crawl\] step 2/4 read_pages ━+─* \d+/100, [\d.]+/s, eta \d+s", bar)
        assert len(bar) < columns
    else:
        terminal.until(lambda lines: any("…" in line or "/100" in line for line in lines))
    (project / "go").touch()
    assert terminal.ended() == 0
    text = terminal.written.decode()
    for drawn in re.findall(r"\r([^\r\n]*?)\x1b\[K", text):
        assert len(drawn) < columns, "nothing that is drawn reaches the last column"
    left = [re.sub(r" \d+\.\ds", "", line) for line in _kept(text)]
    assert left == [
        "[graph:crawl] step 1/4 first ✓ (gate)",
        "[graph:crawl] step 2/4 read_pages ✓ (foreach) +pages",
        "[graph:crawl] step 3/4 summarize ✓",
        "[graph:crawl] step 4/4 done ⏹",
    ]
    assert terminal.cursor[0] == 0
    assert json.loads(terminal.result)["status"] == "completed"


def _kept(text: str) -> list[str]:
    """The lines that stay: what is drawn and erased is left out."""
    return [line.rpartition("\x1b[K")[2] for line in text.split("\r\n") if line.rpartition("\x1b[K")[2]]


def test_a_node_is_named_while_it_runs_and_tools_print_above_that(
    on_terminal: Callable[..., Terminal], project: Path
) -> None:
    terminal = on_terminal(80)
    running = r"\[graph:crawl\] step 3/4 summarize … \d+s"
    terminal.until(lambda lines: re.fullmatch(running, lines[-1] if lines else "") is not None)
    (project / "say").touch()
    lines = terminal.until(
        lambda lines: any("standard error" in line for line in lines) and re.fullmatch(running, lines[-1]) is not None
    )
    assert lines[-3:-1] == ["said on standard output", "said on standard error"]
    (project / "go").touch()
    assert terminal.ended() == 0
    assert "…" not in "".join(terminal.lines)


def test_a_line_that_a_tool_does_not_end_is_not_drawn_over(on_terminal: Callable[..., Terminal], project: Path) -> None:
    (project / ".ai/tools/t/page.py").write_text(
        "def execute(params, project_path):\n    print('half of it', end='')\n    return {}\n", "utf-8"
    )
    (project / "inputs.json").write_text('{"pages": [1]}', "utf-8")
    terminal = on_terminal(80)
    lines = terminal.until(lambda lines: "summarize …" in "".join(lines))
    assert [re.sub(r" \d+\.\ds", "", line) for line in lines[1:3]] == [
        "half of it",
        "[graph:crawl] step 2/4 read_pages ✓ (foreach) +pages",
    ]
    (project / "go").touch()
    assert terminal.ended() == 0


FORKS = """\
import os, time
def execute(params, project_path):
    time.sleep(1)
    for _ in range(20):
        child = os.fork()
        if child == 0:
            print("from a child", flush=True)
            os._exit(0)
        os.waitpid(child, 0)
    return {}
"""


def test_a_child_without_the_thread_that_draws_can_print(on_terminal: Callable[..., Terminal], project: Path) -> None:
    (project / ".ai/tools/t/slow.py").write_text(FORKS, "utf-8")
    (project / "inputs.json").write_text('{"pages": []}', "utf-8")
    terminal = on_terminal(80)
    assert terminal.ended() == 0
    assert terminal.written.decode().count("from a child") == 20


def test_a_window_that_changes_its_size(on_terminal: Callable[..., Terminal], project: Path) -> None:
    terminal = on_terminal(100)
    terminal.until(lambda lines: "summarize …" in "".join(lines))
    terminal.resize(24)
    terminal.until(lambda lines: lines[-1] == "[graph:crawl] step 3/4…")
    terminal.resize(60)
    terminal.until(lambda lines: lines[-1].startswith("[graph:crawl] step 3/4 summarize …"))
    (project / "go").touch()
    assert terminal.ended() == 0


def test_ctrl_c_leaves_a_clean_terminal(on_terminal: Callable[..., Terminal]) -> None:
    terminal = on_terminal(80)
    terminal.until(lambda lines: "summarize …" in "".join(lines))
    terminal.press(b"\x03")
    assert terminal.ended() == 130
    lines = terminal.lines
    assert not any("…" in line for line in lines)
    assert "[graph:crawl] cancelled after 3 steps" in lines
    assert lines[-1].startswith("to resume the run: ")
    assert terminal.cursor[0] == 0
    assert "\x1b[?25l" not in terminal.written.decode(), "the cursor was never hidden"


def test_a_called_graph_is_shown_below_its_caller(on_terminal: Callable[..., Terminal], project: Path) -> None:
    terminal = on_terminal(80, "outer")
    terminal.until(lambda lines: bool(lines) and lines[-1].startswith("  [graph:crawl] step 3/4 summarize …"))
    (project / "go").touch()
    assert terminal.ended() == 0
    assert [line.startswith("  ") for line in terminal.lines] == [True, True, True, True, False, False]


@pytest.mark.parametrize("env", [{"TERM": "dumb"}, {"RYE_GRAPH_QUIET": "1"}, {"NO_COLOR": "1"}])
def test_what_the_environment_asks_for(
    on_terminal: Callable[..., Terminal], project: Path, env: dict[str, str]
) -> None:
    (project / "go").touch()
    terminal = on_terminal(80, **env)
    assert terminal.ended() == 0
    text = terminal.written.decode()
    assert (text == "") is ("RYE_GRAPH_QUIET" in env)
    assert ("\x1b" in text) is ("NO_COLOR" in env), "a status line has no colors; a dumb terminal has no status line"
    assert not re.search(r"\x1b\[[\d;]*m", text)
