"""Common parts of the runtime's benchmarks: the floors of the specification, compiled graphs, and comparisons."""

from __future__ import annotations

import gc
import importlib
import statistics
import sys
from collections.abc import Callable
from types import ModuleType

from _measure import FLOORS

from graphwright.building.compile import compile_source


def floors() -> ModuleType:
    """The module with the floors: `../shared/bench/floors.py`, or one on PYTHONPATH."""
    sys.path.append(str(FLOORS))
    try:
        return importlib.import_module("floors")
    except ImportError as error:
        raise SystemExit("floors.py is missing: put its folder on PYTHONPATH") from error


def compiled(text: str, name: str) -> ModuleType:
    """Compile a graph to a module."""
    found = compile_source(text, graph_id=name, path=f"{name}.yaml")
    if found.text is None:
        raise SystemExit(f"the graph does not compile: {found.diagnostics[0].message}")
    module = ModuleType(name)
    sys.modules[name] = module
    exec(compile(found.text, f"<{name}>", "exec"), module.__dict__)
    return module


def compare(
    label: str,
    ours: Callable[[], float],
    floor: Callable[[], float],
    per: int,
    rounds: int = 15,
    goal: float | None = 2,
    what: str = "floor",
) -> float:
    """Print and return the ratio of a workload's time to that of the floor; they alternate, so noise affects both.

    `per`: units of one workload. The ratio is the median of the ratios of all rounds, followed by their quartiles.
    """
    pairs: list[tuple[float, float]] = []
    for _ in range(rounds):
        gc.collect()
        below = floor()
        gc.collect()
        pairs.append((ours(), below))
    low, ratio, high = statistics.quantiles((taken / below for taken, below in pairs), n=4)
    taken, below = (statistics.median(column) / per * 1e6 for column in zip(*pairs, strict=True))
    aim = "" if goal is None else f"; goal at most {goal}"
    print(f"{label} {ratio:.2f} x {what} [{low:.2f}..{high:.2f}] ({taken:.3f} µs, {what} {below:.3f} µs{aim})")
    return ratio
