"""Long runs and large states: what is kept of a step costs what the step changed, however much there is already."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from durability.kept import COUNT, compiled, log_of, run

ENDLESS = COUNT.replace("start: work", "start: work\n  max_steps: 1000000000")
LARGE = (
    ENDLESS.replace("start: work", "start: load")
    + '    load: {action: {item_id: tool:t/load, params: {}}, assign: {kept: "${result.kept}"}, next: work}\n'
)


@pytest.fixture(scope="module")
def module() -> Iterator[ModuleType]:
    with compiled(ENDLESS) as found:
        yield found


def resident() -> int:
    """The bytes of memory that this process has."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    assert found is not None
    return int(found[1]) * 1024


class Sampling:
    """A tool `t/add` that adds one, and notes log, memory and time every so many calls; it fails at the last."""

    def __init__(self, log: Path, every: int, last: int) -> None:
        self.samples: list[tuple[int, int, float]] = []
        self._log, self._every, self._last = log, every, last

    async def __call__(self, params: dict[str, Any]) -> dict[str, Any]:
        """Add one."""
        n = params["n"]
        if n % self._every == 0:
            self.samples.append((self._log.stat().st_size, resident(), time.process_time()))
        if n == self._last:
            raise ValueError("enough")
        return {"n": n + 1}


def test_a_late_step_writes_as_much_as_an_early_one(module: ModuleType, tmp_path: Path) -> None:
    tool = Sampling(log_of(tmp_path, "r"), 500, 3000)
    assert run(module, tmp_path, tool, run_id="r", inputs={"limit": 5000}).steps == 6001
    written = [after[0] - before[0] for before, after in pairwise(tool.samples)]
    assert max(written) < 1.02 * min(written)
    [view] = tmp_path.glob(".ai/knowledge/agent/**/r.md")
    assert len(view.read_bytes()) < 20_000


@pytest.mark.slow
def test_a_million_steps(module: ModuleType, tmp_path: Path) -> None:
    """Memory grows by the path alone, and the last steps take no longer than the first; nor does resuming do more."""
    log = log_of(tmp_path, "r")
    tool = Sampling(log, 50_000, 500_000)
    assert run(module, tmp_path, tool, run_id="r", inputs={"limit": 500_001}).steps == 1_000_001
    grown = sorted(after[1] - before[1] for before, after in pairwise(tool.samples))
    # Without the extremes: the allocator returns memory at times of its own. An object per step would add 24 bytes.
    assert sum(grown[1:-1]) / (100_000 * len(grown[1:-1])) < 16, tool.samples
    taken = [after[2] - before[2] for before, after in pairwise(tool.samples)]
    assert min(taken[-4:]) < 1.5 * min(taken[:4]), taken
    before = resident()
    result = run(module, tmp_path, resume="r")
    assert result.output == {"n": 500_001}
    assert len(result.path) == 1_000_003
    assert resident() - before < 60 * 2**20
    log.unlink()


def test_a_large_state_costs_what_changes(tmp_path: Path) -> None:
    """A value of 8 MB is written when it is set, and its view when the run is over; steps write what they set."""
    log, sizes, views = log_of(tmp_path, "r"), list[int](), list[Path]()

    async def add(params: dict[str, Any]) -> dict[str, Any]:
        sizes.append(log.stat().st_size)
        views.extend(tmp_path.glob(".ai/knowledge/graphs/**/r.md"))
        await asyncio.sleep(0.02)
        return {"n": params["n"] + 1}

    with compiled(LARGE) as module:
        result = run(
            module, tmp_path, add, run_id="r", inputs={"limit": 60}, more={"t/load": lambda _: {"kept": "x" * 2**23}}
        )
    assert result.success
    assert sizes[0] > 2**23
    assert max(after - before for before, after in pairwise(sizes)) < 2000
    assert not views
    [view] = tmp_path.glob(".ai/knowledge/graphs/**/r.md")
    assert view.stat().st_size > 2**23
