"""Runs the Python modules that graphwright compiles.

Emitted modules import from `graphwright_runtime.abi` alone. Programs that run them need nothing from here beyond the
module's own `run`; what is offered for hosts, tools and listeners is in `graphwright_runtime.host`, `.context`,
`.events` and `.progress`.
"""

import os

# Python does this when it starts, where the runtime is installed in a folder of site packages. Where it is only on the
# path, or Python reads no such folder (`-S`), what was asked for must not be left undone without a word.
if os.environ.get("GRAPHWRIGHT_VERIFY"):
    from graphwright_runtime.loader import install_from_environment

    install_from_environment()
