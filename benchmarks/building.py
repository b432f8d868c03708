"""The cost of a build: of 10,000 nodes, compared with PyYAML's C composer in time and memory; of many graphs; by size.

The floor and the build run in separate processes, with the default garbage collector. `TYPES=1` adds the type check of
1,000 nodes, which takes most of a minute. `CURVES=1` adds how a check and a build grow with the number of nodes and of
graphs.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _measure import Goals, beside_the_floor, graph, lifetimes, many

GOALS = Goals(growth=11.0, floor=4.0, memory=3.0)
WARM_GOAL_S, CHANGED_GOAL_S, TYPES_GOAL_S = 0.3, 0.5, 60.0
NODES, GRAPHS = (10, 100, 1_000, 10_000), (1, 10, 100, 1_000, 5_000)

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
        _cores(folder)
        if os.environ.get("CURVES"):
            _curves(folder)


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
    changed: list[float] = []
    for nodes in range(21, 26):
        file.write_text(graph(nodes), "utf-8")
        taken = lifetimes({"all": commands["all"], "one": commands["one"]}, 1, folder)
        changed.append(taken["all"] - taken["one"])
    above = statistics.median(changed)
    print(f"build, 1,000 graphs, one changed     {above:7.2f} s above start-up  (goal {CHANGED_GOAL_S} s)")


def _cores(folder: Path) -> None:
    """A thousand graphs from scratch, with one core and with all: how long it takes on the clock."""
    if not hasattr(os, "sched_setaffinity"):
        return
    every = os.sched_getaffinity(0)
    taken: dict[int, list[float]] = {1: [], len(every): []}
    for _ in range(3):
        for count in taken:
            os.sched_setaffinity(0, sorted(every)[:count])
            start = time.perf_counter()
            _build(folder, "many", "--no-typecheck", "--no-cache", "-o", f"fresh{time.monotonic_ns()}")
            taken[count].append(time.perf_counter() - start)
    os.sched_setaffinity(0, every)
    one, many = (statistics.median(times) for times in taken.values())
    print(
        f"build, 1,000 graphs, from scratch    {many:7.2f} s with {len(every)} cores, {one / many:.2f} x as fast as one"
    )


def _curves(folder: Path) -> None:
    """Check and build from scratch, in processor time with all processes, by nodes of one graph and by graphs."""
    for label, sizes in (("nodes", NODES), ("graphs", GRAPHS)):
        base: dict[str, float] = {}
        for size in sizes:
            place = folder / f"{label}{size}"
            place.mkdir()
            for number in range(size if label == "graphs" else 1):
                (place / f"g{number}.yaml").write_text(graph(20 if label == "graphs" else size), "utf-8")
            program, fresh = [sys.executable, "-m", "graphwright"], ["--no-cache", "-q", place.name]
            commands = {
                "check": [*program, "check", *fresh],
                "build": [*program, "build", *fresh, "--no-typecheck", "-o", f"out_{place.name}"],
            }
            times = lifetimes(commands, 3 if size <= 1_000 else 1, folder)
            base = base or times
            shown = ", ".join(f"{name} {times[name]:7.2f} s ({times[name] / base[name]:6.1f} x)" for name in commands)
            print(f"{size:>7,} {label:<8} {shown}")


def _build(folder: Path, *arguments: str) -> str:
    """Build from the command line, and return the last line of the output."""
    command = [sys.executable, "-m", "graphwright", "build", "-o", "generated", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stderr.splitlines()[-1]


if __name__ == "__main__":
    main()
