"""Runs the Python modules that graphwright compiles.

Emitted modules import from `graphwright_runtime.abi` alone. Programs that run them need nothing from here beyond the
module's own `run`; what is offered for hosts, tools and listeners is in `graphwright_runtime.host`, `.context`,
`.events` and `.progress`.
"""

import os
import sys


def _arm() -> None:
    """Switch on the verification that the environment asks for, or end the process.

    Python does this when it starts, where the runtime is installed in a folder of site packages; it would print an
    error and go on. Where the runtime is only on the path, or Python reads no such folder (`-S`), this is the moment.
    """
    try:
        from graphwright_runtime.loader import install_from_environment

        install_from_environment()
    except BaseException as error:
        text = " ".join(str(error).split()) or type(error).__name__
        shown = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
        try:
            os.write(2, f"graphwright: {shown}\n".encode("utf-8", "backslashreplace"))
            sys.stdout.flush()
        finally:
            os._exit(1)


if os.environ.get("GRAPHWRIGHT_VERIFY") or os.environ.get("GRAPHWRIGHT_TRUST_TOOLS"):
    _arm()
