"""`graphwright runs trace`: what a run did, and that nothing it left can be changed unseen."""

from __future__ import annotations

import json
import os
import shutil
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from commands import Outcome, graphwright
from durability.kept import COUNT, Crash, compiled, log_of, run
from durability.processes import calls, waiting

Change = Callable[[Path, Path], object]


@pytest.fixture(scope="module")
def module() -> Iterator[ModuleType]:
    with compiled() as found:
        yield found


@pytest.fixture(scope="module")
def pristine(module: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the runs `r` and `s`."""
    folder = tmp_path_factory.mktemp("pristine")
    run(module, folder, run_id="r")
    run(module, folder, run_id="s", inputs={"limit": 2})
    return folder


@pytest.fixture
def space(pristine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that project, the current folder."""
    shutil.copytree(pristine / ".ai", tmp_path / ".ai")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def trace(*arguments: str) -> Outcome:
    return graphwright("runs", "trace", *arguments)


def traced(*arguments: str) -> Any:
    done = trace(*arguments, "--format", "json")
    assert done.code == 0, done.stderr
    return json.loads(done.stdout)


def test_a_run_is_retraced_step_by_step(space: Path) -> None:
    done = trace("r")
    assert (done.code, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "r of demo/count: completed, 7 steps finished"
    assert [line.split()[:3] for line in lines if line[:1].isdigit()] == [
        [str(step), node, "ok"]
        for step, node in enumerate(["work", "check", "work", "check", "work", "check", "done"], 1)
    ]
    assert lines[-1] == (
        "verified: the log, the ref, the execution snapshot, 7 receipts with their results, the state and 2 views"
    )


def test_json_has_the_whole_hashes(space: Path) -> None:
    found = traced("r")
    ref = json.loads((space / ".ai/state/objects/refs/graphs/r.json").read_bytes())
    snapshot = found["execution_snapshot"]
    assert (found["verified"], found["ended"], snapshot["hash"]) == (True, True, ref["execution_snapshot"])
    assert [step["receipt_hash"] for step in found["steps"]] == snapshot["node_receipts"]
    for step in found["steps"]:
        receipt = json.loads((space / f".ai/state/objects/{step['receipt_hash']}.json").read_bytes())
        assert receipt["node_result_hash"] == step["node_result_hash"]


def test_what_each_step_changed(space: Path) -> None:
    assert [[*step["changes"]] for step in traced("r", "--diff")["steps"]][:3] == [
        [{"path": "n", "before": 0, "after": 1}],
        [],
        [{"path": "n", "before": 1, "after": 2}],
    ]
    assert "          n: 1 -> 2\n" in trace("r", "--diff").stdout


def test_what_a_node_got_and_gave(space: Path) -> None:
    steps = traced("r", "--node", "work")["steps"]
    assert [(step["step"], step["result"], step["state_before"], step["state_after"]) for step in steps] == [
        (1, {"n": 1}, {"n": 0}, {"n": 1}),
        (3, {"n": 2}, {"n": 1}, {"n": 2}),
        (5, {"n": 3}, {"n": 2}, {"n": 3}),
    ]
    assert len({step["node_input_hash"] for step in steps}) == 3
    shown = trace("r", "--node", "work", "--last", "1").stdout
    assert "step 5, work (action): ok" in shown
    assert "step 3" not in shown
    assert '           {"n": 3}\n  before   {"n": 2}\n  after    {"n": 3}\n' in shown
    assert "no node `wrok`; did you mean `work`?" in trace("r", "--node", "wrok").stderr


def test_the_last_steps_alone(space: Path) -> None:
    assert [step["step"] for step in traced("r", "--last", "2")["steps"]] == [6, 7]
    for wrong in ("0", "-1", "many"):
        assert "is not a number from 1 on" in trace("r", "--last", wrong).stderr


def test_a_step_that_failed_is_seen_again_after_resuming(module: ModuleType, space: Path) -> None:
    assert run(module, space, Crash(2), run_id="f").status == "error"
    assert "f of demo/count: error, 3 steps finished" in trace("f").stdout
    assert run(module, space, resume="f").success
    steps = traced("f", "--diff")["steps"]
    assert [(step["step"], step["status"]) for step in steps][:5] == [
        (1, "ok"),
        (2, "ok"),
        (3, "error"),
        (3, "ok"),
        (4, "ok"),
    ]
    assert steps[2]["changes"] == [{"path": "_last_error", "after": {"error": "crash", "node": "work"}}]
    assert steps[3]["changes"] == [{"path": "n", "before": 1, "after": 2}]


def test_a_run_that_kept_its_final_state_alone(module: ModuleType, space: Path) -> None:
    assert run(module, space, run_id="x", durability="exit").success
    done = trace("x")
    assert done.code == 0
    assert done.stdout.startswith("x of demo/count: completed, 7 steps finished\n")
    shown = json.loads(graphwright("runs", "show", "x", "--format", "json").stdout)
    assert (shown["state"], shown["step"]) == ({"n": 3}, 7)


def test_a_long_run_is_retraced_through_its_log(space: Path) -> None:
    with compiled(COUNT.replace("start: work", "start: work\n  max_steps: 1000")) as long:
        assert run(long, space, run_id="long", inputs={"limit": 200}).success
    done = trace("long")
    assert done.code == 0
    assert "every result in the log" in done.stdout
    assert [step["step"] for step in traced("long", "--last", "1")["steps"]] == [401]


def test_a_run_that_has_not_ended_is_retraced_through_its_log(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    process = waiting(project)
    done = trace("r")
    assert done.code == 0
    assert done.stdout.startswith("r of count: running, 4 steps finished; step 5, work, is being executed\n")
    assert "verified: the log. The run has not ended, and its objects are written when it ends" in done.stdout
    process.kill()
    process.communicate()
    assert len(calls(project)) == 3
    with log_of(project, "r").open("ab") as log:
        log.write(b'{"event_type":"step_started","graph_run')
    torn = trace("r")
    assert torn.code == 0
    assert "r of count: orphaned, 4 steps finished; step 5, work, was being executed" in torn.stdout
    assert "39 bytes at its end are an unfinished step, and do not count" in torn.stdout


def files_of(project: Path, run_id: str) -> list[Path]:
    """Everything that a run left and that is signed or hashed."""
    state, knowledge = project / ".ai" / "state", project / ".ai" / "knowledge"
    ref = state / "objects" / "refs" / "graphs" / f"{run_id}.json"
    thread = state / "threads" / run_id
    names = {json.loads(ref.read_bytes())["execution_snapshot"]}
    snapshot = json.loads((state / "objects" / f"{min(names)}.json").read_bytes())
    names |= {snapshot["state_hash"], *snapshot["node_receipts"]}
    for name in snapshot["node_receipts"]:
        result = json.loads((state / "objects" / f"{name}.json").read_bytes())["node_result_hash"]
        names |= {result} if result else set()
    objects = [state / "objects" / f"{name}.json" for name in sorted(names)]
    views = sorted(knowledge.rglob(f"{run_id}.md"))
    assert len(views) == 2
    signed = [thread / "transcript.jsonl", thread / "thread.json", thread / "thread.json.sig"]
    return [*signed, ref, *objects, *views]


def flipped(at: float) -> Change:
    def change(file: Path, _: Path) -> None:
        data = bytearray(file.read_bytes())
        data[int(at * (len(data) - 1))] ^= 1
        file.write_bytes(data)

    return change


def in_the_digest(file: Path, _: Path) -> None:
    """Flip a bit of what a signature line says to be the sha256 of the rest."""
    data = bytearray(file.read_bytes())
    data[min(40, len(data) - 1)] ^= 1
    file.write_bytes(data)


def replaced(make: Callable[[Path], object]) -> Change:
    def change(file: Path, _: Path) -> None:
        file.unlink()
        make(file)

    return change


CHANGES: dict[str, Change] = {
    "first": flipped(0),
    "middle": flipped(0.5),
    "last": flipped(1),
    "digest": in_the_digest,
    "shorter": lambda file, _: file.write_bytes(file.read_bytes()[:-1]),
    "half": lambda file, _: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "empty": lambda file, _: file.write_bytes(b""),
    "longer": lambda file, _: file.write_bytes(file.read_bytes() + b" "),
    "torn": lambda file, _: file.write_bytes(file.read_bytes() + b'{"event_type":"step'),
    "nulls": lambda file, _: os.truncate(file, file.stat().st_size + (1 << 21)),
    "doubled": lambda file, _: file.write_bytes(file.read_bytes() * 2),
    "deleted": lambda file, _: file.unlink(),
    "folder": replaced(lambda file: file.mkdir()),
    "pipe": replaced(os.mkfifo),
    "endless": replaced(lambda file: file.symlink_to("/dev/zero")),
    "nowhere": replaced(lambda file: file.symlink_to("nowhere")),
    "other": lambda file, other: file.write_bytes(other.read_bytes()),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_to_what_a_run_left_is_found(space: Path, change: str) -> None:
    others = files_of(space, "s")
    for number, file in enumerate(files_of(space, "r")):
        data = file.read_bytes()
        other = next((each for each in others[number:] if each.read_bytes() != data), others[0])
        CHANGES[change](file, other)
        done = trace("r")
        assert done.code == (2 if file.name == "transcript.jsonl" else 1), file
        assert "verified:" not in done.stdout
        assert done.stderr.startswith("graphwright: "), file
        assert file.name in done.stderr or "log" in done.stderr
        for action in ("show", "status"):
            looked = graphwright("runs", action, "r")
            assert looked.code == (2 if file.name == "transcript.jsonl" else 0), file
            assert "GW901" not in looked.stderr
        if file.is_dir():
            file.rmdir()
        else:
            file.unlink(missing_ok=True)
        file.write_bytes(data)
        assert trace("r").code == 0


def test_lines_of_a_log_are_not_moved_unseen(space: Path) -> None:
    log = log_of(space, "r")
    lines = log.read_bytes().splitlines(keepends=True)
    for at in range(len(lines)):
        for changed in (
            [*lines[:at], *lines[at + 1 :]],
            [*lines[: at + 1], *lines[at:]],
            [*lines[:at], *reversed(lines[at : at + 2]), *lines[at + 2 :]],
            lines[:at],
        ):
            if changed == lines:
                continue
            log.write_bytes(b"".join(changed))
            done = trace("r")
            assert done.code == 2
            assert "transcript.jsonl" in done.stderr or "log" in done.stderr


def test_what_a_run_left_earlier_does_not_replace_what_it_left_last(module: ModuleType, space: Path) -> None:
    assert run(module, space, Crash(2), run_id="f").status == "error"
    before = {file: file.read_bytes() for file in files_of(space, "f")}
    assert run(module, space, resume="f").success
    replayed = [file for file, data in before.items() if file.read_bytes() != data]
    assert {"f.md", "f.json", "transcript.jsonl"} <= {file.name for file in replayed}
    for file in replayed:
        after = file.read_bytes()
        file.write_bytes(before[file])
        assert trace("f").code == (2 if file.name == "transcript.jsonl" else 1), file
        file.write_bytes(after)
    assert trace("f").code == 0


def test_a_log_without_its_end_contradicts_the_registry(space: Path) -> None:
    log = log_of(space, "r")
    lines = log.read_bytes().splitlines(keepends=True)
    for file in files_of(space, "r"):
        if file.name in ("r.md", "r.json"):
            file.unlink()
    log.write_bytes(b"".join(lines[:-2]))
    done = trace("r")
    assert done.code == 2
    assert "the registry says that it is completed: lines are missing at its end" in done.stderr


def test_a_run_under_another_name_is_found(space: Path) -> None:
    threads = space / ".ai" / "state" / "threads"
    shutil.copytree(threads / "r", threads / "copy")
    done = trace("copy")
    assert done.code == 2
    assert "is not an event of this run" in done.stderr


def test_json_says_what_does_not_verify(space: Path) -> None:
    log_of(space, "r").write_bytes(b"{}\n")
    done = trace("r", "--format", "json")
    assert done.code == 2
    told = json.loads(done.stdout)
    assert (told["run_id"], told["verified"]) == ("r", False)
    assert "line 1 is not an event of this run" in told["error"]


def test_a_project_that_nobody_may_write_is_traced(space: Path) -> None:
    folders = [space / ".ai", *(path for path in (space / ".ai").rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        assert trace("r").code == 0
        assert graphwright("runs", "show", "r").code == 0
        assert "completed" in graphwright("runs", "list").stdout
    finally:
        for folder in folders:
            folder.chmod(0o755)


@pytest.mark.parametrize("shape", ["nulls", "letters", "torn"])
def test_a_huge_file_in_the_place_of_a_log_needs_little_memory(space: Path, shape: str) -> None:
    log = log_of(space, "r")
    if shape == "letters":
        log.write_bytes(log.read_bytes() + b"a" * (1 << 24))
    elif shape == "torn":
        log.write_bytes(log.read_bytes() + b'{"event_type":"step_started')
    if shape != "letters":
        os.truncate(log, 1 << 28)
    tracemalloc.start()
    try:
        for action in ("trace", "show", "status"):
            done = graphwright("runs", action, "r")
            assert done.code in (0, 1, 2)
            assert action != "trace" or done.code == 2
            assert "GW901" not in done.stderr
        assert tracemalloc.get_traced_memory()[1] < 1 << 26
    finally:
        tracemalloc.stop()


def test_a_line_of_many_pieces_is_read(space: Path) -> None:
    with compiled(COUNT.replace("assign: {n: ", "assign: {text: '${result.text}', n: ")) as long:
        result = run(long, space, lambda params: {"n": params["n"] + 1, "text": "x" * (1 << 21)}, run_id="wide")
    assert result.success, result.error
    assert trace("wide").code == 0
    shown = trace("wide", "--node", "work", "--diff").stdout
    assert len(shown) < 10_000
    assert "characters)" in shown
