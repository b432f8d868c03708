"""GW302: one finding for each key and cause, on the path with the fewest failures; following the help removes it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from checking import check_files
from graphwright.diagnostic import Diagnostic, Severity
from rules.finding import edit

HEAD = """\
tool_type: graph
permissions: [rye.execute.tool.x.*]
config:
  on_error: continue
  start: load
  nodes:
"""


def act(name: str, rest: str) -> str:
    """A line with an action."""
    return f"    {name}: {{action: {{item_id: tool:x/{name}}}, {rest}}}\n"


def use(name: str, rest: str) -> str:
    """A line with an action that reads `files`."""
    return f'    {name}: {{action: {{item_id: tool:x/{name}, params: {{f: "${{state.files}}"}}}}, {rest}}}\n'


LOAD = act("load", 'assign: {files: "${result.files}"}, next: a')
STOP = "    stop: {type: return}\n"
#: Seven nodes in a row, before `h`.
LINE = "".join(act(name, f"next: {after}") for name, after in pairwise("abcdefgh"))


def unsure(text: str) -> list[Diagnostic]:
    """What is said of keys that may be unassigned; nothing else is wrong."""
    found = check_files({"graph.yaml": text})
    assert {each.code for each in found if each.severity is not Severity.NOTE} <= {"GW302"}
    return [each for each in found if each.code == "GW302"]


MANY = HEAD + LOAD + use("a", "next: b") + use("b", "next: c") + use("c", "next: stop") + STOP


def test_all_reads_after_a_failure_are_one_finding() -> None:
    (only,) = unsure(MANY)
    assert only.message == (
        "`state.files` may be unassigned here and in 2 other places: the path `load → a` skips it "
        "(when `load` fails, `on_error: continue` skips its `assign`)"
    )
    assert only.span.line == 8
    labels = [(each.span.line, each.message) for each in only.related]
    assert labels == [
        (7, "`files` is assigned here"),
        (9, "`state.files` is read here"),
        (10, "`state.files` is read here"),
    ]
    fallback = "write a fallback: `${state.files || …}`, each time"
    assert only.help == f"add `on_error` to node `load`, or give `files` a value in `config.state`, or {fallback}"


@pytest.mark.parametrize(
    "fixed",
    [
        edit(MANY, ("next: a}", "on_error: stop, next: a}")),
        edit(MANY, ("  start:", "  state: {files: []}\n  start:")),
        MANY.replace("${state.files}", "${state.files || 'none'}"),
    ],
    ids=["error edge", "value at the start", "fallback, each time"],
)
def test_each_part_of_the_help_removes_it(fixed: str) -> None:
    assert unsure(fixed) == []


def test_two_nodes_that_need_an_error_edge_are_both_named() -> None:
    text = (
        HEAD.replace("start: load", "start: pick")
        + "    pick: {type: gate, next: [{to: load, when: {path: inputs.fast, value: true}}, {to: scan}]}\n"
        + LOAD
        + act("scan", 'assign: {files: "${result.files}"}, next: a')
        + use("a", "next: stop")
        + STOP
    )
    (only,) = unsure(text)
    assert str(only.help).startswith("add `on_error` to nodes `load` and `scan`, or give")
    assert unsure(text.replace("next: a}", "on_error: stop, next: a}")) == []


def test_an_error_edge_is_no_help_where_a_branch_skips_the_key_too() -> None:
    text = (
        HEAD.replace("start: load", "start: pick")
        + "    pick: {type: gate, next: [{to: load, when: {path: inputs.fast, value: true}}, {to: a}]}\n"
        + LOAD
        + use("a", "next: stop")
        + STOP
    )
    (only,) = unsure(text)
    assert "the path `pick → a` skips it" in only.message
    assert str(only.help).startswith("give `files` a value in `config.state`, or write")


def test_a_path_without_failures_is_shown_though_it_is_longer() -> None:
    text = (
        HEAD
        + act("load", "on_error: rescue, next: a")
        + act("a", "next: b")
        + act("b", "next: done")
        + act("rescue", 'assign: {files: "${result.files}"}, next: done')
        + '    done: {type: return, output: "${state.files}"}\n'
    )
    (only,) = unsure(text)
    assert "the path `load → a → b → done` skips it" in only.message
    assert "fails" not in only.message


def test_every_node_that_fails_on_the_path_is_named() -> None:
    text = (
        HEAD
        + act("load", 'assign: {files: "${result.files}"}, on_error: rescue, next: stop')
        + act("rescue", "on_error: done, next: stop")
        + '    done: {type: return, output: "${state.files}"}\n'
        + STOP
    )
    (only,) = unsure(text)
    assert "(when `load` fails, its `assign` is not reached, and when `rescue` fails)" in only.message


def test_a_long_path_keeps_the_node_that_skips_the_key() -> None:
    text = HEAD + LOAD + LINE + use("h", "next: stop") + STOP
    (only,) = unsure(text)
    assert "`load → a → … → d → e → f → g → h`" in only.message
    assert "when `load` fails" in only.message


def test_a_long_path_keeps_the_branch_that_skips_the_key() -> None:
    text = (
        HEAD.replace("start: load", "start: one")
        + act("one", "next: two")
        + act("two", "next: pick")
        + "    pick: {type: gate, next: [{to: load, when: {path: inputs.fast, value: true}}, {to: a}]}\n"
        + LOAD
        + LINE
        + use("h", "next: stop")
        + STOP
    )
    (only,) = unsure(text)
    assert "`one → two → pick → a → … → e → f → g → h`" in only.message


# --- conditions that null does not match ---------------------------------------------------------------------------


def routed(when: str, *, last: str = "{to: stop}") -> str:
    """A node that compares a key that may be unassigned, and another that it may lead to."""
    edges = f"next: [{{to: work, when: {when}}}, {last}]"
    return HEAD + LOAD + f"    a: {{type: gate, {edges}}}\n" + act("work", "next: stop") + STOP


@pytest.mark.parametrize(
    "when",
    [
        "{path: state.files, value: go}",
        "{path: state.files, op: gt, value: 3}",
        "{path: state.files, op: in, value: [a, b]}",
        "{path: state.files, op: contains, value: a}",
        "{path: state.files, op: regex, value: a}",
        "{not: {path: state.files, op: ne, value: go}}",
        "{any: [{path: state.files, value: go}, {path: state.files, value: come}]}",
    ],
)
def test_a_comparison_that_is_false_for_null_before_a_default_edge_is_a_note(when: str) -> None:
    (only,) = unsure(routed(when))
    assert only.severity is Severity.NOTE
    assert only.message.endswith("; the condition does not match then, and the next edge is tried")


@pytest.mark.parametrize(
    "when",
    [
        "{path: state.files, op: ne, value: go}",
        "{not: {path: state.files, value: go}}",
        "{path: state.files, op: in, value: [a, null]}",
        '{path: state.files, value: "${inputs.name}"}',
    ],
)
def test_a_comparison_that_null_may_match_is_a_warning(when: str) -> None:
    (only,) = unsure(routed(when))
    assert only.severity is Severity.WARNING


def test_a_comparison_before_another_condition_is_a_warning() -> None:
    text = routed("{path: state.files, value: go}", last="{to: stop, when: {path: state.files, value: come}}")
    found = check_files({"graph.yaml": text})
    assert ("GW302", Severity.WARNING) in [(each.code, each.severity) for each in found]


def test_another_read_is_the_warning_and_the_comparison_is_not_repeated() -> None:
    text = edit(routed("{path: state.files, value: go}"), (act("work", "next: stop"), use("work", "next: stop")))
    assert unsure(text) == unsure(text)[:1], "behind the condition, it is there"
    text = edit(text, ("{to: stop}]", "{to: work}]"))
    (only,) = unsure(text)
    assert (only.severity, only.span.line, "other place" in only.message) == (Severity.WARNING, 9, False)


# --- paths that no run takes ---------------------------------------------------------------------------------------

CHOICE = """\
tool_type: graph
permissions: [rye.execute.tool.x.*]
config_schema:
  type: object
  required: [fast, level]
  properties: {fast: {type: boolean}, level: {enum: [low, high]}, count: {type: integer}}
config:
  start: pick
  nodes:
    pick:
      type: gate
      next:
        - {to: a, when: FIRST}
        - {to: b, when: SECOND}
        - {to: z}
    a: {action: {item_id: tool:x/a, params: {c: "${inputs.count}"}}, assign: {k: "${result.k}"}, next: z}
    b: {action: {item_id: tool:x/b, params: {f: "${inputs.fast}"}}, assign: {k: "${result.k}"}, next: z}
    z: {type: return, output: "${state.k} ${inputs.level}"}
"""


def chosen(first: str, second: str) -> list[str]:
    """The messages for a choice between two nodes, followed by a default edge that skips both."""
    text = CHOICE.replace("FIRST", first).replace("SECOND", second)
    return [each.message for each in check_files({"graph.yaml": text}) if each.code == "GW302"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("{path: inputs.level, value: low}", "{path: inputs.level, value: high}"),
        ("{path: inputs.level, value: low}", "{path: inputs.level, op: ne, value: low}"),
        ("{path: inputs.fast, value: true}", "{path: inputs.fast, value: false}"),
        ("{path: inputs.fast, value: true}", "{not: {path: inputs.fast, value: true}}"),
        ("{path: inputs.level, op: in, value: [low, high]}", "{path: inputs.fast, value: true}"),
        ("{path: inputs.count, op: exists}", "{not: {path: inputs.count, op: exists}}"),
    ],
)
def test_a_default_edge_that_the_conditions_leave_nothing_for_is_no_path(first: str, second: str) -> None:
    assert chosen(first, second) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("{path: inputs.level, value: low}", "{path: inputs.fast, value: true}"),
        ("{path: inputs.fast, value: true}", "{path: inputs.level, value: high}"),
        ("{path: inputs.count, op: gt, value: 1}", "{path: inputs.count, op: lte, value: 1}"),
    ],
    ids=["another subject", "half of each", "may be null"],
)
def test_a_default_edge_that_some_case_takes_is_a_path(first: str, second: str) -> None:
    (only,) = chosen(first, second)
    assert "the path `pick → z` skips it" in only


def test_a_failure_that_the_graph_goes_on_after_takes_such_an_edge() -> None:
    text = CHOICE.replace("FIRST", "{path: inputs.level, value: low}").replace(
        "SECOND", "{path: inputs.level, value: high}"
    )
    text = edit(text, ("  start: pick\n", "  start: pick\n  on_error: continue\n"))
    messages = [each.message for each in check_files({"graph.yaml": text}) if each.code == "GW302"]
    assert all("fails" in each for each in messages)
    assert messages
