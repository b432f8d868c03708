"""Work without the garbage collector: reading and writing graphs makes many objects and no garbage in cycles.

Nearly none: what is known of a graph refers to itself here and there. A process that checks graphs for days collects
that by itself, see `_settle`.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

#: After so many pauses it is asked how much memory is in use.
_EVERY = 32
#: Blocks of memory below which nothing is collected: some fifty megabytes.
_LITTLE = 600_000


class _Settled:
    """When the process last collected: the pauses since then, and the blocks that were left in use."""

    pauses = 0
    blocks = 0


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
            _settle()


def _settle() -> None:
    """Collect once twice as much memory is in use as after the last time.

    Objects that are made old at once are not counted by the collector, which would never look at them again.
    """
    _Settled.pauses += 1
    if _Settled.pauses % _EVERY == 0 and sys.getallocatedblocks() > max(_LITTLE, 2 * _Settled.blocks):
        gc.collect()
        _Settled.blocks = sys.getallocatedblocks()
