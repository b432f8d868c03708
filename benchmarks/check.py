"""What a check costs: a graph of 10,000 nodes beside PyYAML's C compose of it; a thousand small graphs, unchanged.

The floor and the check run in processes of their own, with the garbage collector as it is.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from _measure import COMPOSE, FLOORS, graph, lifetimes, many, peak, turns

GOAL, GROWTH_GOAL, MEMORY_GOAL, WARM_GOAL_S = 2.0, 11.0, 3.0, 0.3
SAMPLES = 5

_CHECK = """
import sys, time
from graphwright.checking.checker import check
check([sys.argv[1]])
start = time.perf_counter()
report = check([sys.argv[2]])
print(time.perf_counter() - start)
assert not report.diagnostics, report.diagnostics[0]
"""


def main() -> None:
    """Print the ratios."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for nodes in (5, 1_000, 10_000):
            (folder / f"g{nodes}.yaml").write_text(graph(nodes), "utf-8")
        small, big = folder / "g5.yaml", folder / "g10000.yaml"
        programs: dict[str, tuple[object, ...]] = {
            "check": (_CHECK, small, big),
            "less": (_CHECK, small, folder / "g1000.yaml"),
        }
        if FLOORS.is_dir():
            programs["floor"] = (COMPOSE, FLOORS, big)
        times = turns(programs, SAMPLES)
        taken, less = times["check"], times["less"]
        print(f"check, 10,000 nodes                  {taken:7.2f} s")
        print(f"  beside 1,000 nodes                 {less:7.2f} s  {taken / less:5.2f} x  (goal {GROWTH_GOAL} x)")
        if "floor" in times:
            floor = times["floor"]
            print(f"  beside the compose floor           {floor:7.2f} s  {taken / floor:5.2f} x  (goal {GOAL} x)")
            least, most = peak(COMPOSE, FLOORS, big), peak(_CHECK, small, big)
            print(f"  peak of memory                     {most:7.0f} MB {most / least:5.2f} x  (goal {MEMORY_GOAL} x)")
        _thousand(folder)


def _thousand(folder: Path) -> None:
    """A thousand graphs of 20 nodes, unchanged since the last check."""
    os.environ["GRAPHWRIGHT_CACHE_DIR"] = str(folder / "cache")
    many(folder)
    command = [sys.executable, "-m", "graphwright", "check", "-q"]
    commands = {"all": [*command, "many"], "one": [*command, "many/0/0.yaml"]}
    lifetimes(commands, 1, folder)
    times = lifetimes(commands, 7, folder)
    above = times["all"] - times["one"]
    print(f"check, 1,000 graphs, unchanged       {above:7.2f} s above start-up  (goal {WARM_GOAL_S} s)")


if __name__ == "__main__":
    main()
