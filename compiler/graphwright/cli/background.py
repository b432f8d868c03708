"""`graphwright run --async`: executes the run in a separate process and session.

That process behaves like a foreground run until the run has started: an error before that is reported with the same
message and exit code, and it ends if its starter ends. Then its output goes to `async.log` in the folder of the run,
and closing the terminal does not end it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from graphwright.cli.command import UsageError
from graphwright.cli.console import Console
from graphwright_runtime.environment import with_keys

if TYPE_CHECKING:
    from graphwright_runtime.events import Event
    from graphwright_runtime.graph import AnyGraph
    from graphwright_runtime.inprocess import InProcessHost

#: The internal option of the process in the background.
DETACHED: Final = "--detached"

#: The status that the process in the background reports when the run has started; no finished run has it.
_RUNNING: Final = "running"

_ABANDONED: Final = "the process that started the run is gone, and the run was not started"

#: Options of Python that must also apply to the process in the background.
_FLAGS: Final = {"isolated": "-I", "ignore_environment": "-E", "no_user_site": "-s", "safe_path": "-P"}

if sys.platform == "win32":
    _CREATION: Final = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
else:
    _CREATION: Final = 0


def start(words: Sequence[str], console: Console) -> int:
    """Start `graphwright run` with these arguments in the background. Returns the exit code: 0 if it has started."""
    flags = [flag for name, flag in _FLAGS.items() if getattr(sys.flags, name)]
    process = subprocess.Popen(
        [sys.executable, *flags, "-m", "graphwright", "run", *words, DETACHED],
        stdout=subprocess.PIPE,
        env=with_keys(os.environ),
        start_new_session=True,
        creationflags=_CREATION,
    )
    try:
        said = b"" if process.stdout is None else process.stdout.read()
        code = 0 if _has_started(said) else process.wait()
    except KeyboardInterrupt:
        process.terminate()
        process.wait()
        raise
    console.result(said.decode(sys.stdout.encoding or "utf-8", "backslashreplace"))
    return code if code >= 0 else 128 - code


def _has_started(said: bytes) -> bool:
    try:
        found = json.loads(said)
    except ValueError:
        return False
    return isinstance(found, dict) and found.get("status") == _RUNNING


def ignore_hangup() -> None:
    """Ignore the closing of a terminal, in this process and in tools."""
    if sys.platform != "win32":
        signal.signal(signal.SIGHUP, signal.SIG_IGN)


class Detaching:
    """Receives the first event of a run (`watching.watched`), and then detaches this process from its starter.

    `out` is the standard output of this process. `problem` is why detaching failed; the run is then cancelled.
    """

    def __init__(self, graph: AnyGraph, project: Path, host: InProcessHost, out: TextIO, console: Console) -> None:
        self.problem: str | None = None
        self._graph = graph
        self._project = project
        self._host = host
        self._out = out
        self._console = console

    def __call__(self, event: Event) -> None:
        """Detach when the run has started."""
        if event.event_type != "graph_started":
            return
        from graphwright_runtime.content import regular_handle
        from graphwright_runtime.durable.layout import Layout

        file = Layout(self._project, self._graph.id, event.graph_run_id).output
        try:
            log = regular_handle(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0))
        except OSError as error:
            self.problem = f"{file} cannot be written: {error.strerror}"
            self._host.cancel()
            return
        told = {"success": True, "graph_run_id": event.graph_run_id, "status": _RUNNING, "pid": os.getpid()}
        self._console.remark(f"the output of the run goes to {file}\n")
        try:
            self._out.write(f"{json.dumps(told, indent=2)}\n")
            self._out.flush()
        except OSError:
            os.close(log)
            self.problem = _ABANDONED
            self._host.cancel()
        else:
            self._redirect(log)

    def check_starter(self) -> None:
        """Raise UsageError if the process that started this one has ended, so that nobody would know about the run."""
        if sys.platform == "win32":  # detected when writing
            return
        import select

        pipe = select.poll()
        pipe.register(self._out.fileno(), 0)
        if any(found & (select.POLLERR | select.POLLHUP) for _, found in pipe.poll(0)):
            raise UsageError(_ABANDONED)

    def _redirect(self, log: int) -> None:
        """Close the streams of the caller."""
        nowhere = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nowhere, 0)
        for stream in (self._out.fileno(), 1, 2):
            os.dup2(log, stream)
        for handle in {log, nowhere} - {0, 1, 2}:
            os.close(handle)


def check_kept(durability: str | None, *, in_project: bool) -> None:
    """Raise UsageError if a run in the background would not be recorded; `durability` None means the default."""
    if durability == "off":
        raise UsageError(
            "`--async` needs a run that is kept, and durability `off` keeps nothing: add `--durability process`"
        )
    if durability is None and not in_project:
        raise UsageError(
            "`--async` keeps the run in a project, and there is none here: name its folder with `--project DIR`, "
            "or add `--durability process` to keep the run in the current folder"
        )
