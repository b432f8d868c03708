"""`python -m graphwright`, and the script `graphwright`."""

from __future__ import annotations

import os
import sys

#: What runs tools, which may have left something to be done when the interpreter ends.
_RUNNING = "run"


def program() -> None:
    """The command line as a program of its own. Does not return.

    It leaves without taking its objects apart one by one, which would be a tenth of a short check: the system takes
    all memory back at once.
    """
    _open_streams()
    import atexit
    from contextlib import suppress

    from graphwright.cli import main

    code = main()
    if sys.argv[1:2] == [_RUNNING]:
        from graphwright.cli.diversion import divert

        with suppress(OSError):
            divert()  # the result is written: what tools left behind may print, and goes where all of that went
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


def _forget_working_folder() -> None:
    """Take the working directory off the search path, where `python -m` puts it in front of the standard library.

    What lies there is the project's: a `json.py` of it must not be imported in place of the real one. So this comes
    before anything else is imported.
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
