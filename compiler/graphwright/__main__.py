"""`python -m graphwright`, and the script `graphwright`."""

from __future__ import annotations

import os
import sys

#: The command that runs tools, which may have registered work for the end of the interpreter.
_RUN = "run"


def program() -> None:
    """Run the command line and exit the process.

    Exits without destroying objects, which would take a tenth of the time of a short check.
    """
    _open_streams()
    import atexit
    from contextlib import suppress

    from graphwright.cli import main

    code = main()
    if sys.argv[1:2] == [_RUN]:
        from graphwright.cli.diversion import divert

        with suppress(OSError):
            divert()  # the result is written; output of code that tools left behind must not be added to it
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # the reader has closed the pipe
            stream.flush()
    os._exit(code)


def _open_streams() -> None:
    """Connect output streams that the caller closed to the null device, so that no file gets their descriptors."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_WRONLY)
            if null != number:
                os.dup2(null, number)
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", closefd=False))


def _forget_working_folder() -> None:
    """Remove the working directory from the search path, which `python -m` adds before the standard library.

    A `json.py` in a project must not replace that of the standard library, so this is called before other imports.
    """
    try:
        here = os.getcwd()  # noqa: PTH109 - pathlib is not imported yet
    except OSError:
        return
    home = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120
    if not sys.flags.safe_path and sys.path[0] in ("", here) and home != here:
        del sys.path[0]


if __name__ == "__main__":
    _forget_working_folder()
    program()
