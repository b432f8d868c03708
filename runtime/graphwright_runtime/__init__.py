"""Runs the Python modules that graphwright compiles.

Emitted modules import only from `graphwright_runtime.abi`. Programs that run them only need the module's own `run`; the
interfaces for hosts, tools and listeners are in `graphwright_runtime.host`, `.context`, `.events` and `.progress`.
"""

import os
import sys


def _arm() -> None:
    """Turn on the verification that the environment requests; if that fails, end the process.

    If the runtime is installed in site-packages, a `.pth` file turns it on when Python starts. This covers a runtime
    that is only on the search path, and `python -S`. Raising an exception here would not stop the process.
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
