"""`python -m graphwright`, and the script `graphwright`."""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import suppress
from typing import NoReturn

from graphwright.cli import main

#: What runs tools, which may have left something to be done when the interpreter ends.
_RUNNING = "run"


def program() -> NoReturn:
    """The command line as a program of its own.

    It leaves without taking its objects apart one by one, which would be a tenth of a short check: the system takes
    all memory back at once.
    """
    _open_streams()
    code = main()
    if sys.argv[1:2] == [_RUNNING]:
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # nobody reads it any more
            stream.flush()
    os._exit(code)


def _open_streams() -> None:
    """Let what is written to a stream that the caller closed go nowhere, and no file be opened in its place."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            if nowhere != number:
                os.dup2(nowhere, number)
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", closefd=False))


if __name__ == "__main__":
    program()
