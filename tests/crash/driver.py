"""Kills runs at random moments and resumes them until they are done: `python driver.py GRAPH FOLDER KILLS SEED`.

The process compiles the graph once and forks a child for each attempt, which is killed by SIGKILL. It prints what there
is to complain about, one line each, and exits with 1 where there is something.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

sys.path.insert(0, str(Path(__file__).parents[1]))

from crash.graphs import GRAPHS, INNER
from graphwright_runtime.context import Context
from graphwright_runtime.durable.reader import read_log
from graphwright_runtime.result import ABSENT
from running import QuickHost, compile_text, loaded

#: As many calls are in flight at once as a foreach makes: a kill repeats no more than those.
AT_ONCE = 3


#: Notes a call; set by the process that runs.
noted_by: list[Callable[[Context], Awaitable[None]]] = []


async def kept(params: dict[str, Any], context: Context) -> object:
    """As `t/echo`, without a closure: what it gives is kept from process to process."""
    await noted_by[0](context)
    return {"n": params["n"]}


class Project:
    """A folder with runs in it; each call of a tool leaves its idempotency key in `effects`.

    `takes_run`: the id of the run is an input of the graph.
    """

    def __init__(self, module: ModuleType, inner: ModuleType, folder: Path, *, takes_run: bool = False) -> None:
        self.module = module
        self.takes_run = takes_run
        self.inner = inner
        self.folder = folder

    def log(self, run_id: str) -> Path:
        return self.folder / ".ai" / "state" / "threads" / run_id / "transcript.jsonl"

    def effects(self, run_id: str) -> list[str]:
        file = self.folder / f"{run_id}.effects"
        return file.read_text("utf-8").splitlines() if file.exists() else []

    def result(self, run_id: str) -> dict[str, Any]:
        """What the run gave; what its log says where it was killed between its last line and its end."""
        file = self.folder / f"{run_id}.result"
        if file.exists():
            found: dict[str, Any] = json.loads(file.read_text("utf-8"))
            return found
        with self.log(run_id).open("rb") as opened:
            kept = read_log(opened, run_id, self.folder).checkpoint
        errors = [error._asdict() for error in kept.errors]
        output = kept.state if kept.output is ABSENT else kept.output
        return {
            "status": kept.status,
            "state": kept.state,
            "output": output,
            "steps": len(kept.path),
            "path": kept.path,
            **({"errors": errors} if errors else {}),
        }

    def is_done(self, run_id: str) -> bool:
        return self.log(run_id).exists() and b'"graph_completed"' in self.log(run_id).read_bytes()

    def run(self, run_id: str, cancelled_at: str | None = None) -> NoReturn:
        """Run or resume in this process, which ends with it. The call with the key `cancelled_at` cancels the run."""
        log = self.log(run_id)
        resumed = log.exists() and b'"event_type":"signature"' in log.read_bytes()
        which = {"resume": run_id} if resumed else {"run_id": run_id}
        host = QuickHost()
        tools = self._tools(run_id, lambda key: host.cancel("test") if key == cancelled_at else None)
        inputs = {"run": run_id} if self.takes_run and not resumed else {}
        result = asyncio.run(self.module.run(inputs, tools=tools, project=self.folder, host=host, **which))
        if not result.success:
            os._exit(0 if result.status == "cancelled" else 4)
        text = json.dumps(result.to_dict() | {"path": result.path})
        file = self.folder / f"{run_id}.result"
        file.with_suffix(".new").write_text(text, "utf-8")
        file.with_suffix(".new").replace(file)
        os._exit(0)

    def refusal(self, run_id: str) -> str | None:
        """Why a run that is over cannot be resumed."""
        result = self.module.run_sync({}, tools={}, project=self.folder, resume=run_id)
        return None if result.error is None else str(result.error)

    def _tools(self, run_id: str, called: Callable[[str], None]) -> dict[str, Callable[[dict[str, Any], Context], Any]]:
        handle = os.open(self.folder / f"{run_id}.effects", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

        async def noted(context: Context) -> None:
            key = context.idempotency_key.removeprefix(run_id)
            os.write(handle, f"{key}\n".encode())
            called(key)
            await asyncio.sleep(random.random() / 1000)

        noted_by[:] = [noted]

        async def echo(params: dict[str, Any], context: Context) -> object:
            await noted(context)
            return {"n": params["n"]}

        async def odd(params: dict[str, Any], context: Context) -> object:
            await noted(context)
            if params["n"] % 2:
                raise ConnectionError("connection reset")
            return {"n": params["n"]}

        async def third(params: dict[str, Any], context: Context) -> object:
            await noted(context)
            if params["n"] % 3 == 0:
                raise TimeoutError("timed out")
            return {"attempt": params["n"]}

        async def learn(params: dict[str, Any], context: Context) -> object:
            await noted(context)
            return {"learned": params.get("feedback"), "n": params["n"]}

        async def hang(params: dict[str, Any], context: Context) -> object:
            await noted(context)
            await asyncio.sleep(60)
            return {}

        return {
            "t/hang": hang,
            "t/kept": kept,
            "t/echo": echo,
            "t/odd": odd,
            "t/third": third,
            "t/learn": learn,
            "inner": self.inner.GRAPH,
        }


def attempt(project: Project, run_id: str, wait: float | None) -> bool:
    """Fork a child that runs, and kill it after `wait` seconds; whether it was killed."""
    child = os.fork()
    if child == 0:
        try:
            project.run(run_id)
        finally:
            os._exit(3)
    if wait is not None:
        time.sleep(wait)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    if os.WEXITSTATUS(status) != 0:
        raise SystemExit(f"{run_id}: the run broke off with exit code {os.WEXITSTATUS(status)}")
    return False


def committed(project: Project, run_id: str) -> set[str]:
    """The calls that logs hold the outcome of, without the id of the run: a step, an item of a foreach."""
    found: set[str] = set()
    for log in project.log(run_id).parent.parent.glob(f"{run_id}*/transcript.jsonl"):
        name = log.parent.name.removeprefix(run_id)
        if name and not name.startswith("."):
            continue
        lines = log.read_bytes().split(b"\n")[:-1]
        last = max((at for at, line in enumerate(lines) if b'"event_type":"signature"' in line), default=0)
        for event in map(json.loads, lines[:last]):
            payload = event["payload"]
            if event["event_type"] == "step_completed" and payload["status"] == "ok":
                found.add(f"{name}/{payload['step']}")
            elif event["event_type"] == "foreach_item":
                found.add(f"{name}/{payload['step']}/{payload['index']}")
    return found


def complaints(
    project: Project, run_id: str, expected: Counter[str], wanted: dict[str, Any], waits: Iterator[float]
) -> Iterator[str]:
    """Run with kills to the end; whatever is not as in the undisturbed run. The last one is the number of kills."""
    kills = 0
    while True:
        before, done = len(project.effects(run_id)), committed(project, run_id)
        killed = attempt(project, run_id, next(waits))
        again = done & {key for key in project.effects(run_id)[before:] if "hook" not in key}
        if again:
            yield f"{run_id}: committed calls were repeated: {sorted(again)}"
        kills += killed
        if not killed or project.is_done(run_id):
            break
    result = project.result(run_id)
    for key in ("status", "state", "output", "errors", "steps", "path"):
        if result.get(key) != wanted.get(key):
            yield f"{run_id}: {key} is {result.get(key)!r}, and {wanted.get(key)!r} undisturbed"
    counts = Counter(project.effects(run_id))
    if counts.keys() != expected.keys():
        yield f"{run_id}: calls with other keys: {sorted(counts.keys() ^ expected.keys())}"
    if missing := expected - counts:
        yield f"{run_id}: calls are missing: {sorted(missing)}"
    if project.refusal(run_id) != f"the run {run_id!r} is already {result['status']}: there is nothing to resume":
        yield f"{run_id}: {project.refusal(run_id)}"
    if (more := (counts - expected).total()) > AT_ONCE * kills:
        yield f"{run_id}: {more} calls were repeated by {kills} kills"
    yield str(kills)


def main(name: str, folder: Path, kills: int, seed: int) -> int:
    """Kill as often; 1 where there was something to complain about."""
    chance = random.Random(seed)
    with loaded(compile_text(GRAPHS[name], f"{name}.yaml")) as module, loaded(compile_text(INNER)) as inner:
        project = Project(module, inner, folder, takes_run=name == "cached")
        began = time.perf_counter()
        attempt(project, "undisturbed", None)
        most = time.perf_counter() - began
        wanted, expected = project.result("undisturbed"), Counter(project.effects("undisturbed"))
        waits = (chance.uniform(most / 4 if chance.random() < 0.8 else 0, most) for _ in itertools.count())
        done, wrong = 0, list[str]()
        for number in itertools.count(1):
            *found, killed = complaints(project, f"run-{number}", expected, wanted, waits)
            wrong += found
            done += int(killed)
            if done >= kills or wrong:
                break
    sys.stdout.write("\n".join([*wrong, f"{done} kills\n"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
