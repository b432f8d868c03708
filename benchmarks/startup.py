"""The time of `check` for one small graph, compared with `python -c "import yaml"`: the goal is at most 2.2 times.

The commands alternate; each time is the processor time of a whole process. The first line is a check of an unchanged
file, the second one inspects the file again.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from _measure import graph, lifetimes

GOAL = 2.2
ROUNDS = 25


def main() -> None:
    """Print the ratios."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["GRAPHWRIGHT_CACHE_DIR"] = str(folder / "cache")
        (folder / "graph.yaml").write_text(graph(5), "utf-8")
        check = [sys.executable, "-m", "graphwright", "check", "graph.yaml"]
        commands = {"floor": [sys.executable, "-c", "import yaml"], "warm": check, "cold": [*check, "--no-cache"]}
        lifetimes(commands, 2, folder)  # write bytecode and the cache entry
        times = lifetimes(commands, ROUNDS, folder)
    floor = times["floor"]
    print(f"start-up floor                       {floor * 1e3:7.1f} ms  (import yaml)")
    for label, key in (("check, unchanged", "warm"), ("check, looked at again", "cold")):
        print(f"{label:<36} {times[key] * 1e3:7.1f} ms  {times[key] / floor:5.2f} x  (goal {GOAL} x)")


if __name__ == "__main__":
    main()
