"""Keeps imports verified under pytest, which adds its own import finder before all others."""

from __future__ import annotations

import sys


def pytest_configure() -> None:
    """Move the verifying finder to the front again; called by pytest. Imports nothing if nothing is verified."""
    if "graphwright_runtime.loader" in sys.modules:
        from graphwright_runtime.loader import keep_first

        keep_first()
