"""The default host: wall clock, asyncio, and the toolbox. It persists nothing."""

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
    from graphwright_runtime.agent.runner import ThreadRunner
    from graphwright_runtime.trust.items import ItemTrust


class InProcessHost:
    """Runs graphs in this process (`host.Host`).

    `graphs` returns the graph with an id, or None; by default, graphs in the package of the calling one are found.
    Results of nodes with `cache_result` are cached in memory as long as the host exists. `trust` is the policy for tool
    files. `protection` defines additional folders that `rye/file-system/write` must not write to, and exceptions.
    `threads` runs the threads that graphs start with `rye/agent/threads/thread_directive`.
    """

    persists = False

    def __init__(
        self,
        *,
        graphs: Callable[[str], AnyGraph | None] | None = None,
        trust: ItemTrust | None = None,
        protection: Protection | None = None,
        threads: ThreadRunner | None = None,
    ) -> None:
        self.threads = threads
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
        """A random number from the operating system."""
        return int.from_bytes(os.urandom(6), "big") / 2**48

    async def dispatch(self, action: Action, params: dict[str, Json], context: Context) -> object:
        """Call a tool from the toolbox: tools of the project, of the user, installed ones, built-in ones."""
        bound = self._toolbox.find(action, context.project, context.env.get("HOME"), context.graph)
        return await bound(params, context)

    def graph(self, item_id: str, caller: AnyGraph | None) -> AnyGraph | None:
        """The graph with this id that `caller` calls; None if there is none."""
        return self._toolbox.graph(item_id, caller)

    def tool_digest(self, action: Action, project: Path, home: str | None, caller: AnyGraph) -> str | None:
        """The digest of a file, graph or built-in tool."""
        return self._toolbox.digest(action, project, home, caller)

    def directive(self, item_id: str, project: Path, home: str | None) -> str | None:
        """The text of a directive of the project or the user."""
        return self._toolbox.directive(item_id, project, home)

    async def sleep(self, seconds: float) -> None:
        """Wait on the event loop."""
        await asyncio.sleep(seconds)

    async def commit(self, step: Step) -> None:
        """Do nothing."""

    def cancel(self, by: str | None = None) -> None:
        """Stop every run on this host before its next step, with status `cancelled`.

        `by` is what requested it, such as the name of a signal; it is included in the last event of the run. To
        interrupt the current action of a run, cancel its task as well; the run then still returns a result.
        """
        self._cancelled = True
        self.cancelled_by = by

    def cancel_requested(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled

    def cached(self, key: Hashable) -> Result | None:
        """The cached result for this key; None if there is none."""
        return self._cache.get(key)

    def keep(self, key: Hashable, result: Result) -> None:
        """Cache a result in memory."""
        self._cache[key] = result
