"""`graphwright contracts [ID]`: the tools that the graphs of a project call, and their contracts."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser
from graphwright.cli.console import Console

_EXAMPLES = """\
  graphwright contracts                     every tool that a graph of this project calls
  graphwright contracts team/fetch          one tool in full
  graphwright contracts --format json
  graphwright contracts lock                write all contracts to contracts.lock.json
  graphwright contracts lock --check        compare that file with the contracts
  graphwright contracts mcp COMMAND --lock contracts/NAME.lock.json
                                            read the contracts of the tools of an MCP server
  graphwright contracts scaffold team/fetch write the Python file of a tool, with type hints"""


def parser() -> Parser:
    """The options of the command."""
    description = (
        "Show what the tools that the graphs of this project call take and return, which environment variables and "
        "which capability they need, and where each contract comes from. Nothing is imported or run."
    )
    parser = Parser("contracts", "[ID] [options]", description, _EXAMPLES)
    parser.add_argument("id", nargs="?", metavar="ID", help="the id of a tool (default: all tools)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the contracts."""
    from graphwright.cli.contracts.graphs import named_tool, project_tools
    from graphwright.cli.contracts.printing import as_json, as_table, as_text

    _, tools = project_tools()
    if options.id is not None:
        tools = (named_tool(options.id, tools),)
    if options.format == "json":
        console.result(as_json(tools))
    elif options.id is not None:
        console.result(as_text(tools[0]))
    elif tools:
        console.result(as_table(tools))
    else:
        console.remark("the graphs of this project call no tools\n")
    return 0
