"""Expressions that do something else than what they were plainly meant to do: one finding, with the right one."""

from __future__ import annotations

import pytest

from checking import check_files, check_text, loud, only
from graphwright.checking.fix import apply_fixes

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.*, rye.execute.tool.rye.bash]
config_schema:
  type: object
  properties: {team: {type: string}, most: {type: integer, default: 20}, teams: {type: array, items: {type: string}}}
  required: [team, teams]
config:
  start: fetch
  state: {tries: 0}
  nodes:
    fetch:
      action: {item_id: tool:tickets/list, params: {team: "${inputs.team}", most: "${inputs.most}"}}
      assign: {total: "${result.total}", tries: "${state.tries + 1}", rounds: "${(state.rounds || 0) + 1}"}
      on_error: recover_state
      next: each
    each:
      type: foreach
      over: "${inputs.teams}"
      as: name
      action: {item_id: tool:tickets/ping, params: {name: "${name}", text: "Hello ${name}"}}
      collect: answers
      next:
        - {to: fetch, when: {path: state.rounds, op: lt, value: 3}}
        - {to: list}
    list:
      action: {item_id: tool:rye/bash, params: {command: "echo ${inputs.team | quote} ${state.tries | int}"}}
      next: done
    recover_state: {type: return, output: {tries: "${state.tries}"}}
    done: {type: return, output: {total: "${state.total}", answers: "${state.answers | length}"}}
"""

#: What is written, what instead, the only finding, and its help.
MISTAKES = [
    ('"${state.tries + 1}"', '"${state.tries} + 1"', "GW415:13", "write `${state.tries + 1}`"),
    ('"${state.tries + 1}"', '"(${state.tries}) * 2"', "GW415:13", "write `${state.tries * 2}`"),
    ('"${(state.rounds || 0) + 1}"', '"${state.rounds || 0} + 1"', "GW415:13", "write `${(state.rounds || 0) + 1}`"),
    ("(state.rounds || 0) + 1", "state.rounds || 0 + 1", "GW417:13", "write `${(state.rounds || 0) + 1}`"),
    ("(state.rounds || 0) + 1", "state.rounds || 0 + 1 + 2", "GW417:13", "write `${(state.rounds || 0) + 1 + 2}`"),
    ('"${state.tries + 1}"', '"${state.tries + 1}}"', "GW415:13", "write `${state.tries + 1}`"),
    ('name: "${name}", text', 'name: "$name", text', "GW415:20", "write `${name}`"),
    ('name: "${name}", text', 'name: "{{ name }}", text', "GW415:20", "write `${name}`"),
    ("Hello ${name}", "Hello {name}", "GW415:20", "write `${name}`"),
    ("Hello ${name}", "Hello ${inputs.most | length}", "GW407:20",
     "`length` takes strings, lists and mappings: remove it, or apply it to another value"),
    ("state.answers | length", "state.answers | upper", "GW407:29",
     "`upper` takes strings and numbers: remove it, or apply it to another value"),
    ("path: state.rounds, op: lt, value: 3", "path: state.rounds < 3", "GW401:23",
     "write `{path: state.rounds, op: lt, value: 3}`"),
    ("${inputs.team | quote}", "$team", "GW503:26", "write `${inputs.team | quote}`"),
    ("${state.tries | int}", "$tries", "GW503:26", "write `${state.tries | quote}`"),
    ("${inputs.team | quote}", "${inputs.teams}", "GW606:26", "write `${inputs.teams | json | quote}`"),
    ("op: lt, value: 3", "op: lt, value: 3%", "GW407:23", "write a number without quotes, such as `value: 100`"),
    ("op: lt, value: 3", 'op: in, value: ["1", "2"]', "GW213:23", "write the values without quotes: `[1, 2]`"),
    ("${inputs.team | quote}", "${TEAM}", "GW402:26",
     "write a shell variable as `$TEAM`, without braces; did you mean `inputs.team`?"),
    ('over: "${inputs.teams}"', 'over: "${inputs.teams | length}"', "GW412:18",
     "write a list, such as `[a, b]` or `${state.rows}`"),
    ("on_error: recover_state", "on_error: recover", "GW203:14", "did you mean `recover_state`?"),
    ("assign: {total:", "assign: {total_count:", "GW301:29", "did you mean `state.total_count`?"),
    ("      as: name\n", "", "GW402:19", "did you mean `item`?"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "instead", "said", "advice"), MISTAKES)
def test_one_finding_says_what_was_meant(written: str, instead: str, said: str, advice: str) -> None:
    assert loud(check_text(GRAPH)) == []
    assert written in GRAPH
    found = check_text(GRAPH.replace(written, instead, 1))
    assert {one for one in loud(found) if one[:5] != "GW402" or one == said} == {said}  # each use without `as`
    assert advice in [one.help for one in found]


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ('"${state.tries + 1}"', '"${state.tries} + 1"'),
        ('"${(state.rounds || 0) + 1}"', '"${state.rounds || 0} + 1"'),
        ('name: "${name}", text', 'name: "$name", text'),
    ],
)
def test_the_fix_is_what_was_meant(written: str, instead: str) -> None:
    graph = GRAPH.replace(written, instead, 1)
    assert apply_fixes(graph, [found.fix for found in check_text(graph) if found.fix]).text == GRAPH


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("Hello ${name}", "Hello {other}"),
        ("Hello ${name}", "costs $names"),
        ("Hello ${name}", "${name} - 2"),
        ("${(state.rounds || 0) + 1}", "${(state.rounds || 0) + 0 + 1}"),
        ("${(state.rounds || 0) + 1}", "${(state.rounds || 10 + 1) + 1}"),
        ("${(state.rounds || 0) + 1}", "${(state.rounds || inputs.most + 1) + 1}"),
        ("${state.total}", "${inputs.most | str | length} ${state.total | length}"),
    ],
)
def test_what_may_be_meant_is_not_reported(written: str, instead: str) -> None:
    assert loud(check_text(GRAPH.replace(written, instead, 1))) == []


def test_a_graph_that_is_called_with_its_suffix() -> None:
    called = GRAPH.replace("tool:tickets/ping", "tool:tickets/other.yaml")
    other = "tool_type: graph\npermissions: []\nconfig: {start: a, nodes: {a: {type: return}}}\n"
    found = check_files({".ai/tools/tickets/all.yaml": called, ".ai/tools/tickets/other.yaml": other})
    assert only(found, "GW704").help == "did you mean `tickets/other`?"


THREADS = """\
tool_type: graph
permissions: [rye.execute.tool.rye.agent.threads.*, rye.execute.directive.*]
config_schema: {type: object, properties: {files: {type: array}}, required: [files]}
config:
  start: spawn
  nodes:
    spawn:
      type: foreach
      over: "${inputs.files}"
      action:
        item_id: tool:rye/agent/threads/thread_directive
        params: {directive_name: review/file, inputs: {file: "${item}"}, async_exec: true}
      collect: thread_ids
      next: wait
    wait:
      action:
        item_id: tool:rye/agent/threads/orchestrator
        params: {operation: wait_threads, thread_ids: "${state.thread_ids}"}
      next: done
    done: {type: return}
"""


@pytest.mark.parametrize(("instead", "said"), [("async_exce: true", "GW702:12"), ('async_exec: "yes"', "GW412:12")])
def test_what_a_misspelled_async_collects_is_not_known(instead: str, said: str) -> None:
    assert loud(check_text(THREADS)) == []
    assert loud(check_text(THREADS.replace("async_exec: true", instead))) == [said]


def test_a_thread_that_is_waited_for_gives_no_id() -> None:
    found = check_text(THREADS.replace(", async_exec: true", ""))
    assert only(found, "GW412").message.startswith("node `wait`: an item of param `thread_ids` is an object")


def test_retries_as_a_number() -> None:
    graph = GRAPH.replace("on_error: recover_state", "retries: 3\n      on_error: recover_state")
    found = check_text(graph)
    assert [one.help for one in found if one.code == "GW101"] == ["did you mean `retry`? Write `retry: {attempts: 3}`"]


def test_empty_strings_are_values() -> None:
    graph = GRAPH.replace('"${state.tries + 1}"', '""').replace('text: "Hello ${name}"', 'text: ""')
    assert loud(check_text(graph)) == []
