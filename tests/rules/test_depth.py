"""GW704 for calls of graphs that always call others, deeper than a limit allows; the runtime agrees."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import pytest

from durability.kept import compiled
from graphwright.diagnostic import Severity
from graphwright_runtime.execute import execute
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.result import RunResult
from rules.finding import Project, findings

REFUSED = "no graph can be started below this one: `limits.depth` is used up"
END = "tool_type: graph\nconfig: {start: done, nodes: {done: {type: return}}}\n"


def calling(item: str, *top: str, params: str = "{}", kind: str = "", config: str = "") -> str:
    """A graph that calls another one; `top`, `kind` and `config` are more keys at the top, of the node, of `config`."""
    action = f"action: {{item_id: 'tool:{item}', params: {params}}}"
    nodes = f"{{one: {{{kind}{action}, next: done}}, done: {{type: return}}}}"
    return "\n".join(["tool_type: graph", *top, f"config: {{{config}start: one, nodes: {nodes}}}", ""])


def found(graphs: dict[str, str], name: str = "a") -> list[tuple[str, str | None]]:
    """The messages and the advice of GW704 for one of some graphs."""
    facts = Project(graphs).graph(name)
    return [(each.message, each.help) for each in findings("GW704", facts or "")]


CHAIN = {"b": calling("c"), "c": calling("d"), "d": END}

#: Graphs that call `c`, and complete if that fails.
HANDLED = [
    calling("c", kind="on_error: done, "),
    calling("c", config="on_error: continue, "),
    calling("c", config="max_steps: 9, on_max_steps: return, "),
    calling("c", params="{async: true}"),
    *(
        f"tool_type: graph\nconfig: {{start: done, nodes: {{done: {{type: return}}}}, hooks: [{{event: {event}, "
        "action: {item_id: tool:c}}]}\n"
        for event in ("graph_started", "graph_completed", "error")
    ),
]


def test_the_limit_of_the_caller() -> None:
    graphs = {**CHAIN, "a": calling("b", "limits: {depth: 2}")}
    message = "node `one`: `a → b → c → d` needs 3 levels of nested graphs, but `limits.depth` is 2"
    assert found(graphs) == [(message, "write `limits: {depth: 3}`")]
    assert found({**graphs, "a": calling("b", "limits: {depth: 3}")}) == []


def test_the_default() -> None:
    names = "abcdefg"
    graphs = {name: calling(after) for name, after in pairwise(names)} | {"g": END}
    message = "node `one`: `a → b → c → d → e → f → g` needs 6 levels of nested graphs, but `limits.depth` is 5"
    assert found(graphs) == [(message, "add `limits: {depth: 6}`; the default is 5")]
    assert found(graphs, "b") == []
    facts = Project({**graphs, "root": calling("a", "limits: {depth: 7}")}).graph("a")
    (only,) = findings("GW704", facts or "")
    assert only.severity is Severity.WARNING, "a graph that calls it may set a higher limit"


def test_no_level_at_all() -> None:
    either = "tool_type: graph\nlimits: {depth: 0}\nconfig: {start: one, nodes: {one: {type: gate, next: [{to: two, "
    either += "when: {path: inputs.x, op: exists}}, {to: done}]}, two: {action: {item_id: 'tool:d'}, next: done}, "
    either += "done: {type: return}}}\n"
    assert len(found({"a": either, "d": END})) == 1, "a call that can never work"


def test_the_depth_of_the_call() -> None:
    graphs = {**CHAIN, "a": calling("b", params="{depth: 1}")}
    message = "node `one`: `b → c → d` needs 2 levels of nested graphs, but `depth` of the call is 1"
    assert found(graphs) == [(message, "pass `depth: 2`")]
    assert found({**graphs, "a": calling("b", params="{depth: 2}")}) == []
    assert found({**graphs, "a": calling("b", params='{depth: "${inputs.n}"}')}) == []
    declared = "config_schema: {type: object, properties: {depth: {type: integer}}}"
    assert found({**graphs, "a": calling("b", params="{depth: 1}"), "b": calling("c", declared)}) == []


def test_the_limit_of_a_called_graph_is_its_own_mistake() -> None:
    graphs = {**CHAIN, "a": calling("b"), "b": calling("c", "limits: {depth: 1}")}
    assert found(graphs) == []
    assert len(found(graphs, "b")) == 1


@pytest.mark.parametrize(
    "middle",
    [
        calling("c", kind='type: foreach, over: "${inputs.x}", '),
        calling("c", params="{validate: true}"),
        calling("c", params='{resume_run_id: "${inputs.x}"}'),
        calling("${inputs.x}"),
        *HANDLED,
    ],
)
def test_levels_that_may_not_be_needed(middle: str) -> None:
    assert found({**CHAIN, "a": calling("b", "limits: {depth: 1}"), "b": middle}) == []


@pytest.mark.parametrize("caller", HANDLED)
def test_a_call_that_may_fail(caller: str) -> None:
    assert found({**CHAIN, "a": caller.replace("config:", "limits: {depth: 1}\nconfig:", 1)}) == []


@pytest.mark.parametrize("option", ["validate: true", "node: one", "resume_run_id: r1"])
def test_a_part_of_a_graph_needs_one_level(option: str) -> None:
    graphs = {**CHAIN, "a": calling("b", "limits: {depth: 1}", params=f"{{{option}}}")}
    assert found(graphs) == []
    none = {**graphs, "a": calling("b", "limits: {depth: 0}", params=f"{{{option}}}")}
    assert len(found(none)) == (0 if option == "validate: true" else 1)


def test_recursion_that_some_path_ends_needs_no_level() -> None:
    itself = 'one: {type: foreach, over: "${inputs.x}", action: {item_id: tool:a}, next: done}'
    assert (
        found({"a": f"tool_type: graph\nconfig: {{start: one, nodes: {{{itself}, done: {{type: return}}}}}}\n"}) == []
    )


@pytest.mark.parametrize("option", ["validate: true", "node: done"])
def test_a_call_of_itself_that_runs_only_a_part_is_no_cycle(option: str) -> None:
    assert found({"a": calling("a", params=f"{{{option}}}")}) == []


# --- the runtime agrees ---------------------------------------------------------------------------------------------


def ran(graphs: dict[str, str]) -> RunResult[Any, Any]:
    """A run of `a`."""
    with ExitStack() as stack:
        modules = {name: stack.enter_context(compiled(text, name)).GRAPH for name, text in graphs.items()}
        host = InProcessHost(graphs=modules.get)
        return asyncio.run(execute(modules["a"], {}, capabilities=["*"], host=host, env={}, durability="off"))


@pytest.mark.parametrize("limit", [None, 0, 1, 2, 3, 4])
@pytest.mark.parametrize("option", [None, 0, 1, 2, 3])
def test_what_is_reported_fails(limit: int | None, option: int | None) -> None:
    top = [] if limit is None else [f"limits: {{depth: {limit}}}"]
    graphs = {**CHAIN, "a": calling("b", *top, params="{}" if option is None else f"{{depth: {option}}}")}
    result = ran(graphs)
    assert (result.error == REFUSED) is bool(found(graphs)), (result.error, found(graphs))
    assert result.success is not bool(found(graphs))


@pytest.mark.parametrize("middle", [each for each in HANDLED if "on_max_steps" not in each])
def test_what_is_handled_completes(middle: str) -> None:
    assert ran({**CHAIN, "b": middle, "a": calling("b", "limits: {depth: 2}")}).success


def test_a_helper_below_a_graph_with_a_higher_limit() -> None:
    names = "bcdefgh"
    graphs = {name: calling(after) for name, after in pairwise(names)} | {"h": END}
    assert ran({**graphs, "a": calling("b", "limits: {depth: 10}")}).success
    assert found({**graphs, "a": calling("b", "limits: {depth: 10}")}) == []


def test_more_levels_than_by_default() -> None:
    names = "abcdefg"
    graphs = {name: calling(after) for name, after in pairwise(names)} | {"g": END}
    assert ran(graphs).error == REFUSED
    assert ran({**graphs, "a": calling("b", "limits: {depth: 6}")}).success
    assert found({**graphs, "a": calling("b", "limits: {depth: 6}")}) == []
