"""A process that checks graphs for days: memory stays what it is."""

from __future__ import annotations

import sys

import pytest

from checking import check_text
from graphwright import collector

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.rye.bash]
config_schema: {type: object, properties: {a: {type: string, pattern: '^x0$'}}}
config:
  start: n0
  state: {k0: 1}
  nodes:
    n0: {action: {item_id: rye/bash, params: {command: 'echo ${inputs.a} $X0'}}, assign: {k0: '${state.k0}'}, next: b0}
    b0: {type: return, output: '${state.k0} ${state.typo0}'}
"""


def test_ten_thousand_checks_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """In small: what is let go of is collected every so often, though the collector rests during a check."""
    monkeypatch.setattr(collector, "_LITTLE", 0)
    used = []
    for number in range(768):
        check_text(GRAPH.replace("0", str(number)))
        if number % 256 == 255:
            used.append(sys.getallocatedblocks())
    assert used[2] < used[0] * 1.5
