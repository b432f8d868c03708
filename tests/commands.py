"""The command line, called in this process."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass

from graphwright.cli import main


@dataclass(frozen=True, slots=True)
class Outcome:
    """Exit code, standard output and standard error of a command."""

    code: int
    stdout: str
    stderr: str


def graphwright(*arguments: object) -> Outcome:
    """Run a command in the current folder."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    return Outcome(code, out.getvalue(), err.getvalue())
