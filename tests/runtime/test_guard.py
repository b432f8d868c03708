"""Programs end with the process of their run, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from durability.background import is_gone
from graphwright_runtime import guard

ROOT = Path(__file__).parents[2]

#: Watches a program with a child, and one that has ended and left a child; prints the processes of both.
GUARDED = """\
import os, signal, subprocess, sys
from graphwright_runtime.guard import release, watch

def started(command):
    return subprocess.Popen(["sh", "-c", command], start_new_session=True, stdout=subprocess.PIPE, text=True)

over = started("sleep 60 >/dev/null 2>&1 & echo $!")
watch(over.pid)
left = over.stdout.readline()
over.wait()
release(over.pid)
running = started("sleep 60 >/dev/null 2>&1 & echo $!; sleep 60")
watch(running.pid)
print(left.strip(), running.pid, running.stdout.readline().strip(), flush=True)
if sys.argv[1] == "is killed":
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
@pytest.mark.parametrize("how", ["is killed", "ends"])
def test_what_runs_ends_with_the_process(how: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "runtime")}
    command = [sys.executable, "-c", GUARDED, how]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == (-signal.SIGKILL if how == "is killed" else 0), done.stderr
    left, *running = map(int, done.stdout.split())
    until = time.monotonic() + 10
    while not all(map(is_gone, running)):
        assert time.monotonic() < until
        time.sleep(0.01)
    assert not is_gone(left), "what a program left running when it ended goes on"
    os.kill(left, signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
def test_a_fork_has_a_guard_of_its_own() -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as program:
        if (child := os.fork()) == 0:
            guard.watch(program.pid)
            os._exit(0)
        os.waitpid(child, 0)
        assert program.wait(10) == -signal.SIGKILL
