"""Asks an MCP server, which is started for that, for its tools. Needs the SDK `mcp`, which is an optional extra."""

from __future__ import annotations

import asyncio
import logging
import os
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper

from graphwright.cli.command import UsageError
from graphwright.contract.mcp import ListedTool
from graphwright.record import Record
from graphwright.render.layout import printable

#: The most of a message of the server that is repeated, in characters.
_REPEATED = 200


class Listing(Record):
    """The name of a server, and its tools in its order."""

    server: str
    tools: tuple[ListedTool, ...]


class _EndlessError(Exception):
    """The server returns to a page of its list that it has already sent."""


def listed_tools(command: Sequence[str], seconds: float) -> Listing:
    """The tools of the server that `command` starts. Raises `UsageError`, also after `seconds`."""
    try:
        from mcp import Client as Client  # not in version 1
    except ImportError as error:
        needed = "version 2 of the SDK `mcp` is needed to read the tools of a server: pip install 'graphwright[mcp]'"
        raise UsageError(f"{needed} ({error})") from error
    nonsense: list[str] = []
    with _silent(), TextIOWrapper(tempfile.TemporaryFile(), encoding="utf-8", errors="replace") as written:
        try:
            return asyncio.run(_listed(command, seconds, written, nonsense))
        except Exception as error:  # whatever a server can do to the SDK
            raise UsageError(
                f"{shown_command(command)} {_reason(error, seconds)}{_trace(written, nonsense)}"
            ) from error


def shown_command(command: Sequence[str]) -> str:
    """A command as messages call it."""
    return f"`{_short(shlex.join(command))}`"


async def _listed(command: Sequence[str], seconds: float, written: TextIOWrapper, nonsense: list[str]) -> Listing:
    from mcp import Client, StdioServerParameters, stdio_client

    async def receive(message: object) -> None:
        if isinstance(message, ValueError):
            nonsense.append(str(message))

    server = StdioServerParameters(command=command[0], args=list(command[1:]), env=dict(os.environ))
    tools: list[ListedTool] = []
    async with (
        asyncio.timeout(seconds),
        Client(stdio_client(server, written), message_handler=receive, cache=None) as client,
    ):
        name = "" if client.server_info is None else client.server_info.name
        cursor: str | None = None
        seen: set[str | None] = set()
        while cursor not in seen:
            seen.add(cursor)
            page = await client.list_tools(cursor=cursor)
            tools += (
                ListedTool(each.name, each.description or "", each.input_schema, each.output_schema)
                for each in page.tools
            )
            if page.next_cursor is None:
                return Listing(name, tuple(tools))
            cursor = page.next_cursor
    raise _EndlessError


def _reason(error: BaseException, seconds: float) -> str:
    """What a server did wrong, as the end of a sentence."""
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED
    from pydantic import ValidationError

    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    match error:
        case TimeoutError():
            return f"did not list its tools within {seconds:g} s"
        case OSError() | ValueError() if not isinstance(error, ValidationError):
            return f"cannot be started: {getattr(error, 'strerror', None) or error}"
        case _EndlessError():
            return "lists its tools on pages without end"
        case MCPError() if error.code == CONNECTION_CLOSED and error.message == "Connection closed":
            return "ended before it had listed its tools"
        case MCPError():
            return f"refused to list its tools: {_short(error.message)}"
        case ValidationError():
            first = error.errors()[0]
            return f"gave an answer that is not valid: {'.'.join(map(str, first['loc']))}: {first['msg']}"
        case _:
            return f"cannot be read: {type(error).__name__}: {_short(str(error))}"


def _trace(written: TextIOWrapper, nonsense: list[str]) -> str:
    """What the server said before it failed: the last line on standard error, or that its output is not MCP."""
    written.seek(0)
    lines = [line for line in written.read().splitlines() if line.strip()]
    said = f"; it last wrote: {_short(lines[-1])}" if lines else ""
    return f"; what it writes to standard output is not MCP{said}" if nonsense else said


def _short(text: str) -> str:
    line = printable(" ".join(text.split()))
    return line if len(line) <= _REPEATED else f"{line[:_REPEATED]}…"


@contextmanager
def _silent() -> Iterator[None]:
    """Without the log messages of the SDK, which repeat what a server did wrong with a traceback."""
    logger = logging.getLogger("mcp")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)
