"""Lets a few steps that belong together finish before a signal takes effect."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


def ending_signals() -> tuple[signal.Signals, ...]:
    """The signals that end a program: SIGINT, SIGTERM and, except under `nohup`, SIGHUP, as when a terminal closes."""
    if sys.platform == "win32" or signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return (signal.SIGINT, signal.SIGTERM)
    return (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def deferred_signals() -> Iterator[None]:
    """While the block lasts, the `ending_signals` wait; they take effect right after it.

    Only the main thread can do this; in others, and if a handler was not set by Python, signals take effect at once.
    """
    handlers = {number: signal.getsignal(number) for number in ending_signals()}
    if threading.current_thread() is not threading.main_thread() or None in handlers.values():
        yield
        return
    received: list[int] = []
    for number in handlers:
        signal.signal(number, lambda number, _: received.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for each in received:
            signal.raise_signal(each)
