"""Lets a few steps that belong together finish before a signal takes effect."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def deferred_signals() -> Iterator[None]:
    """While the block lasts, SIGINT and SIGTERM wait; they take effect right after it.

    Only the main thread can do this; in others, and if a handler was not set by Python, signals take effect at once.
    """
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    if threading.current_thread() is not threading.main_thread() or None in handlers.values():
        yield
        return
    received: list[int] = []
    for number in _SIGNALS:
        signal.signal(number, lambda number, _: received.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for each in received:
            signal.raise_signal(each)
