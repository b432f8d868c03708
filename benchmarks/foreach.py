"""The cost of a parallel foreach, 64 items at once: a compiled loop, compared with the minimum in Python."""

from __future__ import annotations

import asyncio
import time

from _floors import compare, compiled, floors

ITEMS = 10_000


def main() -> None:
    """Print the ratio."""
    bench = floors()
    module = compiled(bench.FOREACH_GRAPH, "bench_foreach")
    items = list(range(ITEMS))

    def ours() -> float:
        start = time.perf_counter()
        result = asyncio.run(module.run({"xs": items}, tools=bench.TOOLS))
        taken = time.perf_counter() - start
        assert result.output == {"count": ITEMS}
        return taken

    compare("foreach", ours, lambda: bench.foreach_floor(ITEMS), per=ITEMS)


if __name__ == "__main__":
    main()
