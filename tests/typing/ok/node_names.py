"""The nodes that a result names are those of the graph; a result without node names has any strings."""

from __future__ import annotations

from typing import assert_type

from modules import routing

from graphwright_runtime.abi import RunResult


def where() -> routing.NodeName | None:
    result = routing.run_sync({"team": "x"})
    assert_type(result.ended_at, routing.NodeName | None)
    assert_type(result.node, routing.NodeName | None)
    assert_type(result.path, tuple[routing.NodeName, ...])
    shown(result)
    return result.ended_at


def shown(result: RunResult[object, object]) -> str | None:
    return result.ended_at
