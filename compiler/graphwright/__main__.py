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
    code = main()
    if sys.argv[1:2] == [_RUNNING]:
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in filter(None, (sys.stdout, sys.stderr)):  # a closed one is None
        with suppress(OSError):  # nobody reads it any more
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    program()
