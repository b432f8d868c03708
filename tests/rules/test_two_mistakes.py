"""Two mistakes in one graph are two findings: neither hides the other, and there are no others."""

from __future__ import annotations

import pytest

from checking import check_files, check_text, loud
from rules.finding import edit
from rules.test_sixteen import FILES, WEEKLY

CLEAN = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.*]
config_schema:
  type: object
  properties:
    team: {type: string}
    colour: {type: string, enum: [red, green]}
    most: {type: integer, default: 10}
    note: {type: string}
  required: [team, colour]
output_schema: {type: object, properties: {total: {type: integer}, rows: {type: array}}}
config:
  start: fetch
  state: {total: 0, stage: new}
  state_schema:
    type: object
    properties: {stage: {type: string, enum: [new, done]}, total: {type: integer}}
  nodes:
    fetch:
      action: {item_id: tool:tickets/list, params: {team: "${inputs.team}", note: "${inputs.note}"}}
      assign: {tickets: "${result.tickets}", date: "${result.date}"}
      on_error: sorry
      next: look
    look:
      type: foreach
      over: "${state.tickets}"
      as: ticket
      action: {item_id: tool:tickets/look, params: {id: "${ticket.id}"}}
      collect: looks
      on_error: sorry
      next: paint
    paint:
      type: gate
      next:
        - {to: red, when: {path: inputs.colour, value: red}}
        - {to: green, when: {path: inputs.colour, value: green}}
    red:
      action: {item_id: tool:tickets/paint, params: {colour: red, rows: "${state.looks}"}}
      assign: {total: "${state.total + 1}"}
      on_error: sorry
      next: poll
    green:
      action: {item_id: tool:tickets/paint, params: {colour: green, rows: "${state.looks}"}}
      assign: {total: "${state.total + 2}"}
      on_error: sorry
      next: poll
    poll:
      action: {item_id: tool:tickets/poll, params: {date: "${state.date}"}}
      assign: {rows: "${result.rows}", total: "${state.total + 1}", stage: done}
      on_error: sorry
      next:
        - {to: done, when: {path: state.total, op: gt, value: "${inputs.most}"}}
        - {to: poll}
    sorry: {type: return, output: {total: "${state.total}"}}
    done: {type: return, output: {total: "${state.total}", rows: "${state.rows}", stage: "${state.stage}"}}
"""

MISSPELLED_START = ("  start: fetch\n", "  start: fecth\n")
NO_START = ("  start: fetch\n", "")
MISSPELLED_TARGET = ("      next: look", "      next: lok")
TEMPLATE_TO_COLLECT = ("      collect: looks", '      collect: "${inputs.team}"')
NEVER_READ = ('date: "${result.date}"}', 'date: "${result.date}", more: "${result.more}"}')
LEFT_OVER = ("    sorry: {type", "    spare: {type: gate, next: sorry}\n    sorry: {type")
SKIPPED = (
    '    sorry: {type: return, output: {total: "${state.total}"}}',
    '    sorry: {type: return, output: {total: "${state.rows}"}}',
)
INPUT = ('{total: "${state.total}", rows', '{total: "${inputs.teem}", rows')
OPTIONAL = ("most: {type: integer, default: 10}", "most: {type: integer}")
TEMPLATE_FOR_PRIMARY = (
    "start: fetch",
    'start: fetch\n  hooks: [{event: error, action: {primary: "${state.stage}", params: {query: x}}}]',
)
NO_GREEN = ("        - {to: green, when: {path: inputs.colour, value: green}}\n", "")
PERMISSIONS = "[rye.execute.tool.tickets.*]"
BAD_PATTERN = (PERMISSIONS, "[rye.execute.tool.tickets.*, rye..mail.send]")
BAD_AND_UNUSED_PATTERN = (PERMISSIONS, "[rye.execute.tool.tickets.*, rye..mail.send, rye.execute.tool.post.send]")
BAD_SCHEMA = ("    note: {type: string}", "    note: {type: text}")


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (MISSPELLED_TARGET, INPUT, ["GW202", "GW307"]),
        (MISSPELLED_TARGET, SKIPPED, ["GW202", "GW302"]),
        (MISSPELLED_TARGET, OPTIONAL, ["GW202", "GW309"]),
        (MISSPELLED_TARGET, LEFT_OVER, ["GW202", "GW204"]),
        (MISSPELLED_START, LEFT_OVER, ["GW201", "GW204"]),
        (MISSPELLED_START, SKIPPED, ["GW201", "GW302"]),
        (NO_START, LEFT_OVER, ["GW103", "GW204"]),
        (NO_START, INPUT, ["GW103", "GW307"]),
        (LEFT_OVER, ("spare: {type: gate,", 'spare: {type: gate, assign: {total: "${inputs.x}"},'), ["GW204", "GW307"]),
        (("looks\n      on_error: sorry", "looks\n      on_error: sory"), NEVER_READ, ["GW203", "GW303"]),
        (TEMPLATE_TO_COLLECT, NEVER_READ, ["GW303", "GW411"]),
        (TEMPLATE_TO_COLLECT, ("${state.tickets}", "${state.tickest}"), ["GW301", "GW411"]),
        (("stage: new}", 'stage: "${inputs.team}"}'), INPUT, ["GW307", "GW411"]),
        (TEMPLATE_FOR_PRIMARY, INPUT, ["GW307", "GW411"]),
        (BAD_SCHEMA, ("default: 10", "default: ten"), ["GW105", "GW112"]),
        (BAD_SCHEMA, NO_GREEN, ["GW105", "GW207"]),
        (BAD_SCHEMA, ("stage: done}", "stage: over}"), ["GW105", "GW412"]),
        (BAD_SCHEMA, ("    note: {type", "    extra: {type: string}\n    note: {type"), ["GW105", "GW308"]),
        (("type: foreach", "type: foreahc"), ('      over: "${state.tickets}"\n', ""), ["GW103", "GW106"]),
        (("type: gate\n", "type: gaet\n      timeout_s: 5\n"), INPUT, ["GW104", "GW106", "GW307"]),
        (('{rows: "${result.rows}"', '{rows: "${result.rows"'), NEVER_READ, ["GW303", "GW401"]),
        (("        - {to: poll}\n", ""), ('"${inputs.most}"}}', '"${inputs.mots}"}}'), ["GW207", "GW307"]),
        (("value: green}}", "value: red}}"), INPUT, ["GW206", "GW307"]),
        (BAD_PATTERN, ("tool:tickets/poll", "tool:polls/poll"), ["GW601", "GW605"]),
        (BAD_AND_UNUSED_PATTERN, INPUT, ["GW307", "GW603", "GW605"]),
        (("op: gt, value: \"${inputs.most}\"", "op: in, value: 3"), LEFT_OVER, ["GW204", "GW308", "GW406"]),
    ],
)  # fmt: skip
def test_two_mistakes_are_two_complaints(first: tuple[str, str], second: tuple[str, str], said: list[str]) -> None:
    assert loud(check_text(CLEAN)) == []
    found = check_text(edit(edit(CLEAN, first), second))
    assert sorted({each.split(":")[0] for each in loud(found)}) == said


MISSPELLED_GRAPH = ("tool:reports/render", "tool:reports/rendre")


def test_a_misspelled_graph_is_not_also_denied_and_is_called_as_the_one_that_was_meant() -> None:
    text = edit(WEEKLY, MISSPELLED_GRAPH)
    assert loud(check_files({**FILES, "graphs/weekly.yaml": text}, "graphs")) == ["GW704:48"]
    text = edit(text, ("rows: ", "row: "), ("result.output.text", "result.output.txt"))
    assert loud(check_files({**FILES, "graphs/weekly.yaml": text}, "graphs")) == ["GW704:48", "GW704:49", "GW704:51"]


def test_an_edge_behind_the_default_one_still_leads_somewhere() -> None:
    text = edit(
        CLEAN, ("        - {to: poll}\n", ""), ("        - {to: done,", "        - {to: poll}\n        - {to: done,")
    )
    assert loud(check_text(text)) == ["GW205:53"]
    text = edit(text, ('rows: "${state.rows}", stage', 'rows: "${state.looks}", stage'))
    assert loud(check_text(text)) == ["GW303:49", "GW205:53"]


def test_exists_false_is_read_as_its_negation() -> None:
    text = edit(
        CLEAN,
        ('total, op: gt, value: "${inputs.most}"', "date, op: exists, value: false"),
        ('"${state.date}"}}', "1}}"),
    )
    assert loud(check_text(text)) == ["GW308:8", "GW209:52", "GW406:52"]


LOOP = CLEAN[CLEAN.index("      as: ticket") : CLEAN.index("collect: looks\n") + len("collect: looks\n")]


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ("  state: {total: 0, stage: new}\n", "  state: nothing\n", ["GW102:14"]),
        ("  state: {total: 0, stage: new}\n", "  state:\n    - total: 0\n    - stage: new\n", ["GW102:15"]),
        ('      assign: {total: "${state.total + 2}"}\n', "      assign: total\n", ["GW102:44"]),
        ("      as: ticket\n", "      as: 5\n", ["GW102:27"]),
        (LOOP, LOOP.replace("ticket\n", '"${ticket}"\n', 1).replace("looks", '"${looks}"'), ["GW411:27", "GW411:29"]),
        (PERMISSIONS, "{rye.execute.tool.tickets.*: true}", ["GW102:2"]),
        ("value: green}}", "value: red}}", ["GW206:36"]),
    ],
)
def test_what_cannot_be_read_is_one_complaint(written: str, instead: str, said: list[str]) -> None:
    assert loud(check_text(edit(CLEAN, (written, instead)))) == said


def test_a_key_that_only_a_broken_assign_could_set_is_not_called_unassigned_but_a_misspelled_one_is() -> None:
    text = edit(CLEAN, ('{tickets: "${result.tickets}", date: "${result.date}"}', "tickets, date"))
    assert loud(check_text(text)) == ["GW102:21"]
    assert loud(
        check_text(
            edit(
                text,
                (
                    '${state.looks}"}}\n      assign: {total: "${state.total + 1',
                    '${state.loks}"}}\n      assign: {total: "${state.total + 1',
                ),
            )
        )
    ) == ["GW102:21", "GW301:38"]


def test_variables_in_what_is_no_list_count_as_declared() -> None:
    bash = ('tool:tickets/poll, params: {date: "${state.date}"}', "tool:rye/bash, params: {command: poll $TOKEN $DAY}")
    text = edit(
        CLEAN,
        bash,
        (PERMISSIONS, "[rye.execute.tool.*]"),
        ("config_schema:", "env_requires: {TOKEN: x}\nconfig_schema:"),
    )
    assert [each for each in loud(check_text(text)) if each[:5] in ("GW102", "GW503")] == ["GW102:3", "GW503:49"]


def test_a_key_that_only_counts_itself_up_is_one_complaint() -> None:
    text = edit(
        CLEAN,
        ("{total: 0, stage: new}", "{stage: new}"),
        ("total: {type: integer}}\n  nodes", "n: {type: integer}}\n  nodes"),
    )
    assert {each.split(":")[0] for each in loud(check_text(text))} == {"GW301"}
