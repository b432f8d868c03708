"""Trees of runs whose processes are killed by SIGKILL at random moments: parents, children, what runs threads, all.

When a tree is resumed until it is done, it has done everything, and nothing again that was committed before a kill. No
process of it is left after a kill.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from durability.background import is_gone

ROOT = Path(__file__).parents[2]

TOP = """\
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: begin
  nodes:
    begin: {action: {item_id: tool:job, params: {async: true}}, assign: {id: "${result.graph_run_id}"}, next: call}
    call: {action: {item_id: tool:job}, assign: {awaited: "${result.output}"}, next: shell}
    shell:
      action:
        item_id: tool:rye/bash
        params: {command: 'sleep 0.1; echo "$RYE_PARENT_THREAD_ID:shell" >> effects; sleep 0.1 | cat'}
      next: ask
    ask:
      action: {item_id: tool:rye/agent/threads/thread_directive, params: {directive_name: think}}
      assign: {thought: "${result.result}"}
      next: wait
    wait:
      action:
        item_id: tool:rye/agent/threads/orchestrator
        params: {operation: wait_threads, thread_ids: ["${state.id}"]}
      assign: {over: "${result.results}"}
      next: done
    done: {type: return, output: {awaited: "${state.awaited}", thought: "${state.thought}", over: "${state.over}"}}
"""
JOB = """\
tool_type: graph
permissions: ["rye.execute.tool.note"]
config:
  start: one
  nodes:
    one: {action: {item_id: tool:note}, next: two}
    two: {action: {item_id: tool:note}, next: three}
    three: {action: {item_id: tool:note}, next: done}
    done: {type: return, output: fine}
"""
NOTE = """\
import time


def execute(params, context):
    time.sleep(0.06)
    with open(context.project / "effects", "a") as file:
        file.write(f"{context.run_id}:{context.node}\\n")
    return {}
"""
THINKING = """\
import asyncio
import sys


class Models:
    async def run(self, thread):
        program = str(thread.context.project / "model.py")
        process = await asyncio.create_subprocess_exec(
            sys.executable, program, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            cwd=thread.context.project, env=thread.environment,
        )
        try:
            process.stdin.write(b"think\\n")
            await process.stdin.drain()
            answer = await process.stdout.readline()
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
        if not answer:
            raise ConnectionError("the model is gone")
        return {"result": answer.decode().strip(), "cost": {"spend": 0.5}}


async def execute(params, context):
    return await context.run_thread(params, Models())
"""
MODEL = """\
import os
import sys
import time

for line in sys.stdin:
    time.sleep(0.2)
    with open("effects", "a") as file:
        file.write(os.environ["RYE_PARENT_THREAD_ID"] + "\\n")
    print("deep", flush=True)
"""
OUTPUT = {"awaited": "fine", "thought": "deep", "over": {"r.1": {"status": "completed", "result": "fine"}}}
INVOKING = """\
import time
import graphwright_runtime
graphwright_runtime.invoke("top", {}, async_=True, resume_run_id="r")
time.sleep(60)
"""


class Tree:
    """A project with the tree, whose processes have a mark in their environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tools = folder / ".ai" / "tools"
        files = {"top.yaml": TOP, "job.yaml": JOB, "note.py": NOTE, "rye/agent/threads/thread_directive.py": THINKING}
        for name, text in files.items():
            (tools / name).parent.mkdir(parents=True, exist_ok=True)
            (tools / name).write_text(text, "utf-8")
        (folder / "model.py").write_text(MODEL, "utf-8")
        self.mark = f"TREE={folder}"
        path = os.pathsep.join((str(ROOT / "compiler"), str(ROOT / "runtime"), str(folder)))
        self.environment = {**os.environ, "TREE": str(folder), "PYTHONPATH": path}
        self.environment["XDG_CONFIG_HOME"] = str(folder / "config")

    def start(self, *command: str) -> subprocess.Popen[str]:
        """A command, in a process that is not waited for."""
        return subprocess.Popen(
            [sys.executable, *command], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip

    def graphwright(self, *words: str) -> subprocess.Popen[str]:
        return self.start("-m", "graphwright", *words)

    def processes(self) -> list[int]:
        """Every process of the tree: its own, and those that they have started."""
        found = []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdecimal() and self.mark.encode() in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
        return [pid for pid in found if not is_gone(pid)]

    def events(self) -> Iterator[dict[str, Any]]:
        """The events in the logs of all runs."""
        for log in self.folder.glob(".ai/state/threads/*/transcript.jsonl"):
            for line in log.read_bytes().split(b"\n"):
                with contextlib.suppress(ValueError):  # a torn end
                    yield json.loads(line)

    def committed(self) -> set[str]:
        """What was done and is in a log."""
        found = set()
        for event in self.events():
            payload = event["payload"]
            if event["event_type"] == "step_completed" and payload["status"] == "ok":
                found.add(f"{event['graph_run_id']}:{payload['node']}")
            if event["event_type"] == "thread_completed" and payload["outcome"]["status"] == "completed":
                found.add(payload["thread_id"])
        return found

    def effects(self) -> Counter[str]:
        """How often each thing was done."""
        file = self.folder / "effects"
        return Counter(file.read_text("utf-8").split()) if file.exists() else Counter()

    def status(self) -> str:
        """How the run stands, by its log alone."""
        ends = {"graph_completed": "completed", "graph_error": "error", "graph_cancelled": "cancelled"}
        types = [event["event_type"] for event in self.events() if event["graph_run_id"] == "r"]
        types = [each for each in types if each != "signature"]
        return "none" if not types else ends.get(types[-1], "open")


def kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def gone(tree: Tree) -> None:
    """No process is left of a tree whose own are killed."""
    until = time.monotonic() + 15
    while left := tree.processes():
        assert time.monotonic() < until, [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in left]
        time.sleep(0.02)


def survived(tree: Tree, attempt: Callable[[Tree, random.Random, bool], None], seed: int, kills: int) -> None:
    """Attempt, kill and resume until the tree is done; after so many kills, let it end."""
    chance, before = random.Random(seed), list[tuple[set[str], Counter[str]]]()
    for number in range(kills + 20):
        attempt(tree, chance, number >= kills)
        if tree.status() == "completed":
            break
        before.append((tree.committed(), tree.effects()))
    gone(tree)
    after, committed = tree.effects(), tree.committed()
    own = [event for event in tree.events() if event["graph_run_id"] == "r"]
    (end,) = [event["payload"] for event in own if event["event_type"] == "graph_completed"]
    (last,) = [
        event["payload"] for event in own if event["payload"].get("node") == "done" and "output" in event["payload"]
    ]
    assert (end["status"], last["output"]) == ("completed", OUTPUT)
    assert end["cost"] == {"spend": 0.5}, "once, however often it was interrupted"
    wanted = {f"r.{number}:{node}" for number in (1, 2) for node in ("one", "two", "three")} | {"r:shell"}
    assert wanted <= committed & after.keys(), "nothing is lost"
    assert any(key.startswith("r.4") for key in committed & after.keys()), "nor the thread, perhaps a second one"
    for done, counts in before:
        assert not [key for key in done if after[key] != counts[key]], "what was committed is not repeated"


def word(tree: Tree) -> tuple[str, ...]:
    """The options that begin the run, or continue it."""
    return ("--run-id", "r") if tree.status() == "none" else ("--resume", "r")


def in_the_foreground(tree: Tree, chance: random.Random, is_last: bool) -> None:
    process = tree.graphwright("run", "top", "-q", *word(tree))
    if not is_last:
        time.sleep(chance.uniform(0.3, 1.6))
        kill(process.pid)
    process.communicate(timeout=60)
    if not is_last:
        gone(tree)


def with_its_models(tree: Tree, chance: random.Random, is_last: bool) -> None:
    """What runs a thread is killed, with the run or without it."""
    process = tree.graphwright("run", "top", "-q", *word(tree))
    until = time.monotonic() + (60 if is_last else 3)
    with_run = chance.random() < 0.5
    while process.poll() is None and time.monotonic() < until:
        models = [pid for pid in tree.processes() if b"model.py" in _command(pid)]
        if models and not is_last:
            time.sleep(chance.uniform(0, 0.25))
            kill(models[0])
            if with_run:
                kill(process.pid)
            is_last = True
        time.sleep(0.02)
    if process.poll() is None and with_run:
        kill(process.pid)
    process.communicate(timeout=60)


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def in_the_background(tree: Tree, chance: random.Random, is_last: bool) -> None:
    """`run --async`: the command that starts the run is killed, or the run, or both."""
    command = tree.graphwright("run", "top", "-q", "--async", *word(tree))
    _either(tree, command, chance, is_last)


def by_invoking(tree: Tree, chance: random.Random, is_last: bool) -> None:
    """`invoke(async_=True)`: the program that starts the run is killed, or the run, or both."""
    if tree.status() == "none":  # a run with an id that is known
        command = tree.graphwright("run", "top", "-q", *word(tree))
        _until(lambda: tree.status() != "none")
        kill(command.pid)
        command.communicate(timeout=60)
    _either(tree, tree.start("-c", INVOKING), chance, is_last)


def _either(tree: Tree, parent: subprocess.Popen[str], chance: random.Random, is_last: bool) -> None:
    which = "neither" if is_last else chance.choice(["parent", "child", "both"])
    if which in ("child", "neither"):
        _until(lambda: bool(_children(tree, parent.pid)) or parent.poll() is not None)
    if not is_last:
        time.sleep(chance.uniform(0.1, 1.8))
    if which == "both":
        for pid in tree.processes():
            kill(pid)
    elif which == "child":
        for pid in _children(tree, parent.pid):
            kill(pid)
    if which != "parent":
        _until(lambda: not _children(tree, parent.pid))
    kill(parent.pid)
    parent.communicate(timeout=60)
    _until(lambda: not tree.processes())  # without its parent, the run goes on, or it never began


def _until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.03)


def _children(tree: Tree, parent: int) -> list[int]:
    """The processes that lead a run in the background."""
    return [pid for pid in tree.processes() if pid != parent and _leads(pid) and b"-m" in _command(pid)]


def _leads(pid: int) -> bool:
    try:
        return os.getsid(pid) == pid
    except ProcessLookupError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize("attempt", [in_the_foreground, with_its_models, in_the_background, by_invoking])
def test_whoever_is_killed(attempt: Callable[[Tree, random.Random, bool], None], tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    assert tree.graphwright("build", "-q", "--no-typecheck").wait(60) == 0
    survived(tree, attempt, seed=1, kills=6)
