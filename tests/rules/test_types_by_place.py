"""Types of keys that nodes set to values of different kinds: each read has the type that reaches it."""

from __future__ import annotations

import pytest

from checking import check_files
from graphwright.diagnostic import Severity

HEAD = "tool_type: graph\npermissions: [rye.execute.tool.x.a]\nconfig:\n"


def graph(start: str, *nodes: str, state: str = "", extra: str = "") -> str:
    """A graph of nodes in flow style; the first is on line 7."""
    lines = [HEAD + extra + f"  start: {start}\n  state: {{{state}}}\n  nodes:\n"]
    return "".join([*lines, *(f"    {node}\n" for node in nodes)])


def found(text: str) -> list[str]:
    """The errors and warnings, as code and line, but for those about the permission."""
    listed = check_files({"graph.yaml": text})
    return [
        f"{each.code}:{each.span.line}"
        for each in listed
        if each.severity is not Severity.NOTE and each.code != "GW603"
    ]


COMPARE = "{type: gate, assign: {n: beta}, next: [{to: r, when: {path: state.n, op: gt, value: 0}}, {to: q}]}"
DONE = 'r: {type: return, output: "${state.n}"}'
ADD = '{type: gate, assign: {m: "${state.n + 1}"}, next: r}'
BOTH = 'r: {type: return, output: "${state.m} ${state.n}"}'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (graph("s", f"s: {COMPARE}", "q: {type: gate, assign: {n: 1}, next: r}", DONE), ["GW407:7"]),
        (graph("s", f"s: {ADD}".replace("next: r", "next: u"), "u: {type: gate, assign: {n: 2}, next: r}", BOTH,
               state="n: null"), ["GW407:7"]),
        (graph("s", "s: {type: gate, assign: {n: [1]}, next: u}", f"u: {ADD}",
               "w: {type: gate, assign: {n: 2}, next: r}",
               'r: {type: return, output: "${state.m}"}'), ["GW407:8", "GW204:9"]),
        (graph("a", 'a: {type: foreach, over: "${state.n}", as: i, collect: n, action: {item_id: tool:x/a, '
               'params: {i: "${i}"}}, next: r}', DONE, state="n: 5"), ["GW412:7"]),
        (graph("a", 'a: {action: {item_id: tool:x/a}, assign: {n: "${result.n}"}, on_error: u, next: r}', f"u: {ADD}",
               'r: {type: return, output: "${state.m || state.n}"}', state="n: none"), ["GW407:8"]),
        (graph("s", "s: {type: gate, assign: {n: {a: 1}}, next: u}",
               'u: {type: gate, assign: {m: "${state.n.b}"}, next: w}',
               "w: {type: gate, assign: {n: 2}, next: r}", BOTH),
         ["GW410:8"]),
    ],
    ids=["text, then number", "null, then number", "unreachable writer", "over", "error edge", "field"],
)  # fmt: skip
def test_a_certain_error_stays_certain_whatever_other_nodes_assign(text: str, expected: list[str]) -> None:
    assert found(text) == expected


LOOP = "[{to: s, when: {path: state.m, op: lt, value: 5}}, {to: r}]"


@pytest.mark.parametrize(
    "text",
    [
        graph("s", "s: {type: gate, assign: {n: 2}, next: u}", f"u: {ADD}", BOTH, state="n: none"),
        graph("s", "s: {type: gate, assign: {n: 2}, next: u}", f"u: {ADD}", BOTH, state="n: null"),
        graph("s", f"s: {ADD}".replace("next: r", f"next: {LOOP}"), BOTH, state="n: 1, m: null"),
        graph("a", 'a: {action: {item_id: tool:x/a}, assign: {n: 3}, next: u}', f"u: {ADD}", BOTH, state="n: none"),
        graph("s", "s: {type: gate, assign: {n: a, n2: 1}, next: u}",
              'u: {type: gate, assign: {n: "${state.n2}", m: "${state.n + 1}"}, next: r}', BOTH),
        graph("a", 'a: {action: {item_id: tool:x/a}, assign: {n: "${result.n}"}, on_error: r, next: u}', f"u: {ADD}",
              'r: {type: return, output: "${state.m || state.n}"}', state="n: none"),
        graph("b", 'b: {type: gate, next: [{to: s, when: {path: inputs.x, value: 1}}, {to: u}]}',
              "s: {type: gate, assign: {n: 2}, next: u}", f"u: {ADD}", BOTH, state="n: none"),
        graph("a", 'a: {type: foreach, over: [1, 2], as: i, action: {item_id: tool:x/a, params: {i: "${i}", '
              'n: "${state.n}"}}, assign: {n: 4}, next: u}', f"u: {ADD}", BOTH, state="n: none"),
    ],
    ids=["replaced", "null replaced", "loop", "after the action", "within the node", "after success", "one of two ways",
         "perhaps no item"],
)  # fmt: skip
def test_what_may_be_right_is_not_reported(text: str) -> None:
    assert [each for each in found(text) if each.startswith("GW4")] == []


def test_a_failure_that_goes_on_leaves_the_old_type() -> None:
    nodes = ["a: {action: {item_id: tool:x/a}, assign: {n: 3}, next: u}", f"u: {ADD}", BOTH]
    text = graph("a", *nodes, state="n: none", extra="  on_error: continue\n")
    assert [each for each in found(text) if each.startswith("GW4")] == []
    edges = "[{to: u, when: {path: result.status, value: error}}, {to: r}]"
    failing = f"a: {{action: {{item_id: tool:x/a}}, assign: {{n: 3}}, next: {edges}}}"
    text = graph("a", failing, f"u: {ADD}", 'r: {type: return, output: "${state.m || state.n}"}', state="n: none",
                 extra="  on_error: continue\n")  # fmt: skip
    assert found(text) == ["GW407:9"]


def test_a_misspelled_target_takes_no_definition_away() -> None:
    nodes = ["s: {type: gate, assign: {n: 2}, next: uu}", f"u: {ADD}", BOTH]
    assert found(graph("s", *nodes, state="n: none")) == ["GW202:7"]
