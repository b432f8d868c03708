"""Waiting for the end of a run: in the same process at once, for another process by looking."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from durability.kept import compiled
from graphwright_runtime.durable import listing, locking, survey, waiting
from graphwright_runtime.durable.survey import run_status
from graphwright_runtime.durable.waiting import until_ended
from graphwright_runtime.errors import RefusedError
from running import QuickHost

HOLDING = """
import os, sys
from pathlib import Path
from graphwright_runtime.durable import locking
log = Path(sys.argv[1])
assert locking.hold(os.open(log, os.O_RDWR | os.O_CREAT), log)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def module() -> Iterator[ModuleType]:
    with compiled() as found:
        yield found


def test_a_run_of_this_process_tells_at_once(
    module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "_POLL", 60.0)

    async def main() -> list[bool]:
        go = asyncio.Event()

        async def tool(params: dict[str, Any]) -> dict[str, Any]:
            await go.wait()
            return {"n": params["n"] + 1}

        running = asyncio.create_task(
            module.run({}, tools={"t/add": tool}, project=tmp_path, run_id="r", host=QuickHost())
        )
        while not (tmp_path / ".ai/state/threads/r/transcript.jsonl").exists():
            await asyncio.sleep(0)
        waiters = [asyncio.create_task(until_ended(tmp_path, "r")) for _ in range(20)]
        in_time = await until_ended(tmp_path, "r", 0.05)
        go.set()
        async with asyncio.timeout(20):
            found = await asyncio.gather(*waiters)
        assert run_status(tmp_path, "r").status == "completed"
        assert (await running).success
        return [in_time, *found]

    assert asyncio.run(main()) == [False] + [True] * 20
    assert not waiting._waiting


def test_a_run_in_another_thread_tells_at_once(
    module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "_POLL", 60.0)
    started, go = threading.Event(), threading.Event()

    def tool(params: dict[str, Any]) -> dict[str, Any]:
        started.set()
        assert go.wait(20)
        return {"n": params["n"] + 1}

    def other() -> None:
        module.run_sync({}, tools={"t/add": tool}, project=tmp_path, run_id="r")

    async def main() -> bool:
        asyncio.get_running_loop().call_later(0.05, go.set)
        async with asyncio.timeout(20):
            return await until_ended(tmp_path, "r")

    thread = threading.Thread(target=other)
    thread.start()
    assert started.wait(20)
    assert asyncio.run(main())
    thread.join()


def test_a_run_of_another_process(tmp_path: Path) -> None:
    log = tmp_path / ".ai/state/threads/r/transcript.jsonl"
    log.parent.mkdir(parents=True)
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(log)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"

    async def main() -> None:
        assert not await until_ended(tmp_path, "r", 0.1)
        asyncio.get_running_loop().call_later(0.1, process.kill)
        began = time.monotonic()
        assert await until_ended(tmp_path, "r", 20)
        assert time.monotonic() - began < 5

    asyncio.run(main())
    process.communicate()


def test_what_has_ended_is_not_waited_for(tmp_path: Path) -> None:
    assert asyncio.run(until_ended(tmp_path, "r", 0))


def test_a_wait_that_is_given_up_leaves_nothing(tmp_path: Path) -> None:
    log = tmp_path / ".ai/state/threads/r/transcript.jsonl"
    log.parent.mkdir(parents=True)
    handle = os.open(log, os.O_RDWR | os.O_CREAT)
    assert locking.hold(handle, log)

    async def main() -> None:
        task = asyncio.create_task(until_ended(tmp_path, "r"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    locking.close(handle)
    assert not waiting._waiting


def test_a_project_may_be_a_string(module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for project in (str(tmp_path), ".", tmp_path, Path()):
        result = module.run_sync({}, tools={"t/add": lambda params: {"n": params["n"] + 1}}, project=project)
        run_id = result.graph_run_id
        assert asyncio.run(until_ended(project, run_id))
        assert survey.wait(project, run_id, 1)
        assert run_status(project, run_id).status == "completed"
        assert run_id in [row.run_id for row in listing.runs(project).runs]
        for end in (survey.ask_to_cancel, survey.kill):
            with pytest.raises(RefusedError, match="is completed: there is nothing to"):
                end(project, run_id)
