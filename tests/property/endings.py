"""Whether a run ended as its module's types say."""

from __future__ import annotations

from typing import Any

from analysis.membership import belongs
from graphwright import ir
from graphwright.emit.knowledge import Knowledge
from graphwright.facts import Facts
from graphwright_runtime.result import Failed, RunResult


def ended_as_said(result: RunResult[Any, Any], facts: Facts) -> bool:
    """Whether the node where the run ended can end it so: as a failure or not, with such an output."""
    knowledge = Knowledge(facts)
    node = None if result.ended_at is None else knowledge.graph.nodes[result.ended_at]
    failed = isinstance(result, Failed)
    if failed is result.success:
        return False
    if failed and result.output is None:
        return node is None or knowledge.ends.can_fail(node)
    return node is not None and any(
        (node.name in end.nodes or (end.anywhere and not isinstance(node, ir.ReturnNode)))
        and end.fails is failed
        and (result.output == result.state if end.output is None else belongs(result.output, end.output))
        for end in knowledge.ends
    )
