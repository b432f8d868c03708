"""The cost of hostile files: how much longer a command takes if a file contains twice as much of something.

Linear time has a ratio of 2; the goal is 3 for every command, because times below a second are noisy.
"""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from checking import check_text
from commands import Outcome, graphwright
from graphwright.checking.checker import check
from graphwright_runtime.errors import NodeError
from graphwright_runtime.keywords import unique
from graphwright_runtime.patterns.engine import Pattern
from growing import GROWING, gates, inputs

_GOAL = 3.0
_SIZES = (500, 1_000, 2_000)


def main() -> None:
    """Print a line for each shape and command, and for each limit."""
    for name, shape in GROWING.items():
        _growth("check", name, shape, _SIZES)
    _growth("check", "inputs", inputs, (5_000, 10_000, 20_000))
    _growth("build", "inputs", inputs, (5_000, 10_000, 20_000))
    _growth("build", "gates with ten edges", gates, _SIZES)
    for command in ("build --check", "verify"):  # each needs a build before
        _growth(command, "inputs", inputs, (2_500, 5_000))
        _growth(command, "gates with ten edges", gates, (250, 500))
    for name in ("hooks", "unique items", "keys told apart by patterns", "values in a command"):
        _growth("build", name, GROWING[name], _SIZES)
    for name, shape in GROWING.items():
        _held(name, shape)
    _imports()
    _searches()
    _unique()
    _memory()


def _growth(command: str, what: str, shape: Callable[[int], str], sizes: tuple[int, ...]) -> None:
    _seconds(command, shape(10))  # load what the command needs
    taken = [min(_seconds(command, shape(size)) for _ in range(2)) for size in sizes]
    ratios = [later / sooner for sooner, later in pairwise(taken)]
    shown = " ".join(f"{ratio:.1f}" for ratio in ratios)
    print(f"hostile: {command}, {sizes[-1]:,} {what}: {taken[-1]:.2f} s, doubling: {shown} (goal {_GOAL})")


def _seconds(command: str, text: str) -> float:
    """The processor time of a command on one graph, excluding preparations."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("graphs").mkdir()
        Path("graphs/it.yaml").write_text(text, "utf-8")
        build = ("build", "graphs", "--output", "out", "--no-typecheck", "--no-cache")
        words = {"build": build, "build --check": (*build, "--check"), "verify": ("verify", "out")}
        if command in ("build --check", "verify"):
            _succeeds(graphwright(*build))
        began = time.process_time()
        if command == "check":
            check(["graphs/it.yaml"])
        else:
            _succeeds(graphwright(*words[command]))
        return time.process_time() - began


def _succeeds(done: Outcome) -> None:
    if done.code != 0:
        raise SystemExit(f"hostile: the measured command failed: {done.stderr}")


def _held(what: str, shape: Callable[[int], str]) -> None:
    """The peak memory of a process that checks a graph, compared with that for a small one."""
    small, once, twice = (_peak(shape(size)) for size in (10, 2_000, 4_000))
    ratio = (twice - small) / max(once - small, 1)
    print(f"hostile: check, 4,000 {what}: {twice:.0f} MB, doubling beyond {small:.0f} MB: {ratio:.1f} (goal {_GOAL})")


def _peak(text: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "it.yaml").write_text(text, "utf-8")
        command = [sys.executable, "-c", _CHECKED]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        return int(done.stdout.split()[-2]) / 1024


#: `wait4` includes the memory of the process from which a process was forked; this does not.
_CHECKED = """\
import pathlib
from graphwright.cli import main
main(["check", "-q", "--no-cache", "it.yaml"])
print(next(line for line in pathlib.Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line))
"""

_GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.it.own]
config: {start: a, nodes: {a: {action: {item_id: 'tool:it/own'}, next: b}, b: {type: return}}}
"""


def _imports() -> None:
    """`import (` many times, in a module and in a tool: finding the end of each must not take quadratic time."""
    ways = ("run out/it.py", "build", "build --check", "verify out", "sign out/it.py", "run it.yaml --capability rye.*")
    for way in ways:
        taken = []
        for kilobytes in (1, 90, 180):  # the first one loads what the command needs
            text = "import (\n" * (kilobytes * 1024 // 9)
            with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                Path("it.yaml").write_text(_GRAPH, "utf-8")
                for file in (Path("out/it.py"), Path("out/other.py"), Path(".ai/tools/it/own.py")):
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(text, "utf-8")
                options = ("it.yaml", "--output", "out", "--no-typecheck") if way.startswith("build") else ()
                began = time.process_time()
                graphwright(*way.split(), *options)
                taken.append(time.process_time() - began)
        ratio = taken[2] / taken[1]
        print(f"hostile: {way}, 180 KB of `import (`: {taken[2]:.3f} s, doubling: {ratio:.1f} (goal {_GOAL})")


def _searches() -> None:
    for pattern in ("^(a|aa)+$", "a+$", f"[{''.join(chr(0x4E00 + 2 * each) for each in range(10_000))}]x"):
        expression = Pattern(pattern, "ecma")
        for length in (10_000, 100_000):
            began = time.process_time()
            with contextlib.suppress(NodeError):
                expression.search("a" * length + "b")
            taken, goal = time.process_time() - began, 0.3 + length / 1e6
            print(f"hostile: search for {pattern[:12]} in {length:,} characters: {taken:.2f} s (goal {goal:.2f})")


def _unique() -> None:
    taken = []
    for size in (50_000, 100_000):
        items: list[object] = [{"a": number} for number in range(size)]
        began = time.process_time()
        unique(items)
        taken.append(time.process_time() - began)
    print(
        f"hostile: uniqueItems of 100,000 objects: {taken[1]:.2f} s, doubling: {taken[1] / taken[0]:.1f} (goal {_GOAL})"
    )


def _memory() -> None:
    """Thousands of checks of different texts in one process: the memory that remains after each."""
    held = []
    for number in range(1, 5_001):
        check_text(
            f"tool_type: graph\npermissions: []\nconfig: {{start: a{number}, nodes: {{b{number}: {{type: return}}}}}}\n"
        )
        if number % 2_500 == 0:
            gc.collect()
            held.append(_resident())
    left = (held[1] - held[0]) * 1024 / 2_500
    print(f"hostile: 5,000 checks in one process: {held[1]:.0f} MB; the last 2,500 left {left:.2f} KB each (goal 1)")


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
