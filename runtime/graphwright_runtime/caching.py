"""Where the result of a node with `cache_result` is kept, and under which name."""

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
    """Where the result of one call is kept."""

    def get(self) -> Result | None:
        """The result, None where there is none."""

    def put(self, result: Result) -> None:
        """Keep it."""


class HostSlot(NamedTuple):
    """A place in the memory of a host."""

    host: Cache
    key: Hashable

    def get(self) -> Result | None:
        """The result, None where there is none."""
        return self.host.cached(self.key)

    def put(self, result: Result) -> None:
        """Keep it."""
        self.host.keep(self.key, result)


def slot_of(run: Run, action: Action, params: dict[str, Json], context: Context) -> Slot | None:
    """Where the result of a call is kept: from run to run where runs are kept and the tool has a digest.

    Else by the host, None where it keeps none. Raises NodeError for params that cannot be written as JSON.
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
    """The digest of the tool that answers an action; None where nobody knows."""
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
    """Equal for the same call of the same node by the same tool of the same graph."""
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
