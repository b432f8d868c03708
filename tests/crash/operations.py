"""Kills a run before each operation on files that it does, one after the other, and resumes it: `python operations.py
SCENARIO FOLDER`.

That is when it makes folders, opens its log, replaces views, objects, the ref and the context, opens the registry,
removes a request to cancel it, and cuts a torn log. It prints what there is to complain about, then the number of
kills, and exits with 1 where there is something.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from crash.driver import Project
from crash.graphs import INNER, SHORT
from running import compile_text, loaded

#: What Python tells an audit hook of before it does it.
OPERATIONS = frozenset(
    {"open", "os.rename", "os.remove", "os.mkdir", "os.truncate", "os.link", "sqlite3.connect", "fcntl.flock"}
)

#: The calls that have an outcome in the end; a kill repeats those that were in flight.
CALLS = ["/1", "/3/0", "/3/1", "/3/2", "/4"]

RACES = 12


def killed_at(number: int | None) -> None:
    """Have this process killed before its operation on files of this number, from 1."""
    left = itertools.count(1)

    def hook(event: str, _: object) -> None:
        if event in OPERATIONS and next(left) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def begun(project: Project, run_id: str, number: int | None, cancelled_at: str | None) -> int:
    """Run or resume in a process that is killed before that operation; its id."""
    child = os.fork()
    if child == 0:
        try:
            killed_at(number)
            project.run(run_id, cancelled_at)
        finally:
            os._exit(3)
    return child


def attempt(project: Project, run_id: str, number: int | None, cancelled_at: str | None) -> bool:
    """Run or resume in a process that is killed before that operation; whether it was killed."""
    _, status = os.waitpid(begun(project, run_id, number, cancelled_at), 0)
    if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status) != 0:
        raise SystemExit(f"{run_id}: the run broke off with exit code {os.WEXITSTATUS(status)}")
    return os.WIFSIGNALED(status)


def torn(project: Project, run_id: str) -> None:
    """Leave half a line at the end of the log, as an append does that is killed."""
    log = project.log(run_id)
    log.write_bytes(log.read_bytes()[:-40])


def raced(project: Project, run_id: str) -> Iterator[str]:
    """Three processes resume a cancelled run at once; whatever another one than the first did."""
    attempt(project, run_id, None, "/3/1")
    before = project.effects(run_id)
    racers = [begun(project, run_id, None, None) for _ in range(3)]
    for racer in racers:
        os.waitpid(racer, 0)
    calls = project.effects(run_id)[len(before) :]
    if sorted(set(calls)) != sorted(calls):
        yield f"{run_id}: calls are {calls}"
    yield from complaints(project, run_id)


def complaints(project: Project, run_id: str) -> Iterator[str]:
    """Resume a run to its end; whatever is not as it has to be."""
    while not project.is_done(run_id):
        attempt(project, run_id, None, None)
    result, calls = project.result(run_id), project.effects(run_id)
    if result["state"]["all"] != [{"n": 7}, {"n": 8}, {"n": 9}] or len(result["path"]) != 6:
        yield f"{run_id}: {result}"
    if sorted(set(calls)) != CALLS or len(calls) - len(CALLS) > 3 * 2:
        yield f"{run_id}: calls are {calls}"
    for name in set(calls):
        if calls.count(name) > 3:
            yield f"{run_id}: {name} was called {calls.count(name)} times"
    said = project.refusal(run_id)
    if said != f"the run {run_id!r} is already {result['status']}: there is nothing to resume":
        yield f"{run_id}: {said}"


def main(scenario: str, folder: Path) -> int:
    """Kill a run of the scenario before each of its operations; 1 where there was something to complain about.

    `first`: the run that begins. `cancelled`: one that is cancelled in its loop. `resumed`: one that goes on after it
    was cancelled, with half a line at the end of its log. `raced`: one that three processes resume at once, again and
    again.
    """
    wrong: list[str] = []
    with loaded(compile_text(SHORT, "operations.yaml")) as module, loaded(compile_text(INNER)) as inner:
        project = Project(module, inner, folder)
        for number in itertools.count(1):
            run_id = f"run-{number}"
            if scenario == "raced":
                wrong += raced(project, run_id)
                if wrong or number > RACES:
                    break
                continue
            if scenario == "resumed":
                attempt(project, run_id, None, "/3/1")
                torn(project, run_id)
                for view in folder.rglob(f"{run_id}.*"):
                    if view.suffix in (".md", ".json"):
                        view.unlink()  # they tell of the line that was torn
            was_killed = attempt(project, run_id, number, "/3/1" if scenario == "cancelled" else None)
            wrong += complaints(project, run_id)
            if wrong or not was_killed:
                break
    sys.stdout.write("\n".join([*wrong, f"{number - 1} kills\n"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
