"""The position of a run in a tree of nested runs."""

from __future__ import annotations

from typing import NamedTuple


class Origin(NamedTuple):
    """The run that called a run (None for a top-level run), the top-level run, and the calls between them.

    `namespace` are the calling nodes, outermost first, with the index of an item: `("fetch", "pages[3]")`.
    """

    parent_run_id: str | None
    root_run_id: str
    namespace: tuple[str, ...]
