"""What runs threads in this project: a reader that needs a moment per page and listens to messages between pages."""

import asyncio

from graphwright_runtime.agent.runner import Thread
from graphwright_runtime.context import Context


class Readers:
    """Reads pages until there are no more, or until a message says to stop."""

    async def run(self, thread: Thread) -> dict[str, object]:
        """Read, and say how far it came."""
        wanted, read = int(str(thread.inputs["pages"])), 0
        while read < wanted and not thread.messages:
            await asyncio.sleep(0.02)
            read += 1
        said = f", because it was told to {thread.messages[-1]}" if thread.messages else ""
        return {"outputs": {"pages": read}, "result": f"read {read} of {wanted} pages{said}"}


async def execute(params: dict, context: Context) -> object:
    """Start a thread."""
    return await context.run_thread(params, Readers())
