"""The host of a run that keeps nothing: wall clock, asyncio, the toolbox."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright_runtime.context import Context
from graphwright_runtime.graph import Action, AnyGraph
from graphwright_runtime.host import Step
from graphwright_runtime.ids import run_name
from graphwright_runtime.toolbox import Toolbox
from graphwright_runtime.tools.protection import Protection
from graphwright_runtime.values import Json, Result

if TYPE_CHECKING:
    from graphwright_runtime.trust.items import ItemTrust


class InProcessHost:
    """Runs graphs in this process (`host.Host`).

    `graphs` gives the graph of an id, None where there is none: an action with such an id runs it; by default that is
    the graph that was generated next to the calling one. Results of nodes with `cache_result` are kept in memory, as
    long as the host is. `trust` says which tool files may run, `protection` where `rye/file-system/write` does not
    write beyond what always holds, and where it does all the same.
    """

    persists = False

    def __init__(
        self,
        *,
        graphs: Callable[[str], AnyGraph | None] | None = None,
        trust: ItemTrust | None = None,
        protection: Protection | None = None,
    ) -> None:
        self._toolbox = Toolbox(graphs, trust, protection)
        self._cache: dict[Hashable, Result] = {}
        self._cancelled = False
        self.cancelled_by: str | None = None

    def now(self) -> float:
        """The wall clock."""
        return time.time()

    def new_run_id(self, graph_id: str) -> str:
        """`<last segment of the graph id>-<epoch>-<random>`."""
        return f"{run_name(graph_id)}-{int(time.time())}-{os.urandom(4).hex()}"

    def random(self) -> float:
        """From the operating system."""
        return int.from_bytes(os.urandom(6), "big") / 2**48

    async def dispatch(self, action: Action, params: dict[str, Json], context: Context) -> object:
        """By the toolbox: project tools, the user's, installed ones, built-ins."""
        bound = self._toolbox.find(action, context.project, context.env.get("HOME"), context.graph)
        return await bound(params, context)

    def tool_digest(self, action: Action, project: Path, home: str | None, caller: AnyGraph) -> str | None:
        """By the toolbox: of files, graphs and built-ins."""
        return self._toolbox.digest(action, project, home, caller)

    async def sleep(self, seconds: float) -> None:
        """On the event loop."""
        await asyncio.sleep(seconds)

    async def commit(self, step: Step) -> None:
        """Keeps nothing."""

    def cancel(self, by: str | None = None) -> None:
        """Have every run on this host stop before its next step, with status `cancelled`.

        `by` is what asked for it, such as the name of a signal: the last event of the run says so.

        Cancel the task of a run as well to cut its current action; it then ends with a result all the same.
        """
        self._cancelled = True
        self.cancelled_by = by

    def cancel_requested(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled

    def cached(self, key: Hashable) -> Result | None:
        """From memory."""
        return self._cache.get(key)

    def keep(self, key: Hashable, result: Result) -> None:
        """In memory."""
        self._cache[key] = result
