"""The cost of a step without durability: nodes of a compiled loop, compared with the minimum in Python."""

from __future__ import annotations

import asyncio
import time

from _floors import compare, compiled, floors

CYCLES = 10_000


def main() -> None:
    """Print the ratio."""
    bench = floors()
    module = compiled(bench.STEP_GRAPH, "bench_step")

    def ours() -> float:
        start = time.perf_counter()
        result = asyncio.run(module.run({"limit": CYCLES}, tools=bench.TOOLS))
        taken = time.perf_counter() - start
        assert result.output == {"n": CYCLES}
        return taken

    compare("step", ours, lambda: bench.step_floor(CYCLES), per=2 * CYCLES)


if __name__ == "__main__":
    main()
