"""GW309: inputs whose types allow null, and values whose declared types do."""

from __future__ import annotations

import pytest

from checking import check_text, loud

GIVEN = """\
tool_type: graph
permissions: []
config_schema:
  type: object
  properties: {n: {type: [integer, "null"]}, m: {type: integer}}
  required: [n, m]
config:
  start: a
  nodes:
    a: {type: gate, assign: {k: "ASSIGNED"}, next: [{to: b, when: WHEN}, {to: c}]}
    b: {type: return, output: {k: "${state.k}", n: "OUTPUT"}}
    c: {type: return, output: {}}
"""
INPUTS = {
    "in an assign": ("${inputs.n + 1}", "{path: inputs.m, op: gt, value: 1}", "${inputs.m}", [10]),
    "in an output": ("${inputs.m}", "{path: inputs.m, op: gt, value: 1}", "${-inputs.n}", [11]),
    "as a limit": ("${inputs.m}", "{path: inputs.m, op: gt, value: '${inputs.n}'}", "${inputs.m}", [10]),
    "twice": ("${inputs.n + 1}", "{path: inputs.m, op: gt, value: 1}", "${inputs.n + 1}", [10]),
    "after a test": ("${inputs.m}", "{path: inputs.n, op: exists}", "${inputs.n + 1}", []),
    "after a comparison": ("${inputs.m}", "{path: inputs.n, op: gt, value: 1}", "${inputs.n + 1}", []),
    "with a fallback": ("${(inputs.n || 0) + 1}", "{path: inputs.m, op: gt, value: 1}", "${inputs.m}", []),
    "passed on": ("${inputs.n}", "{path: inputs.m, op: gt, value: 1}", "n: ${inputs.n}", []),
}


@pytest.mark.parametrize("case", INPUTS)
def test_a_required_input_that_may_be_null(case: str) -> None:
    assigned, when, output, lines = INPUTS[case]
    text = GIVEN.replace("ASSIGNED", assigned).replace("WHEN", when).replace("OUTPUT", output)
    assert loud(check_text(text)) == [f"GW309:{line}" for line in lines]


DECLARED = """\
tool_type: graph
permissions: []
config_schema: {type: object, properties: {a: {type: string}}}
output_schema: {type: object, properties: {a: {type: [string, "null"]}, b: {properties: {a: {}}}, t: {type: string}}}
config:
  start: a
  state_schema: {type: object, properties: {k: {anyOf: [{type: string}, {type: "null"}]}, j: {type: string}}}
  nodes:
    a: {type: gate, assign: {ENTRY}, next: b}
    b: {type: return, output: {a: "${state.k || state.j}", OUTPUT}}
"""


@pytest.mark.parametrize(
    ("entry", "output", "lines"),
    [
        ('k: "${inputs.a}", j: x', 'a: "${inputs.a}"', []),
        ('k: x, j: "${inputs.a}"', "t: x", [9]),
        ('k: "in ${inputs.a}", j: x', "t: x", [9]),
        ("k: x, j: x", 't: "${inputs.a}"', [10]),
        ("k: x, j: x", 'b: {a: "${inputs.a}"}', [10]),
    ],
)
def test_a_value_that_may_be_null_as_declared(entry: str, output: str, lines: list[int]) -> None:
    text = DECLARED.replace("ENTRY", entry).replace("OUTPUT", output)
    if output.startswith("a:"):
        text = text.replace('a: "${state.k || state.j}", ', 't: "${state.k || state.j}", ')
    assert [each for each in loud(check_text(text)) if "GW309" in each] == [f"GW309:{line}" for line in lines]
