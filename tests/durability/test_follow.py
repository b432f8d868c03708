"""`graphwright runs follow`: the progress of a run, seen from another process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from commands import graphwright
from durability.processes import ended, ran, runs, waiting

STEP_4 = "[graph:count] step 4 check ✓ 0.0s (gate, visit 2)"


def following(project: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "graphwright", "runs", "follow", *arguments]
    return subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def until(stream: IO[str] | None, said: str) -> None:
    """Read lines up to one that says this."""
    assert stream is not None
    while line := stream.readline():
        if said in line:
            return
    raise AssertionError(said)


def test_a_run_is_followed_to_its_end(project: Path) -> None:
    process = waiting(project)
    follower = following(project, "r")
    until(follower.stderr, STEP_4)
    assert follower.poll() is None
    (project / "wait").unlink()
    out, said = follower.communicate(timeout=60)
    assert follower.returncode == 0
    assert json.loads(out) == json.loads(runs(project, "status", "r")[1])
    assert [line.split("✓")[0] for line in said.splitlines()][:2] == [
        "[graph:count] step 5 work ",
        "[graph:count] step 6 check ",
    ]
    assert ended(process)[0] == 0


def test_ctrl_c_stops_following_and_nothing_else(project: Path) -> None:
    process = waiting(project)
    follower = following(project, "r")
    until(follower.stderr, STEP_4)
    follower.send_signal(signal.SIGINT)
    out, said = follower.communicate(timeout=60)
    assert (follower.returncode, out, said) == (130, "", "not following any more; the run r goes on\n")
    assert process.poll() is None
    (project / "wait").unlink()
    assert ended(process)[1]["output"] == {"n": 4}


def test_the_outcome_of_a_run_is_that_of_following_it(project: Path) -> None:
    process = waiting(project)
    follower = following(project, "r")
    until(follower.stderr, STEP_4)
    runs(project, "cancel", "r")
    assert follower.wait(timeout=60) == ended(process)[0] == 143
    (project / "wait").unlink()
    (project / "fail").touch()
    assert ran(project, "--resume", "r")[0] == 1
    failed = runs(project, "follow", "r")
    assert failed[0] == 1
    assert "step 5 work ✗" in failed[2]
    assert "not today" in failed[2]


def test_following_a_run_whose_process_is_killed(project: Path) -> None:
    process = waiting(project)
    follower = following(project, "r")
    until(follower.stderr, STEP_4)
    process.kill()
    process.communicate()
    out, _ = follower.communicate(timeout=60)
    assert (follower.returncode, json.loads(out)["status"]) == (1, "orphaned")


def test_a_run_that_is_over_shows_its_last_steps(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert graphwright("run", "count", "-i", "limit=3", "--run-id", "r").code == 0
    done = graphwright("runs", "follow", "r", "--last", "2")
    assert done.code == 0
    assert [line.split()[1:5] for line in done.stderr.splitlines()] == [
        ["step", "6", "check", "ok"],
        ["step", "7", "done", "end"],
    ]
    assert graphwright("runs", "follow", "r", "--quiet").stderr == ""


def test_a_log_that_was_changed_is_not_the_outcome(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert graphwright("run", "count", "-i", "limit=3", "--run-id", "r").code == 0
    log = project / ".ai/state/threads/r/transcript.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"delta":{"n":2}', b'"delta":{"n":9}'))
    done = graphwright("runs", "follow", "r")
    assert (done.code, done.stdout) == (2, "")
    assert "is not what the run wrote" in done.stderr
    log.write_bytes(b"nonsense\n" + log.read_bytes())
    assert "a line that is not an event of a run" in graphwright("runs", "follow", "r").stderr
