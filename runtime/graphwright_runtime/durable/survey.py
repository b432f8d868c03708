"""The runs of a project as others see them: which there are, how they stand, what they did; and the way to end one."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple, cast

from graphwright_runtime.durable.checkpoint import Checkpoint
from graphwright_runtime.durable.layout import Layout
from graphwright_runtime.durable.locking import is_held
from graphwright_runtime.durable.reader import verified_log
from graphwright_runtime.durable.registry import row, set_status
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.result import ABSENT
from graphwright_runtime.values import Json
from graphwright_runtime.visible import visible

#: Seconds that a process has to end before it is killed, the last of them, and those between two looks whether it is
#: there.
_GRACE: Final = 3.0
_LAST: Final = 0.5
_POLL: Final = 0.1


class RunStanding(NamedTuple):
    """How one run stands, from its log. Times are seconds since the epoch."""

    run_id: str
    graph_id: str
    status: str
    alive: bool
    pid: int | None
    checkpoint: Checkpoint

    @property
    def steps(self) -> int:
        """How many steps are finished."""
        checkpoint = self.checkpoint
        if checkpoint.head.get("durability") == "exit":  # the log has no steps, only their number at the end
            return cast("int", checkpoint.end.get("steps", 0))
        return len(checkpoint.path)

    @property
    def cut(self) -> tuple[int, str] | None:
        """The step that was not finished when the run ended, and its node. A result counts it among its steps."""
        end, number = self.checkpoint.end, self.steps + 1
        if self.checkpoint.status is None or end.get("steps") != number:
            return None
        return number, str(end.get("node"))

    def summary(self) -> dict[str, Json]:
        """The run in a few words: `current_node` is the next one, `step` how many are finished."""
        return {
            "run_id": self.run_id,
            "graph_id": self.graph_id,
            "alive": self.alive,
            "pid": self.pid,
            "status": self.status,
            "current_node": self.checkpoint.node,
            "step": self.steps,
        }

    @property
    def title(self) -> str:
        """Which run of which graph it is, in words."""
        return f"{self.run_id} of {self.graph_id}" if self.graph_id else self.run_id

    @property
    def has_output(self) -> bool:
        """Whether a return node gave an output."""
        return self.checkpoint.output is not ABSENT

    @property
    def progress(self) -> str:
        """How the run stands, in words: `cancelled, 4 steps finished; step 5, fetch, was cut`."""
        if not self.checkpoint.started:
            return f"{self.status}, no step is kept yet" if self.alive else f"{self.status} before a step was kept"
        words = f"{self.status}, {self.steps} step{'' if self.steps == 1 else 's'} finished"
        items = len(self.checkpoint.in_flight.items)
        so_far = f" after {items} of its items" if items else ""
        if self.cut is not None:
            number, node = self.cut
            return f"{words}; step {number}, {visible(node)}, was cut{so_far}"
        if self.checkpoint.status is None and self.checkpoint.node is not None:
            doing = "is being executed" if self.alive else "was being executed"
            done = f", {items} items finished" if items else ""
            return f"{words}; step {self.steps + 1}, {visible(self.checkpoint.node)}, {doing}{done}"
        return words


def standing(project: Path, run_id: str) -> RunStanding:
    """How a run stands. Its log is verified. Raises RefusedError."""
    return stands(project, run_id, verified_log(project, run_id).checkpoint)


def stands(project: Path, run_id: str, checkpoint: Checkpoint) -> RunStanding:
    """How a run stands whose log has been read."""
    layout = Layout(project, "", run_id)
    alive = is_alive(layout)
    known = registered(project, run_id)
    status = checkpoint.status or ("running" if alive else "killed" if known.get("status") == "killed" else "orphaned")
    graph_id = str(checkpoint.head.get("graph_id") or known.get("directive") or "")  # `exit` writes no head at first
    return RunStanding(run_id, graph_id, status, alive, writer_of(layout) if alive else None, checkpoint)


def is_alive(layout: Layout) -> bool:
    """Whether a process has the log of the run."""
    return is_held(layout.log)


def writer_of(layout: Layout) -> int | None:
    """The process that writes the log, or did, as it says itself."""
    try:
        return int(json.loads(layout.writer.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def ask_to_cancel(project: Path, run_id: str) -> int | None:
    """Ask a run that is alive to end; its process. Raises RefusedError where it is not alive."""
    found = _alive(project, run_id, "cancel")
    request_cancel(project, run_id)
    return found.pid


def request_cancel(project: Path, run_id: str) -> None:
    """Ask a run to end; one that is over is not asked when it is resumed. Raises RefusedError."""
    file = Layout(project, "", run_id).cancel
    try:
        file.touch()
    except OSError as error:
        raise RefusedError(f"{file} cannot be written: {error.strerror}") from error


def kill(project: Path, run_id: str) -> str:
    """End the process of a run: asked to first, killed when it goes on. The status of the run; it can be resumed.

    Raises RefusedError where it is not alive.
    """
    found = _alive(project, run_id, "kill")
    if found.pid is None:
        raise RefusedError(f"the process of the run {run_id!r} is not known")
    layout = Layout(project, "", run_id)
    try:
        if sys.platform == "win32":  # signals end a process at once there
            layout.cancel.touch()
            wait(project, run_id, _GRACE - _LAST)
        else:
            _send(layout, found.pid, signal.SIGTERM)
            if not wait(project, run_id, _GRACE - _LAST):  # the second one cuts what still takes its time
                _send(layout, found.pid, signal.SIGTERM)
        if not wait(project, run_id, _LAST):
            _send(layout, found.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            wait(project, run_id, _GRACE)
    except ProcessLookupError:
        pass
    except OSError as error:
        raise RefusedError(f"the process {found.pid} cannot be ended: {error.strerror}") from error
    after = standing(project, run_id)
    if after.status != "orphaned":
        return after.status
    try:
        set_status(project, run_id, found.graph_id, "killed", pid=None, now=time.time())
    except (OSError, sqlite3.Error) as error:
        raise RefusedError(f"the registry of runs cannot be written: {error}") from error
    return "killed"


def wait(project: Path, run_id: str, seconds: float | None) -> bool:
    """Wait until a run is not alive any more; whether it is not, when that long has passed."""
    layout, until = Layout(project, "", run_id), None if seconds is None else time.monotonic() + seconds
    while is_alive(layout):
        if until is not None and time.monotonic() >= until:
            return False
        time.sleep(_POLL if until is None else min(_POLL, max(0.0, until - time.monotonic())))
    return True


def _send(layout: Layout, pid: int, number: int) -> None:
    """Send a signal to the process of a run, not to another one that was given the same number. Raises OSError."""
    if sys.platform == "linux":
        with contextlib.suppress(PermissionError):  # where the system does not offer it
            process = os.pidfd_open(pid)
            try:
                if is_alive(layout) and writer_of(layout) == pid:
                    signal.pidfd_send_signal(process, number)
            finally:
                os.close(process)
            return
    os.kill(pid, number)


def _alive(project: Path, run_id: str, verb: str) -> RunStanding:
    found = standing(project, run_id)
    if not found.alive:
        raise RefusedError(f"the run {run_id!r} is {found.status}: there is nothing to {verb}")
    return found


def registered(project: Path, run_id: str) -> Mapping[str, object]:
    """What the registry, which is not signed, says of a run, as far as it can be read."""
    with contextlib.suppress(OSError, sqlite3.Error):
        return row(project, run_id)
    return {}
