"""A graph with everything that a test of a graph wants to steer: a retry, a timeout, a loop, an error edge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from graphwright.building.compile import compile_source
from graphwright_runtime.execute import Graph
from running import loaded

AnyGraph = Graph[Any, Any, Any]

TICKETS = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.tickets.*"]
config_schema: {type: object, properties: {queue: {type: string, default: main}}}
config:
  start: fetch
  timeout_s: 900
  state: {read: []}
  nodes:
    fetch:
      action: {item_id: tool:tickets/list, params: {queue: "${inputs.queue}"}}
      retry: {attempts: 3, backoff_ms: 2000, multiplier: 2, jitter: false, categories: [transient, timeout]}
      timeout_s: 30
      assign: {tickets: "${result.tickets}"}
      on_error: report
      next: read
    read:
      type: foreach
      over: "${state.tickets}"
      as: ticket
      parallel: true
      max_concurrency: 3
      action: {item_id: tool:tickets/read, params: {id: "${ticket}"}}
      collect: read
      next: done
    report:
      action: {item_id: tool:tickets/report, params: {error: "${state._last_error.error}"}}
      next: done
    done: {type: return, output: {read: "${state.read}"}}
"""


def compiled(text: str = TICKETS, graph_id: str = "demo/tickets") -> Iterator[AnyGraph]:
    """The graph of a text."""
    found = compile_source(text, graph_id=graph_id, path=f"{graph_id}.yaml")
    assert found.text is not None, found.diagnostics
    with loaded(found.text) as module:
        yield module.GRAPH


@pytest.fixture
def tickets() -> Iterator[AnyGraph]:
    """`TICKETS`, compiled."""
    yield from compiled()
