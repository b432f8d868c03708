"""The arguments of `graphwright keys` that name a key, and the options for where it is trusted."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from graphwright.cli.command import Parser, UsageError
from graphwright.pattern import pattern
from graphwright.project.projects import Projects
from graphwright_runtime.trust.truststore import project_file, user_file

#: A key as text that looks like an option, as one key in 64 does.
_LIKE_AN_OPTION = pattern(r"-[A-Za-z0-9_-]{42}")


class KeyParser(Parser):
    """Parses the options of an action that takes a key, which may begin with a minus."""

    def __init__(self, action: str, arguments: str, description: str, examples: str) -> None:
        super().__init__(f"keys {action}", arguments, description, examples)

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse the options. Raises `UsageError`."""
        # argparse never treats an argument with a leading space as an option
        words = [f" {word}" if _LIKE_AN_OPTION.fullmatch(word) else word for word in arguments]
        options = super().read(words)
        if options.key is not None and _LIKE_AN_OPTION.fullmatch(options.key[1:]):
            options.key = options.key[1:]
        return options

    def add_user(self) -> None:
        """Declare `--user`."""
        self.add_argument("--user", action="store_true", help="for your user only, not for the project")


def named_key(options: argparse.Namespace, action: str) -> str:
    """The key that the options name. Raises `UsageError`."""
    if not options.key or options.key.isspace():
        raise UsageError(f"which key? `graphwright keys {action} KEY`")
    return str(options.key)


def trust_file(*, user: bool) -> Path:
    """The trust file of the project, or of the user. Raises `UsageError`."""
    if not user:
        return project_file(project())
    file = user_file()
    if file is None:
        raise UsageError("there is no home directory for a trust file")
    return file


def project() -> Path:
    """The project of the working directory, unless a trust file is named otherwise."""
    return Projects().of(Path.cwd()).folder


def day(text: str) -> date:
    """Parse the date in an option."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"`{_short(text)}` is not a day; write it as 2027-06-30") from error


def days(text: str) -> int:
    """Parse the number of days in an option."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"`{_short(text)}` is not a number of days; write it as 30")
    return int(text.lstrip("0")[:20] or "0")  # larger numbers exceed any calendar


def _short(text: str) -> str:
    """The text, or its beginning if it is long."""
    return text if len(text) <= 60 else f"{text[:60]}…"
