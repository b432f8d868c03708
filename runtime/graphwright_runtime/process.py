"""Child processes that do not outlive what started them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from graphwright_runtime.capability import PARENT_VARIABLE
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError

#: Seconds for the pipes of a killed group to close; somebody who left the group may still hold them.
_PIPES: Final = 1.0


class Finished(NamedTuple):
    """What a process left: its output as text (bytes that are no UTF-8 replaced) and its exit code.

    The code is negative where a signal ended it.
    """

    stdout: str
    stderr: str
    exit_code: int


async def run_process(
    argv: Sequence[str], context: Context, *, cwd: Path | None = None, stdin: str | None = None
) -> Finished:
    """Run a program to its end, in the project folder unless `cwd` says otherwise, with the run's environment.

    It leads a process group of its own. When this call is cancelled, the whole group is killed, children of children
    included, before the cancellation goes on. Raises NodeError where the program cannot be started.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=DEVNULL if stdin is None else PIPE,
            stdout=PIPE,
            stderr=PIPE,
            cwd=context.project if cwd is None else cwd,
            env=_environment(context),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # ValueError: a null byte in an argument
        raise NodeError(f"{argv[0]} cannot be started: {error}", category="permanent") from error
    try:
        stdout, stderr = await process.communicate(None if stdin is None else stdin.encode("utf-8", "surrogatepass"))
    except BaseException:
        await _killed(process)
        raise
    code = process.returncode
    return Finished(_text(stdout), _text(stderr), -1 if code is None else code)


def _environment(context: Context) -> Mapping[str, str]:
    return {**context.env, PARENT_VARIABLE: context.run_id}


def _text(output: bytes) -> str:
    return output.decode("utf-8", "replace")


async def _killed(process: Process) -> None:
    """Kill the process and its group, and wait until it is gone, however often this is cancelled meanwhile."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    while process.returncode is None:
        with contextlib.suppress(asyncio.CancelledError):  # the first one is on its way already
            await process.wait()
    with contextlib.suppress(asyncio.CancelledError, TimeoutError):  # its pipes close when nobody holds them any more
        async with asyncio.timeout(_PIPES):
            await process.communicate()
