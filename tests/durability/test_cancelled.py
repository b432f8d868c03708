"""A run that is asked to end, at any moment and in any way, ends in order and is resumed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from durability.background import Counting, counting, is_gone
from durability.kept import compiled, events, run
from durability.processes import until
from graphwright_runtime import process
from graphwright_runtime.durable.survey import ask_to_cancel
from graphwright_runtime.errors import RefusedError
from running import QuickHost

STUBBORN = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.rye.bash"]
config:
  start: work
  nodes:
    work:
      action: {item_id: tool:rye/bash, params: {command: "COMMAND"}}
      assign: {said: "${result.stdout}"}
      next: done
    done: {type: return, output: "${state.said}"}
"""
#: What a program does when it is asked to end: it takes a moment to tidy up, or does not listen.
TIDY = "trap 'sleep 0.2; echo tidied > tidied; exit' TERM; echo $$ > started; while [ ! -e go ]; do sleep 0.01; done"
DEAF = "trap '' TERM; echo $$ > started; while [ ! -e go ]; do sleep 0.01; done"


@pytest.fixture
def project(tmp_path: Path) -> Counting:
    return counting(tmp_path)


def test_at_random_moments_and_in_every_way(project: Counting) -> None:
    chance = random.Random(7)
    limit, interruptions = 45, 0
    (project.folder / "pace").touch()
    pid = project.background("-q", limit=limit)
    while True:
        time.sleep(chance.uniform(0.0, 0.5))
        way = chance.choice(("SIGTERM", "SIGINT", "cancel", "SIGKILL"))
        try:
            if way == "cancel":
                ask_to_cancel(project.folder, "r")
            else:
                os.kill(pid, signal.Signals[way])
        except (ProcessLookupError, RefusedError):
            pass
        status = project.ended()
        if status == "completed":
            break
        assert status in (("orphaned",) if way == "SIGKILL" else ("cancelled",)), way
        interruptions += 1
        done = project.graphwright("run", "count", "--async", "-q", "--resume", "r")
        assert done.code == 0, done
        pid = int(done.found["pid"])
    assert interruptions >= 2
    steps = [event["step"] for event in events(project.folder, "r", "step_completed")]
    assert steps == list(range(1, 2 * limit + 2))
    calls = [int(each) for each in project.calls()]
    assert sorted(set(calls)) == list(range(limit))
    assert len(calls) - limit <= interruptions  # only what was in flight is executed again


def test_in_one_process_at_every_step(tmp_path: Path) -> None:
    with compiled() as module:
        for at in range(1, 8):
            host = QuickHost()

            def told(event: Any, host: QuickHost = host, at: int = at) -> None:
                if event.event_type == "step_started" and event.payload["step"] == at:
                    host.cancel("test")

            run_id = f"r{at}"
            cancelled = run(module, tmp_path, run_id=run_id, host=host, on_event=told)
            if at < 7:  # what is cancelled while the last node is executed is over
                assert cancelled.status == "cancelled", at
                assert run(module, tmp_path, resume=run_id).output == {"n": 3}


def stubborn(folder: Path, command: str) -> Counting:
    project = counting(folder)
    graph = folder / ".ai" / "tools" / "stubborn.yaml"
    graph.write_text(STUBBORN.replace('"COMMAND"', json.dumps(command)), "utf-8")
    done = project.graphwright("run", "stubborn", "--async", "--run-id", "r")
    assert done.code == 0, done
    until((folder / "started").exists)
    until(lambda: (folder / "started").read_text("ascii") != "")
    return project


def test_a_command_is_given_time_to_end(tmp_path: Path) -> None:
    project = stubborn(tmp_path, TIDY)
    assert project.graphwright("runs", "cancel", "r").code == 0
    assert project.ended() == "cancelled"
    assert (tmp_path / "tidied").exists()
    (tmp_path / "go").touch()
    assert project.graphwright("run", "stubborn", "--async", "--resume", "r").code == 0
    assert project.ended() == "completed"


def test_a_second_signal_takes_that_time_away(tmp_path: Path) -> None:
    project = stubborn(tmp_path, DEAF)
    command, pid = int((tmp_path / "started").read_text("ascii")), project.status()["pid"]
    os.kill(pid, signal.SIGTERM)
    time.sleep(0.5)
    assert not is_gone(command)
    os.kill(pid, signal.SIGTERM)
    assert project.ended() == "cancelled"
    assert is_gone(command)


def test_killing_a_run_leaves_no_command(tmp_path: Path) -> None:
    project = stubborn(tmp_path, DEAF)
    command = int((tmp_path / "started").read_text("ascii"))
    began = time.monotonic()
    assert project.graphwright("runs", "kill", "r").code == 0
    assert time.monotonic() - began < 9
    assert project.status()["status"] in ("cancelled", "killed")
    until(lambda: is_gone(command))


def test_a_command_that_does_not_listen_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_GRACE", 0.3)
    with compiled(STUBBORN.replace('"COMMAND"', json.dumps(DEAF)), "demo/stubborn") as module:

        async def main() -> float:
            running = asyncio.create_task(module.run({}, project=tmp_path, run_id="r", host=QuickHost()))
            while not (tmp_path / "started").exists():
                await asyncio.sleep(0.01)
            began = time.monotonic()
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            return time.monotonic() - began

        assert 0.3 <= asyncio.run(main()) < 5
    assert is_gone(int((tmp_path / "started").read_text("ascii")))
    assert [event["status"] for event in events(tmp_path, "r", "graph_cancelled")] == ["cancelled"]


def test_a_timeout_is_no_cancellation(tmp_path: Path) -> None:
    text = STUBBORN.replace('"COMMAND"', json.dumps(DEAF)).replace("next: done", "timeout_s: 0.3\n      next: done")
    with compiled(text, "demo/stubborn") as module:
        began = time.monotonic()
        result = module.run_sync({}, project=tmp_path, host=QuickHost())
        assert "timed out" in result.error
        assert time.monotonic() - began < 5
