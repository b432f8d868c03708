"""The cost of a check: of 10,000 nodes, compared with PyYAML's C composer; of a thousand unchanged small graphs.

The floor and the check run in separate processes, with the default garbage collector.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from _measure import Goals, beside_the_floor, lifetimes, many

GOALS = Goals(growth=11.0, floor=1.6, memory=3.0)
WARM_GOAL_S = 0.3

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
        beside_the_floor("check", _CHECK, folder, goals=GOALS)
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
