"""GW113 and GW704 for params that steer the call of a nested graph."""

from __future__ import annotations

import pytest

from graphwright.facts import Facts
from rules.finding import CLEAN, Project, edit, findings, one
from rules.test_contracts import CALLER

OWN = '{team: "${inputs.team}"}\n      assign:\n        total'


def caller(params: str, *, item: str = "tool:reports/count", callee: str = CLEAN, inputs: str = "string") -> Facts:
    """A graph that passes more params."""
    text = edit(
        CALLER,
        (OWN, OWN.replace('"}', f'", {params}}}', 1)),
        ("tool:reports/count", item),
        ("team: {type: string}", f"team: {{type: {inputs}}}"),
    )
    facts = Project({"reports/all": text, "reports/count": callee}).graph("reports/all")
    assert facts is not None
    return facts


@pytest.mark.parametrize(
    "param",
    [
        "async: true",
        "async_exec: true",
        "resume: true, graph_run_id: abc",
        "resume_run_id: abc",
        "node: count, inject_state: {a: 1}",
        "validate: true",
        'node: "${inputs.team}"',
        "depth: 2",
        "capabilities: [a.b]",
        "node: null",
    ],
)
def test_what_steers_a_call_is_no_input(param: str) -> None:
    assert findings("GW113", caller(param)) == []
    assert [each for each in findings("GW704", caller(param)) if "result" not in each.message] == []


def test_a_built_in_tool_starts_nothing_in_the_background() -> None:
    [said] = findings("GW113", caller("command: x, async: true", item="tool:rye/bash"))
    assert said.message.startswith("node `count`: tool `rye/bash` cannot be called with `async`: ")


@pytest.mark.parametrize("key", ["async", "async_exec"])
def test_an_action_in_the_background_is_refused(key: str) -> None:
    text = edit(CLEAN, ("item_id: tool:tickets/count", f"item_id: tool:tickets/count\n        {key}: true"))
    assert one("GW113", text).message.startswith(f"node `count`: `{key}` is not supported")
    assert findings("GW113", text.replace(f"{key}: true", f"{key}: false")) == []


@pytest.mark.parametrize(
    ("param", "fits"),
    [
        ("depth: many", False),
        ("depth: 1.0", True),
        ("capabilities: a.*", False),
        ('async: "yes"', False),
        ("node: 5", False),
        ("inject_state: 5, node: count", False),
    ],
)
def test_what_steers_a_call_has_a_type(param: str, fits: bool) -> None:
    assert (findings("GW704", caller(param)) == []) is fits


@pytest.mark.parametrize(
    ("param", "message", "advice"),
    [
        ("node: cuont", "graph `reports/count` has no node `cuont`", "count"),
        ("inject_state: {a: 1}", "`inject_state` goes with `node`, which executes a single node", "add `node: …`"),
        ("resume: true", "`resume: true` does not say which run to resume", "write `resume_run_id: …` instead"),
        ("graph_run_id: r", "`graph_run_id` goes with `resume: true`", "write `resume_run_id` instead"),
        (
            "resume_run_id: r, graph_run_id: r",
            "`resume_run_id` and `graph_run_id` both name the run to resume",
            "remove one of them",
        ),
        ("validate: true, async: true", "a call with `validate` returns at once, so it has no `async`", "remove it"),
        ("node: count, async_exec: true", "a call with `node` returns at once, so it has no `async_exec`", "remove it"),
        ("depth: -1", "`depth` must be at least 0, not -1", "write the number of levels"),
        ("resume_from: r", "graph `reports/count` has no input `resume_from`", "resume_run_id"),
        ("resume: true, run_id: r", "graph `reports/count` has no input `run_id`", "graph_run_id"),
        ("node: count, state: {a: 1}", "graph `reports/count` has no input `state`", "inject_state"),
        ("background: true", "graph `reports/count` has no input `background`", "async"),
    ],
)
def test_options_that_fail_in_every_run(param: str, message: str, advice: str) -> None:
    own = edit(CLEAN, ("required: [team]", "required: [team]\n  additionalProperties: false"))
    facts = caller(param, callee=own)
    [said] = [each for each in findings("GW704", facts) if "result" not in each.message]
    assert said.message == f"node `count`: {message}"
    assert advice in (said.suggestion or said.help or "")


def test_a_run_that_is_resumed_has_its_inputs() -> None:
    bare = edit(CALLER, ('{team: "${inputs.team}"}\n      assign:\n        total', "{}\n      assign:\n        total"))
    for params, complaints in ("{}", 1), ("{resume_run_id: r}", 0), ("{validate: true}", 0), ("{node: count}", 1):
        facts = Project({"reports/all": bare.replace("params: {}", f"params: {params}"), "reports/count": CLEAN})
        found = facts.graph("reports/all")
        assert found is not None
        assert sum("without `team`" in each.message for each in findings("GW704", found)) == complaints, params


@pytest.mark.parametrize(
    ("param", "read", "fits"),
    [
        ("async: true", "graph_run_id", True),
        ("async: true", "output", False),
        ("validate: true", "node_count", True),
        ("validate: true", "output", False),
        ("node: count", "executed_node", True),
        ("node: count", "ended_at", False),
        ("async: false", "output", True),
        ('node: "${inputs.team}"', "ended_at", True),
    ],
)
def test_the_result_depends_on_the_call(param: str, read: str, fits: bool) -> None:
    steered = OWN.replace('"}', f'", {param}}}', 1)
    text = edit(CALLER, (OWN, steered), ("${result.output.total}", f"${{result.{read}}}"))
    facts = Project({"reports/all": text, "reports/count": CLEAN}).graph("reports/all")
    assert facts is not None
    assert ([each for each in findings("GW704", facts) if f"result.{read}" in each.message] == []) is fits
