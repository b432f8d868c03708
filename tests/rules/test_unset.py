"""GW301, GW302 and GW309: reads before any assignment, and every read of a string."""

from __future__ import annotations

import pytest

from checking import check_files
from graphwright.diagnostic import Severity
from rules.finding import one, places

HEAD = "tool_type: graph\npermissions: [rye.execute.tool.x.a]\n"
INPUTS = (
    "config_schema:\n  type: object\n  required: [sure, level]\n"
    "  properties: {sure: {type: boolean}, level: {enum: [low, high]}, note: {type: string}}\n"
)
A = "{item_id: tool:x/a}"


def graph(*nodes: str, start: str = "a", extra: str = "", inputs: str = "") -> str:
    """A graph of nodes in flow style."""
    return f"{HEAD}{inputs}config:\n{extra}  start: {start}\n  nodes:\n" + "".join(f"    {node}\n" for node in nodes)


def found(text: str) -> list[str]:
    """The codes of errors and warnings."""
    return [each.code for each in check_files({"graph.yaml": text}) if each.severity is not Severity.NOTE]


SET_K = f'b: {{action: {A}, assign: {{k: "${{result.k}}"}}, next: z}}'
READ_K = 'a: {action: {item_id: tool:x/a, params: {k: "${state.k}"}}, next: b}'
RETURN_K = 'z: {type: return, output: "${state.k}"}'


# --- nothing assigns the key on the way ---------------------------------------------------------------------------


def test_a_key_that_is_only_assigned_afterwards_is_an_error() -> None:
    text = graph(READ_K, SET_K, RETURN_K)
    assert found(text) == ["GW301"]
    only = one("GW301", text)
    assert only.message == "`state.k` is read, but no path to `a` assigns `k`; only `b` assigns it"
    assert only.help == "assign it on the way to `a`, or give `k` a value in `config.state`"
    assert found(graph(READ_K, SET_K, RETURN_K, extra="  state: {k: 1}\n")) != ["GW301"]


def test_a_key_that_only_another_branch_assigns_is_an_error() -> None:
    fork = "a: {type: gate, next: [{to: b, when: {path: inputs.sure, value: true}}, {to: c}]}"
    text = graph(fork, SET_K, 'c: {type: return, output: "${state.k}"}', RETURN_K, inputs=INPUTS)
    assert [each for each in found(text) if each != "GW308"] == ["GW301"]


@pytest.mark.parametrize(
    "text",
    [
        graph('a: {action: {item_id: tool:x/a, params: {k: "${state.k || 1}"}}, next: b}', SET_K, RETURN_K),
        graph(
            "a: {type: gate, next: [{to: b, when: {path: state.k, value: null}}, {to: z}]}", SET_K, "z: {type: return}"
        ),
    ],
    ids=["fallback", "asks for null"],
)
def test_null_is_provided_for(text: str) -> None:
    assert "GW301" not in found(text)
    assert "GW302" not in found(text)


@pytest.mark.parametrize(
    "text",
    [
        graph(SET_K.replace("b:", "a:").replace("next: z", "on_error: c, next: z"), RETURN_K,
              RETURN_K.replace("z:", "c:")),
        graph(READ_K, SET_K.replace("next: z", "next: [{to: a, when: {path: state.k, value: 2}}, {to: z}]"), RETURN_K),
        graph(f'a: {{action: {A}, assign: {{k: "${{result.k}}"}}, next: [{{to: c, when: {{path: state.k, value: 1}}}}, '
              "{to: z}]}", "c: {type: return}", "z: {type: return}", extra="  on_error: continue\n"),
    ],
    ids=["error edge", "next round", "own failure"],
)  # fmt: skip
def test_after_a_failure_or_on_one_of_several_paths_it_is_a_warning(text: str) -> None:
    assert set(found(text)) == {"GW302"}


def test_a_node_that_lost_its_edge_is_the_one_mistake() -> None:
    text = graph(f"a: {{action: {A}, next: z}}", SET_K, RETURN_K)
    assert found(text) == ["GW204"]


def test_what_is_wrong_in_a_node_that_no_run_comes_to_waits_until_one_does() -> None:
    lost = (
        "b: {type: gate, next: [{to: z, when: {path: inputs.level, value: medium}}, "
        "{to: z, when: {path: inputs.level, value: low}}]}"
    )
    text = graph("a: {type: gate, next: [{to: z, when: {path: inputs.sure, value: true}}, {to: z}]}", lost,
                 "z: {type: return}", inputs=INPUTS)  # fmt: skip
    assert [each for each in found(text) if each not in ("GW308", "GW206", "GW603")] == ["GW204"]


def test_the_help_for_a_failure_of_the_node_itself_leads_to_a_clean_graph() -> None:
    edges = "[{to: c, when: {path: state.k, value: 1}}, {to: z}]"
    nodes = [
        f'a: {{action: {A}, assign: {{k: "${{result.k}}"}}, next: {edges}}}',
        "c: {type: return}",
        "z: {type: return}",
    ]
    text = graph(*nodes, extra="  on_error: continue\n")
    assert str(one("GW302", text).help).startswith(
        "add an edge for the failure first, `- {to: …, when: {path: result.status"
    )
    assert found(text.replace("next: [", "next: [{to: z, when: {path: result.status, value: error}}, ")) == []


def test_a_condition_may_ask_first() -> None:
    edges = "next: [{to: b, when: {path: inputs.sure, value: true}}, {to: c}]"
    asks = "c: {type: gate, next: [{to: d, when: {path: state.k, value: 1}}, {to: z}]}"
    nodes = [
        f"a: {{type: gate, {edges}}}",
        SET_K.replace("next: z", "next: c"),
        asks,
        "d: {type: return}",
        "z: {type: return}",
    ]
    text = graph(*nodes, inputs=INPUTS)
    first = "all: [{path: state.k, op: exists}, {path: state.k, …}]"
    assert one("GW302", text).help == f"give `k` a value in `config.state`, or test it first: `{first}`"
    asked = text.replace("{path: state.k, value: 1}", "{all: [{path: state.k, op: exists}, {path: state.k, value: 1}]}")
    assert "GW302" not in found(asked)


# --- hooks --------------------------------------------------------------------------------------------------------


def hook(event: str, rest: str) -> str:
    """A graph with a hook that reads `state.k`, which node `b` assigns."""
    line = f"  hooks: [{{event: {event}, {rest}}}]\n"
    return graph(f"a: {{action: {A}, next: b}}", SET_K, RETURN_K, extra=line)


PARAMS = 'action: {item_id: tool:x/a, params: {k: "${state.k}"}}'


def test_a_hook_at_the_start_comes_before_every_assignment() -> None:
    assert places("GW301", hook("graph_started", PARAMS)) == ["4: state.k"]
    condition = f"condition: {{path: state.k, value: 1}}, action: {A}"
    assert places("GW301", hook("graph_started", condition)) == ["4: state.k"]


@pytest.mark.parametrize(
    "text",
    [
        hook("graph_completed", PARAMS),
        hook("graph_started", PARAMS.replace("state.k", "state.k || 0")),
        hook("graph_started", PARAMS).replace("  start:", "  state: {k: 1}\n  start:"),
        hook("graph_started", f"condition: {{path: state.k, op: exists}}, {PARAMS}"),
    ],
    ids=["later", "fallback", "begins with a value", "asked first"],
)
def test_hooks_that_find_the_key(text: str) -> None:
    assert places("GW301", text) == []


# --- every read of a string ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "columns"),
    [("${inputs.note || 'x'} ${inputs.note}", 1), ("${inputs.note} ${inputs.note}", 1), ("${inputs.note || 'x'}", 0)],
)
def test_an_optional_input_is_looked_at_wherever_a_string_reads_it(text: str, columns: int) -> None:
    whole = graph(f'a: {{type: return, output: "{text}"}}', inputs=INPUTS)
    assert places("GW309", whole) == ["10: inputs.note"] * columns


def test_a_key_is_looked_at_wherever_a_string_reads_it() -> None:
    edges = "next: [{to: b, when: {path: inputs.sure, value: true}}, {to: z}]"
    nodes = [f"a: {{type: gate, {edges}}}", SET_K, "z: {type: return, output: \"${state.k || 'x'} ${state.k}\"}"]
    assert places("GW302", graph(*nodes, inputs=INPUTS)) == ["12: state.k"]
