"""The command line: `graphwright check`, `build`, `run` and so on.

Each command is a module of this package with `parser()` and `run(options, console)`, imported only when it is called,
so that `check` starts fast.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from graphwright.cli.command import UsageError, no_option, unknown
from graphwright.cli.console import Console
from graphwright.cli.failure import USAGE, failure
from graphwright.collector import paused_collector
from graphwright.render.layout import printable

FINE, INTERRUPTED = 0, 130

#: The commands in the order of the help page, with descriptions; each is a module of this package.
COMMANDS: Mapping[str, str] = {
    "check": "find mistakes in graphs, and fix those that are safe to fix",
    "validate": "check one graph and print the result as JSON",
    "build": "compile graphs to typed Python modules",
    "run": "run a graph and print its result as JSON",
    "resume": "continue a run that was killed, cancelled or failed",
    "step": "execute one node of a graph by itself",
    "runs": "list the runs of a project, show them, end them",
    "migrate": "translate a graph of another dialect",
    "graph": "draw a graph as mermaid, dot, SVG or JSON",
    "inspect": "show what a generated module contains",
    "diff": "compare two graphs or modules by meaning",
    "contracts": "show what the tools that graphs call take and return; lock that",
    "rename": "rename a state key or an input wherever it is used",
    "explain": "explain what a code means and how to fix it",
    "rules": "list every code in a table",
    "keys": "manage your signing keys and the keys that are trusted here",
    "sign": "sign graphs, tools and generated packages",
    "verify": "verify signatures and provenance",
    "schema": "print the JSON Schema of the language, for editors",
    "doctor": "show the configuration in effect, and where it came from",
}

_HELP = """usage: graphwright COMMAND [arguments]

Compile declarative YAML state graphs to typed Python modules.

commands:
{commands}

options:
  -h, --help     show this help and exit
  --version      print the version and exit

Run `graphwright COMMAND --help` for the options of a command, with examples.
Exit codes: 0 success, 1 findings or a failed run, 2 wrong usage or unreadable input, 3 internal error.
"""


#: All variables that the compiler, the runtime and this project's own tests read.
VARIABLES: Sequence[str] = (
    "GRAPHWRIGHT_CACHE_DIR", "GRAPHWRIGHT_SAFE_DIRECTORY", "GRAPHWRIGHT_SIGNING_KEY", "GRAPHWRIGHT_TRACEBACK",
    "GRAPHWRIGHT_TRUST", "GRAPHWRIGHT_TRUST_TOOLS", "GRAPHWRIGHT_VERIFY",
    "GRAPHWRIGHT_FUZZ", "GRAPHWRIGHT_FUZZ_MINUTES", "GRAPHWRIGHT_GOLDEN",
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    console = Console()
    _tell_unknown_variables(console)
    return guarded(lambda: _dispatch(words, console), console)


def guarded(action: Callable[[], int], console: Console) -> int:
    """The exit code of `action`, which runs a command: whatever it raises becomes a message and an exit code."""
    try:
        return action()
    except SystemExit as leaving:  # argparse has printed a help page
        return leaving.code if isinstance(leaving.code, int) else FINE
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        text, code = failure(error)
        console.message(text)
        return code


def _tell_unknown_variables(console: Console) -> None:
    """Warn about unknown variables: a misspelled one has no effect, and some of them turn on verification."""
    unknown = [name for name in os.environ if name.startswith("GRAPHWRIGHT_") and name not in VARIABLES]
    if unknown:
        import logging

        from graphwright.suggest import nearest

        logging.getLogger("graphwright_runtime.variables").disabled = True  # a run would repeat the warning

        for name in unknown:
            known = {each.removeprefix("GRAPHWRIGHT_"): each for each in VARIABLES}
            near = nearest(name.removeprefix("GRAPHWRIGHT_"), known)
            hint = f"; did you mean {known[near]}?" if near else ""
            console.message(f"graphwright: the variable {printable(name)} is unknown and has no effect{hint}\n")


def _dispatch(words: list[str], console: Console) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        listed = "\n".join(f"  {name:<13}{purpose}" for name, purpose in COMMANDS.items())
        (console.result if words else console.message)(_HELP.format(commands=listed))
        return FINE if words else USAGE
    name, *rest = words
    try:
        Path.cwd()
    except OSError as error:
        raise UsageError("the current directory does not exist any more, or is not accessible") from error
    if name == "--version":
        from graphwright import __version__

        console.result(f"graphwright {__version__}\n")
        return FINE
    if name.startswith("-"):
        hint = no_option(name, ("--help", "--version"))
        raise UsageError(f"{hint}\nsee `graphwright --help`; options of a command follow it")
    if name not in COMMANDS:
        from graphwright.cli.runs import ACTIONS

        if name in ACTIONS:
            raise UsageError(f"there is no command `{name}`; did you mean `runs {name}`?")
        raise unknown(name, COMMANDS, "graphwright")
    if name in ("run", "resume", "step"):  # before reading any file of the project
        from graphwright_runtime.environment import forget_keys

        forget_keys(os.environ)
    with paused_collector():
        module = importlib.import_module(f"graphwright.cli.{name}")
        options = module.parser().read(rest)
    return int(module.run(options, Console(options.color, quiet=options.quiet)))
