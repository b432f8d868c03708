"""Caches the results of nodes with `cache_result`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple, Protocol, cast

from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import Action
from graphwright_runtime.host import Cache, Digests
from graphwright_runtime.run import Run
from graphwright_runtime.values import Json, Result


class Slot(Protocol):
    """The cache entry of one call."""

    def get(self) -> Result | None:
        """The cached result; None if there is none."""

    def put(self, result: Result) -> None:
        """Store a result."""


class HostSlot(NamedTuple):
    """An entry in the cache of a host."""

    host: Cache
    key: Hashable

    def get(self) -> Result | None:
        """The cached result; None if there is none."""
        return self.host.cached(self.key)

    def put(self, result: Result) -> None:
        """Store a result."""
        self.host.keep(self.key, result)


def slot_of(run: Run, action: Action, params: dict[str, Json], context: Context) -> Slot | None:
    """The cache entry of a call.

    It is persistent if the run is recorded and the tool has a digest; otherwise, the host keeps it. None if the host
    has no cache. Raises NodeError for params that cannot be written as JSON.
    """
    digest = None if run.recorder is None else _digest(run, action)
    if run.recorder is not None and digest is not None:
        called = {"item_id": action.item_id, "kind": action.kind, "params": params, "primary": action.primary}
        call: dict[str, Json] = {"graph_hash": run.graph.hash, "node": context.node, "action": cast("Json", called)}
        try:
            return run.recorder.cache.entry(call, digest)
        except ValueError as error:
            raise NodeError(f"params cannot be written as JSON: {error}") from error
    if isinstance(run.host, Cache):
        return HostSlot(run.host, _cache_key(run, action, params, context.node))
    return None


def _digest(run: Run, action: Action) -> str | None:
    """The digest of the tool for an action; None if it is unknown."""
    from graphwright_runtime.tooldigest import code_digest

    item_id = action.item_id or ""
    if item_id in run.tools:
        return code_digest(run.tools[item_id])
    if run.dispatch is not None:
        return code_digest(run.dispatch)
    if isinstance(run.host, Digests):
        return run.host.tool_digest(action, run.project, run.env.get("HOME"), run.graph)
    return None


def _cache_key(run: Run, action: Action, params: Mapping[str, Json], node: str) -> Hashable:
    """A cache key of the graph, node, action, params and tool."""
    import json

    try:
        written = json.dumps(params, sort_keys=True)
    except ValueError as error:  # an integer of thousands of digits
        raise NodeError(f"params cannot be written as JSON: {error}") from error
    tool = run.tools.get(action.item_id or "")
    return (
        run.graph.hash,
        node,
        action.primary,
        action.kind,
        action.item_id,
        written,
        tool if isinstance(tool, Hashable) else id(tool),
    )
