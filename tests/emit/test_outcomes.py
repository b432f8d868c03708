"""The union of a graph's ends: its members, and that runs end as they say."""

from __future__ import annotations

import asyncio
import typing
from pathlib import Path
from typing import Any

import pytest

from graphwright_runtime.result import Failed, RunResult
from running import compile_text, loaded, run_module, run_text

HEAD = "tool_type: graph\npermissions: [rye.execute.tool.x.*]\n"
ENDS = (Path(__file__).parents[1] / "golden" / "modules" / "ends.yaml").read_text("utf-8")

#: A node that goes to `a` or `b`, and returns the state where it goes nowhere.
ASK = """\
    ask:
      action: {item_id: x/ask}
      assign: {n: "${result.n}", items: "${result.items}"}
      next:
        - {to: a, when: {path: result.way, op: eq, value: a}}
        - {to: b, when: {path: result.way, op: eq, value: b}}
"""


def members(text: str) -> list[str]:
    """What `Outcome` consists of; empty where the module has no such name."""
    with loaded(compile_text(text)) as module:
        found: list[str] = []
        for member in typing.get_args(getattr(module, "Outcome", None)):
            _, output, nodes, names = typing.get_args(member)
            assert names == module.NodeName
            kind = getattr(output, "__name__", str(output))
            found.append(f"{typing.get_origin(member).__name__} {kind} {' '.join(typing.get_args(nodes))}")
        return found


def graph(nodes: str, more: str = "", state: str = "{}") -> str:
    return f"{HEAD}{more}config:\n  start: ask\n  state: {state}\n  on_max_steps: fail\n  nodes:\n{ASK}{nodes}"


def test_members() -> None:
    two = graph("    a: {type: return, output: {x: 1}}\n    b: {type: return, output: {y: s}}\n")
    assert members(two) == ["RunResult State ask", "RunResult OutputA a", "RunResult OutputB b", "Failed NoneType ask"]


def test_nodes_with_the_same_type_share_a_member() -> None:
    same = graph("    a: {type: return, output: {x: '${state.n}'}}\n    b: {type: return, output: {x: '${state.n}'}}\n")
    assert members(same) == ["RunResult State ask", "RunResult OutputA a b", "Failed NoneType ask"]


def test_a_template_that_can_fail_ends_without_output() -> None:
    fails = graph("    a: {type: return, output: {x: '${state.n + 1}'}}\n    b: {type: return, output: {y: s}}\n")
    assert members(fails)[-1] == "Failed NoneType ask a"


def test_a_template_that_is_known_not_to_fail_does_not() -> None:
    safe = graph("    a: {type: return, output: {x: '${state.m + 1}'}}\n    b: {type: return}\n", state="{m: 1}")
    assert members(safe)[-1] == "Failed NoneType ask"


def test_a_state_that_is_checked_at_the_end_can_fail_everywhere() -> None:
    checked = graph("    a: {type: return, output: {x: 1}}\n    b: {type: return}\n").replace(
        "state: {}", "state: {}\n  state_schema: {type: object, properties: {n: {}}, minProperties: 3}"
    )
    assert members(checked)[-1] == "Failed NoneType ask a b"


def test_a_limit_that_completes_the_run_gives_the_state_anywhere_but_at_a_return_node() -> None:
    loop = graph("    a: {type: return, output: {x: 1}}\n    b: {type: gate, next: ask}\n").replace(
        "on_max_steps: fail", "on_max_steps: return"
    )
    assert members(loop) == ["RunResult State ask b", "RunResult OutputA a", "Failed NoneType ask b"]


def test_a_graph_whose_ends_are_alike_has_no_union() -> None:
    assert members(graph("    a: {type: return}\n    b: {type: return}\n")) == []


def test_a_declared_output_is_the_output_of_all_ends() -> None:
    nodes = "    a: {type: return, output: {x: 1}}\n    b: {type: return, output: {x: 2}}\n"
    declared = "output_schema: {type: object, properties: {x: {type: integer}}}\n"
    assert members(graph(nodes, declared)) == []


def test_names_of_ends_are_told_apart_from_others() -> None:
    nodes = "    a: {type: return, output: {value: {deep: 1}}}\n    b: {type: return, output: {y: s}}\n"
    text = graph(nodes).replace("a:", "outcome:").replace("to: a,", "to: outcome,").replace("b:", "Value:")
    text = text.replace("to: b,", "to: Value,")
    assert members(text)[1:3] == ["RunResult OutputOutcome outcome", "RunResult OutputValue Value"]


def test_many_ends_have_one_type() -> None:
    several = "".join(f"    r{n}: {{type: return, output: {{k{n}: 1}}}}\n" for n in range(20))
    edges = "".join(f"        - {{to: r{n}, when: {{path: result.way, op: eq, value: r{n}}}}}\n" for n in range(20))
    text = graph("    a: {type: return}\n    b: {type: return}\n" + several).replace(ASK, ASK + edges)
    with loaded(compile_text(text)) as module:
        assert not hasattr(module, "Outcome")
        assert set(typing.get_type_hints(module.OutputValue)) == {f"k{n}" for n in range(20)}


@pytest.mark.parametrize(
    ("verdict", "kind", "output"),
    [
        ("yes", RunResult, {"approved_by": "nobody", "final": True}),
        ("no", RunResult, {"reason": "x"}),
        ("late", RunResult, {"reason": "x"}),
        ("error", Failed, {"code": "E7"}),
        ("count", RunResult, 2),
        ("none", Failed, None),
        ("other", RunResult, {"title": "x", "verdict": "other", "votes": [1, 2]}),
        ("broken", Failed, None),
    ],
)
def test_runs_end_so(verdict: str, kind: type[RunResult[Any, Any]], output: object) -> None:
    answer = {"verdict": "count", "votes": 3} if verdict == "broken" else {"verdict": verdict, "votes": [1, 2]}
    result = run_text(ENDS, {"title": "x"}, {"x/ask": answer}).result
    assert (type(result), result.output) == (kind, output)
    assert result.success is (kind is RunResult)
    assert (result.error is None) is result.success


def test_a_refused_run_has_failed_before_its_first_node() -> None:
    with loaded(compile_text(ENDS)) as module:
        result = asyncio.run(run_module(module, {}, lambda *_: {})).result
    assert type(result) is Failed
    assert (result.ended_at, result.output, result.path) == (None, None, ())
