"""Many runs at once: one registry, no row is lost."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from durability.kept import Crash, compiled
from graphwright_runtime.durable.registry import rows
from running import QuickHost

ONE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from durability.kept import compiled, run
with compiled() as module:
    assert run(module, Path(sys.argv[2]), run_id=sys.argv[3]).success
"""


def test_fifty_runs_in_one_process(tmp_path: Path) -> None:
    async def all_of_them() -> None:
        with compiled() as module:
            runs = [
                module.run({}, tools={"t/add": Crash()}, project=tmp_path, run_id=f"r{number}", host=QuickHost())
                for number in range(50)
            ]
            assert all(result.success for result in await asyncio.gather(*runs))

    asyncio.run(all_of_them())
    found = rows(tmp_path)
    assert {row["thread_id"] for row in found} == {f"r{number}" for number in range(50)}
    assert {row["status"] for row in found} == {"completed"}


def test_processes_on_one_registry(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ONE, str(Path(__file__).parents[1]), str(tmp_path)]
    processes = [subprocess.Popen([*command, f"r{number}"], stderr=subprocess.PIPE, text=True) for number in range(20)]
    assert [process.communicate(timeout=120)[1] for process in processes] == [""] * 20
    assert [row["status"] for row in rows(tmp_path)] == ["completed"] * 20
