"""Resuming: what survives, what is refused, and by what name."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from durability.kept import COUNT, Crash, compiled, events, log_of, run


@pytest.fixture(scope="module")
def module() -> Any:
    with compiled() as found:
        yield found


def test_a_failed_run_goes_on_at_the_node_that_failed(module: ModuleType, tmp_path: Path) -> None:
    first = Crash(3)
    assert run(module, tmp_path, first, run_id="r", inputs={"limit": 4}).path == ("work", "check") * 2 + ("work",)
    second = Crash()
    result = run(module, tmp_path, second, resume="r")
    assert result.output == {"n": 4}
    assert result.state == {"n": 4}
    assert result.path == ("work", "check") * 4 + ("done",)
    assert first.keys == ["r/1", "r/3", "r/5"]
    assert second.keys == ["r/5", "r/7"]


def test_a_run_that_fails_again_can_be_resumed_again(module: ModuleType, tmp_path: Path) -> None:
    run(module, tmp_path, Crash(1), run_id="r")
    for _ in range(3):
        assert run(module, tmp_path, Crash(2), resume="r").status in ("error", "completed")
    assert run(module, tmp_path, resume="r").error == "the run 'r' is already completed: there is nothing to resume"


def test_the_default_is_to_keep_runs_of_a_project_alone(
    module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert asyncio.run(module.run({}, tools={"t/add": Crash()})).success
    assert list(tmp_path.iterdir()) == []
    assert run(module, tmp_path, durability="off").success
    assert list(tmp_path.iterdir()) == []
    assert run(module, tmp_path).success
    assert len(list((tmp_path / ".ai" / "state" / "threads").iterdir())) == 1


def test_what_the_graph_says_counts_in_a_project(tmp_path: Path) -> None:
    with compiled(COUNT.replace("start: work", "start: work\n  durability: 'off'")) as module:
        assert run(module, tmp_path).success
    assert list(tmp_path.iterdir()) == []


def test_the_final_state_alone(module: ModuleType, tmp_path: Path) -> None:
    assert run(module, tmp_path, run_id="r", durability="exit").success
    started, ended = events(tmp_path, "r", "graph_started", "graph_completed")
    assert started["durability"] == "exit"
    assert ended["state"] == {"n": 3}
    assert events(tmp_path, "r", "step_completed") == []
    assert "kept its final state alone" in str(run(module, tmp_path, resume="r").error)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"durability": "forever"}, "durability is one of process, power, exit, off, not 'forever'"),
        ({"resume": "r", "durability": "off"}, "a run that is resumed cannot have durability `off`"),
        ({"resume": "r", "run_id": "s"}, "a run that is resumed keeps its id"),
        ({"resume": "r", "project": None}, "resume needs the folder of a project"),
        ({"durability": "process", "project": None}, "durability needs the folder of a project"),
    ],
)
def test_arguments_that_contradict_each_other(
    module: ModuleType, tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        module.run_sync({}, **{"project": tmp_path, **options})


def test_an_id_that_is_taken(module: ModuleType, tmp_path: Path) -> None:
    run(module, tmp_path, run_id="r")
    before = log_of(tmp_path, "r").read_bytes()
    assert run(module, tmp_path, run_id="r").error == "the run 'r' already exists: choose another id"
    assert log_of(tmp_path, "r").read_bytes() == before


def test_a_run_that_does_not_exist(module: ModuleType, tmp_path: Path) -> None:
    assert run(module, tmp_path, resume="r").error == f"there is no run 'r' in {tmp_path}/.ai/state/threads"


def test_inputs_are_those_of_the_run(module: ModuleType, tmp_path: Path) -> None:
    run(module, tmp_path, Crash(1), run_id="r", inputs={"limit": 2})
    error = run(module, tmp_path, resume="r", inputs={"limit": 3}).error
    assert error == "the input `limit` is not the one that the run was started with: leave it out"
    assert run(module, tmp_path, resume="r", inputs={"limit": 2}).output == {"n": 2}


def test_capabilities_are_not_widened(module: ModuleType, tmp_path: Path) -> None:
    run(module, tmp_path, Crash(1), run_id="r", capabilities=["rye.execute.tool.t.other"])
    assert "permission denied" in str(run(module, tmp_path, resume="r").error)
    assert "permission denied" in str(run(module, tmp_path, resume="r", capabilities=["*"]).error)


CHANGED = COUNT.replace("check", "look").replace("params: {n: ", "params: {m: 1, n: ")


def test_a_changed_graph_is_refused_with_the_names_of_the_nodes(module: ModuleType, tmp_path: Path) -> None:
    run(module, tmp_path, Crash(2), run_id="r")
    with compiled(CHANGED) as changed:
        error = str(run(changed, tmp_path, resume="r").error)
        assert "(node `check` is gone; node `work` changed; node `look` is new)" in error
        assert "allow_changed" in error
        assert run(changed, tmp_path, resume="r", allow_changed=True).output == {"n": 3}


def test_a_graph_whose_settings_changed_is_refused(module: ModuleType, tmp_path: Path) -> None:
    run(module, tmp_path, Crash(2), run_id="r")
    with compiled(COUNT.replace("start: work", "start: work\n  max_steps: 7")) as changed:
        assert "(its settings changed)" in str(run(changed, tmp_path, resume="r").error)
    with compiled(COUNT.replace("state: {n: 0}", "state: {n: 0}  # a comment")) as same:
        assert run(same, tmp_path, resume="r").success


def test_a_node_that_is_gone_cannot_be_next(module: ModuleType, tmp_path: Path) -> None:
    run(module, tmp_path, Crash(1), run_id="r")
    with compiled(COUNT.replace("work", "job")) as changed:
        error = run(changed, tmp_path, resume="r", allow_changed=True).error
    assert error == "the run is at the node `work`, which the graph no longer has"


def test_the_run_of_another_graph_is_refused(module: ModuleType, tmp_path: Path) -> None:
    run(module, tmp_path, Crash(1), run_id="r")
    with compiled(graph_id="demo/other") as other:
        assert "belongs to the graph `demo/count`, not `demo/other`" in str(
            run(other, tmp_path, resume="r", allow_changed=True).error
        )


def test_a_live_run_is_refused_with_its_process(module: ModuleType, tmp_path: Path) -> None:
    async def both() -> str | None:
        async def resume(params: dict[str, Any]) -> dict[str, Any]:
            result = await module.run({}, tools={"t/add": Crash()}, project=tmp_path, resume="r")
            return {"n": 9, "error": result.error}

        result = await module.run({}, tools={"t/add": resume}, project=tmp_path, run_id="r")
        assert result.success
        found: str = events(tmp_path, "r", "step_completed")[0]["result"]["error"]
        return found

    assert asyncio.run(both()) == f"the run 'r' is alive: process {os.getpid()} writes its log"


RACE = """
import asyncio, json, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from durability.kept import compiled, run
def slow(params):
    time.sleep(0.2)
    return {"n": params["n"] + 1}
with compiled() as module:
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(run(module, Path(sys.argv[2]), slow, resume="r").to_dict()))
"""


def test_of_two_that_resume_at_once_one_is_refused(module: ModuleType, tmp_path: Path) -> None:
    run(module, tmp_path, Crash(1), run_id="r")
    command = [sys.executable, "-c", RACE, str(Path(__file__).parents[1]), str(tmp_path)]
    racers = [subprocess.Popen(command, stdin=-1, stdout=-1, text=True) for _ in range(2)]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("go\n")
        racer.stdin.flush()
    results = [json.loads(racer.communicate(timeout=60)[0]) for racer in racers]
    assert sorted(result["status"] for result in results) == ["completed", "error"]
    [refused] = [result for result in results if not result["success"]]
    other = racers[1 - results.index(refused)].pid
    assert refused["error"] == f"the run 'r' is alive: process {other} writes its log"
    assert results[1 - results.index(refused)]["output"] == {"n": 3}


def test_the_registry_says_how_runs_stand(module: ModuleType, tmp_path: Path) -> None:
    run(module, tmp_path, Crash(2), run_id="r")
    run(module, tmp_path, run_id="s")
    registry = tmp_path / ".ai" / "state" / "registry.db"
    with sqlite3.connect(registry) as database:
        rows = list(database.execute("SELECT thread_id, directive, status, pid FROM threads ORDER BY thread_id"))
    database.close()
    assert rows == [("r", "demo/count", "error", None), ("s", "demo/count", "completed", None)]
    registry.write_bytes(b"no database at all" * 100)
    assert run(module, tmp_path, resume="r").success
    assert (tmp_path / ".ai" / "state" / "registry.db.damaged").exists()


def test_values_come_back_as_they_were(tmp_path: Path) -> None:
    """Integers past 64 bits, odd text, floats, deep lists."""
    text = COUNT.replace("state: {n: 0}", "state: {n: 0, kept: null}").replace(
        'assign: {n: "${result.n}"}', 'assign: {n: "${result.n}", kept: "${result.kept}"}'
    )
    deep: Any = 1
    for _ in range(150):
        deep = [deep]
    kept = {
        "big": 2**70,
        "minus": -(2**65),
        "odd": "\ud800 ü \u2028",
        "float": 1e300,
        "one": 1.0,
        "deep": deep,
        "": None,
    }
    with compiled(text) as module:

        def first(params: dict[str, Any]) -> dict[str, Any]:
            if params["n"] == 1:
                raise ValueError
            return {"n": 1, "kept": kept}

        def second(params: dict[str, Any]) -> dict[str, Any]:
            return {"n": 3, "kept": {"again": 2**64}}

        failed = run(module, tmp_path, first, run_id="r")
        assert failed.state["kept"] == kept
        result = run(module, tmp_path, second, resume="r")
        assert events(tmp_path, "r", "step_completed")[0]["delta"]["kept"] == kept
        assert result.state["kept"] == {"again": 2**64}
        assert type(events(tmp_path, "r", "step_completed")[0]["delta"]["kept"]["one"]) is float


@pytest.mark.parametrize("place", ["project", "key"])
def test_no_place_for_the_log(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If its log cannot be kept, a run continues with a warning, unless a durable run was requested."""
    if place == "project":
        (tmp_path / ".ai").write_text("a file where a folder should be")
    else:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
        (tmp_path / "file").write_text("")
    with compiled() as module:
        result = run(module, tmp_path)
        assert (result.status, result.state["n"]) == ("completed", 3)
        assert "is not kept and cannot be resumed" in caplog.text
        refused = run(module, tmp_path, durability="process")
        assert refused.status == "error"
        assert refused.steps == 0
    with compiled(COUNT.replace("config:\n  start", "config:\n  durability: process\n  start")) as module:
        assert run(module, tmp_path).status == "error"


def test_a_cancelled_run_can_be_resumed(module: ModuleType, tmp_path: Path) -> None:
    """The cancellation passes through, in time, and the log says so."""
    calls: list[int] = []

    async def slow(params: dict[str, Any]) -> dict[str, Any]:
        calls.append(params["n"])
        if params["n"] == 1:
            await asyncio.sleep(30)
        return {"n": params["n"] + 1}

    async def cut(**which: Any) -> None:
        async with asyncio.timeout(0.3):
            await module.run({}, tools={"t/add": slow}, project=tmp_path, **which)

    for which in ({"run_id": "r"}, {"resume": "r"}):
        with pytest.raises(TimeoutError):
            asyncio.run(cut(**which))
    assert calls == [0, 1, 1]
    assert [event["status"] for event in events(tmp_path, "r", "graph_cancelled")] == ["cancelled"] * 2
    [view] = tmp_path.glob(".ai/knowledge/graphs/**/r.md")
    assert 'status: "cancelled"' in view.read_text("utf-8")
    assert run(module, tmp_path, resume="r").output == {"n": 3}


def test_a_run_that_is_dropped_gives_up_its_log(module: ModuleType, tmp_path: Path) -> None:
    """A coroutine that is closed in the middle cannot write an end; the run can be resumed at once all the same."""

    async def drop() -> None:
        async def forever(params: dict[str, Any]) -> dict[str, Any]:
            await asyncio.sleep(30)
            return {}

        coroutine = module.run({}, tools={"t/add": forever}, project=tmp_path, run_id="r")
        coroutine.send(None)
        await asyncio.sleep(0.05)
        coroutine.close()

    asyncio.run(drop())
    assert run(module, tmp_path, resume="r").output == {"n": 3}
