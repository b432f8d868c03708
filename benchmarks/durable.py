"""The cost of a durable step: nodes of a compiled loop, each persisted and signed, compared with the minimum.

If langgraph and its SQLite saver can be imported (`pip install langgraph langgraph-checkpoint-sqlite`, in a separate
environment that also contains this project), the same loop is measured with it. SQLite waits for the disk at each step,
like the level `power`, but signs nothing.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias, TypedDict

from _floors import compare, compiled, floors

Level: TypeAlias = Literal["process", "power"]


class LoopState(TypedDict):
    """The state of the loop."""

    n: int
    tag: str
    limit: int


CYCLES = {"process": 10_000, "power": 300}
THEIRS: dict[Level, int] = {"process": 1_000, "power": 200}


def langgraph(cycles: int) -> Callable[[], float] | None:
    """The same loop with langgraph, each step committed to SQLite before the next one; None if it is not installed."""
    try:
        graphs = importlib.import_module("langgraph.graph")
        saver = importlib.import_module("langgraph.checkpoint.sqlite").SqliteSaver
    except ImportError:
        return None
    builder = graphs.StateGraph(LoopState)
    builder.add_node("work", lambda state: {"n": state["n"] + 1})
    builder.add_node("check", lambda _: {})
    builder.add_edge(graphs.START, "work")
    builder.add_edge("work", "check")
    builder.add_conditional_edges("check", lambda state: "work" if state["n"] < state["limit"] else graphs.END)
    options = {"configurable": {"thread_id": "bench"}, "recursion_limit": 3 * cycles}

    def once() -> float:
        with (
            tempfile.TemporaryDirectory() as folder,
            saver.from_conn_string(f"{folder}/checkpoints.db") as checkpointer,
        ):
            graph = builder.compile(checkpointer=checkpointer)
            start = time.perf_counter()
            result = graph.invoke({"n": 0, "tag": "x", "limit": cycles}, options, durability="sync")
            taken = time.perf_counter() - start
        assert result["n"] == cycles
        return taken

    return once


def main() -> None:
    """Print the ratio of each level."""
    bench = floors()
    module = compiled(bench.STEP_GRAPH, "bench_durable")

    def ours(level: Level, cycles: int) -> Callable[[], float]:
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
        os.environ["XDG_CONFIG_HOME"] = home  # the key of runs is created there
        kept, synced = CYCLES["process"], CYCLES["power"]
        compare("durable step", ours("process", kept), lambda: bench.durable_floor(2 * kept), per=2 * kept, goal=1.3)
        compare("power", ours("power", synced), lambda: bench.fsync_floor(2 * synced), per=2 * synced, goal=1.3)
        for level, cycles in THEIRS.items():
            theirs = langgraph(cycles)
            if theirs is not None:
                what = f"step at {level}"
                compare("langgraph", theirs, ours(level, cycles), per=2 * cycles, rounds=5, goal=None, what=what)


if __name__ == "__main__":
    main()
