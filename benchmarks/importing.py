"""The time for importing a compiled module of 200 nodes from bytecode: at most 10 ms more than `import asyncio`."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from _measure import graph, seconds

from graphwright.building.compile import compile_source

NODES = 200
SAMPLES = 15
GOAL = 0.010

_MEASURE = """
import asyncio, sys, time
sys.dont_write_bytecode = False
sys.path.insert(0, sys.argv[1])
start = time.perf_counter()
import bench_importing
print(time.perf_counter() - start)
"""


def main() -> None:
    """Print the time."""
    found = compile_source(graph(NODES), graph_id="bench_importing", path="bench_importing.yaml")
    if found.text is None:
        raise SystemExit(f"the graph does not compile: {found.diagnostics[0].message}")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bench_importing.py").write_text(found.text, "utf-8")
        seconds(_MEASURE, folder)
        taken = statistics.median(seconds(_MEASURE, folder) for _ in range(SAMPLES))
    print(f"importing {NODES} nodes {taken * 1e3:.1f} ms above asyncio (goal at most {GOAL * 1e3:.0f})")


if __name__ == "__main__":
    main()
