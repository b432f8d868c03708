"""The common parts of commands: declaring options, help pages, errors."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NoReturn

from graphwright.pattern import pattern
from graphwright.suggest import nearest

#: Maximum number of digits of a number in an option.
_DIGITS = 18


class UsageError(Exception):
    """The command was called incorrectly, or its arguments cannot be used; exit code 2."""


class Parser(argparse.ArgumentParser):
    """The arguments of one command. Options and paths may come in any order; `--` ends the options."""

    def __init__(self, command: str, arguments: str, description: str, examples: str) -> None:
        super().__init__(
            prog=f"graphwright {command}",
            usage=f"graphwright {command} {arguments}".rstrip(),  # composing it is slower than all the rest
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
        """Parse the options; everything after `--` is a path. Raises `UsageError`."""
        words = list(arguments)
        cut = words.index("--") if "--" in words else len(words)
        valueless: argparse.Action | None = None
        for word in words[:cut]:  # check this before missing arguments, which may be a consequence
            if self._is_unknown(word) and (valueless is None or valueless.nargs == 0):
                self.error(f"unrecognized arguments: {word}")
            valueless = self._option_string_actions.get(word)
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

    def _is_unknown(self, word: str) -> bool:
        """Whether argparse would treat a word as an option that does not exist."""
        if " " in word or word[:1] != "-" or word == "-" or word[1].isdigit():
            return False
        option = word.partition("=")[0] if word.startswith("--") else word[:2]
        return option not in self._option_string_actions

    def error(self, message: str) -> NoReturn:
        """Called by argparse."""
        raise UsageError(f"{self._in_words(message)}\nsee `{self.prog} --help`")

    def _in_words(self, message: str) -> str:
        """A message of argparse, with a suggestion."""
        unknown, missing = _UNKNOWN.fullmatch(message), _MISSING.fullmatch(message)
        choice, valueless = _CHOICE.fullmatch(message), _VALUELESS.fullmatch(message)
        if unknown is not None:
            option = unknown[1].split()[0].partition("=")[0]
            if not option.startswith("-"):
                return f"unexpected argument `{option}`"
            return no_option(option, self._option_string_actions)
        if missing is not None:
            *others, last = missing[1].split(", ")
            return f"{', '.join(others)} and {last} are missing" if others else f"{last} is missing"
        if choice is not None:
            options = choice[3].replace("'", "").split(", ")
            near = nearest(choice[2], options)
            hint = (
                f"; did you mean `{near}`?" if near else f": choose one of {', '.join(f'`{each}`' for each in options)}"
            )
            return f"`{choice[2]}` is not a valid value for `{choice[1]}`{hint}"
        if valueless is not None:
            return f"`{valueless[1].rpartition('/')[2]}` needs a value"
        if (wrong := _WRONG.fullmatch(message)) is not None:
            return f"`{wrong[1].rpartition('/')[2]}`: {wrong[2]}"
        return message


def no_option(option: str, options: Iterable[str]) -> str:
    """The message for an option that does not exist; suggestions are only made for long options."""
    near = nearest(option, [each for each in options if each.startswith("--")]) if option.startswith("--") else None
    return f"there is no option `{option}`" + (f"; did you mean `{near}`?" if near else "")


def number_from(least: int) -> Callable[[str], int]:
    """The type of an option that takes an integer of at least `least`."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS and int(text) >= least):
            raise argparse.ArgumentTypeError(f"`{text}` is not a number from {least} on")
        return int(text)

    return read


def seconds(text: str) -> float:
    """The type of an option that takes a number of seconds."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of seconds")
    return number


def unknown(name: str, names: Iterable[str], of: str) -> UsageError:
    """The error for a misspelled command, or an action of a command; `of` is the command line before it."""
    near = nearest(name, names)
    prefix = of.removeprefix("graphwright").lstrip()
    before = f"{prefix} " if prefix else ""
    hint = f"did you mean `{before}{near}`?" if near else f"see `{of} --help`"
    return UsageError(f"there is no command `{before}{name}`; {hint}")


#: Patterns of argparse's messages.
_UNKNOWN = pattern(r"unrecognized arguments: (.+)")
_MISSING = pattern(r"the following arguments are required: (.+)")
_CHOICE = pattern(r"argument (\S+): invalid choice: '?([^']*)'? \(choose from (.+)\)")
_WRONG = pattern(r"argument (\S+): (.+)")
_VALUELESS = pattern(r"argument (\S+): expected one argument")


def _columns() -> int:
    """The width of help pages. argparse would ask `shutil` for each declared option."""
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80
