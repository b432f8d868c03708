"""What runs threads in this project: the program `model.py`, one process for each thread.

A file of this id replaces the built-in tool, so that `graphwright run` can start threads. From Python, the same runner
can be passed to the host: `InProcessHost(threads=Models())`.
"""

import asyncio
import json
import sys
from pathlib import Path

from graphwright_runtime.agent.runner import Thread
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError

#: What a thread that was handed over had learned, by the id of the one that goes on.
MEMORIES: dict[str, object] = {}


class Models:
    """Talks to `model.py` in lines of JSON: it gets the task and answers to its calls, and gives calls and a result."""

    async def run(self, thread: Thread) -> dict[str, object]:
        """Run one thread, within its turns."""
        program = Path(thread.context.project) / "model.py"
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(program),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=thread.context.project,
            env=thread.environment,
        )
        memory = MEMORIES.pop(thread.thread_id, None)
        turns = 0
        message = {"prompt": thread.prompt, "outputs": [field.name for field in thread.outputs], "memory": memory}
        try:
            while turns < thread.limits.get("turns", 10):
                turns += 1
                answer = await self._asked(process, message)
                if "call" in answer:
                    message = await self._called(thread, **answer["call"])
                elif "hand_over" in answer:
                    following = f"{thread.thread_id}.next"
                    MEMORIES[following] = answer["hand_over"]
                    return {"status": "continued", "continuation_thread_id": following, "cost": cost(turns)}
                else:
                    return {"outputs": answer["outputs"], "result": answer["text"], "cost": cost(turns)}
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
        return {"status": "error", "error": f"no result after {turns} turns", "cost": cost(turns)}

    async def _asked(self, process: asyncio.subprocess.Process, message: dict[str, object]) -> dict:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(message).encode() + b"\n")
        await process.stdin.drain()
        line = await process.stdout.readline()
        if not line:
            raise ConnectionError("the model ended without an answer")
        return json.loads(line)

    async def _called(self, thread: Thread, tool: str, params: dict[str, object]) -> dict[str, object]:
        """A tool that the model wants to call, as far as the thread may."""
        try:
            return {"result": await thread.call(tool, params)}
        except NodeError as error:
            return {"error": str(error)}


def cost(turns: int) -> dict[str, object]:
    """What the model charges."""
    return {"turns": turns, "spend": round(0.01 * turns, 2), "model": "counter-1"}


async def execute(params: dict, context: Context) -> object:
    """Start a thread."""
    return await context.run_thread(params, Models())
