"""A persisted run of a million steps: the cost of a step at its beginning and at its end, and the growth of memory;
then the cost of reading its log, for resuming and for inspecting it.

Times are processor times, so that other programs do not affect them.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path

from _floors import compiled, floors

CYCLES = 500_000
PARTS = 10

#: Reads the log of the run `r` in the project in the argument, as for resuming it, and prints the processor time in
#: seconds and the memory in megabytes.
READ = """
import re, sys, time
from itertools import pairwise
from pathlib import Path
from graphwright_runtime.durable.survey import standing
def most():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
before, start = most(), time.process_time()
found = standing(Path(sys.argv[1]), "r")
print(time.process_time() - start, most() - before)
assert len(found.checkpoint.path) == int(sys.argv[2]), len(found.checkpoint.path)
"""


def memory() -> float:
    """The current memory of this process, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def sampled(samples: list[tuple[float, float]]) -> Callable[[dict[str, int]], Awaitable[dict[str, int]]]:
    """The tool of the loop; it samples time and memory ten times in total, and fails in the last cycle."""

    async def increment(params: dict[str, int]) -> dict[str, int]:
        n = params["n"]
        if n % (CYCLES // PARTS) == 0:
            samples.append((time.process_time(), memory()))
        if n == CYCLES:
            raise ValueError("the end")
        return {"n": n + 1}

    return increment


def main() -> None:
    """Print all results."""
    module = compiled(floors().STEP_GRAPH, "bench_long")
    samples: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = f"{folder}/home"
        project = Path(folder)
        result = asyncio.run(
            module.run(
                {"limit": CYCLES + 1},
                tools={"bench/inc": sampled(samples)},
                project=project,
                run_id="r",
                durability="process",
            )
        )
        steps = 2 * CYCLES + 1
        assert (result.status, result.steps) == ("error", steps), result
        each = 2 * CYCLES // PARTS
        for part, ((began, before), (ended, after)) in enumerate(pairwise(samples), 1):
            print(
                f"steps to {part * each:>9,} {(ended - began) / each * 1e6:7.1f} µs each, "
                f"memory {after:6.1f} MB ({(after - before) * 2**20 / each:+.1f} bytes a step)"
            )
        size = (project / ".ai/state/threads/r/transcript.jsonl").stat().st_size
        command = [sys.executable, "-c", READ, folder, str(steps)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        taken, most = map(float, done.stdout.split())
        print(
            f"reading its log back, {size / 1e6:,.0f} MB: {taken:.1f} s, {taken / steps * 1e6:.1f} µs a step; "
            f"memory {most:+.1f} MB"
        )


if __name__ == "__main__":
    main()
