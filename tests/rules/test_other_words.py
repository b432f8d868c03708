"""Words from other tools, and forms that belong elsewhere: one finding, with what is written here instead."""

from __future__ import annotations

import pytest

from checking import check_files, check_text, loud

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.*, rye.execute.tool.rye.bash]
config_schema:
  type: object
  properties:
    team: {type: string, minLength: 1}
    most: {type: integer, minimum: 1, default: 20}
  required: [team]
config:
  start: fetch
  max_concurrency: 4
  hooks:
    - {event: limit, action: {continue: true, additional_steps: 5}}
  nodes:
    fetch:
      action: {item_id: tool:tickets/list, params: {team: "${inputs.team}"}}
      assign: {total: "${result.total}", mode: "${result.mode}"}
      retry: {attempts: 3, backoff_ms: 100}
      cache_result: true
      next:
        - {to: list, when: {path: state.total, op: gt, value: 20}}
        - {to: list, when: {all: [{path: state.mode, op: eq, value: fast}, {not: {path: state.total, op: exists}}]}}
        - {to: done}
    list:
      action: {item_id: tool:rye/bash, params: {command: "echo ${inputs.team | quote} ${inputs.most | quote}"}}
      max_visits: 3
      next: done
    done: {type: return, output: "${state.total}"}
"""

RETRY = "retry: {attempts: 3, backoff_ms: 100}"
#: What is written, what is meant, the finding, and its help.
MISTAKES = [
    ("config_schema:\n", "input_schema:\n", "GW101:3", "did you mean `config_schema`?"),
    ("config_schema:\n", "parameters:\n", "GW101:3", "did you mean `config_schema`?"),
    ("  properties:\n", "  property:\n", "GW105:5", "did you mean `properties`?"),
    ("  properties:\n", "  fields:\n", "GW105:5", "did you mean `properties`?"),
    ("minimum: 1", "min: 1", "GW105:7", "did you mean `minimum`?"),
    ("minLength: 1", "min_length: 1", "GW105:6", "did you mean `minLength`?"),
    ("minLength: 1", "choices: [core, web]", "GW105:6", "did you mean `enum`?"),
    ("max_concurrency: 4", "concurrency: 4", "GW101:11", "did you mean `max_concurrency`?"),
    ("additional_steps: 5", "extra_steps: 5", "GW101:13", "did you mean `additional_steps`?"),
    ("{continue: true, additional_steps: 5}", "continue", "GW102:13", "write `action: {continue: true}`"),
    ("retry: {attempts: 3", "retry: {count: 3", "GW101:18", "did you mean `attempts`?"),
    ("retry: {attempts: 3", "retry: {max: 3", "GW101:18", "did you mean `attempts`?"),
    ("backoff_ms: 100}", "on: [timeout]}", "GW101:18", "did you mean `categories`?"),
    ("backoff_ms: 100}", "no: 1}", "GW101:18", "allowed here: `attempts`, `backoff_ms`"),
    ("cache_result: true", "cached: true", "GW101:19", "did you mean `cache_result`?"),
    ("max_visits: 3", "max_iterations: 3", "GW101:26", "did you mean `max_visits`?"),
    ("      next: done\n", "      to: done\n", "GW101:27", "did you mean `next`?"),
    (RETRY, "retries: 3", "GW101:18", "did you mean `retry`? Write `retry: {attempts: 3}`"),
    (RETRY, "env: {TOKEN: x}", "GW101:18", "did you mean `env_requires`? Write a list, `env_requires: ["),
    (RETRY, "Catch: [{Next: done}]", "GW101:18", "did you mean `on_error`? Write the name of a node"),
    ("  nodes:\n", "  States:\n", "GW101:14", "did you mean `nodes`?"),
    ("  max_concurrency: 4\n", "  recursion_limit: 40\n", "GW101:11", "did you mean `max_steps`?"),
    ("{to: done}\n", "{to: done, when: true}\n", "GW102:23", "write no `when`: the edge is unconditional"),
    ("done: {type: return", "done: {Type: Succeed", "GW106:28", "did you mean `return`?"),
    ("done: {type: return", "done: {type: Fail", "GW106:28", "did you mean `return`?"),
    ("max_visits: 3\n", "type: foreach\n      over: [a]\n      result: total\n", "GW101:28", "did you mean `collect`?"),
    ("max_visits: 3\n", "type: foreach\n      withItems: [a]\n", "GW101:27", "did you mean `over`?"),
    ("max_visits: 3\n", "type: foreach\n      over: [a]\n      item: team\n", "GW101:28", "did you mean `as`?"),
    ("op: gt, value: 20", "gt: 20", "GW101:21", "did you mean `op: gt, value: …`?"),
    ("op: eq, value: fast", "equals: fast", "GW101:22", "did you mean `op: eq, value: …`?"),
    ("{not: {path: state.total, op: exists}}", "{path: state.total, exists: true}", "GW101:22", "mean `op: exists`?"),
    ("{not: {path: state.total, op: exists}}", "{not: [{path: state.total, op: exists}]}", "GW102:22", "takes one"),
    ("{path: state.total, op: gt, value: 20}", "[{path: state.total, op: gt, value: no}, {path: state.mode, value: a}]",
     "GW102:21", "write `when: {all: […]}` if each of them must hold, `when: {any: […]}` if one is enough"),
    ("{command: \"echo ${inputs.team | quote} ${inputs.most | quote}\"}",
     "[no, \"${inputs.team}\", \"${inputs.most}\"]", "GW102:25", "write a mapping, `params: {name: value}`"),
    ("minLength: 1", "minLenght: 1", "GW105:6", "did you mean `minLength`?"),
    ("done: {type: return, output", "done: {type: return, result", "GW101:28", "did you mean `output`?"),
    ("done: {type: return", "done: {type: exit", "GW106:28", "did you mean `return`?"),
    ("op: gt, value: 20}", "op: gt, value: 1,000}", "GW101:21", "allowed here: `path`, `op`, `value`"),
    ("cache_result: true", "x-a: 1\n      owner: [yes, y]", "GW101:20", "allowed here: `action`, `assign`"),
    ("| quote", "| shell_quote", "GW403:25", "did you mean `quote`?"),
    ("next: done\n", "next: {if: ok, then: done, else: fetch}\n", "GW102:27",
     "write a list of edges: `- {to: …, when: {path: …, value: …}}`"),
    ("next: done\n", "next: {to: done, when: {path: state.total, value: no}}\n", "GW102:27", "put `- ` before it"),
    ("next: done\n", "next: END\n", "GW202:27", "a run ends at a return node: write `done`"),
    ("next: done\n", "next: done\n      on_error: abort\n", "GW203:28",
     "remove it: if a node has no `on_error`, `config.on_error` applies and a failure ends the run"),
    ("done: {type: return, output: \"${state.total}\"}", "done: return", "GW102:28", "write `done: {type: return}`"),
    ("list:\n      action:",
     "list:\n      type: llm\n      assign: {total: \"${result.stdout}\"}\n      action:", "GW106:25",
     "allowed here: `action`, `gate`, `foreach`, `return`"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "instead", "said", "advice"), MISTAKES)
def test_other_words_are_one_finding(written: str, instead: str, said: str, advice: str) -> None:
    assert loud(check_text(GRAPH)) == []
    assert written in GRAPH
    found = check_text(GRAPH.replace(written, instead, 1))
    assert loud(found) == [said]
    assert [one.help for one in found if one.code == said[:5] and advice in str(one.help)], [one.help for one in found]


def test_a_list_is_not_a_schema() -> None:
    start = GRAPH.index("config_schema:")
    graph = f"{GRAPH[:start]}config_schema: [team, no]\n{GRAPH[GRAPH.index('config:') :]}"
    (found,) = (one for one in check_text(graph) if one.code == "GW102")
    assert found.help == "write `config_schema: {type: object, properties: {…}}`"
    assert loud((*check_text(graph),)) == ["GW102:3"]


def test_nodes_that_are_not_under_config_are_one_finding() -> None:
    text = "tool_type: graph\npermissions: []\nstart: a\nnodes:\n  a: {type: gate, next: b}\n  b: {type: return}\n"
    (found,) = check_text(text)
    assert (found.code, found.help) == ("GW103", "add `config:`, with `start` and `nodes` below it")
    assert loud(check_text(text.replace("next: b", "next: c"))) == ["GW103:1", "GW202:5"]


@pytest.mark.parametrize("instead", ["", "type: graph\n", "kind: graph\n", "tool_typ: graph\n", "tool_type: grpah\n"])
def test_a_graph_without_its_tool_type_is_not_skipped_in_a_folder(instead: str) -> None:
    graph = GRAPH.replace("tool_type: graph\n", instead).replace("${state.total}", "${state.total || 0}")
    assert loud(check_files({"graph.yaml": graph})) == ["GW006:1"]


@pytest.mark.parametrize(
    "text",
    [
        "config: {start: a, nodes: {b: {}}}\n",
        "config: {nodes: [a, b], start: a}\n",
        "tool_type: python\nconfig: {start: a, nodes: {a: {}}}\n",
        "type: graph\nnodes: {a: {}}\n",
    ],
)
def test_other_files_are_skipped_in_a_folder(text: str) -> None:
    assert check_files({"other.yaml": text}) == ()
