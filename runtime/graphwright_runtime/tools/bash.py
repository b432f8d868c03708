"""The tool `rye/bash`, which runs a shell command."""

from __future__ import annotations

import asyncio

from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.process import run_process
from graphwright_runtime.tools.arguments import positive_number, text
from graphwright_runtime.values import Json


async def bash(params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Run `command` with bash in the project folder.

    Params: `command`; `working_dir` (below the project folder, or absolute); `timeout` (seconds, none by default).
    Result: `stdout` without its final newline, `stderr`, `exit_code`, and `success` (whether the exit code is 0).
    When the timeout of the node expires or the run is cancelled, all processes that the command started are killed.
    """
    command = text(params, "command")
    folder = text(params, "working_dir", default="")
    seconds = positive_number(params, "timeout")
    deadline = asyncio.timeout(seconds)
    try:
        async with deadline:
            finished = await run_process(["bash", "-c", command], context, cwd=context.project / folder)
    except TimeoutError as error:
        if not deadline.expired():
            raise
        raise NodeError(f"the command timed out after {seconds:g} s", category="timeout") from error
    result: dict[str, Json] = {
        "stdout": finished.stdout.removesuffix("\n"),
        "stderr": finished.stderr,
        "exit_code": finished.exit_code,
        "success": finished.exit_code == 0,
    }
    if finished.exit_code != 0 and not finished.stderr.strip():
        result["error"] = f"{finished.how}: {finished.stdout.strip()[-200:]}".rstrip(": ")
    return result
