"""The cost of observing a run: a step with a listener, with an iterator, and with tracing, compared with none."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable

from _floors import compiled, floors
from opentelemetry.sdk.trace import TracerProvider

from graphwright_runtime import otel

CYCLES = 3_000
ROUNDS = 5


def main() -> None:
    """Print microseconds per step; the variants alternate."""
    bench = floors()
    module = compiled(bench.STEP_GRAPH, "bench_watching")

    async def alone() -> None:
        await module.run({"limit": CYCLES}, tools=bench.TOOLS)

    async def listened() -> None:
        await module.run({"limit": CYCLES}, tools=bench.TOOLS, on_event=lambda _: None)

    async def iterated() -> None:
        async for _ in module.GRAPH.events({"limit": CYCLES}, tools=bench.TOOLS):
            pass

    async def traced() -> None:
        otel.instrument(TracerProvider())
        try:
            await alone()
        finally:
            otel.uninstrument()

    ways: dict[str, Callable[[], Awaitable[None]]] = {
        "nobody": alone,
        "on_event": listened,
        "GRAPH.events": iterated,
        "OpenTelemetry": traced,
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            start = time.perf_counter()
            asyncio.run(_done(way))
            taken[name].append((time.perf_counter() - start) / (2 * CYCLES))
    for name, times in taken.items():
        print(f"a step watched by {name:<14} {statistics.median(times) * 1e6:6.2f} µs")


async def _done(way: Callable[[], Awaitable[None]]) -> None:
    await way()


if __name__ == "__main__":
    main()
