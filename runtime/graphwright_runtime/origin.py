"""Which run a run belongs to."""

from __future__ import annotations

from typing import NamedTuple


class Origin(NamedTuple):
    """Where a run comes from: the run that called it (None: nobody), the first of them all, and the calls in between.

    `namespace` names the calling nodes from the root on, with the index of an item: `("fetch", "pages[3]")`.
    """

    parent_run_id: str | None
    root_run_id: str
    namespace: tuple[str, ...]
