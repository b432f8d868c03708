"""The lock on a log: who holds it, what becomes of it, and the same on a system with other locks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from durability.kept import Crash, compiled, log_of, run
from durability.processes import until
from graphwright_runtime.durable import locking
from graphwright_runtime.durable.layout import Layout
from graphwright_runtime.durable.survey import is_alive, run_status

FORKING = """
import os, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from durability.kept import compiled, run

def tool(params):
    child = os.fork()
    if child == 0:
        time.sleep(60)
    Path(sys.argv[2], "child").write_text(str(child))
    time.sleep(60)

with compiled() as module:
    run(module, Path(sys.argv[2]), tool, run_id="r")
"""

#: The runtime on a system without fcntl, whose msvcrt locks bytes for one handle.
WINDOWS = """
import asyncio, os, signal, subprocess, sys, types
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import nacl.bindings, orjson, sqlite3, graphwright.building.compile, fcntl as real

def lock(handle, mode, count):
    assert (mode, count) == (2, 1), (mode, count)
    real.flock(handle, real.LOCK_EX | real.LOCK_NB)

sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=lock)
sys.modules["fcntl"] = None
os.O_BINARY, os.O_NOINHERIT = 0, os.O_CLOEXEC
for name in [each for each in sys.modules if each.startswith("graphwright_runtime")]:
    del sys.modules[name]
for name in [each for each in sys.modules if each.startswith("graphwright.")]:
    del sys.modules[name]
sys.platform = "win32"

from durability.kept import compiled, run
from graphwright_runtime.durable.layout import Layout
from graphwright_runtime.durable.survey import is_alive, run_status

project = Path(sys.argv[2])
seen = []

def tool(params):
    seen.append(is_alive(Layout(project, "", "r")))
    if len(seen) == 2:
        raise ValueError("crash")
    return {"n": params["n"] + 1}

with compiled() as module:
    again = []
    def nosy(params):
        again.append(run(module, project, run_id="r").error)
        return tool(params)
    assert run(module, project, nosy, run_id="r").status == "error"
    assert again[0] == f"the run 'r' is alive: process {os.getpid()} writes its log", again
    assert not is_alive(Layout(project, "", "r"))
    assert run(module, project, tool, resume="r").output == {"n": 3}
    assert all(seen)
    assert run_status(project, "r").status == "completed"
    assert Layout(project, "", "r").log.with_name("lock").exists()
"""


def test_a_run_is_alive_as_long_as_it_is_open(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "", "r")
    seen: list[bool] = []

    def tool(params: dict[str, int]) -> dict[str, int]:
        seen.append(is_alive(layout))
        return {"n": params["n"] + 1}

    with compiled() as module:
        assert not is_alive(layout)
        assert run(module, tmp_path, tool, run_id="r").success
    assert seen == [True] * 3
    assert not is_alive(layout)


def test_one_handle_holds_a_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    first, second = (os.open(log, os.O_RDWR | os.O_CREAT) for _ in range(2))
    assert locking.hold(first, log)
    assert not locking.hold(second, log)
    locking.close(first)
    assert locking.hold(second, log)
    locking.close(second)
    assert not locking.is_held(log)


def test_a_process_that_a_tool_forks_does_not_keep_a_run_alive(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FORKING, str(Path(__file__).parents[1]), str(tmp_path)]
    process = subprocess.Popen(command)
    child = tmp_path / "child"
    until(lambda: child.exists() and child.read_text("ascii") != "")
    assert is_alive(Layout(tmp_path, "", "r"))
    process.kill()
    process.wait()
    try:
        assert run_status(tmp_path, "r").status == "orphaned"
        with compiled() as module:
            assert run(module, tmp_path, Crash(), resume="r").success
    finally:
        os.kill(int(child.read_text("ascii")), signal.SIGKILL)


def test_a_forked_process_cannot_write_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    handle = os.open(log, os.O_RDWR | os.O_CREAT)
    assert locking.hold(handle, log)
    child = os.fork()
    if child == 0:
        os.write(handle, b"from the child")
        os._exit(0)
    os.waitpid(child, 0)
    assert (log.read_bytes(), locking.is_held(log)) == (b"", True)
    locking.close(handle)


def test_a_system_with_other_locks(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WINDOWS, str(Path(__file__).parents[1]), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert log_of(tmp_path, "r").exists()


@pytest.mark.parametrize("name", ["transcript.jsonl", "lock"])
def test_looking_makes_no_files(tmp_path: Path, name: str) -> None:
    layout = Layout(tmp_path, "", "r")
    layout.thread.mkdir(parents=True)
    assert not is_alive(layout)
    assert not (layout.thread / name).exists()
