"""The version of this runtime and the number of its boundary with emitted code."""

from __future__ import annotations

from typing import Final

RUNTIME_VERSION: Final = "0.1.0"

#: Goes up whenever a name of `graphwright_runtime.abi` changes its meaning or goes away.
ABI: Final = 1
