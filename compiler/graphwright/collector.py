"""Work without the garbage collector: reading and writing graphs makes many objects and no garbage in cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Iterator[None]:
    """The collector rests as long as the block runs.

    What is left of it counts as old then, and is looked at when all memory is; as young it would be at once, for most
    of a second after a graph of ten thousand nodes.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if gc.get_freeze_count() == 0:  # else the program has frozen objects that must stay so
                gc.freeze()
                gc.unfreeze()
            gc.enable()
