"""What the commands have in common: how each is declared, its help page, its options."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NoReturn

from graphwright.pattern import pattern
from graphwright.suggest import nearest


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
        self.add_argument("-h", "--help", action="help", help="show this help and exit")
        self.add_argument("-q", "--quiet", action="store_true", help="do not print summaries and progress")
        self.add_argument(
            "--color", choices=("auto", "always", "never"), default="auto",
            help="colors on standard error (auto: on a terminal, unless NO_COLOR is set)",
        )  # fmt: skip

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The options; behind `--` everything is a path. Raises `UsageError`."""
        words = list(arguments)
        cut = words.index("--") if "--" in words else len(words)
        for word in words[:cut]:  # before what is missing: that may follow from it
            if word.startswith("--") and word.partition("=")[0] not in self._option_string_actions:
                self.error(f"unrecognized arguments: {word}")
        options = self.parse_intermixed_args(words[:cut])
        if any(value == "" or (isinstance(value, list) and "" in value) for value in vars(options).values()):
            raise UsageError("an argument is empty; is a shell variable unset?")
        options.words = words
        options.separated = cut < len(words)
        if options.separated:
            if "paths" not in options:
                raise UsageError(f"`{self.prog}` takes no arguments after `--`")
            options.paths = [*options.paths, *words[cut + 1 :]]
        return options

    def error(self, message: str) -> NoReturn:
        """Called by argparse."""
        raise UsageError(f"{self._in_words(message)}\nsee `{self.prog} --help`")

    def _in_words(self, message: str) -> str:
        """A complaint of argparse with what was probably meant."""
        unknown, missing = _UNKNOWN.fullmatch(message), _MISSING.fullmatch(message)
        choice, valueless = _CHOICE.fullmatch(message), _VALUELESS.fullmatch(message)
        if unknown is not None:
            option = unknown[1].split()[0].partition("=")[0]
            near = nearest(option, self._option_string_actions)
            if not option.startswith("-"):
                return f"unexpected argument `{option}`"
            return f"there is no option `{option}`" + (f"; did you mean `{near}`?" if near else "")
        if missing is not None:
            return f"{missing[1]} is missing"
        if choice is not None:
            options = choice[3].replace("'", "").split(", ")
            near = nearest(choice[2], options)
            hint = (
                f"; did you mean `{near}`?" if near else f": choose one of {', '.join(f'`{each}`' for each in options)}"
            )
            return f"`{choice[2]}` is not a valid value for `{choice[1]}`{hint}"
        if valueless is not None:
            return f"`{valueless[1].rpartition('/')[2]}` needs a value"
        return message


def unknown(name: str, names: Iterable[str], of: str) -> UsageError:
    """The error of a misspelled command of `graphwright`, or action of a command: `of` is what precedes it."""
    near = nearest(name, names)
    prefix = of.removeprefix("graphwright").lstrip()
    before = f"{prefix} " if prefix else ""
    hint = f"did you mean `{before}{near}`?" if near else f"see `{of} --help`"
    return UsageError(f"there is no command `{before}{name}`; {hint}")


#: What argparse complains of.
_UNKNOWN = pattern(r"unrecognized arguments: (.+)")
_MISSING = pattern(r"the following arguments are required: (.+)")
_CHOICE = pattern(r"argument (\S+): invalid choice: '?([^']*)'? \(choose from (.+)\)")
_VALUELESS = pattern(r"argument (\S+): expected one argument")


def _columns() -> int:
    """How wide help pages are. argparse would ask `shutil`, with each option that is declared."""
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80
