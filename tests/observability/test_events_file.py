"""`graphwright run --events FILE`: the events as lines of JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import graphwright
from observability.test_terminal import GRAPH, OUTER, PAGE


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a graph that calls another one."""
    tools = tmp_path / ".ai/tools"
    (tools / "t").mkdir(parents=True)
    slow = "def execute(params, project_path):\n    return {}\n"
    outer = OUTER.replace("pages: []", "pages: [1, 2]")
    for name, text in {"crawl.yaml": GRAPH, "outer.yaml": outer, "t/page.py": PAGE, "t/slow.py": slow}.items():
        (tools / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_each_event_is_a_line(here: Path) -> None:
    (here / "events.jsonl").write_text('{"event_type":"of the last run"}\n', "utf-8")
    done = graphwright("run", "outer", "--events", "events.jsonl", "--run-id", "r")
    assert (done.code, json.loads(done.stdout)["status"]) == (0, "completed")
    assert "[graph:outer] step 2/2 done" in done.stderr, "next to progress"
    events = read(here / "events.jsonl")
    assert [each["event_type"] for each in events if each["graph_run_id"] == "r"] == [
        "graph_started",
        "step_started",
        "step_completed",
        "step_started",
        "step_completed",
        "graph_completed",
    ]
    below = [each for each in events if each["graph_run_id"] != "r"]
    assert {(each["parent_run_id"], each["root_run_id"], *each["namespace"]) for each in below} == {("r", "r", "inner")}
    assert sum(each["event_type"] == "foreach_item" for each in below) == 2


def test_without_progress(here: Path) -> None:
    done = graphwright("run", "-q", "outer", "--events", "events.jsonl")
    assert (done.code, done.stderr) == (0, "")
    assert read(here / "events.jsonl")[-1]["event_type"] == "graph_completed"


def test_a_descriptor_that_the_caller_opened() -> None:
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "graphwright", "run", "-q", "outer", "--events", f"/dev/fd/{writer}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, pass_fds=[writer])
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        events = [json.loads(line) for line in pipe]
    out, _ = process.communicate(timeout=60)
    assert json.loads(out)["success"]
    assert events[-1]["event_type"] == "graph_completed"


def test_a_file_that_cannot_be_written() -> None:
    for path in ("missing/events.jsonl", "-"):
        done = graphwright("run", "outer", "--events", path)
        assert (done.code, done.stdout) == (2, "")
        assert path in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_disk_that_is_full_does_not_end_the_run() -> None:
    done = graphwright("run", "-q", "outer", "--events", "/dev/full")
    assert (done.code, json.loads(done.stdout)["status"]) == (0, "completed")
    assert done.stderr == "warning: /dev/full has no more events: No space left on device\n"


def test_a_file_that_holds_something_else_is_not_replaced(here: Path) -> None:
    (here / "notes.txt").write_text("mine\n", "utf-8")
    done = graphwright("run", "-q", "outer", "--events", "notes.txt")
    assert done.code == 2
    assert "holds something else than events" in done.stderr
    assert (here / "notes.txt").read_text("utf-8") == "mine\n"
    for _ in range(2):
        assert graphwright("run", "-q", "outer", "--events", "again.jsonl").code == 0
    assert (here / "again.jsonl").read_bytes().count(b'"graph_started"') == 2  # its own, and that of the called graph
