"""`graphwright runs list` and `show`: which runs there are, and what each did."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import graphwright
from durability.processes import GRAPH, waiting
from durability.test_runs import OUTER


@pytest.fixture
def several(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the runs `good`, `bad` and `outer`, which calls `outer.1`."""
    monkeypatch.chdir(project)
    (project / ".ai" / "tools" / "outer.yaml").write_text(OUTER, "utf-8")
    assert graphwright("run", "count", "-i", "limit=2", "--run-id", "good").code == 0
    assert graphwright("run", "outer", "--run-id", "outer").code == 0
    (project / "fail").touch()
    assert graphwright("run", "count", "-i", "limit=2", "--run-id", "bad").code == 1
    (project / "fail").unlink()
    return project


def listed(*arguments: str) -> list[str]:
    return [row["run_id"] for row in rows(*arguments)]


def rows(*arguments: str) -> Any:
    return json.loads(graphwright("runs", "list", "--format", "json", *arguments).stdout)


def test_the_list_is_filtered(several: Path) -> None:
    assert listed() == ["good", "outer", "outer.1", "bad"]
    assert listed("--graph", "count") == ["good", "outer.1", "bad"]
    assert listed("--graph", "o*") == ["outer"]
    assert listed("--status", "error") == ["bad"]
    assert listed("--status", "error", "--status", "completed", "--graph", "count", "-n", "2") == ["outer.1", "bad"]
    assert listed("-n", "1") == listed("--limit", "1") == ["bad"]
    assert [row["parent_id"] for row in rows()] == [None, None, "outer", None]
    text = graphwright("runs", "list").stdout.splitlines()
    assert text[0].split() == ["RUN", "GRAPH", "STATUS", "STARTED", "UPDATED", "PARENT"]
    assert text[3].split()[-1] == "outer"
    assert "no runs like that are kept" in graphwright("runs", "list", "--graph", "cuont").stderr
    assert "did you mean `completed`?" in graphwright("runs", "list", "--status", "complete").stderr
    assert "`0` is not a number from 1 on" in graphwright("runs", "list", "-n", "0").stderr


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def scribbled(file: Path) -> None:
    file.write_bytes(b"this is not a database" * 100)


def in_the_way(file: Path) -> None:
    file.unlink()
    file.mkdir()


def piped(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def retyped(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute("UPDATE threads SET created_at = 'soon', pid = 'me'")


@pytest.mark.parametrize("change", [Path.unlink, emptied, scribbled, in_the_way, piped, retyped])
def test_without_a_registry_the_list_is_made_from_the_logs(several: Path, change: Callable[[Path], None]) -> None:
    registry = several / ".ai" / "state" / "registry.db"
    with sqlite3.connect(registry) as database:  # all of it in one file
        database.execute("PRAGMA journal_mode = DELETE")
    change(registry)
    done = graphwright("runs", "list", "--format", "json")
    assert done.code == 0
    found = {row["run_id"]: (row["graph_id"], row["status"], row["parent_id"]) for row in json.loads(done.stdout)}
    assert found == {
        "good": ("count", "completed", None),
        "outer": ("outer", "completed", None),
        "outer.1": ("count", "completed", "outer"),
        "bad": ("count", "error", None),
    }
    assert listed("-n", "1") == ["bad"]
    if change not in (Path.unlink, retyped):
        assert done.stderr.startswith("the registry of runs cannot be read (")
        assert done.stderr.count("\n") == 1


def test_a_run_without_a_log_is_not_listed(several: Path) -> None:
    (several / ".ai/state/threads/good/transcript.jsonl").unlink()
    assert listed() == ["outer", "outer.1", "bad"]
    assert "transcript.jsonl is missing" in graphwright("runs", "show", "good").stderr


@pytest.mark.parametrize("content", [b"", b"{}\n", b'{"payload": {}, "timestamp": 1e300}\n' * 3, b"\xff\x00" * 99])
def test_a_log_that_is_none_does_not_stop_anything(several: Path, content: bytes) -> None:
    folder = several / ".ai" / "state" / "threads" / "odd"
    folder.mkdir()
    (folder / "transcript.jsonl").write_bytes(content)
    assert "odd" in listed()
    assert graphwright("runs", "list").code == 0
    for action in ("show", "status", "trace", "follow", "wait", "cancel", "kill"):
        done = graphwright("runs", action, "odd")
        assert done.code in (0, 1, 2)
        assert "GW901" not in done.stderr
        assert "Traceback" not in done.stderr


def test_a_run_that_never_began_is_shown(several: Path) -> None:
    folder = several / ".ai" / "state" / "threads" / "early"
    folder.mkdir()
    (folder / "transcript.jsonl").touch()
    assert graphwright("runs", "show", "early").stdout.startswith("early: orphaned before a step was kept\n")
    record = json.loads(graphwright("runs", "show", "early", "--format", "json").stdout)
    assert (record["started_at"], record["state"], record["path"]) == (None, {}, [])


def test_what_a_run_did_is_shown(several: Path) -> None:
    shown = graphwright("runs", "show", "bad").stdout
    assert shown.startswith("bad of count: error, 1 step finished\n")
    assert "  error     work: " in shown
    assert "not today" in shown
    assert '  inputs    {"limit": 2}\n' in shown
    assert f"  log       {several}/.ai/state/threads/bad/transcript.jsonl\n" in shown
    outer = graphwright("runs", "show", "outer").stdout
    assert re.search(r"\nouter\.1 +\S+ +completed ", outer)
    assert '  output    {"n": 1}\n' in outer
    assert "  called by outer\n" in graphwright("runs", "show", "outer.1").stdout
    record = json.loads(graphwright("runs", "show", "outer.1", "--format", "json").stdout)
    assert (record["parent_run_id"], record["output"], record["durability"]) == ("outer", {"n": 1}, "process")
    assert record["started_at"] <= record["updated_at"]
    assert json.loads(graphwright("runs", "show", "bad", "--format", "json").stdout)["node"] == "work"


def test_only_the_last_steps_are_shown(several: Path) -> None:
    shown = graphwright("runs", "show", "good", "--last", "2").stdout
    steps = [line.split()[:2] for line in shown.splitlines() if line[:1].isdigit()]
    assert steps == [["4", "check"], ["5", "done"]]


def test_a_step_that_is_executed_again_after_a_failure_is_one_visit(several: Path) -> None:
    assert graphwright("run", "count", "--resume", "bad").code == 0
    record = json.loads(graphwright("runs", "show", "bad", "--format", "json").stdout)
    assert (record["nodes"]["work"]["visits"], record["step"], record["error"]) == (2, 5, None)


def test_the_items_of_a_loop_that_is_being_executed_are_counted(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    loop = GRAPH.partition("  nodes:")[0] + (
        "  nodes:\n"
        "    work: {type: foreach, over: '${[0, 1, 2, 3]}', as: i, action: {item_id: tool:t/add, params: {n: '${i}'}},"
        " next: done}\n"
        "    done: {type: return, output: 1}\n"
    )
    (project / ".ai" / "tools" / "count.yaml").write_text(loop, "utf-8")
    process = waiting(project)
    shown = graphwright("runs", "show", "r").stdout
    assert shown.startswith(
        "r of count: running, 0 steps finished; step 1, work, is being executed, 2 items finished\n"
    )
    process.kill()
    process.communicate()
