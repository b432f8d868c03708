"""A durable step: node executions of a compiled loop, each kept and signed, against the least that does so."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from _floors import compare, compiled, floors

CYCLES = {"process": 5_000, "power": 150}


def main() -> None:
    """Print the ratio of each level."""
    bench = floors()
    module = compiled(bench.STEP_GRAPH, "bench_durable")

    def ours(level: Literal["process", "power"], cycles: int) -> Callable[[], float]:
        def once() -> float:
            with tempfile.TemporaryDirectory() as project:
                start = time.perf_counter()
                result = asyncio.run(
                    module.run({"limit": cycles}, tools=bench.TOOLS, project=Path(project), durability=level)
                )
                taken = time.perf_counter() - start
            assert result.output == {"n": cycles}
            return taken

        return once

    with tempfile.TemporaryDirectory() as home:
        os.environ["XDG_CONFIG_HOME"] = home  # the key of runs is made there
        kept, synced = CYCLES["process"], CYCLES["power"]
        compare("durable step", ours("process", kept), lambda: bench.durable_floor(2 * kept), per=2 * kept, goal=1.3)
        compare("power", ours("power", synced), lambda: bench.fsync_floor(2 * synced), per=2 * synced, goal=1.3)


if __name__ == "__main__":
    main()
