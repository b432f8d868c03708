"""A condition that says nothing always holds, wherever it stands (language.md §5).

It stands next to one that only a run decides: an edge that is always taken, before another one, is an error.
"""

from __future__ import annotations

import pytest

from running import run_text

GRAPH = """\
tool_type: graph
permissions: []
config:
  start: route
  nodes:
    route:
      type: gate
      next:
        - {{to: yes_, when: {{all: [{condition}, {{not: {{path: inputs.a, op: exists}}}}]}}}}
        - {{to: no_}}
    yes_: {{type: return, output: "yes"}}
    no_: {{type: return, output: "no"}}
"""


@pytest.mark.parametrize(
    ("condition", "ended"),
    [
        ("{not: {}}", "no_"),
        ("{not: {not: {}}}", "yes_"),
        ("{any: [{}]}", "yes_"),
        ("{all: [{}, {path: inputs.a, op: exists}]}", "no_"),
        ("{not: {x-why: it is switched off}}", "no_"),
    ],
)
def test_it_holds(condition: str, ended: str) -> None:
    assert run_text(GRAPH.format(condition=condition), {}, {}).result.ended_at == ended
