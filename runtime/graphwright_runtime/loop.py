"""The step loop: from node to node until one has no successor."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat
from typing import cast

from graphwright_runtime.branch import Branch
from graphwright_runtime.errors import Ended, NodeError, Reenter
from graphwright_runtime.failure import Node, recovered
from graphwright_runtime.limits import Pace
from graphwright_runtime.watch import watched


async def walk(branch: Branch, start: str) -> None:
    """Execute nodes from `start` on.

    Raises what ends a run early: Ended, LimitReached, CancelRequested, cancellation, and errors that are none of a
    node's.
    """
    nodes = cast("Mapping[str, Node]", branch.run.graph.nodes)
    if branch.run.watched:
        nodes = {name: watched(function) for name, function in nodes.items()}
    path, pace = branch.path, Pace(branch)
    node: str | None = start
    while node is not None:
        for _ in repeat(None, pace.quick() or await pace.look(node)):
            path.append(node)
            try:
                node = await nodes[node](branch)
            except (NodeError, Reenter, Ended) as signal:
                node = await recovered(branch, nodes[path[-1]], signal)
            if node is None:
                break
