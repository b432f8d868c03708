"""A request to end reaches a run whatever its tools do: in code that blocks the event loop, and if Python loses it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from durability.processes import runs, until
from graphwright.building.compile import compile_source

GRAPH = """\
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: work
  on_error: continue
  nodes:
    work:
      type: foreach
      over: [1, 2]
      action: {item_id: tool:t/block}
      collect: all
      on_error: rescue
      next: done
    rescue: {type: return, output: rescued}
    done: {type: return, output: "${state.all | length}"}
"""
BLOCKS = """\
import pathlib, sys, time

async def execute(params, project_path):
    print("blocked", file=sys.stderr, flush=True)
    while pathlib.Path(project_path, "wait").exists():
        time.sleep(0.01)
    return {}
"""
#: What is raised in the callback of a weak reference is ignored.
LOSES = """\
import pathlib, sys, time, weakref

class Thing:
    pass

def last(_):
    print("blocked", file=sys.stderr, flush=True)
    time.sleep(5)

async def execute(params, project_path):
    wait = pathlib.Path(project_path, "wait")
    if wait.exists():
        thing = Thing()
        reference = weakref.ref(thing, last)
        del thing
    while wait.exists():
        time.sleep(0.01)
    return {}
"""

Ending = Callable[[Path, "subprocess.Popen[str]"], object]

WAYS: dict[str, tuple[Ending, int, str]] = {
    "SIGTERM": (lambda _, process: process.send_signal(signal.SIGTERM), 143, "SIGTERM"),
    "SIGINT": (lambda _, process: process.send_signal(signal.SIGINT), 130, "SIGINT"),
    "cancel": (lambda project, _: runs(project, "cancel", "b"), 143, "cancel"),
}


def blocked(project: Path, tool: str) -> subprocess.Popen[str]:
    """A run `b` whose tool has begun to block the event loop."""
    (project / "wait").touch()
    (project / ".ai/tools/blocked.yaml").write_text(GRAPH, "utf-8")
    (project / ".ai/tools/t/block.py").write_text(tool, "utf-8")
    command = [sys.executable, "-m", "graphwright", "run", "-q", "blocked", "--run-id", "b"]
    process = subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline() == "blocked\n"
    return process


@pytest.mark.parametrize("tool", [BLOCKS, LOSES], ids=["blocks", "loses"])
@pytest.mark.parametrize("way", WAYS)
def test_code_that_keeps_the_loop_busy_is_cut_and_not_at_fault(project: Path, way: str, tool: str) -> None:
    process = blocked(project, tool)
    end, code, by = WAYS[way]
    end(project, process)
    out, _ = process.communicate(timeout=60)
    result = json.loads(out)
    assert (process.returncode, result["status"], result["node"]) == (code, "cancelled", "work")
    last = json.loads((project / ".ai/state/threads/b/transcript.jsonl").read_bytes().splitlines()[-2])
    assert (last["event_type"], last["payload"]["signal"]) == ("graph_cancelled", by)
    (project / "wait").unlink()
    command = [sys.executable, "-m", "graphwright", "run", "-q", "blocked", "--resume", "b"]
    resumed = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=60, check=False)
    assert json.loads(resumed.stdout)["output"] == 2


def test_ctrl_c_that_gets_lost_while_a_module_is_imported(tmp_path: Path) -> None:
    text = compile_source(GRAPH, graph_id="blocked", path="blocked.yaml").text
    assert text is not None
    begin = text.index("from __future__")
    loses = LOSES.partition("async def")[0].replace("time.sleep(5)", "open('here', 'w').close(); time.sleep(5)")
    body = text[begin:].replace("from __future__ import annotations\n", "")
    (tmp_path / "module.py").write_text(
        f"from __future__ import annotations\n{loses}\nthing = Thing()\nreference = weakref.ref(thing, last)\n"
        f"del thing\n{body}",
        "utf-8",
    )
    command = [sys.executable, "-m", "graphwright", "run", "module.py"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until((tmp_path / "here").exists)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=60)
    assert "Exception ignored in" in said
    assert (process.returncode, json.loads(out)["status"], json.loads(out)["steps"]) == (130, "cancelled", 0)


IN_PYTHON = """\
import json, pathlib, sys, time
sys.path.insert(0, ".")
from module import GRAPH

async def block(params):
    print("blocked", flush=True)
    while pathlib.Path("wait").exists():
        time.sleep(0.01)
    return {}

events = []
try:
    GRAPH.run_sync({}, tools={"t/block": block}, project=".", run_id="b", on_event=events.append)
except KeyboardInterrupt:
    print(json.dumps([[event.event_type, event.payload.get("status")] for event in events]), flush=True)
    sys.exit(130)
"""


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_in_python_interrupts_the_run_and_no_tool_is_at_fault(tmp_path: Path, presses: int) -> None:
    text = compile_source(GRAPH, graph_id="blocked", path="blocked.yaml").text
    assert text is not None
    (tmp_path / "module.py").write_text(text, "utf-8")
    (tmp_path / "wait").touch()
    command = [sys.executable, "-c", IN_PYTHON]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "blocked\n"
    process.send_signal(signal.SIGINT)
    if presses == 2:
        pause(process)
        process.send_signal(signal.SIGINT)
    else:
        (tmp_path / "wait").unlink()
    out, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    told: list[Any] = json.loads(out.splitlines()[-1])
    assert (process.returncode, told[-1], said) == (130, ["graph_cancelled", "cancelled"], "")
    assert "error" not in [status for _, status in told]
    last = json.loads((tmp_path / ".ai/state/threads/b/transcript.jsonl").read_bytes().splitlines()[-2])
    assert last["event_type"] == "graph_cancelled"


def pause(process: subprocess.Popen[str]) -> None:
    """Give a process the time to handle a signal; two that arrive at once are one."""
    try:
        process.wait(0.5)
    except subprocess.TimeoutExpired:
        return
    raise AssertionError(process.communicate())
