"""The status of a run from its log, and ending a run from any process. `listing` lists all runs of a project."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple, cast

from graphwright_runtime.durable.checkpoint import Checkpoint
from graphwright_runtime.durable.claims import Claim, Prefixes, check_claim, claims
from graphwright_runtime.durable.errors import UnusableLogError
from graphwright_runtime.durable.layout import Layout, writer_of
from graphwright_runtime.durable.locking import is_held
from graphwright_runtime.durable.reader import Verified, verified_log
from graphwright_runtime.durable.registry import row, set_status
from graphwright_runtime.durable.snapshot import Reference, read_reference
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.result import ABSENT
from graphwright_runtime.values import Json
from graphwright_runtime.visible import visible

#: Seconds before a process is killed, the last part of them, and the interval of polling.
_GRACE: Final = 3.0
_LAST: Final = 0.5
_POLL: Final = 0.1


#: Statuses in the registry of a run without an end in its log: it was killed, or its end could not be written.
_UNRECORDED: Final = ("killed", "error")
#: Statuses of a run that completed. It is never resumed, so its log has an end.
COMPLETED: Final = ("completed", "completed_with_errors")


class RunStatus(NamedTuple):
    """The status of one run, from its log. `pid` is None if the run is not alive."""

    run_id: str
    graph_id: str
    status: str
    alive: bool
    pid: int | None
    checkpoint: Checkpoint

    @property
    def steps(self) -> int:
        """The number of finished steps."""
        checkpoint = self.checkpoint
        if checkpoint.head.get("durability") == "exit":  # the log has no steps, only their number at the end
            return cast("int", checkpoint.end.get("steps", 0))
        return len(checkpoint.path)

    @property
    def cut(self) -> tuple[int, str] | None:
        """The number and node of the step that was unfinished when the run ended; the result counts it in `steps`."""
        end, number = self.checkpoint.end, self.steps + 1
        if self.checkpoint.status is None or end.get("steps") != number:
            return None
        return number, str(end.get("node"))

    def summary(self) -> dict[str, Json]:
        """The status as JSON: `current_node` is the next node, `step` the number of finished steps."""
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
    def keeps_steps(self) -> bool:
        """Whether the log contains the steps of the run, which resuming it requires."""
        return self.checkpoint.started and self.checkpoint.head.get("durability") != "exit"

    @property
    def is_resumable(self) -> bool:
        """Whether resuming the run (if it is not alive) can make progress.

        It cannot if the run completed, or if it ended with an error that an unchanged graph would repeat: that of a
        return node, or a limit.
        """
        ended = self.checkpoint.status is not None
        repeats = ended and self.checkpoint.end.get("repeats") is True
        return self.keeps_steps and self.status not in COMPLETED and not repeats

    @property
    def title(self) -> str:
        """The run and its graph, as text."""
        return f"{self.run_id} of {self.graph_id}" if self.graph_id else self.run_id

    @property
    def has_output(self) -> bool:
        """Whether a return node produced an output."""
        return self.checkpoint.output is not ABSENT

    @property
    def progress(self) -> str:
        """The status as text: `cancelled, 4 steps finished; step 5, fetch, was cut`."""
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


def run_status(project: str | os.PathLike[str], run_id: str) -> RunStatus:
    """The status of a run from its verified log. Raises RefusedError."""
    folder = Path(project).absolute()
    alive = is_alive(Layout(folder, "", run_id))  # before reading the log, because the run may end meanwhile
    verified = verified_log(folder, run_id)
    found = status_of(folder, run_id, verified.checkpoint, alive=alive)
    check_whole(Layout(folder, found.graph_id, run_id), verified, found)
    return found


def status_of(project: Path, run_id: str, checkpoint: Checkpoint, *, alive: bool) -> RunStatus:
    """The status of a run from its checkpoint; `alive` is whether it was alive before the log was read."""
    known = registered(project, run_id)
    noted = known.get("status")
    gone = str(noted) if noted in _UNRECORDED else "orphaned"
    status = checkpoint.status or ("running" if alive else gone)
    graph_id = str(checkpoint.head.get("graph_id") or known.get("directive") or "")  # `exit` writes no head at first
    pid = writer_of(Layout(project, "", run_id)) if alive else None
    return RunStatus(run_id, graph_id, status, alive, pid, checkpoint)


def check_whole(layout: Layout, verified: Verified, run: RunStatus) -> None:
    """Raise UnusableLogError if other files show that the end of the log was cut off, or if something follows its end.

    An empty log verifies, so it is compared with the views and the ref, for which `layout` needs the graph's id.
    """
    if run.alive:
        return
    if run.checkpoint.status is not None:
        if verified.cut and run.status in COMPLETED:
            raise UnusableLogError(f"{layout.log} has {verified.cut} bytes after the end of the run that nobody signed")
        return
    if not verified.size:
        try:
            claimed, _ = all_claims(layout)
            for claim in claimed:
                check_claim(claim, 0, Prefixes(()))
        except RefusedError as error:
            raise UnusableLogError(str(error)) from error
    noted = registered(layout.project, layout.run_id).get("status")
    if noted in COMPLETED:
        raise UnusableLogError(
            f"{layout.log} does not say how the run ended, but the registry says that it is {noted}: lines are "
            "missing at its end"
        )


def all_claims(layout: Layout) -> tuple[list[Claim], Reference | None]:
    """The claims of the ref and the views of a run, and the ref. Raises RefusedError if one of them is damaged."""
    reference = read_reference(layout)
    claimed = [] if reference is None else [reference.claim]
    return [*claimed, *claims(layout)], reference


def is_alive(layout: Layout) -> bool:
    """Whether a process has locked the log of the run."""
    return is_held(layout.log)


def ask_to_cancel(project: str | os.PathLike[str], run_id: str) -> RunStatus:
    """Ask a run to end; returns its status before that. Raises RefusedError if it is not alive."""
    found = _alive(project, run_id, "cancel")
    request_cancel(project, run_id)
    return found


def request_cancel(project: str | os.PathLike[str], run_id: str) -> None:
    """Ask a run to end; if it has ended already, this has no effect on resuming it. Raises RefusedError."""
    file = Layout(Path(project).absolute(), "", run_id).cancel
    try:
        file.touch()
    except OSError as error:
        raise RefusedError(f"{file} cannot be written: {error.strerror}") from error


def kill(project: str | os.PathLike[str], run_id: str) -> RunStatus:
    """End the process of a run: ask it to end, and kill it if it does not. Returns the status afterwards.

    Raises RefusedError if the run is not alive.
    """
    found = _alive(project, run_id, "kill")
    if found.pid is None:
        raise RefusedError(f"the process of the run {run_id!r} is not known")
    project = Path(project).absolute()
    layout = Layout(project, "", run_id)
    try:
        if sys.platform == "win32":  # signals end a process immediately on Windows
            layout.cancel.touch()
            wait(project, run_id, _GRACE - _LAST)
        else:
            _send(layout, found.pid, signal.SIGTERM)
            if not wait(project, run_id, _GRACE - _LAST):  # a second signal cancels running tools
                _send(layout, found.pid, signal.SIGTERM)
        if not wait(project, run_id, _LAST):
            _send(layout, found.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            wait(project, run_id, _GRACE)
    except ProcessLookupError:
        pass
    except OSError as error:
        raise RefusedError(f"the process {found.pid} cannot be ended: {error.strerror}") from error
    after = run_status(project, run_id)
    if after.status != "orphaned":
        return after
    try:
        set_status(project, run_id, found.graph_id, "killed", pid=None, now=time.time())
    except (OSError, sqlite3.Error) as error:
        raise RefusedError(f"the registry of runs cannot be written: {error}") from error
    return after._replace(status="killed")


def wait(project: str | os.PathLike[str], run_id: str, seconds: float | None) -> bool:
    """Wait until a run is no longer alive, at most this many seconds. Returns whether it ended in that time."""
    layout = Layout(Path(project).absolute(), "", run_id)
    until = None if seconds is None else time.monotonic() + seconds
    while is_alive(layout):
        if until is not None and time.monotonic() >= until:
            return False
        time.sleep(_POLL if until is None else min(_POLL, max(0.0, until - time.monotonic())))
    return True


def _send(layout: Layout, pid: int, number: int) -> None:
    """Send a signal to the process of a run, not to another one that reuses its id. Raises OSError."""
    if sys.platform == "linux":
        with contextlib.suppress(PermissionError):  # not permitted on some systems
            process = os.pidfd_open(pid)
            try:
                if is_alive(layout) and writer_of(layout) == pid:
                    signal.pidfd_send_signal(process, number)
            finally:
                os.close(process)
            return
    os.kill(pid, number)


def _alive(project: str | os.PathLike[str], run_id: str, verb: str) -> RunStatus:
    found = run_status(project, run_id)
    if not found.alive:
        raise RefusedError(f"the run {run_id!r} is {found.status}: there is nothing to {verb}")
    return found


def registered(project: Path, run_id: str) -> Mapping[str, object]:
    """The row of a run in the registry, which is not signed; empty if it cannot be read."""
    with contextlib.suppress(OSError, sqlite3.Error):
        return row(project, run_id)
    return {}
