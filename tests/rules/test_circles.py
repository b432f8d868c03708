"""GW704 for graphs that call each other: an error where every path makes the call, and nowhere else."""

from __future__ import annotations

import pytest

from checking import check_files
from rules.finding import Project, findings

DONE = "{type: return}"


def circle(**graphs: str) -> dict[str, list[str]]:
    """What GW704 says of each of some graphs."""
    project = Project(graphs)
    return {name: [each.message for each in findings("GW704", project.graph(name) or "")] for name in graphs}


def graph(*config: str, **nodes: str) -> str:
    """A graph that starts at `one`; `config` are more lines of that section."""
    lines = [f"    {name}: {body}" for name, body in nodes.items()]
    return "\n".join(["tool_type: graph", "config:", *config, "  start: one", "  nodes:", *lines])


def calling(item: str, rest: str = "next: done") -> str:
    """A node that calls."""
    return f"{{action: {{item_id: tool:{item}}}, {rest}}}"


def test_two_that_call_each_other() -> None:
    assert circle(a=graph(one=calling("b"), done=DONE), b=graph(one=calling("a"), done=DONE)) == {
        "a": ["graphs call each other in a cycle: `a → b → a`"],
        "b": ["graphs call each other in a cycle: `b → a → b`"],
    }


def test_one_that_calls_itself() -> None:
    assert circle(a=graph(one=calling("a"), done=DONE)) == {"a": ["graph `a` calls itself, `a → a`"]}
    hook = graph("  hooks: [{event: graph_started, action: {item_id: tool:a}}]", one=DONE)
    assert len(circle(a=hook)["a"]) == 1
    loop = "{type: foreach, over: [1, 2], action: {item_id: tool:a}, next: done}"
    assert len(circle(a=graph(one=loop, done=DONE))["a"]) == 1


def test_a_circle_on_whichever_path() -> None:
    either = graph(
        one="{type: gate, next: [{to: two, when: {path: inputs.x, op: exists}}, {to: three}]}",
        two=calling("b"),
        three=calling("c"),
        done=DONE,
    )
    back = graph(one=calling("a"), done=DONE)
    found = circle(a=either, b=back, c=back)
    assert found["a"] == [f"graphs call each other in a cycle: `a → {each} → a`" for each in "bc"]


@pytest.mark.parametrize(
    "nodes",
    [
        {"one": "{type: gate, next: [{to: two, when: {path: inputs.x, op: exists}}, {to: done}]}", "two": calling("a")},
        {"one": '{type: foreach, over: "${inputs.x}", action: {item_id: tool:a}, next: done}'},
        {"one": calling("svc/x", "next: two, on_error: done"), "two": calling("a")},
        {"one": "{type: gate, next: [{to: two, when: {path: inputs.x, op: exists}}]}", "two": calling("a")},
    ],
)
def test_recursion_that_some_path_ends(nodes: dict[str, str]) -> None:
    assert circle(a=graph(**nodes, done=DONE)) == {"a": []}
    through = {name: body.replace("tool:a", "tool:b") for name, body in nodes.items()}
    assert circle(a=graph(**through, done=DONE), b=graph(one=calling("a"), done=DONE)) == {"a": [], "b": []}


@pytest.mark.parametrize("event", ["error", "limit"])
def test_a_hook_that_may_have_no_occasion(event: str) -> None:
    assert circle(a=graph(f"  hooks: [{{event: {event}, action: {{item_id: tool:a}}}}]", one=DONE)) == {"a": []}


def test_who_calls_into_a_circle_is_not_in_it() -> None:
    itself = graph(one=calling("a"), done=DONE)
    assert circle(top=graph(one=calling("a"), done=DONE), a=itself)["top"] == []


def test_a_tool_of_the_same_id_comes_first() -> None:
    """`x/ke.yaml` calls the tool `x/ke.py`: no circle, and no call of a graph."""
    text = graph(one=calling("x/ke", 'assign: {n: "${result.n}"}, next: done'), done=DONE)
    tool = "def execute(params, project_path):\n    return {'n': 1}\n"
    apart = {"graphwright.toml": 'roots = ["graphs"]', "graphs/x/ke.yaml": text, ".ai/tools/x/ke.py": tool}
    for files in {".ai/tools/x/ke.yaml": text, ".ai/tools/x/ke.py": tool}, apart:
        assert "GW704" not in {each.code for each in check_files(files)}
    beside = {"graphwright.toml": 'roots = ["graphs"]', "graphs/x/ke.yaml": text, "graphs/x/ke.py": tool}
    for files in {".ai/tools/x/ke.yaml": text}, beside:  # no run looks for tools in `graphs`
        assert "GW704" in {each.code for each in check_files(files)}
