"""Runs the graph. Its tools are those of an MCP server, which is called through the official SDK."""

import asyncio
import json
import sys
from typing import Any

from generated.lending import reserve
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from graphwright_runtime.context import Context
from graphwright_runtime.tooling import Call

PREFIX = "library/"


class McpTools:
    """The `dispatch` of a run: passes calls of `library/NAME` to the tool NAME of a server."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __call__(self, call: Call, context: Context) -> Any:
        """The structured result of the tool, or its text. Raises RuntimeError if the tool reports an error."""
        if call.primary != "execute" or call.item_id is None or not call.item_id.startswith(PREFIX):
            raise LookupError(f"no tool of the library: {call.item_id}")
        result = await self.client.call_tool(call.item_id.removeprefix(PREFIX), call.params)
        text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
        if result.is_error:
            raise RuntimeError(text)
        return text if result.structured_content is None else result.structured_content


async def main(title: str, member: str) -> None:
    """Reserve a book, and print what came of it."""
    server = StdioServerParameters(command=sys.executable, args=["server.py"])
    async with Client(server) as client:
        result = await reserve.run({"title": title, "member": member}, dispatch=McpTools(client))
    print(json.dumps({"status": result.status, "output": result.output, "error": result.error}))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
