"""What a hostile file costs: how much longer a check takes for one that has twice as much of something.

A check in linear time has a ratio of 2.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from graphwright.checking.checker import check
from growing import GROWING

SIZES = (1000, 2000, 4000)


def main() -> None:
    """Print a line for each shape."""
    for name, shape in GROWING.items():
        taken = [_seconds(shape(size)) for size in SIZES]
        ratios = " ".join(f"{later / sooner:.1f}" for sooner, later in pairwise(taken))
        print(f"hostile: {SIZES[-1]:,} {name}: {taken[-1]:.2f} s, doubling: {ratios}")


def _seconds(text: str) -> float:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("it.yaml").write_text(text, "utf-8")
        began = time.process_time()
        check(["it.yaml"])
        return time.process_time() - began


if __name__ == "__main__":
    main()
