"""One mistake is one complaint: what follows from it is not reported in addition."""

from __future__ import annotations

import pytest

from checking import check_text, loud, only
from graphwright.checking.fix import apply_fixes

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.*]
config_schema:
  type: object
  properties: {team: {type: string}}
  required: [team]
config:
  start: fetch
  nodes:
    fetch:
      action: {item_id: tool:tickets/list, params: {team: "${inputs.team}"}}
      assign: {tickets: "${result.tickets}", total: "${result.total}"}
      next:
        - {to: ping, when: {path: state.total, op: gt, value: 20}}
        - {to: quiet}
    ping:
      type: foreach
      over: "${state.tickets}"
      as: ticket
      action: {item_id: tool:tickets/ping, params: {id: "${ticket.id}"}}
      collect: pings
      next: done
    quiet:
      type: gate
      assign: {pings: []}
      next: done
    done: {type: return, output: {pings: "${state.pings}", total: "${state.total}"}}
"""

MISTAKES = [
    ('      over: "${state.tickets}"\n', "", ["GW103:16"]),
    ("      assign: {tickets", "      over: [1]\n      assign: {tickets", ["GW104:12"]),
    ("      as: ticket", '      as: "${inputs.team}"', ["GW411:19"]),
    ("      collect: pings", '      collect: "${inputs.team}"', ["GW411:21"]),
    ('"${inputs.team}"', '"${}"', ["GW401:11"]),
    ('"${inputs.team}"', '"${{ inputs.team }}"', ["GW401:11"]),
    ("- {to: q", "- {to: done, when: {path: state.total, op: gt, value: 30}}\n        - {to: q", ["GW206:15"]),
    ("assign: {pings: []}\n      next: done", "assign: {pings: []}\n      next: quiet", ["GW208:23"]),
    ("tool_type: graph", "tool_type: graph\ncategory: 2026-01-31", ["GW003:2"]),
    ('{team: "${inputs.team}"}', "{team: ${inputs.team}}", ["GW001:11"]),
    ('{tickets: "${result.tickets}", total: "${result.total}"}', '[{tickets: []}, {total: 1}]', ["GW102:12"]),
    ('{tickets: "${result.tickets}", total: "${result.total}"}', "tickets", ["GW102:12"]),
    ("quiet:\n      type: gate", "quiet:\n      type: interrupt\n      prompt: ok\n      choices: [a]", ["GW106:24"]),
    ("quiet:\n      type: gate", "quiet:\n      type: workflow\n      graph: x\n      inputs: {a: 1}", ["GW106:24"]),
    ("start: fetch", "start: fetch\n  on_error: [fail]", ["GW102:9"]),
    ("op: gt, value: 20", "op: gt, value: 0.50", []),
    ("start: fetch", "start: fetch\n  timeout_s: 1.50", []),
    ("      next:\n", "      on_eror: done\n      next:\n", ["GW101:13"]),
    ("start: fetch", "start: fetch\n  on_error: contine", ["GW106:9"]),
    ("${inputs.team}", "${vars.team}", ["GW402:11"]),
    ("${inputs.team}", "${input.tem}", ["GW402:11"]),
    ("required: [team]", "required: [team, n]", ["GW117:6"]),
    ('total: "${result.total}"}', 'total: "${total}"}', ["GW402:12"]),
    ("op: gt, value: 20", "op: gtt, value: twenty", ["GW405:14"]),
    ('      over: "${state.tickets}"', '      over: "${state.tickets | lenght}"', ["GW403:18"]),
    ("[rye.execute.tool.tickets.*]", "\n  rye.*.list\n  - rye.*.ping", ["GW102:3"]),
    ("[rye.execute.tool.tickets.*]", "\n  - rye.*.list\n    - rye.*.ping", ["GW605:3"]),
    ("    done: {type", "      done: {type", ["GW101:27"]),
    ("    done: {type", "  done: {type", ["GW101:27"]),
    ("      collect: pings\n      next: done", "      collect: pings\n    next: done", ["GW101:22"]),
    ("      assign: {pings: []}\n      next: done", "      next: done\n    assign: {pings: []}", ["GW101:26"]),
    ("{to: quiet}", "{to quiet}", ["GW101:15"]),
    ("{to: quiet}", "{to:quiet}", ["GW101:15"]),
    ("{to: quiet}", "{to:\u00a0quiet}", ["GW101:15"]),
    ("      collect: pings", "      collect\u00a0: pings", ["GW101:21"]),
    ("      collect: pings", "    \u00a0 collect: pings", ["GW001:21"]),
    ("  nodes:\n", "\u00a0\u00a0nodes:\n", ["GW101:9"]),
    ('{team: "${inputs.team}"}', "{team: {{ inputs.team }}}", ["GW003:11"]),
    ("assign: {pings: []}", "assign: {{ pings }}", ["GW003:25"]),
    ("assign: {pings: []}", "assign: {? {pings: []} : 1}", ["GW003:25"]),
    ("assign: {pings: []}", "assign: pings", ["GW102:25"]),
    ("permissions: [rye.execute.tool.tickets.*]", "permissions:\n  -rye.execute.tool.tickets.*", ["GW102:3"]),
    ("- {to: quiet}", "- to quiet", ["GW102:15"]),
    ("start: fetch", "start: fetc", ["GW201:8"]),
    ("    quiet:\n", "      quiet:\n", ["GW101:23"]),
    ("{team: {type: string}}", "{team: {type: text}, n: {}}", ["GW105:5", "GW308:5"]),
    ("properties: {team: {type: string}}", "team: {type: string}", ["GW105:5"]),
    ("type: object\n  properties: {team: {type: string}}\n  required: [team]", "team: string", ["GW105:4"]),
    ("{to: ping,", "{to ping,", ["GW101:14"]),
    ("    quiet:\n", "    qieut:\n", ["GW202:15"]),
    ("start: fetch", "start: fetch\n  max_steps: !!timestamp 2026-01-31", ["GW003:9"]),
]  # fmt: skip


@pytest.mark.parametrize(("written", "instead", "said"), MISTAKES)
def test_one_mistake_is_one_complaint(written: str, instead: str, said: list[str]) -> None:
    assert loud(check_text(GRAPH)) == []
    assert written in GRAPH
    assert loud(check_text(GRAPH.replace(written, instead, 1))) == said


def test_a_line_of_an_input_that_slipped_is_one_complaint() -> None:
    declared = "properties:\n    team:\n      type: string\n      default: core\n"
    graph = GRAPH.replace("properties: {team: {type: string}}\n  required: [team]\n", declared)
    assert loud(check_text(graph)) == []
    assert loud(check_text(graph.replace("      default: core", "    default: core"))) == ["GW105:8"]
    assert loud(check_text(graph.replace("    team:\n", "      team:\n"))) == ["GW105:6"]
    assert loud(check_text(graph.replace("    team:\n", ""))) == ["GW105:6"]


def test_a_graph_that_is_called_by_its_kind() -> None:
    found = only(check_text(GRAPH.replace("item_id: tool:tickets/list", "item_id: graph:tickets/list", 1)), "GW106")
    assert found.help == "a graph is called like a tool: `tool:tickets/list`"


MAYBE = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.*]
config:
  start: fetch
  nodes:
    fetch:
      action: {item_id: tool:tickets/list}
      assign: {total: "${result.total}"}
      on_error: route
      next: route
    route:
      type: gate
      next:
        - {to: save, when: {path: state.total, op: exists}}
        - {to: done}
    save: {action: {item_id: tool:tickets/save, params: {total: "${state.total}"}}, next: done}
    done: {type: return, output: {}}
"""


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ("path: state.total", "path: state.totla", ["GW301:14"]),
        ("path: state.total", "path: total", ["GW402:14"]),
        ("path: state.total", "path: stat.total", ["GW402:14"]),
        ("op: exists", "op: exist", ["GW405:14"]),
        ("op: exists", "op: gtt, value: 3", ["GW302:14", "GW405:14"]),
    ],
)
def test_a_misspelled_condition_proves_what_it_was_meant_to(written: str, instead: str, said: list[str]) -> None:
    assert loud(check_text(MAYBE)) == []
    assert sorted(loud(check_text(MAYBE.replace(written, instead, 1)))) == said


def test_a_template_in_a_flow_mapping_needs_quotes() -> None:
    (found,) = check_text(GRAPH.replace('{team: "${inputs.team}"}', "{team: ${inputs.team}}"))
    assert found.message == "`${inputs.team}` needs quotes inside `{ }` or `[ ]`"
    assert found.help == 'write `"${inputs.team}"`'
    assert (found.span.line, found.span.column, found.span.end_column) == (11, 59, 73)


CHOICES = """\
tool_type: graph
permissions: []
config_schema:
  type: object
  properties: {size: {type: string, enum: [small, large]}}
  required: [size]
config:
  start: route
  hooks: [{event: limit, action: {continue: true, additional_steps: 5}}]
  nodes:
    route:
      type: gate
      next:
        - {to: here, when: {path: inputs.size, value: small}}
        - {to: there, when: {path: inputs.size, value: large}}
    here: {type: return, output: "${inputs.size}"}
    there: {type: return}
"""


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ("value: large", "value: lagre", ["GW213:15"]),
        ("[small, large]", "[small, lagre]", ["GW213:15"]),
        ("type: object", "type: obejct", ["GW105:4"]),
        ("{continue: true", "{contineu: true", ["GW101:9"]),
    ],
)
def test_a_misspelled_choice_is_one_complaint(written: str, instead: str, said: list[str]) -> None:
    assert loud(check_text(CHOICES)) == []
    assert written in CHOICES
    assert loud(check_text(CHOICES.replace(written, instead, 1))) == said


def test_what_is_not_json_begins_at_its_tag_and_its_fix_removes_that() -> None:
    found = only(check_text(GRAPH.replace("pings: []", 'pings: [!!timestamp "2026-01-31"]')), "GW003")
    assert (found.span.column, found.span.end_column) == (24, 48)
    assert found.fix is not None
    assert [(edit.span, edit.text) for edit in found.fix.edits] == [(found.span, '"2026-01-31"')]


def test_a_key_that_ran_into_its_value_is_taken_apart() -> None:
    found = only(check_text(GRAPH.replace("{to: quiet}", "{to quiet}")), "GW101")
    assert (found.span.column, found.help) == (12, "did you mean `to: quiet`?")
    assert found.fix is not None
    assert [edit.text for edit in found.fix.edits] == ["to: quiet"]


@pytest.mark.parametrize(
    ("edge", "fixed"),
    [
        ("{to quiet}", "{to: quiet}"),
        ("{to quiet: }", "{to: quiet}"),
        ('{"to quiet"}', '{"to": "quiet"}'),
        ("{'to quiet' :}", "{'to': 'quiet'}"),
        ("to quiet:", "to: quiet"),
        ("{to quiet: null}", "{to: quiet}"),
        ("? to quiet", None),
        ("{to quiet: # told\n        }", None),
    ],
)
def test_a_key_that_ran_into_its_value_is_taken_apart_in_every_spelling(edge: str, fixed: str | None) -> None:
    graph = GRAPH.replace("{to: quiet}", edge)
    found = only(check_text(graph), "GW101")
    assert (found.fix is None) is (fixed is None)
    if found.fix is not None and fixed is not None:
        assert apply_fixes(graph, [found.fix]).text == GRAPH.replace("{to: quiet}", fixed)


@pytest.mark.parametrize(
    ("written", "instead", "fixed"),
    [
        ("{type: return", '{"tipe":return', '{"type":return'),
        ("{type: return", "{'type':'retrun'", "{'type':'return'"),
        ("type: gate", "type: !!str &here >-\n        gatte", "type: !!str &here gate"),
        ("{path: state.total, op: gt", '{"path":state.total,"operator":"neq"', '{"path":state.total,"op":"ne"'),
        ("{path: state.total, op: gt", '{path: "${state.total}", op: gt', '{path: "state.total", op: gt'),
    ],
)
def test_a_fix_keeps_the_quotes(written: str, instead: str, fixed: str) -> None:
    graph = GRAPH.replace(written, instead, 1)
    for _ in range(2):
        graph = apply_fixes(graph, [found.fix for found in check_text(graph) if found.fix]).text
    assert graph == GRAPH.replace(written, fixed, 1)


@pytest.mark.parametrize(
    ("written", "instead", "code", "said"),
    [
        ("{to: quiet}", "{to:quiet}", "GW101", "did you mean `to: quiet`?"),
        ("collect: pings", "\u00a0collect: pings", "GW101", "did you mean `collect`?"),
        ("[rye.execute.tool.tickets.*]", "\n  -rye.a.*\n  -rye.b.*", "GW102", "put a plain space after each `-`"),
        ("{pings: []}", "\n        pings:1", "GW102", "put a plain space after each `:`"),
        (
            "[rye.execute.tool.tickets.*]",
            "|\n  rye.a.*\n  rye.b.*",
            "GW102",
            "write a list, each item after `- ` on a line of its own",
        ),
        ("{pings: []}", "{{ pings }}", "GW003", 'write `"${pings}"`, in quotes and with one pair of braces'),
    ],
)
def test_what_to_type_where_a_sign_went_wrong(written: str, instead: str, code: str, said: str) -> None:
    assert only(check_text(GRAPH.replace(written, instead, 1)), code).help == said


def test_what_an_alias_repeats_has_no_fix() -> None:
    graph = GRAPH.replace("as: ticket", "as: &name 404").replace("{id: ", "{n: *name, id: ")
    found = only(check_text(graph), "GW102")
    assert found.help == 'put it in quotes: "404"'
    assert found.fix is None, "the parameter would change with it"


def test_a_key_among_the_nodes_and_a_node_among_keys_are_told_where_they_belong() -> None:
    graph = GRAPH.replace("      collect: pings\n      next: done", "      collect: pings\n    next: done")
    found = only(check_text(graph), "GW101")
    assert (found.message, found.help) == (
        "unknown key `next` among the nodes",
        "`next` belongs in node `ping` above it: indent it further",
    )
    found = only(check_text(GRAPH.replace("    done: {type", "      done: {type")), "GW101")
    assert (found.message, found.help) == (
        "unknown key `done` in node `quiet`",
        "`done` belongs among the `nodes`: begin it in their column",
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("nodes: [\n", (2, 8)),
        ("nodes: {", (2, 8)),
        ("permissions: [\nconfig:\n  start: a\n", (2, 14)),
    ],
)
def test_a_bracket_that_is_never_closed_is_shown(text: str, place: tuple[int, int]) -> None:
    found = only(check_text(f"tool_type: graph\n{text}"), "GW001")
    assert (found.message[:6], found.span.line, found.span.column) == ("this `", *place)


LOOP = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.*]
config:
  start: fetch
  state: {page: 1}
  nodes:
    fetch:
      action: {item_id: tool:tickets/list, params: {page: "${state.page}"}}
      assign: {tickets: "${result.tickets}"}
      next: each
    each:
      type: foreach
      over: "${state.tickets}"
      as: ticket
      action: {item_id: tool:tickets/ping, params: {id: "${ticket.id}"}}
      collect: pings
      next: done
    done: {type: return, output: "${state.pings}"}
"""


@pytest.mark.parametrize(
    ("written", "key", "line"),
    [("state: {page", "page", 5), ("assign: {tickets", "tickets", 9), ("collect: pings", "pings", 16)],
)
def test_a_key_that_is_assigned_with_its_namespace_is_one_mistake(written: str, key: str, line: int) -> None:
    assert loud(check_text(LOOP)) == []
    found = check_text(LOOP.replace(written, written.replace(key, f"state.{key}")))
    assert loud(found) == [f"GW301:{line}"]
    assert only(found, "GW301").help == f"keys are written without `state.`: write `{key}`"


@pytest.mark.parametrize("operator", ["gtt", "gtx", "equls", ">"])
def test_what_a_misspelled_operator_means_is_not_held_against_the_edges_beside_it(operator: str) -> None:
    edges = f'- {{to: quiet, when: {{path: state.total, op: "{operator}", value: 20}}}}\n        - {{to: q'
    found = loud(check_text(GRAPH.replace("- {to: q", edges)))
    assert found == (["GW405:15"] if operator != ">" else ["GW206:15", "GW405:15"])


BARE = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.*]
config_schema: {type: object, properties: {team: {type: string}, most: {type: integer}}, required: [team, most]}
config:
  start: fetch
  state: {page: 0}
  nodes:
    fetch:
      action: {item_id: tool:tickets/list, params: {team: "${inputs.team}", page: '${state.page}'}}
      assign: {tickets: "${result.tickets}", page: "${state.page + 1}"}
      next: each
    each:
      type: foreach
      over: "${state.tickets}"
      as: ticket
      action: {item_id: tool:tickets/ping, params: {id: "${ticket.id}", note: inputs.team is state.of the art}}
      collect: pings
      next:
        - {to: done, when: {path: state.page, op: gt, value: "${inputs.most}"}}
        - {to: fetch}
    done: {type: return, output: {pings: "${state.pings}"}}
"""


@pytest.mark.parametrize(
    ("written", "bare", "line"),
    [
        ('"${inputs.team}"', "inputs.team", 9),
        ("'${state.page}'", "'state.page'", 9),
        ('"${result.tickets}"', "result.tickets", 10),
        ('"${state.page + 1}"', '"state.page + 1"', 10),
        ('"${ticket.id}"', "ticket.id", 16),
        ('"${inputs.most}"', "inputs.most", 19),
        ('"${state.pings}"', "state.pings", 21),
    ],
)
def test_an_expression_without_its_braces_is_one_mistake(written: str, bare: str, line: int) -> None:
    assert loud(check_text(BARE)) == []
    text = BARE.replace(written, bare)
    found = check_text(text)
    assert loud(found) == [f"GW415:{line}"]
    one = only(found, "GW415")
    expected = written if bare[0] not in "'\"" else written[1:-1]
    assert one.help == f"write `{expected}`"
    assert one.fix is not None
    assert apply_fixes(text, [one.fix]).text == BARE


@pytest.mark.parametrize(
    ("written", "instead", "code", "advice"),
    [
        ("${ticket.id}", "${tickets.id}", "GW402", "did you mean `ticket.id`?"),
        ("${ticket.id}", "${error.message}", "GW402", "did you mean `state._last_error.error`?"),
        ('{item_id: tool:tickets/ping, params: {id: "${ticket.id}"',
         '{item_id: tool:rye/bash, params: {command: "ping $state.total ${ticket.id | quote}"', "GW503",
         "write `${state.total | quote}`"),
    ],
)  # fmt: skip
def test_what_was_meant_in_a_loop(written: str, instead: str, code: str, advice: str) -> None:
    text = GRAPH.replace("[rye.execute.tool.tickets.*]", "[rye.execute.tool.tickets.*, rye.execute.tool.rye.bash]")
    found = only(check_text(text.replace(written, instead)), code)
    assert found.help == advice
