"""`graphwright contracts mcp`: writes the contracts of the tools of an MCP server to a lock file."""

from __future__ import annotations

import argparse
import os
import shlex
from pathlib import Path

from graphwright.cli.command import Parser, UsageError, seconds
from graphwright.cli.console import Console

_EXAMPLES = """\
  graphwright contracts mcp "uvx weather-server" --lock contracts/weather.lock.json
  graphwright contracts mcp --lock contracts/weather.lock.json --prefix weather -- uvx weather-server --stdio"""

#: Seconds that a server has to start and to list its tools.
_SECONDS = 30.0


def parser() -> Parser:
    """The options of the command."""
    description = (
        "Start an MCP server, read what its tools take and return, and write that to FILE. Name a file in `contracts/` "
        "of the project that ends in `.lock.json`: `check` and `build` read it from there, without the server. The "
        "server speaks over standard input and output. This command needs the extra `mcp`: pip install "
        "'graphwright[mcp]'."
    )
    parser = Parser("contracts mcp", "COMMAND --lock FILE [options]", description, _EXAMPLES)
    parser.add_argument(
        "paths", nargs="*", metavar="COMMAND", help="the command that starts the server; its own options follow `--`"
    )
    parser.add_argument("--lock", required=True, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--prefix", metavar="ID", default=None, help="the folder of the ids: with `weather`, `get` is `weather/get`"
    )
    parser.add_argument(
        "--timeout", type=seconds, default=_SECONDS, metavar="SECONDS", help="how long to wait (default: 30)"
    )
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Read the tools and write the file."""
    from graphwright.cli.contracts.server import listed_tools, shown_command
    from graphwright.contract.lockfile import locked_server
    from graphwright.contract.mcp import UnusableToolError, contracts_of, is_valid_id
    from graphwright.project.projects import shown

    command, file, prefix = _command(options), Path(options.lock), options.prefix or ""
    if prefix and not is_valid_id(prefix):
        raise UsageError(f"`{prefix}` is not a valid beginning of an id")
    before, is_read = _present(file), _is_read(file)
    listing = listed_tools(command, options.timeout)
    if not listing.tools:
        raise UsageError(f"{shown_command(command)} has no tools")
    try:
        tools = contracts_of(listing.tools, prefix, shown(file))
    except UnusableToolError as error:
        raise UsageError(f"{shown_command(command)}: {error}") from error
    content = locked_server(listing.server, tools)
    if content == before:
        console.remark(f"{shown(file)} is up to date\n")
    else:
        _write(file, content)
        console.remark(f"{shown(file)}: {'1 tool' if len(tools) == 1 else f'{len(tools)} tools'}\n")
    if not is_read:
        console.message(f"graphwright: `check` reads `contracts/*.lock.json` of a project, but not {shown(file)}\n")
    return 0


def _command(options: argparse.Namespace) -> list[str]:
    """The words of the command; a single word may be a whole command line."""
    words: list[str] = options.paths
    if len(words) == 1 and not options.separated:
        try:
            words = shlex.split(words[0], posix=os.name != "nt")
        except ValueError as error:
            raise UsageError(f"`{words[0]}` is not a command: {error}") from error
    if not words:
        raise UsageError("the command that starts the server is missing\nsee `graphwright contracts mcp --help`")
    return words


def _present(file: Path) -> bytes | None:
    """The content of the file, if it exists and was written by this command. Raises `UsageError` for another one."""
    from graphwright.content import content_of
    from graphwright.contract.lockfile import server_of
    from graphwright.project.projects import shown

    try:
        content = content_of(file)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{shown(file)} cannot be read: {error.strerror}") from error
    if server_of(content) is None:
        raise UsageError(f"{shown(file)} was not written by `contracts mcp`: remove it, or name another file")
    return content


def _write(file: Path, content: bytes) -> None:
    from graphwright.project.projects import shown
    from graphwright_runtime.atomic import replace_file

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, content)
    except OSError as error:
        raise UsageError(f"{shown(file)} cannot be written: {error.strerror}") from error


def _is_read(file: Path) -> bool:
    """Whether `check` reads the contracts in a file."""
    from graphwright.checking.contracts import LOCK, LOCK_SUFFIX
    from graphwright.project.projects import Projects, absolute

    folder = absolute(file).parent
    if file.name == LOCK:
        return Projects().of(folder).folder == folder
    project = Projects().of(folder.parent).folder
    return file.name.endswith(LOCK_SUFFIX) and folder == project / "contracts"
