"""Several consequences of one mistake are one finding, where the mistake is."""

from __future__ import annotations

import pytest

from checking import check_files, check_text, loud, only
from graphwright.diagnostic import Severity

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.*]
config_schema:
  type: object
  properties: {team: {type: string}, most: {type: integer, default: 20}}
  required: [team]
config:
  start: fetch
  state: {tries: 0, mode: fast}
  hooks:
    - {event: error, condition: {path: classification.category, op: in, value: [timeout]}, action: {retry: true}}
    - {event: error, action: {item_id: tool:tickets/tell, params: {text: "${error.message}"}}}
  nodes:
    fetch:
      action: {item_id: tool:tickets/list, params: {team: "${inputs.team}", most: "${inputs.most - 1}"}}
      assign: {total: "${result.total}", tries: "${state.tries + 1}", mode: "${result.mode}"}
      on_error: failed
      next:
        - {to: many, when: {path: state.total, op: gt, value: 20}}
        - {to: few}
    many: {action: {item_id: tool:tickets/ping, params: {mode: "${state.mode}"}}, next: done}
    few: {action: {item_id: tool:tickets/save}, next: done}
    failed: {type: return, output: {tries: "${state.tries}", mode: "${state.mode}"}}
    done: {type: return, output: {total: "${state.total}", tries: "${state.tries}"}}
"""

#: What is written, what instead, the only finding, and its help.
MISTAKES = [
    ("        - {to: few}\n", "", "GW207:18",
     "end the list with an edge without `when`: `- to: few` (no edge leads to `few`)"),
    ("on_error: failed", "on_error: fetch", "GW212:17",
     ("write `retry: {attempts: 3}` to try again, and make `on_error` lead to a node that handles the error, "
      "such as `failed`")),
    ("[rye.execute.tool.tickets.*]", "[rye.execute.tool.tickets]", "GW601:15",
     "write `rye.execute.tool.tickets.*` instead of `rye.execute.tool.tickets` in `permissions`"),
    ("[rye.execute.tool.tickets.*]", "[rye.execute.tool.ticket.*]", "GW601:15",
     "write `rye.execute.tool.tickets.*` instead of `rye.execute.tool.ticket.*` in `permissions`"),
    ("state.tries + 1", "state.tries-1", "GW301:16", "a minus needs a space before it: `state.tries - 1`"),
    ("inputs.most - 1", "inputs.most-1", "GW307:15", "a minus needs a space before it: `inputs.most - 1`"),
    ("[timeout]", "[timeuot, rate_limit]", "GW213:11", "did you mean `[\"timeout\", \"rate_limited\"]`?"),
    ("path: classification.category", "path: category", "GW402:11", "did you mean `classification.category`?"),
    ("path: classification.category", "path: error.category", "GW410:11", "allowed here: `code`, `message` or `type`"),
    ("${error.message}", "${error.mesage}", "GW410:12", "did you mean `message`?"),
    ("${error.message}", "${message}", "GW402:12", "did you mean `error.message`?"),
    ("op: gt, value: 20", "op: eq, value: \"{inputs.team}\"", "GW415:19", "write `${inputs.team}`"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "instead", "said", "advice"), MISTAKES)
def test_one_cause_is_one_finding(written: str, instead: str, said: str, advice: str) -> None:
    assert loud(check_text(GRAPH)) == []
    assert written in GRAPH
    found = check_text(GRAPH.replace(written, instead, 1))
    assert loud(found) == [said]
    assert only(found, said[:5]).help == advice


MODES = """\
tool_type: graph
permissions: [rye.execute.tool.x.a, rye.execute.tool.rye.bash]
config:
  start: set
  nodes:
    set:
      action: {item_id: tool:x/a}
      assign: {mode: fast, other: "${result.other}"}
      on_error: reset
      next: route
    reset: {type: gate, assign: {mode: slow, other: none}, next: route}
    route:
      type: gate
      next:
        - {to: run, when: {path: state.mode, op: eq, value: fast}}
        - {to: done}
    run: {action: {item_id: tool:rye/bash, params: {command: make}}, next: done}
    done: {type: return, output: "${state.other} ${state.mode}"}
"""


def test_a_key_misspelled_in_one_of_its_assignments() -> None:
    assert loud(check_text(MODES)) == []
    found = check_text(MODES.replace("mode: fast, other", "moed: fast, other"))
    assert loud(found) == ["GW303:8"]
    (unread,) = (one for one in found if one.code == "GW303")
    assert unread.help == "did you mean `mode`?"
    assert unread.message.endswith("never read afterwards, but `state.mode` is read where it may be unassigned")
    assert [label.span.line for label in unread.related] == [18]


def test_an_id_that_is_nearly_one_that_is_permitted() -> None:
    graph = MODES.replace("    done:", "    run2: {action: {item_id: tool:rye/bsh}, next: done}\n    done:")
    found = check_text(graph.replace("params: {command: make}}, next: done", "params: {command: make}}, next: run2"))
    assert str(only(found, "GW601").help).startswith("did you mean `tool:rye/bash`? Otherwise, add ")


def test_a_loop_that_waits_for_a_value_that_never_comes() -> None:
    graph = """\
tool_type: graph
permissions: [rye.execute.tool.x.a]
config:
  start: route
  on_error: continue
  state: {mode: analyze}
  nodes:
    route:
      type: gate
      next:
        - {to: work, when: {path: state.mode, op: eq, value: analyze}}
        - {to: done}
    work: {action: {item_id: tool:x/a}, assign: {mode: finished}, next: route}
    done: {type: return}
"""
    assert loud(check_text(graph)) == ["GW209:11"]
    assert loud(check_text(graph.replace("value: analyze", "value: analyse"))) == ["GW213:11"]


@pytest.mark.parametrize(
    ("written", "instead", "said", "advice"),
    [
        ('{tries: "${state.tries}"', '{tries: "{state._last_error.error}"', "GW415:23",
         "write `${state._last_error.error}`"),
        ('    done: {type: return, output: {total: "${state.total}", tries: "${state.tries}"}}',
         '    done:\n      type: return\n      output:\n        total: ${state.total}"\n        tries: ${state.tries}',
         "GW415:27", 'write `"${state.total}"`'),
    ],
)  # fmt: skip
def test_a_value_that_is_not_a_template(written: str, instead: str, said: str, advice: str) -> None:
    assert written in GRAPH
    found = check_text(GRAPH.replace(written, instead, 1))
    assert loud(found) == [said]
    assert only(found, "GW415").help == advice


def test_a_string_for_a_list_that_is_no_template_is_one_finding() -> None:
    call = "tool:rye/agent/threads/orchestrator, params: {operation: wait_threads, thread_ids: '{state.total}'}"
    graph = GRAPH.replace("tool:tickets/save", call).replace("[rye.execute.tool.tickets.*]", "[rye.execute.tool.*]")
    assert loud(check_text(graph)) == ["GW415:22"]


def test_an_input_that_is_read_in_several_places() -> None:
    graph = GRAPH.replace("output: {tries:", 'output: {name: "${inputs.team}", tries:')
    assert loud(check_text(graph)) == []
    found = check_text(graph.replace("  properties: {team: {type: string}, most", "  properties: {most"))
    undeclared = only(found, "GW307")
    assert loud(found) == ["GW307:15"]
    assert [label.span.line for label in undeclared.related] == [23]


def test_an_undeclared_input_in_a_command_is_only_undeclared() -> None:
    graph = GRAPH.replace("tool:tickets/save", "tool:rye/bash, params: {command: 'ls ${inputs.taem}'}")
    assert loud(check_text(graph.replace("tickets.*]", "*]"))) == ["GW307:22"]


@pytest.mark.parametrize(
    "written", ["$[state.tries]", "<%= state.tries %>", "<% state.tries %>", "at $[ state.tries ]!"]
)
def test_signs_of_other_languages(written: str) -> None:
    found = check_text(GRAPH.replace('{tries: "${state.tries}"', f"{{tries: '{written}'"))
    assert loud(found) == ["GW415:23"]
    assert only(found, "GW415").help == "write `${state.tries}`"
    assert loud(check_text(GRAPH.replace('{tries: "${state.tries}"', "{tries: '<%= other %> $[1] $(date)'"))) == []


def test_curly_quotes_around_a_permission() -> None:
    found = check_text(GRAPH.replace("[rye.execute.tool.tickets.*]", "[“rye.execute.tool.tickets.*”]"))
    assert loud(found) == ["GW605:2"]
    assert only(found, "GW605").help == "did you mean `rye.execute.tool.tickets.*`?"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("echo 'at $inputs.team'", ["GW415:22"]),
        (r"echo \"it's $inputs.team\"", ["GW503:22"]),
        ("echo 'costs $5' $inputs.team", ["GW503:22"]),
        ("echo 'at $inputs.nowhere'", []),
    ],
)
def test_a_path_after_a_dollar_in_quotes_of_a_command(command: str, said: list[str]) -> None:
    call = f'tool:rye/bash, params: {{command: "{command}"}}'
    assert loud(check_text(GRAPH.replace("tool:tickets/save", call).replace("tickets.*]", "*]"))) == said


def test_a_namespace_before_another_one() -> None:
    found = check_text(GRAPH.replace('{team: "${inputs.team}"', '{team: "${ctx.inputs.team}"'))
    assert loud(found) == ["GW402:15"]
    assert only(found, "GW402").help == "did you mean `inputs.team`?"


def test_an_equal_string_elsewhere_is_no_doubt() -> None:
    loop = (
        "{type: foreach, over: state.mode, action: {item_id: tool:tickets/save, params: {x: state.mode}}, next: done}"
    )
    graph = GRAPH.replace("{action: {item_id: tool:tickets/save}, next: done}", loop)
    assert loud(check_text(graph)) == ["GW412:22", "GW415:22"]


def test_an_optional_input_that_is_read_in_several_places() -> None:
    graph = GRAPH.replace("most: {type: integer, default: 20}", "most: {type: integer}").replace(
        "output: {tries:", 'output: {most: "at most ${inputs.most}", tries:'
    )
    graph = graph.replace("inputs.most - 1", "(inputs.most || 0) - 1").replace("value: 20", 'value: "${inputs.most}"')
    found = [each for each in check_text(graph) if each.code == "GW309"]
    assert [(each.span.line, [label.span.line for label in each.related]) for each in found] == [(19, [5]), (23, [5])]


def test_null_in_the_words_of_another_language() -> None:
    for op, test in (("eq", "{not: {path: state.total, op: exists}}"), ("ne", "{path: state.total, op: exists}")):
        graph = GRAPH.replace('total: "${result.total}"', 'total: "${result.total | int}"')
        found = check_text(graph.replace("op: gt, value: 20", f"op: {op}, value: None"))
        assert loud(found) == ["GW213:19"]
        assert only(found, "GW213").help == f"`None` is a string: for null, write `value: null`, or `{test}`"
    found = check_text(GRAPH.replace('total: "${result.total}"', "total: none"))
    assert only(found, "GW407").help == "`none` is a string: for null, assign `null`"


def test_a_key_with_its_namespace_in_the_initial_state() -> None:
    found = check_text(GRAPH.replace("state: {tries: 0,", "state: {state.tries: 0,"))
    wrong = only(found, "GW301")
    assert loud(found) == ["GW301:9"]
    assert wrong.help == "keys are written without `state.`: write `tries`"
    assert [label.span.line for label in wrong.related] == [16, 23]
    assert loud(check_text(GRAPH.replace(", mode: fast}", ", state.mode: fast}"))) == ["GW302:9"]
    found = check_text(
        GRAPH.replace("mode: fast}", "mode: fast, state.note: 1}").replace("${state.total}", "${state.note}")
    )
    assert loud(found) == ["GW301:9"]


def test_the_outputs_of_a_directive_that_is_only_parsed() -> None:
    call = "directive:a/b}\n      assign: {x: '${result.outputs.x}', y: '${result.outputs.y}'}\n      next: done"
    graph = GRAPH.replace("tool:tickets/save}, next: done}", "}").replace(
        "    few: {action: {item_id: }", f"    few:\n      action: {{item_id: {call}"
    )
    found = check_text(graph.replace("tickets.*]", "tickets.*, rye.execute.directive.a.b]"))
    assert {each.code for each in found} & {"GW410", "GW703"} == {"GW703"}
    assert [label.span.line for label in only(found, "GW703").related] == [24]


def test_a_template_that_does_not_parse_has_no_type() -> None:
    graph = GRAPH.replace("${inputs.most - 1}", "${inputs.most || {}}")
    assert loud(check_text(graph)) == ["GW401:15"]


def test_a_misspelled_param_that_names_the_directive() -> None:
    call = "tool:rye/agent/threads/thread_directive, params: {directve_id: a/b}"
    graph = GRAPH.replace("tool:tickets/save", call).replace("tickets.*]", "*, rye.execute.directive.*]")
    found = check_text(graph)
    assert loud(found) == ["GW702:22"]
    assert only(found, "GW702").help == "did you mean `directive_id`?"


def test_what_a_misspelled_graph_needs_is_not_unused() -> None:
    called = (
        "tool_type: graph\npermissions: [rye.execute.tool.mail.send]\n"
        "config: {start: a, nodes: {a: {action: {item_id: tool:mail/send}, next: d}, d: {type: return}}}\n"
    )
    text = (
        "tool_type: graph\npermissions: [rye.execute.tool.shop.*, rye.execute.tool.mail.send]\n"
        "config: {start: a, nodes: {a: {action: {item_id: tool:shop/sumary}, next: d}, d: {type: return}}}\n"
    )
    found = check_files({".ai/tools/shop/summary.yaml": called, ".ai/tools/shop/all.yaml": text}, ".ai")
    assert [one.split(":")[0] for one in loud(found)] == ["GW704"]


MONTHLY = """\
tool_type: graph
permissions: [rye.execute.tool.reports.day, rye.execute.tool.rows.list, rye.execute.tool.mail.send]
config:
  start: first
  hooks:
    - {event: limit, action: {item_id: tool:mail/send}}
    - {event: error, action: {item_id: tool:mail/send}}
  nodes:
    first: {action: {item_id: tool:reports/day, params: {team: red}}, next: second}
    second: {action: {item_id: tool:reports/day, params: {team: blue}}, next: third}
    third: {action: {item_id: tool:reports/day, params: {team: green}}, next: done}
    done: {type: return}
"""
DAILY = """\
tool_type: graph
permissions: [rye.execute.tool.rows.list]
config_schema: {type: object, properties: {team: {type: string}, day: {type: string, default: today}}, required: [team]}
config:
  start: fetch
  nodes:
    fetch:
      action: {item_id: tool:rows/list, params: {team: "${inputs.team}", day: "${inputs.day}"}}
      next: done
    done: {type: return}
"""


def monthly(written: str, instead: str) -> list[tuple[str, str, str | None, int]]:
    """Code with line, message, help and the number of labels of each finding in `MONTHLY` with a change."""
    assert written in MONTHLY
    found = check_files({"month.yaml": MONTHLY.replace(written, instead), "reports/day.yaml": DAILY}, "month.yaml")
    return [
        (f"{each.code}:{each.span.line}", each.message, each.help, len(each.related))
        for each in found
        if each.severity is not Severity.NOTE
    ]


def test_one_missing_permission_is_one_finding() -> None:
    assert monthly("", "") == []
    ((code, message, advice, labels),) = monthly(", rye.execute.tool.mail.send", "")
    assert (code, labels) == ("GW601:6", 1)
    assert message.startswith("hook 1 needs `rye.execute.tool.mail.send`, which")
    assert message.endswith("; the same holds for 1 other action")
    assert advice == "add `- rye.execute.tool.mail.send` to `permissions`"
    ((code, message, advice, labels),) = monthly(", rye.execute.tool.rows.list", "")
    assert (code, labels) == ("GW601:9", 2)
    assert message.startswith("node `first` calls graph `reports/day`, which needs `rye.execute.tool.rows.list`, but")
    assert message.endswith("; the same holds for 2 other actions")
    assert advice == "add `- rye.execute.tool.rows.list` to `permissions`"


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        ("client: blue", [("no input `client`, but requires `team`", "did you mean `team`?")]),
        ("taem: blue", [("no input `taem`", "did you mean `team`?")]),
        ("team: blue, dya: x", [("no input `dya`", "did you mean `day`?")]),
        ("team: blue, day: x, dya: z", [("no input `dya`", "remove it; the inputs are `day` and `team`")]),
        (
            "client: blue, debug: true",
            [
                ("calls graph `reports/day` without `team`, which it requires", "add `team: …` to `params`"),
                ("no input `client`", "remove it; the inputs are `day` and `team`"),
                ("no input `debug`", "remove it; the inputs are `day` and `team`"),
            ],
        ),
    ],
)
def test_a_misnamed_input_is_one_finding(passed: str, said: list[tuple[str, str]]) -> None:
    found = monthly("team: blue", passed)
    assert [each[0] for each in found] == ["GW704:10"] * len(said)
    assert all(
        each[1].endswith(message) and each[2] == advice for each, (message, advice) in zip(found, said, strict=True)
    )


@pytest.mark.parametrize("key", ["id", "directive", "itm_id"])
def test_a_misnamed_key_of_a_task_is_one_finding(key: str) -> None:
    task = f"{{{key}: 'directive:a/b', params: {{}}}}"
    graph = (
        "tool_type: graph\npermissions: [rye.execute.*]\nconfig:\n  start: a\n  nodes:\n    a:\n"
        "      action: {item_id: tool:rye/agent/threads/orchestrator, params: {operation: spawn, tasks: "
        f"[{task}]}}}}\n"
    )
    found = only(check_text(graph), "GW702")
    assert found.help == "did you mean `item_id`?"


NAMED = """\
tool_type: graph
permissions: [rye.execute.tool.reports.*]
config_schema:
  type: object
  properties: {team: {type: string}, output_dir: {type: string, default: out}}
  required: [team]
config:
  start: count
  state_schema: {type: object, properties: {total: {type: integer}}}
  hooks:
    - event: error
      condition: {path: error.code, value: 429}
      action: {retry: true}
  nodes:
    count:
      action: {item_id: tool:reports/count, params: {team: "${inputs.team}", dir: "${inputs.output_dir}"}}
      assign: {total: "${result.total}"}
      next: done
    done: {type: return, output: {total: "${state.total}"}}
"""


@pytest.mark.parametrize(
    ("written", "instead", "place", "said"),
    [
        ("${inputs.team}", "${state.team}", "GW301:16", "did you mean `inputs.team`?"),
        ("${inputs.team}", "${inputs.get('team')}", "GW401:16", "functions are not supported; write `inputs['team']`"),
        ("${state.total}", "${inputs.total}", "GW307:19", "did you mean `state.total`?"),
        ("${state.total}", "${state.get('total')}", "GW401:19", "functions are not supported; write `state['total']`"),
        ('"${state.total}"', "$.state.total", "GW415:19", 'write `"${state.total}"`'),
        ("${state.total}", "${state.total || length}", "GW402:19", "to use the pipe `length`, write it after a single"),
        ("next: done", "next: ${done}", "GW411:18", "write the name without braces: `next: done`"),
        ("output_dir: {type", "output_directory: {type", "GW307:16", "did you mean `inputs.output_directory`?"),
        ('"${result.total}"', "{result.total}", "GW415:17", 'write `"${result.total}"`'),
        ('"${result.total}"', "{{ result.total }}", "GW003:17", 'write `"${result.total}"`'),
        ("      action: {retry", "    action: {retry", "GW001:13", "indent it by two spaces to make it part of"),
    ],
)
def test_a_name_in_the_wrong_place_is_one_finding(written: str, instead: str, place: str, said: str) -> None:
    assert loud(check_text(NAMED)) == []
    found = [each for each in check_text(NAMED.replace(written, instead)) if each.severity is not Severity.NOTE]
    assert [f"{each.code}:{each.span.line}" for each in found] == [place]
    assert str(found[0].help).startswith(said)


def test_a_value_in_another_syntax_is_not_held_against_the_schema_of_an_input() -> None:
    total = DAILY.replace("team: {type: string}", "team: {type: integer}")
    for passed in ("{state.n}", '"{state.n}"'):
        graph = MONTHLY.replace("team: blue", f"team: {passed}").replace("  start:", "  state: {n: 1}\n  start:")
        graph = graph.replace("team: red", "team: 1").replace("team: green", "team: 2")
        assert loud(check_files({"month.yaml": graph, "reports/day.yaml": total}, "month.yaml")) == ["GW415:11"]


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ("state.tickets", 'write `over: "${state.tickets}"`'),
        ("tickets", 'write `over: "${state.tickets}"`'),
        ("inputs.urgent", 'write `over: "${inputs.urgent}"`'),
    ],
)
def test_a_list_that_a_loop_only_names_is_not_called_unused(over: str, said: str) -> None:
    graph = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.*]
config_schema: {type: object, properties: {urgent: {type: array}}, required: [urgent]}
config:
  start: fetch
  nodes:
    fetch:
      action: {item_id: tool:tickets/list}
      assign: {tickets: "${result.tickets}"}
      next: each
    each:
      type: foreach
      over: "${inputs.urgent + state.tickets}"
      action: {item_id: tool:tickets/close, params: {ticket: "${item}"}}
      next: done
    done: {type: return, output: OUTPUT}
"""
    other = '"${state.tickets | length}"' if over.startswith("inputs") else '"${inputs.urgent | length}"'
    graph = graph.replace("OUTPUT", other)
    assert loud(check_text(graph)) == []
    written = graph.replace('"${inputs.urgent + state.tickets}"', over)
    assert loud(check_text(written)) == ["GW412:13"]
    assert only(check_text(written), "GW412").help == said


def test_params_that_are_a_list_say_nothing_about_what_the_call_returns() -> None:
    """A call without `async_exec` would return something else."""
    graph = """\
tool_type: graph
permissions: [rye.execute.tool.rye.agent.threads.*]
config:
  start: each
  nodes:
    each:
      type: foreach
      over: [a, b]
      action:
        item_id: tool:rye/agent/threads/thread_directive
        params:
          - directive_name: news/read
            async_exec: true
      collect: threads
      next: wait
    wait:
      action:
        item_id: tool:rye/agent/threads/orchestrator
        params: {operation: wait_threads, thread_ids: "${state.threads}"}
      assign: {results: "${result.results}"}
      next: done
    done: {type: return, output: "${state.results}"}
"""
    assert loud(check_text(graph)) == ["GW102:12"]
    assert loud(check_text(graph.replace("- directive", "  directive"))) == []
