"""A disk that is full, for real: a small file system where one can be mounted, else a limit on the size of files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

#: Runs a graph in the folder that the second argument names, with ever more of it taken by something else.
FULL = """
import os, resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from durability.kept import COUNT, Crash, compiled, log_of, run
project, limited = Path(sys.argv[2]), sys.argv[3] == "limit"
ballast, errors = project / "ballast", []

def leave(free):
    if limited:
        size = log_of(project, "r").stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + free, resource.RLIM_INFINITY))
        return
    ballast.unlink(missing_ok=True)
    room = os.statvfs(project)
    with ballast.open("wb") as file:
        file.write(bytes(max(0, room.f_bavail * room.f_frsize - free)))

with compiled(COUNT.replace("start: work", "start: work\\n  max_steps: 1000")) as module:
    first = Crash(2)
    run(module, project, first, run_id="r", inputs={"limit": 60})
    keys = first.keys
    for free in range(0, 40960, 4096):
        leave(free)
        tool = Crash()
        result = run(module, project, tool, resume="r")
        keys += tool.keys
        if result.success:
            break
        said = str(result.error)
        assert "the log of the run cannot be written: " in said or "/pid: No space left" in said, said
        errors.append(said)
    ballast.unlink(missing_ok=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    if not result.success:
        tool = Crash()
        result = run(module, project, tool, resume="r")
        keys += tool.keys
    repeated = len(keys) - len(set(keys))  # of the steps that were not written
    print(result.output, result.error, len(result.path), len(set(keys)), len(errors) > 1, repeated <= len(errors) + 1)
"""

MOUNTED = 'mount -t tmpfs -o size=400k tmpfs "$1" && shift && exec "$@"'


def small_disk(folder: Path) -> list[str]:
    """What to put before a command so that `folder` is a file system of 400 kB; nothing where that cannot be done."""
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", MOUNTED, "sh", str(folder)]
    try:
        works = subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        works = False
    return command if works else []


@pytest.mark.parametrize("how", ["disk", "limit"])
def test_a_full_disk_ends_a_run_with_an_error_and_loses_nothing(
    tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    project = tmp_path / "project"
    project.mkdir()
    before = small_disk(project) if how == "disk" else []
    command = [*before, sys.executable, "-c", FULL, str(Path(__file__).parents[1]), str(project)]
    done = subprocess.run([*command, "disk" if before else "limit"], capture_output=True, text=True, check=False)
    assert done.stdout == "{'n': 60} None 121 60 True True\n", done.stdout + done.stderr
