"""A run that was killed while it waited for its next attempt waits for the rest of that time, and no longer."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from durability.kept import compiled, run
from running import QuickHost

_HEAD = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: work
  nodes:
    done: {type: return}
    work:
      next: done
      retry: {attempts: 3, backoff_ms: 20000, multiplier: 2, max_backoff_ms: 60000, jitter: false}
      action: {item_id: tool:t/add, params: {n: %s}}
"""
_LOOP = _HEAD % '"${x}"' + '      type: foreach\n      over: "${[1, 2, 3]}"\n      as: x\n      collect: all\n'
GRAPHS = {
    "node": _HEAD % "1" + '      assign: {n: "${result.n}"}\n',
    "one after the other": _LOOP,
    "all at once": _LOOP + "      parallel: true\n",
}


class Killed(QuickHost):
    """A host that is killed while it waits, number `at` from 0: what is on the disk then is copied to `to`."""

    def __init__(self, project: Path, to: Path, at: int) -> None:
        super().__init__()
        self._project, self._to, self._at = project, to, at

    async def sleep(self, seconds: float) -> None:
        """Does not wait."""
        if len(self.slept) == self._at:
            shutil.copytree(self._project, self._to)
        await super().sleep(seconds)


class Later(QuickHost):
    """A host whose clock is ahead, by seconds, and goes on when it is waited for."""

    def __init__(self, ahead: float) -> None:
        super().__init__()
        self._ahead = ahead

    def now(self) -> float:
        """The time there."""
        return super().now() + self._ahead

    async def sleep(self, seconds: float) -> None:
        """Lets the clock go on."""
        self._ahead += seconds
        await super().sleep(seconds)


class Flaky:
    """A tool that fails at its first `failures` calls for 2, or for the only number there is."""

    def __init__(self, number: int, failures: int) -> None:
        self._number = number
        self._failures = failures

    def __call__(self, params: dict[str, Any]) -> dict[str, Any]:
        """Give the number."""
        if params["n"] == self._number and self._failures > 0:
            self._failures -= 1
            raise ConnectionError("connection reset")
        return {"n": params["n"]}


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize(
    ("waits", "ahead", "expected"),
    [
        (0, 0, [20]),
        (0, 15, [5]),
        (0, 21, []),
        (1, 0, [40]),
        (1, 30, [10]),
        (0, -500, [20]),  # the clock was set back meanwhile: not more than what was to be waited
    ],
)
def test_the_rest_of_a_wait(tmp_path: Path, graph: str, waits: int, ahead: float, expected: list[float]) -> None:
    project, killed, number = tmp_path / "first", tmp_path / "killed", 1 if graph == "node" else 2
    project.mkdir()
    with compiled(GRAPHS[graph]) as module:
        first = run(module, project, Flaky(number, 2), run_id="r", host=Killed(project, killed, waits))
        host = Later(ahead)
        result = run(module, killed, Flaky(number, 0), resume="r", host=host)
    assert first.success
    assert result.success
    assert result.state == first.state
    assert host.slept == [pytest.approx(each, abs=4) for each in expected]


@pytest.mark.parametrize("graph", GRAPHS)
def test_a_failure_after_the_rest_of_a_wait_is_the_next_attempt(tmp_path: Path, graph: str) -> None:
    project, killed, number = tmp_path / "first", tmp_path / "killed", 1 if graph == "node" else 2
    project.mkdir()
    with compiled(GRAPHS[graph]) as module:
        run(module, project, Flaky(number, 2), run_id="r", host=Killed(project, killed, 0))
        host = Later(0)
        result = run(module, killed, Flaky(number, 9), resume="r", host=host)
    assert result.status == "error"
    assert host.slept == [pytest.approx(20, abs=4), pytest.approx(40)]
