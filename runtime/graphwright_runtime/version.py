"""The version of this runtime, and of its interface for emitted code."""

from __future__ import annotations

from typing import Final

RUNTIME_VERSION: Final = "0.1.0"

#: Increases whenever a name in `graphwright_runtime.abi` changes its meaning or is removed.
ABI: Final = 1
