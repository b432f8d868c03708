"""A graph from standard input: the path `-`, and the name that `--path` gives it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from graphwright.cli.command import Parser, UsageError
from graphwright.project.projects import absolute

#: The argument for standard input, and its default name.
MARK = "-"
_UNNAMED = "stdin.yaml"


class Piped(NamedTuple):
    """The paths without `-`, and the contents of standard input by its name (an absolute path)."""

    paths: Sequence[str]
    texts: dict[Path, bytes]


def add_path_option(parser: Parser) -> None:
    """Declare `--path`."""
    parser.add_argument(
        "--path",
        metavar="NAME",
        help=f"with `-`: the file that standard input stands for, in messages and for its id (default: {_UNNAMED})",
    )


def piped(paths: Sequence[str], options: argparse.Namespace) -> Piped:
    """Read standard input if one of the paths is `-`. Raises `UsageError`."""
    if MARK not in paths:
        if options.path is not None:
            raise UsageError("`--path` names a graph from standard input: pass `-` as well")
        return Piped(paths, {})
    name = options.path or _UNNAMED
    if sys.stdin is None:
        raise UsageError("`-`: standard input is closed")
    data = sys.stdin.buffer.read()
    return Piped([name if path == MARK else path for path in paths], {absolute(name): data})
