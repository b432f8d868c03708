"""What the commands have in common: how each is declared, its help page, its options."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from functools import partial
from typing import NoReturn


class UsageError(Exception):
    """The command was called wrongly, or what it was given cannot be used; exit code 2."""


class Parser(argparse.ArgumentParser):
    """The arguments of one command. Options and paths may come in any order; `--` ends the options."""

    def __init__(self, command: str, arguments: str, description: str, examples: str) -> None:
        super().__init__(
            prog=f"graphwright {command}",
            usage=f"graphwright {command} {arguments}".rstrip(),  # composing it would cost more than all the rest
            description=description,
            epilog=f"examples:\n{examples}",
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=_columns() - 2),
            allow_abbrev=False,
            add_help=False,
        )
        self.add_argument("-h", "--help", action="help", help="show this page and exit")
        self.add_argument("-q", "--quiet", action="store_true", help="leave out summaries and progress")
        self.add_argument(
            "--color", choices=("auto", "always", "never"), default="auto",
            help="colour on standard error (auto: on a terminal, unless NO_COLOR is set)",
        )  # fmt: skip

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The options; behind `--` everything is a path. Raises `UsageError`."""
        words = list(arguments)
        cut = words.index("--") if "--" in words else len(words)
        options = self.parse_intermixed_args(words[:cut])
        if any(value == "" or (isinstance(value, list) and "" in value) for value in vars(options).values()):
            raise UsageError("an argument is empty; is a variable of the shell not set?")
        options.separated = cut < len(words)
        if options.separated:
            if "paths" not in options:
                raise UsageError(f"`graphwright {self.prog.split()[-1]}` takes nothing behind `--`")
            options.paths = [*options.paths, *words[cut + 1 :]]
        return options

    def error(self, message: str) -> NoReturn:
        """Called by argparse."""
        raise UsageError(f"{message}\nsee `{self.prog} --help`")


def _columns() -> int:
    """How wide help pages are. argparse would ask `shutil`, with each option that is declared."""
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80
