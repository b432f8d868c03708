"""GW704: calls of nested graphs."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import graphwright
from graphwright.rules.registry import Finding
from rules.finding import CLEAN, Project, edit, findings

CALLER = edit(
    CLEAN,
    ("tool:tickets/count", "tool:reports/count"),
    ('{tickets: "${state.tickets}"}', '{team: "${inputs.team}"}'),
    ("${result.total}", "${result.output.total}"),
)


def check(caller: str, callee: str = CLEAN) -> list[Finding]:
    facts = Project({"reports/all": caller, "reports/count": callee}).graph("reports/all")
    assert facts is not None
    return findings("GW704", facts)


def test_a_call_that_fits() -> None:
    assert check(CALLER) == []


@pytest.mark.parametrize(
    ("params", "message", "line"),
    [
        ("{}", "without `team`", 22),
        ('{taem: "${inputs.team}", team: x}', "has no input `taem`", 22),
        ("{team: 3}", "param `team` is an integer, but graph `reports/count` takes a string", 22),
        ("{team: x, depth: 1, capabilities: []}", "", 0),
    ],
)
def test_inputs(params: str, message: str, line: int) -> None:
    found = check(
        edit(
            CALLER,
            ('{team: "${inputs.team}"}\n      assign:\n        total', params + "\n      assign:\n        total"),
        )
    )
    assert [each.span.line for each in found] == ([line] if message else [])
    assert all(message in each.message for each in found)


def test_no_params_at_all() -> None:
    found = check(
        edit(
            CALLER,
            (
                '\n        params: {team: "${inputs.team}"}\n      assign:\n        total',
                "\n      assign:\n        total",
            ),
        )
    )
    assert [each.span.line for each in found] == [21]


def test_defaults_need_not_be_passed() -> None:
    callee = edit(CLEAN, ("team: {type: string}", "team: {type: string, default: red}"))
    params = ('{team: "${inputs.team}"}\n      assign:\n        total', "{}\n      assign:\n        total")
    assert check(edit(CALLER, params), callee) == []


NESTED = (
    "{type: object, properties: {name: {type: string, default: red}, size: {enum: [1, 2]}}, required: [name, size]}"
)


@pytest.mark.parametrize(
    ("passed", "message"),
    [
        ("{size: 1}", ""),
        ("{name: blue, size: 2, more: 3}", ""),
        ("{name: blue}", "`team` lacks `size`, which graph `reports/count` requires there"),
        ("{name: 3, size: 1}", "param `team.name` is an integer, but graph `reports/count` takes a string"),
        ("{size: 3}", "param `team.size` is 3, which is not one of the values that graph `reports/count` takes"),
        ("[]", "param `team` is a list, but graph `reports/count` takes an object"),
    ],
)
def test_parts_of_inputs(passed: str, message: str) -> None:
    params = (
        '{team: "${inputs.team}"}\n      assign:\n        total',
        f"{{team: {passed}}}\n      assign:\n        total",
    )
    found = check(edit(CALLER, params), edit(CLEAN, ("{type: string}", NESTED)))
    assert [each.message for each in found] == ([f"node `count`: {message}"] if message else [])


@pytest.mark.parametrize(
    ("read", "suggestion"),
    [
        ("result.output.totals", "`result.output.total`"),
        ("result.total", "`result.output.total`"),
        ("result.outptu.total", "`result.output.total`"),
        ("result.status", ""),
        ("result.output", ""),
        ("result.output.total.deeper", ""),
    ],
)
def test_outputs(read: str, suggestion: str) -> None:
    found = check(edit(CALLER, ("result.output.total", read)))
    assert len(found) == bool(suggestion)
    assert all(suggestion in str(each.help) for each in found)


def test_a_return_without_output_returns_the_state() -> None:
    callee = edit(CLEAN, ('\n      output: {total: "${state.total}"}', ""))
    assert check(edit(CALLER, ("result.output.total", "result.output.tickets")), callee) == []
    assert len(check(edit(CALLER, ("result.output.total", "result.output.rows")), callee)) == 1


def test_the_state_has_what_the_runtime_puts_there() -> None:
    callee = edit(CLEAN, ('\n      output: {total: "${state.total}"}', ""))
    assert check(edit(CALLER, ("result.output.total", "result.output._last_error.node")), callee) == []


@pytest.mark.parametrize(
    ("passed", "fits"), [("${inputs.team / 2}", True), ("${inputs.team + 0.5}", True), ("0.5", False), ("2.0", True)]
)
def test_a_float_can_be_integral(passed: str, fits: bool) -> None:
    number = ("team: {type: string}", "team: {type: integer}")
    caller = edit(CALLER, number)
    old = '{team: "${inputs.team}"}\n      assign:\n        total'
    found = check(edit(caller, (old, old.replace('"${inputs.team}"', passed))), edit(CLEAN, number))
    assert (found == []) is fits


def test_a_graph_that_takes_no_inputs() -> None:
    schema = "  type: object\n  properties:\n    team: {type: string}\n  required: [team]\n"
    callee = edit(CLEAN, (schema, "  type: object\n  additionalProperties: false\n"), ("${inputs.team}", "red"))
    assert [each.message for each in check(CALLER, callee)] == [
        "node `count`: graph `reports/count` has no input `team`"
    ]


def test_outputs_that_are_not_known() -> None:
    callee = edit(CLEAN, ('{total: "${state.total}"}', '"${state.total}"'))
    assert check(edit(CALLER, ("result.output.total", "result.output.rows")), callee) == []


@pytest.mark.parametrize(
    ("steering", "read", "found"),
    [
        ("async: true", "result.pid", 0),
        ("async_exec: true", "result.graph_run_id", 0),
        ("async: true", "result.output.total", 1),
        ("async: false", "result.output.total", 0),
        ("async: false", "result.pid", 1),
        ("validate: true", "result.node_count", 0),
    ],
)
def test_a_run_that_is_steered_returns_something_else(steering: str, read: str, found: int) -> None:
    params = (
        '{team: "${inputs.team}"}\n      assign:\n        total',
        f"{{team: x, {steering}}}\n      assign:\n        total",
    )
    assert len(check(edit(CALLER, params, ("result.output.total", read)))) == found


@pytest.mark.parametrize(
    "assign",
    ['total: "${result.output.total}"', 'total: "${result.status}"', 'total: "${result}"', "total: 1"],
)
def test_a_misspelled_graph(assign: str) -> None:
    caller = edit(CALLER, ('total: "${result.output.total}"', assign), ("tool:reports/count", "tool:reports/cuont"))
    assert [each.help for each in check(caller)] == ["did you mean `reports/count`?"]


@pytest.mark.parametrize("item", ["tool:reports/sum", "tool:other/cuont", "tool:rye/cuont"])
def test_what_may_be_any_tool(item: str) -> None:
    assert check(edit(CALLER, ("tool:reports/count", item))) == []


def test_what_is_passed_or_read_can_show_that_it_is_no_graph() -> None:
    misspelled = ("tool:reports/count", "tool:reports/counts")
    assert check(edit(CALLER, misspelled, ("${result.output.total}", "${result.rows}"))) == []
    assert len(check(edit(CALLER, misspelled, ("${result.output.total}", "${result.total}")))) == 2
    params = '{team: "${inputs.team}"}\n      assign:\n        total'
    assert check(edit(CALLER, misspelled, (params, params.replace('team: "${inputs.team}"', "rows: 1")))) == []


def test_numbers_are_no_misspellings() -> None:
    project = Project({"etl/all": edit(CALLER, ("reports/count", "etl/stage_2")), "etl/stage_1": CLEAN})
    facts = project.graph("etl/all")
    assert facts is not None
    assert findings("GW704", facts) == []


def test_a_program_of_a_misspelled_id_is_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tools = tmp_path / ".ai" / "tools" / "reports"
    tools.mkdir(parents=True)
    (tools / "count.yaml").write_text(CLEAN)
    (tools / "all.yaml").write_text(edit(CALLER, ("tool:reports/count", "tool:reports/counts")))
    assert "GW704" in graphwright("check").stderr
    program = tools / "counts.sh"
    program.write_text("#!/bin/sh\n")
    assert "GW704" in graphwright("check").stderr, "it is not executable"
    program.chmod(0o755)
    assert "GW704" not in graphwright("check").stderr
    program.unlink()
    assert "GW704" in graphwright("check").stderr
