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
        "resume: true",
        "resume_run_id: abc",
        "graph_run_id: abc",
        "node: count",
        "inject_state: {a: 1}",
        "validate: true",
        'async: "yes"',
        'node: "${inputs.team}"',
    ],
)
def test_what_no_run_does_yet_is_refused(param: str) -> None:
    key = param.partition(":")[0]
    [said] = findings("GW113", caller(param))
    assert said.message.startswith(f"node `count`: graph `reports/count` cannot be called with `{key}` yet: ")
    own = edit(CLEAN, ("team: {type: string}", f"team: {{type: string}}\n    {key}: {{}}"))
    assert findings("GW113", caller(param, callee=own)) == [], "an input of that name"
    assert findings("GW113", caller(param, item="tool:svc/start")) == [], "a tool may take what it likes"


@pytest.mark.parametrize("param", ["async: false", "resume: false", "node: null", "depth: 2", "capabilities: [a.b]"])
def test_what_asks_for_nothing_or_works_is_fine(param: str) -> None:
    assert findings("GW113", caller(param)) == []


def test_what_is_only_known_at_run_time_is_left_to_it() -> None:
    assert findings("GW113", caller('node: "${inputs.team}"', inputs="[string, 'null']")) == []
    assert findings("GW113", caller('async: "${inputs.team}"', inputs="boolean")) == []


def test_a_built_in_tool_starts_nothing_in_the_background() -> None:
    [said] = findings("GW113", caller("command: x, async: true", item="tool:rye/bash"))
    assert said.message.startswith("node `count`: tool `rye/bash` cannot be called with `async` yet")


@pytest.mark.parametrize("key", ["async", "async_exec"])
def test_an_action_in_the_background_is_refused(key: str) -> None:
    text = edit(CLEAN, ("item_id: tool:tickets/count", f"item_id: tool:tickets/count\n        {key}: true"))
    assert one("GW113", text).message.startswith(f"node `count`: `{key}` is not supported")
    assert findings("GW113", text.replace(f"{key}: true", f"{key}: false")) == []


@pytest.mark.parametrize(
    ("param", "fits"), [("depth: many", False), ("depth: 1.0", True), ("capabilities: a.*", False)]
)
def test_what_narrows_a_call_has_a_type(param: str, fits: bool) -> None:
    assert (findings("GW704", caller(param)) == []) is fits
