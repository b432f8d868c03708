"""How a command that fails says so, and its exit code."""

from __future__ import annotations

from graphwright.cli.command import UsageError
from graphwright.project.config import ConfigError
from graphwright.render.layout import printable, printable_lines

USAGE, INTERNAL = 2, 3


def failure(error: Exception) -> tuple[str, int]:
    """The message for an exception that ends a command, with its line break, and the exit code."""
    if isinstance(error, UsageError | ConfigError):
        return f"graphwright: {printable_lines(str(error))}\n", USAGE
    if isinstance(error, OSError):
        what = f"{error.filename or 'the system'}: {error.strerror or error}"
        return f"graphwright: {printable(what)}\n", USAGE
    from graphwright_runtime.trust.private import PrivateKeyError

    if isinstance(error, PrivateKeyError):
        return f"graphwright: {printable_lines(str(error))}\n", USAGE
    from graphwright.internal import internal_error
    from graphwright.render.text import render

    return render([internal_error(error, "graphwright")], lambda _: ()), INTERNAL
