"""`python -m graphwright`, and the script `graphwright`."""

from __future__ import annotations

import gc
import sys

from graphwright.cli import main


def program() -> int:
    """The command line as a program of its own; the answer is its exit code.

    The system takes all memory back at the end: that the interpreter looks through it for cycles first is for nothing.
    """
    code = main()
    gc.freeze()
    return code


if __name__ == "__main__":
    sys.exit(program())
