"""Files of other dialects get one message; other YAML files are none of our business."""

from __future__ import annotations

import pytest

from checking import check_files, check_text, loud, only
from front.reading import facts_of, faults_of, graph
from graphwright.dialects.detect import foreign_dialect, is_graph
from graphwright.faults.keys import OtherDialect, WrongValue
from graphwright.source.reader import read_text

DONE = "    done: {type: return}\n"


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("config:\n  start: a\n  nodes:\n    a: {node_type: return}\n", "node_type", 4),
        (
            "tool_type: graph\nconfig:\n  start: a\n  nodes:\n    a:\n      next: {type: unconditional, to: b}\n",
            "next",
            6,
        ),
        (graph("    work: {action: {item_id: tool:a, ref_bindings: {}}}\n" + DONE), "ref_bindings", 7),
        ("config:\n  start: a\n  segment_steps: 9\n  nodes:\n    a: {action: {item_id: tool:a}}\n", "segment_steps", 3),
        ("config:\n  start: a\n  config_schema: {}\n  nodes: {a: {action: {item_id: tool:a}}}\n", "config_schema", 3),
        (graph(DONE, start="done", top="requires: {capabilities: [x]}\n"), "requires", 4),
        ("initial_node: a\nnodes: [{id: a}]\nedges: []\n", "initial_node", 1),
        ("start: a\nnodes:\n  a: {node_type: return}\n", "nodes", 2),
        ("tool_type: graph\nstart: a\nnodes:\n  a: {node_type: return}\n", "nodes", 3),
        (graph(DONE, start="done", top="ref_bindings: {a: b}\n"), "ref_bindings", 4),
        ("tool_type: graph\nconfig: {nodes: [{id: a}], edges: [{from: a, to: b}]}\n", "nodes", 2),
    ],
)
def test_one_fault_at_the_first_tell_tale_key(text: str, key: str, line: int) -> None:
    assert [fault.code for fault in faults_of(text)] == ["GW114"]
    fault = facts_of(text).faults(OtherDialect)[0]
    named = [entry for entry in fault.differences if entry[1] != "tool_type"]
    assert (named[0][1], named[0][0], fault.span.line) == (key, line, line)
    assert facts_of(text).graph is None


def test_a_string_condition_in_a_graph_of_this_language_is_one_mistake() -> None:
    text = graph(
        '    work: {type: gate, assign: {total: 4}, next: [{to: done, when: "state.total > 3"}]}\n'
        "    odd: {type: gate, nxt: done}\n" + DONE
    )
    found = {fault.code: fault for fault in faults_of(text)}
    assert sorted(found) == ["GW101", "GW102"]
    wrong = found["GW102"]
    assert isinstance(wrong, WrongValue)
    assert wrong.hint == "write `when: {path: state.total, op: gt, value: 3}`"


@pytest.mark.parametrize(
    "text",
    [
        "nodes: [{id: a}]\nedges: [{from: a, to: b}]\n",
        "requires: {capabilities: [net]}\n",
        "project: tickets\nretries: 3\n",
        "- a\n- b\n",
        "text",
        "",
        graph('    work: {type: gate, next: [{to: done, when: ""}]}\n' + DONE),
        graph("    work: {action: {item_id: a, params: {node_type: x, edges: []}}, next: done}\n" + DONE),
    ],
)
def test_everything_else_is_left_alone(text: str) -> None:
    assert foreign_dialect(read_text(text)) is None


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("tool_type: graph\n", True),
        ("tool_type: state_graph\n", True),
        ("tool_type: python\n", False),
        ("tool_type: 5\n", False),
        ("name: graph\n", False),
        ("", False),
        ("- tool_type: graph\n", False),
        ('tool_type: graph\nconfig: "never closed\n', True),
        ('  tool_type: graph\nconfig: "never closed\n', False),
        ("tool_type: 'graph'  # that is what it is\r\nconfig: [\r\n", True),
        ('name: "never closed\n', False),
        ('{"name": "x",\n  "tool_type": "graph",\n  "config": {\n', True),
        ("{'version': '1', 'tool_type':'state_graph', config: [", True),
        ("tool_type : graph\nconfig: [\n", True),
        ('{"tool_type": "graphics", [', False),
    ],
)
def test_is_it_a_graph(text: str, answer: bool) -> None:
    assert is_graph(read_text(text)) is answer


CLAIMED = """\
tool_type: graph
permissions: []
config:
  start: a
  config_schema: {type: object, properties: {n: {type: integer}}, required: [n]}
  nodes:
    a: {type: return, output: "${inputs.n} ${inputs.m}"}
"""


def test_a_slip_that_is_a_tell_tale_elsewhere_is_one_mistake_in_a_graph_of_this_language() -> None:
    assert loud(check_text(CLAIMED)) == ["GW101:5", "GW307:7"]
    assert only(check_text(CLAIMED), "GW101").help == "`config_schema` belongs at the top level"
    unclaimed = CLAIMED.replace("tool_type: graph\n", "category: x\n")
    assert loud(check_files({"graph.yaml": unclaimed}, "graph.yaml")) == ["GW114:5"]
    nodes = CLAIMED.replace("  config_schema", "config_schema").replace("  nodes:\n    a", "nodes:\n  a")
    assert loud(check_text(nodes)) == ["GW101:6", "GW307:7"]
