"""Builds that are killed, run at the same time, or cannot write: the output belongs to one build."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commands import graphwright
from graphwright.building import publish
from graphwright.building.builder import build
from graphwright.checking.cache import Cache
from graphwright.deferred import deferred_signals

GRAPH = """\
tool_type: graph
description: VERSION
permissions: []
config:
  start: done
  nodes:
    done: {type: return, output: {version: VERSION}}
"""
GRAPHS, KILLS = 12, 200


@pytest.fixture(autouse=True)
def ctrl_c() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, also where the tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for graphs; it is the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return tmp_path


def write(version: str, graphs: int = GRAPHS) -> None:
    """All graphs in this version."""
    for number in range(graphs):
        file = Path(f"graphs/{'even' if number % 2 else 'odd'}/g{number}.yaml")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(GRAPH.replace("VERSION", version), "utf-8")


def build_here() -> None:
    """A build without the type checker, with a cache."""
    assert not build(["graphs"], typecheck=False, cache=Cache(Path("cache"), "test")).failed


def contents(folder: str = "generated") -> dict[str, bytes]:
    """Every file of the output."""
    files = (file for file in sorted(Path(folder).rglob("*")) if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def in_a_child(work: Callable[[], None], kill_after: float) -> None:
    """Work in a fork, which is killed after as many seconds, unless it is done by then."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    time.sleep(kill_after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


@pytest.mark.slow
def test_builds_that_are_killed_at_random_moments_leave_no_mixed_output() -> None:
    """The output is that of one build. Only a kill between two renames leaves the rest staged; a build completes it."""
    chance = random.Random(1)
    write("two")
    begun = time.monotonic()
    build_here()
    took = time.monotonic() - begun
    new = contents()
    write("one")
    build_here()
    old = contents()
    outcomes = {"old": 0, "new": 0, "between": 0}
    for _ in range(KILLS):
        write("two")
        in_a_child(build_here, chance.uniform(0, 1.5 * took))
        found = contents()
        modules = {file: data for file, data in found.items() if not file.endswith(publish.STAGED)}
        assert all(data in (old.get(file), new.get(file)) for file, data in modules.items()), "each file is whole"
        if modules == old:
            outcomes["old"] += 1
        elif modules == new:
            outcomes["new"] += 1
        else:
            outcomes["between"] += 1
            assert any(file.endswith(publish.STAGED) for file in found)
        build_here()
        assert contents() == new
        write("one")
        build_here()
        assert contents() == old
    assert outcomes["old"] > 0
    assert outcomes["new"] > 0
    assert outcomes["between"] <= KILLS // 20, outcomes


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_waits_for_the_renames(number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    write("one")
    build_here()
    old = contents()
    write("two")
    replace, renamed = os.replace, list[str]()

    def interrupted(source: Path, target: Path) -> None:
        replace(source, target)
        if str(target).endswith(".py"):
            renamed.append(str(target))
            if len(renamed) == 3:
                signal.raise_signal(number)

    monkeypatch.setattr(os, "replace", interrupted)
    before = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            build_here()
    finally:
        signal.signal(number, before)
    found = contents()
    assert found.keys() == old.keys()
    assert all(found[file] != old[file] for file in found if file.endswith(".py") and "init" not in file)


def test_signals_are_deferred_in_the_main_thread_only() -> None:
    reached: list[bool] = []

    def work() -> None:
        with deferred_signals():
            if threading.current_thread() is threading.main_thread():
                signal.raise_signal(signal.SIGINT)
            reached.append(signal.getsignal(signal.SIGINT) is signal.default_int_handler)

    with pytest.raises(KeyboardInterrupt):
        work()
    other = threading.Thread(target=work)
    other.start()
    other.join()
    assert reached == [False, True]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ten_builds_at_the_same_time() -> None:
    write("one")
    command = [sys.executable, "-m", "graphwright", "build", "--no-typecheck", "graphs"]
    builders = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(10)]
    for each in builders:
        _, said = each.communicate(timeout=300)
        assert each.returncode == 0, said
    assert not list(Path("generated").rglob(".*"))
    assert graphwright("build", "--check", "--no-typecheck", "graphs").code == 0
    assert graphwright("verify").code == 0


# --- outputs that cannot be written ---------------------------------------------------------------------------------

#: Files of at most 1,000 bytes: a module is larger. Python turns the signal into an error.
_LIMIT = 1_000
#: A command in a namespace of its own, in which the output folder is read-only, or is a full file system.
_READ_ONLY = 'mount --bind generated generated && mount -o remount,bind,ro generated && exec "$@"'
_FULL = (
    "cp -r generated old && mount -t tmpfs -o size=64k tmpfs generated && cp -r old/. generated && rm -r old && "
    '{ head -c 1000000 /dev/zero > generated/ballast 2>/dev/null; "$@"; code=$?; rm generated/ballast; '
    "cp -r generated after; exit $code; }"
)
_NAMESPACE = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c")


def build_in(*prefix: str, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    """A build in a process of its own."""
    command = [*prefix, sys.executable, "-m", "graphwright", "build", "--no-typecheck", "--no-sign", "-q", "graphs"]

    def restrict() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=restrict)


def test_a_module_that_cannot_be_written_in_full_changes_nothing() -> None:
    write("one", 3)
    assert build_in().returncode == 0
    old = contents()
    write("two", 4)
    done = build_in(limit=_LIMIT)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.endswith(" cannot be written: File too large\n")
    assert contents() == old
    assert build_in().returncode == 0


@pytest.mark.skipif(
    subprocess.run([*_NAMESPACE, "true"], capture_output=True, check=False).returncode != 0,
    reason="the system allows no namespaces, in which file systems can be mounted",
)
@pytest.mark.parametrize(
    ("script", "said"), [(_READ_ONLY, "Read-only file system"), (_FULL, "No space left on device")]
)
def test_a_disk_that_cannot_be_written_changes_nothing(script: str, said: str) -> None:
    write("one", 3)
    assert build_in().returncode == 0
    old = contents()
    write("two", 4)
    done = build_in(*_NAMESPACE, script, "sh")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.endswith(f" cannot be written: {said}\n")
    assert contents("after" if Path("after").exists() else "generated") == old
