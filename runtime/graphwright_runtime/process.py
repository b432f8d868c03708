"""Runs child processes, and ends them together with their run."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, cast

from graphwright_runtime.capability import PARENT_VARIABLE
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.guard import release, watch
from graphwright_runtime.tracing import active

#: Seconds to wait for the pipes to close after the process has ended; background processes may keep them open.
_PIPES: Final = 1.0

#: Seconds that a program has to end after its run is cancelled.
_GRACE: Final = 10.0

#: The maximum output of both streams together, in bytes; it is kept in memory.
_MAX_OUTPUT: Final = 64 * 2**20


class Finished(NamedTuple):
    """The result of a process: its output, and its exit code, which is negative if a signal ended it."""

    output: bytes
    errors: bytes
    exit_code: int

    @property
    def stdout(self) -> str:
        """The standard output as text; invalid UTF-8 is replaced."""
        return self.output.decode("utf-8", "replace")

    @property
    def stderr(self) -> str:
        """The standard error as text; invalid UTF-8 is replaced."""
        return self.errors.decode("utf-8", "replace")

    @property
    def how(self) -> str:
        """How the process ended, for messages: `exit code 3`, `killed by SIGKILL`."""
        if self.exit_code >= 0:
            return f"exit code {self.exit_code}"
        try:
            return f"killed by {signal.Signals(-self.exit_code).name}"
        except ValueError:  # a signal that Python does not know
            return f"killed by signal {-self.exit_code}"


async def run_process(
    argv: Sequence[str], context: Context, *, cwd: Path | None = None, stdin: str | None = None
) -> Finished:
    """Run a program with the run's environment, in `cwd` or the project folder, and wait for its end.

    The program leads a new process group. If this call is cancelled, or the output exceeds 64 MiB, the whole group is
    killed; if the whole run is cancelled, the group first gets SIGTERM and 10 seconds. If the process of the run is
    killed, so is the group. Background processes of the
    program continue; their output is read until a second after the program has ended. Raises NodeError if the program
    cannot be started or its output is too long.
    """
    try:
        transport, output, interrupted = await _started(argv, context, cwd, with_input=stdin is not None)
    except (OSError, ValueError) as error:  # ValueError: a null byte in an argument
        raise NodeError(f"{argv[0]} cannot be started: {error}", category="permanent") from error
    pid = transport.get_pid()
    watch(pid)
    try:
        if interrupted is not None:
            raise interrupted
        if stdin is not None:
            pipe = cast("asyncio.WriteTransport", transport.get_pipe_transport(0))
            pipe.write(stdin.encode("utf-8", "surrogatepass"))
            pipe.write_eof()
        await output.ended.wait()
        await _within(_PIPES, output.closed)
        if output.flooded:
            raise NodeError(f"{argv[0]} wrote more than {_MAX_OUTPUT >> 20} MiB of output", category="permanent")
    except BaseException:
        await _ended(pid, output, _GRACE if context.cancelled else 0)
        raise
    finally:
        transport.close()
        release(pid)
    code = transport.get_returncode()
    return Finished(bytes(output.streams[1]), bytes(output.streams[2]), -1 if code is None else code)


async def _started(
    argv: Sequence[str], context: Context, cwd: Path | None, *, with_input: bool
) -> tuple[asyncio.SubprocessTransport, _Output, asyncio.CancelledError | None]:
    """Start a program: its transport and output, and a cancellation that occurred in the meantime.

    On such a cancellation, asyncio would only end the process itself, not its children. Raises OSError and ValueError.
    """
    starting = asyncio.ensure_future(
        asyncio.get_running_loop().subprocess_exec(
            _Output,
            *argv,
            stdin=PIPE if with_input else DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            cwd=context.project if cwd is None else cwd,
            env=_environment(context),
            start_new_session=True,
        )
    )
    interrupted: asyncio.CancelledError | None = None
    while not starting.done():
        try:
            await asyncio.wait([starting])
        except asyncio.CancelledError as error:
            interrupted = error
    return *starting.result(), interrupted


class _Output(asyncio.SubprocessProtocol):
    """The output of a process, by file descriptor.

    `gone` is set when the process has ended, `closed` when its pipes are closed as well, and `ended` when the process
    has ended or its output is too long.
    """

    def __init__(self) -> None:
        self.streams = {1: bytearray(), 2: bytearray()}
        self.flooded = False
        self.gone = asyncio.Event()
        self.ended = asyncio.Event()
        self.closed = asyncio.Event()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Add output, up to the limit."""
        if not self.flooded:
            self.streams[fd] += data
            if sum(map(len, self.streams.values())) > _MAX_OUTPUT:
                self.flooded = True
                self.ended.set()
                self.closed.set()

    def process_exited(self) -> None:
        """The process has ended."""
        self.gone.set()
        self.ended.set()

    def connection_lost(self, _exc: Exception | None) -> None:
        """The process has ended and all its pipes are closed."""
        self.closed.set()


def _environment(context: Context) -> Mapping[str, str]:
    tracer = active()
    return {
        **context.env,
        **({} if tracer is None else tracer.environment()),
        PARENT_VARIABLE: context.parent_thread_id,
    }


async def _within(seconds: float, event: asyncio.Event) -> None:
    """Wait for an event, but at most this many seconds."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def _ended(pid: int, output: _Output, seconds: float) -> None:
    """End a process and its group, and wait until it has ended, even if this is cancelled in the meantime.

    If `seconds` is not 0, they get SIGTERM first and this many seconds; a cancellation cuts that time short.
    """
    if seconds:
        _send(pid, signal.SIGTERM)
        with contextlib.suppress(asyncio.CancelledError):
            await _within(seconds, output.gone)
    _send(pid, _KILL)
    while not output.gone.is_set():
        with contextlib.suppress(asyncio.CancelledError):  # the caller already propagates a cancellation
            await output.gone.wait()


if sys.platform == "win32":
    _KILL: Final = signal.SIGTERM

    def _send(pid: int, number: int) -> None:
        """End a process; Windows has no process groups, and every signal ends a process at once."""
        with contextlib.suppress(OSError):
            os.kill(pid, number)

else:
    _KILL: Final = signal.SIGKILL

    def _send(pid: int, number: int) -> None:
        """Send a signal to the group that a process leads."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, number)
