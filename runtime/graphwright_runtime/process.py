"""Child processes that do not outlive what started them."""

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
from graphwright_runtime.tracing import active

#: Seconds for the pipes to close when the process is gone: what it left in the background may hold them for ever.
_PIPES: Final = 1.0

#: Seconds that a program has to end in when its run is cancelled.
_GRACE: Final = 10.0

#: Bytes of output, of both streams together, that are still taken: they are kept in memory.
_MAX_OUTPUT: Final = 64 * 2**20


class Finished(NamedTuple):
    """What a process left: its output, and its exit code, which is negative where a signal ended it."""

    output: bytes
    errors: bytes
    exit_code: int

    @property
    def stdout(self) -> str:
        """The output as text; bytes that are not UTF-8 are replaced."""
        return self.output.decode("utf-8", "replace")

    @property
    def stderr(self) -> str:
        """The same of standard error."""
        return self.errors.decode("utf-8", "replace")

    @property
    def how(self) -> str:
        """How it ended, for messages: `exit code 3`, `killed by SIGKILL`."""
        if self.exit_code >= 0:
            return f"exit code {self.exit_code}"
        try:
            return f"killed by {signal.Signals(-self.exit_code).name}"
        except ValueError:  # of a system that has more of them
            return f"killed by signal {-self.exit_code}"


async def run_process(
    argv: Sequence[str], context: Context, *, cwd: Path | None = None, stdin: str | None = None
) -> Finished:
    """Run a program to its end, in the project folder unless `cwd` says otherwise, with the run's environment.

    It leads a process group of its own. When this call is cancelled, or the output grows past 64 MiB, the whole group
    is killed, children of children included; when that is because the run is cancelled, they get SIGTERM and 10 seconds
    first. What a program leaves in the background goes on; its output is read until a second after the program's end.
    Raises NodeError where the program cannot be started or says too much.
    """
    try:
        transport, output, interrupted = await _started(argv, context, cwd, with_input=stdin is not None)
    except (OSError, ValueError) as error:  # ValueError: a null byte in an argument
        raise NodeError(f"{argv[0]} cannot be started: {error}", category="permanent") from error
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
        await _ended(transport.get_pid(), output, _GRACE if context.cancelled else 0)
        raise
    finally:
        transport.close()
    code = transport.get_returncode()
    return Finished(bytes(output.streams[1]), bytes(output.streams[2]), -1 if code is None else code)


async def _started(
    argv: Sequence[str], context: Context, cwd: Path | None, *, with_input: bool
) -> tuple[asyncio.SubprocessTransport, _Output, asyncio.CancelledError | None]:
    """The process of a program, and the cancellation that came while it was being started.

    asyncio would end the process at such a moment, but not what that one has started. Raises OSError and ValueError.
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
    """What a process writes, by file descriptor.

    `gone` is set when the process is, `closed` when nobody holds its pipes any more either; `ended` when it is gone or
    has said too much.
    """

    def __init__(self) -> None:
        self.streams = {1: bytearray(), 2: bytearray()}
        self.flooded = False
        self.gone = asyncio.Event()
        self.ended = asyncio.Event()
        self.closed = asyncio.Event()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Keeps it, as long as there is not too much."""
        if not self.flooded:
            self.streams[fd] += data
            if sum(map(len, self.streams.values())) > _MAX_OUTPUT:
                self.flooded = True
                self.ended.set()
                self.closed.set()

    def process_exited(self) -> None:
        """The program itself is gone."""
        self.gone.set()
        self.ended.set()

    def connection_lost(self, _exc: Exception | None) -> None:
        """It is gone, and all of its pipes are closed."""
        self.closed.set()


def _environment(context: Context) -> Mapping[str, str]:
    tracer = active()
    return {**context.env, **({} if tracer is None else tracer.environment()), PARENT_VARIABLE: context.run_id}


async def _within(seconds: float, event: asyncio.Event) -> None:
    """Wait for an event, not longer than so many seconds."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def _ended(pid: int, output: _Output, seconds: float) -> None:
    """End a process and its group, and wait until it is gone, however often this is cancelled meanwhile.

    They are asked to first, and have so many seconds; a cancellation in that time takes the rest of it away.
    """
    if seconds:
        _send(pid, signal.SIGTERM)
        with contextlib.suppress(asyncio.CancelledError):
            await _within(seconds, output.gone)
    _send(pid, _KILL)
    while not output.gone.is_set():
        with contextlib.suppress(asyncio.CancelledError):  # the first one is on its way already
            await output.gone.wait()


if sys.platform == "win32":
    _KILL: Final = signal.SIGTERM

    def _send(pid: int, number: int) -> None:
        """There are no groups to send a signal to, and each signal ends a process at once."""
        with contextlib.suppress(OSError):
            os.kill(pid, number)

else:
    _KILL: Final = signal.SIGKILL

    def _send(pid: int, number: int) -> None:
        """Send a signal to the group that a process leads."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, number)
