"""Changed files of a run are detected and named when it is resumed; the run then does nothing."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from durability.kept import Crash, compiled, log_of, run

INPUTS = {"limit": 5}


@pytest.fixture(scope="module")
def module() -> Iterator[ModuleType]:
    with compiled() as found:
        yield found


@pytest.fixture(scope="module")
def original(module: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the runs `r` and `s`, which failed at their third call."""
    folder = tmp_path_factory.mktemp("original")
    for run_id in ("r", "s"):
        assert run(module, folder, Crash(3), run_id=run_id, inputs=INPUTS).status == "error"
    return folder


@pytest.fixture
def project(original: Path, tmp_path: Path) -> Path:
    return shutil.copytree(original, tmp_path / "project")


def refusal(module: ModuleType, project: Path, what: object = "") -> str:
    """Why the run `r` is not resumed; nothing is called, and its log stays as it is."""
    tool, before = Crash(), log_of(project, "r").read_bytes()
    result = run(module, project, tool, resume="r")
    assert (result.status, result.steps, tool.keys) == ("error", 0, []), what
    assert log_of(project, "r").read_bytes() == before, what
    return str(result.error)


def files_of(project: Path, run_id: str) -> list[Path]:
    """Views and ref."""
    return sorted(file for file in (project / ".ai").rglob(f"{run_id}.*") if file.suffix in (".md", ".json"))


def appends(data: bytes) -> list[bytes]:
    """A log, append by append: the lines up to a signature, with it."""
    found, lines = list[bytes](), list[bytes]()
    for line in data.splitlines(keepends=True):
        lines.append(line)
        if line.startswith(b'{"event_type":"signature"'):
            found.append(b"".join(lines))
            lines.clear()
    return found


def test_steps_that_are_cut_off_are_found_while_anything_tells_of_them(module: ModuleType, project: Path) -> None:
    """Whole appends at the end, which leaves a log that verifies: each view and the ref say what is missing."""
    log, whole, files = log_of(project, "r"), log_of(project, "r").read_bytes(), files_of(project, "r")
    assert len(files) == 3
    for only in files:
        for each in files:
            if each is not only:
                each.rename(each.with_suffix(".away"))
        for length in range(1, len(appends(whole))):
            log.write_bytes(b"".join(appends(whole)[:length]))
            said = refusal(module, project, (only, length))
            assert f"but {only} was written when it had {len(whole)}: lines are missing at its end" in said
            assert said.endswith(f"Delete {only} to rely on the log alone")
        for each in files:
            if each is not only:
                each.with_suffix(".away").rename(each)
    for each in files:
        each.unlink()
    result = run(module, project, resume="r")  # the log alone is authoritative now
    assert result.output == {"n": 5}


def test_appends_that_are_moved_doubled_or_taken_from_elsewhere_are_found(module: ModuleType, project: Path) -> None:
    log, whole = log_of(project, "r"), log_of(project, "r").read_bytes()
    parts, others = appends(whole), appends(log_of(project, "s").read_bytes())
    assert len(parts) == len(others) == 7
    for at in range(len(parts)):
        for what, changed in (
            ("deleted", [*parts[:at], *parts[at + 1 :]]),
            ("doubled", [*parts[: at + 1], *parts[at:]]),
            ("repeated at the end", [*parts, parts[at]]),
            ("of the other run", [*parts[:at], others[at], *parts[at + 1 :]]),
            ("added from the other run", [*parts, *others[at:]]),
            ("first", [parts[at], *parts[:at], *parts[at + 1 :]]),
        ):
            if changed != parts:
                log.write_bytes(b"".join(changed))
                assert refusal(module, project, (what, at))


def test_an_earlier_signature_does_not_hold_later(module: ModuleType, project: Path) -> None:
    log = log_of(project, "r")
    lines = log.read_bytes().splitlines(keepends=True)
    signatures = [at for at, line in enumerate(lines) if line.startswith(b'{"event_type":"signature"')]
    for place in signatures:
        for taken in signatures:
            if place != taken:
                log.write_bytes(b"".join([*lines[:place], lines[taken], *lines[place + 1 :]]))
                assert "cannot be resumed" in refusal(module, project, (place, taken))


def test_the_files_of_another_run_are_not_those_of_this_one(module: ModuleType, project: Path) -> None:
    for mine, other in zip(files_of(project, "r"), files_of(project, "s"), strict=True):
        kept = mine.read_bytes()
        shutil.copy(other, mine)
        assert str(mine) in refusal(module, project)
        mine.write_bytes(kept)
    assert run(module, project, resume="r").success


def test_a_log_that_was_put_back_is_found(module: ModuleType, project: Path) -> None:
    """Everything in it is genuine, but the run went on in another way since: views and ref were made from that."""
    log = log_of(project, "r")
    before = log.read_bytes()
    first = Crash(2)
    assert run(module, project, first, resume="r").status == "error"
    files = {file: file.read_bytes() for file in files_of(project, "r")}
    log.write_bytes(before)
    assert "lines are missing at its end" in refusal(module, project)
    for file in files:
        file.unlink()
    assert run(module, project, Crash(3), resume="r").status == "error"
    for file, data in files.items():
        kept = file.read_bytes()
        file.write_bytes(data)
        assert f"{file} was not made from this log" in refusal(module, project)
        file.write_bytes(kept)
    assert run(module, project, resume="r").success


def test_a_log_that_somebody_else_signed_is_refused(
    module: ModuleType, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole of it, or its last lines: a run of the same id and graph, with other inputs."""
    forged = tmp_path / "forged"
    forged.mkdir()
    with monkeypatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path / "other"))
        assert run(module, forged, Crash(9), run_id="r", inputs={"limit": 50}).status == "error"
    for file in files_of(project, "r"):
        file.unlink()
    theirs, mine = log_of(forged, "r").read_bytes(), log_of(project, "r").read_bytes()
    for data in (theirs, mine + b"".join(appends(theirs)[7:])):
        log_of(project, "r").write_bytes(data)
        said = refusal(module, project)
        assert "which is neither yours nor trusted here" in said or "was changed" in said


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head["payload"]["inputs"].update(limit=1),
        lambda head: head["payload"].update(capabilities=["rye.*"]),
        lambda head: head["payload"].update(graph_hash="0" * 64),
        lambda head: head["payload"].update(durability="power"),
        lambda head: head.update(timestamp=1.5),
    ],
)
def test_a_changed_beginning_is_found(
    module: ModuleType, project: Path, change: Callable[[dict[str, dict[str, object]]], None]
) -> None:
    log = log_of(project, "r")
    first, rest = log.read_bytes().split(b"\n", 1)
    head = json.loads(first)
    change(head)
    log.write_bytes(json.dumps(head, sort_keys=True, separators=(",", ":")).encode() + b"\n" + rest)
    assert "line 1 or a line after it" in refusal(module, project)


def changed(data: bytes, chance: random.Random) -> bytes:
    """A file with something done to it."""
    at, end = sorted(chance.sample(range(len(data)), 2))
    match chance.randrange(6):
        case 0:
            return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        case 1:
            return data[:at] + data[end:]
        case 2:
            return data[:end] + data[at:end] + data[end:]
        case 3:
            return data[:at]
        case 4:
            return data + data[at:end]
        case _:
            return data[:at] + chance.randbytes(chance.randrange(1, 9)) + data[at:]


def objects_of(project: Path, run_id: str) -> set[Path]:
    """What the ref of a run leads to: snapshot, state, receipts, results."""
    store = project / ".ai" / "state" / "objects"
    name = json.loads((store / "refs" / "graphs" / f"{run_id}.json").read_bytes())["execution_snapshot"]
    snapshot = json.loads((store / f"{name}.json").read_bytes())
    receipts = snapshot["node_receipts"]
    results = [json.loads((store / f"{each}.json").read_bytes())["node_result_hash"] for each in receipts]
    return {store / f"{each}.json" for each in (name, snapshot["state_hash"], *receipts, *results) if each}


def campaign(module: ModuleType, project: Path, rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    objects = objects_of(project, "r")
    assert len(objects) >= 8
    files = [log_of(project, "r"), *files_of(project, "r"), *sorted(objects)]
    for number in range(rounds):
        file = chance.choice(files)
        kept = file.read_bytes()
        if file in objects and chance.random() < 0.2:
            file.unlink()
        else:
            file.write_bytes(changed(kept, chance))
        if not file.exists() or file.read_bytes() != kept:
            said = refusal(module, project, (seed, number, file))
            assert str(file) in said or "the log ends after" in said, (seed, number, file)
        file.write_bytes(kept)
    assert run(module, project, resume="r").success


def test_a_few_random_changes(module: ModuleType, project: Path) -> None:
    campaign(module, project, 60, 1)


@pytest.mark.slow
def test_many_random_changes(module: ModuleType, project: Path) -> None:
    campaign(module, project, 3000, 2)
