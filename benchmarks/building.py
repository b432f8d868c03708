"""The cost of a build: of 10,000 nodes, compared with PyYAML's C composer in time and memory; of a thousand graphs.

The floor and the build run in separate processes, with the default garbage collector. `TYPES=1` adds the type check of
1,000 nodes, which takes most of a minute.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _measure import Goals, beside_the_floor, graph, lifetimes, many

GOALS = Goals(growth=11.0, floor=4.0, memory=3.0)
WARM_GOAL_S, TYPES_GOAL_S = 0.3, 60.0

_BUILD = """
import shutil, sys, time
from graphwright.building.builder import build
small, big, output = sys.argv[1:]
shutil.rmtree(output, ignore_errors=True)
build([small], output=output, typecheck=False)
start = time.perf_counter()
built = build([big], output=output, typecheck=False)
print(time.perf_counter() - start)
assert len(built.written) == 1, built.diagnostics[0]
"""


def main() -> None:
    """Print the ratios."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {"GRAPHWRIGHT_CACHE_DIR": str(folder / "cache"), "HOME": str(folder / "home")}
        beside_the_floor("build --no-typecheck", _BUILD, folder, folder / "large", goals=GOALS)
        if os.environ.get("TYPES"):
            start = time.perf_counter()
            _build(folder, "g1000.yaml", "--no-sign")
            taken = time.perf_counter() - start
            print(f"build, 1,000 nodes, types checked    {taken:7.2f} s  (goal {TYPES_GOAL_S:.0f} s)")
        _thousand(folder)


def _thousand(folder: Path) -> None:
    """A thousand signed graphs of 20 nodes: first without changes since the last build, then with one changed."""
    file = many(folder)
    _build(folder, "many", "--no-typecheck")
    command = [sys.executable, "-m", "graphwright", "build", "--no-typecheck", "-q", "-o"]
    commands = {"all": [*command, "generated", "many"], "one": [*command, "alone", "many/0/0.yaml"]}
    lifetimes(commands, 1, folder)
    times = lifetimes(commands, 7, folder)
    above = times["all"] - times["one"]
    print(f"build, 1,000 graphs, nothing changed {above:7.2f} s above start-up  (goal {WARM_GOAL_S} s)")
    file.write_text(graph(21), "utf-8")
    start = time.perf_counter()
    said = _build(folder, "many", "--no-typecheck")
    print(f"build, 1,000 graphs, one changed     {time.perf_counter() - start:7.2f} s: {said}")


def _build(folder: Path, *arguments: str) -> str:
    """Build from the command line, and return the last line of the output."""
    command = [sys.executable, "-m", "graphwright", "build", "-o", "generated", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stderr.splitlines()[-1]


if __name__ == "__main__":
    main()
