"""What hostile files cost: how much longer a command takes for one that has twice as much of something.

Linear time has a ratio of 2; the goal is 3 for every command: what takes a fraction of a second is noisy.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from checking import check_text
from commands import graphwright
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
    _growth("check", "gates with ten edges", gates, (500, 1_000, 2_000))
    for command in ("build", "build --check", "verify"):
        _growth(command, "inputs", inputs, (5_000, 10_000, 20_000))
        _growth(command, "gates with ten edges", gates, (500, 1_000, 2_000))
    _imports()
    _searches()
    _unique()
    _memory()


def _growth(command: str, what: str, shape: Callable[[int], str], sizes: tuple[int, ...]) -> None:
    taken = [min(_seconds(command, shape(size)) for _ in range(2)) for size in sizes]
    ratios = [later / sooner for sooner, later in pairwise(taken)]
    shown = " ".join(f"{ratio:.1f}" for ratio in ratios)
    print(f"hostile: {command}, {sizes[-1]:,} {what}: {taken[-1]:.2f} s, doubling: {shown} (goal {_GOAL})")


def _seconds(command: str, text: str) -> float:
    """Processor time of a command on one graph, after what it needs was done."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("graphs").mkdir()
        Path("graphs/it.yaml").write_text(text, "utf-8")
        build = ("build", "graphs", "--output", "out", "--no-typecheck", "--no-cache")
        words = {"build": build, "build --check": (*build, "--check"), "verify": ("verify", "out")}
        if command in ("build --check", "verify"):
            graphwright(*build)
        began = time.process_time()
        if command == "check":
            check(["graphs/it.yaml"])
        else:
            graphwright(*words[command])
        return time.process_time() - began


def _imports() -> None:
    """`import (` again and again, in the place of a module: what looks for imports must not look for each one's end."""
    taken = []
    for kilobytes in (1, 90, 180):  # the first one loads what a run needs
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            Path("out").mkdir()
            Path("out/it.py").write_text("import (\n" * (kilobytes * 1024 // 9), "utf-8")
            began = time.process_time()
            graphwright("run", "out/it.py")
            taken.append(time.process_time() - began)
    print(f"hostile: run, 180 KB of `import (`: {taken[2]:.3f} s, doubling: {taken[2] / taken[1]:.1f} (goal {_GOAL})")


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
    """Ten thousand checks in one process, each of another text."""
    held = []
    for number in range(10_000):
        check_text(
            f"tool_type: graph\npermissions: []\nconfig: {{start: a{number}, nodes: {{b{number}: {{type: return}}}}}}\n"
        )
        if number % 1_000 == 999:
            held.append(_resident())
    print(
        f"hostile: 10,000 checks in one process: {held[0]:.0f} MB after 1,000, {held[-1]:.0f} MB after all (goal 1.2 x)"
    )


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
