"""A pipe, a device or a folder in the place of a file of a run: one clear error, and nothing hangs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from durability.processes import made, ran, runs

THREAD = ".ai/state/threads/r"

#: Each file of a run, and whether a run can be resumed that has something else in its place.
FILES = {
    f"{THREAD}/transcript.jsonl": False,
    f"{THREAD}/pid": True,
    f"{THREAD}/cancel": True,
    f"{THREAD}/thread.json": True,
    f"{THREAD}/thread.json.sig": True,
    ".ai/state/objects/refs/graphs/r.json": False,
    ".ai/state/registry.db": True,
    ".ai/knowledge/graphs/count/r.md": False,
    ".ai/knowledge/agent/threads/count/r.md": False,
}
#: Files that a folder in their place keeps from being replaced, so that the run is not resumed.
NEEDED = (f"{THREAD}/pid", f"{THREAD}/cancel")

KINDS: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "device": lambda file: file.symlink_to("/dev/zero"),
}


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a run `r` that has failed."""
    project = made(tmp_path_factory.mktemp("failed"))
    (project / "fail").touch()
    assert ran(project, "-i", "limit=2", "--run-id", "r")[0] == 1
    (project / "fail").unlink()
    return project


COMMANDS = """
import sys
from graphwright.cli import main
for action in ("list", "show", "status", "trace", "wait", "cancel"):
    print(action, main(["runs", action, *(["r"] if action != "list" else [])]))
"""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FILES)
def test_in_place_of_a_file(failed: Path, tmp_path: Path, name: str, kind: str) -> None:
    project = shutil.copytree(failed, tmp_path / "project")
    file = project / name
    file.unlink(missing_ok=True)
    KINDS[kind](file)
    looked = subprocess.run(
        [sys.executable, "-c", COMMANDS], cwd=project, capture_output=True, text=True, timeout=60, check=False
    )
    assert looked.returncode == 0, looked.stderr
    assert "Traceback" not in looked.stderr
    resumes = FILES[name] and not (kind == "folder" and name in NEEDED)
    code, result, said = ran(project, "--resume", "r")
    assert "Traceback" not in said
    if resumes:
        assert (code, result["output"]) == (0, {"n": 2}), result
    else:
        assert code == 1
        assert file.name in result["error"]
        assert len(result["error"].splitlines()) == 1


def test_the_key_of_runs(failed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "graphwright").mkdir()
    os.mkfifo(tmp_path / "graphwright" / "runs.key")
    for words in (("--resume", "r"), ("-i", "limit=1", "--durability", "process")):
        code, result, _ = ran(failed, *words)
        assert code == 1
        assert "runs.key cannot be read: it is not a regular file" in result["error"]
    code, _, said = runs(failed, "show", "r")
    assert (code, "runs.key cannot be read: it is not a regular file" in said) == (2, True)


@pytest.mark.parametrize("kind", KINDS)
def test_the_output_of_a_background_run(failed: Path, tmp_path: Path, kind: str) -> None:
    project = shutil.copytree(failed, tmp_path / "project")
    folder = project / ".ai" / "state" / "threads" / "s"
    folder.mkdir()
    KINDS[kind](folder / "async.log")
    code, result, said = ran(project, "--async", "-i", "limit=1", "--run-id", "s")
    assert (code, result) == (2, {})
    assert "async.log cannot be written: " in said
    assert "Traceback" not in said


def test_a_kept_result_that_is_a_pipe_is_a_miss(tmp_path: Path) -> None:
    project = made(tmp_path)
    graph = project / ".ai" / "tools" / "count.yaml"
    graph.write_text(graph.read_text("utf-8").replace("assign: {n: ", "cache_result: true, assign: {n: "), "utf-8")
    assert ran(project, "-i", "limit=1")[0] == 0
    [entry] = (project / ".ai" / "state" / "objects" / "cache").iterdir()
    entry.unlink()
    os.mkfifo(entry)
    assert ran(project, "-i", "limit=1")[1]["output"] == {"n": 1}
    assert entry.is_file()
