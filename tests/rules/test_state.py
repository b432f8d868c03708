"""GW3xx: state keys and inputs."""

from __future__ import annotations

import pytest

from graphwright.diagnostic import Severity
from rules.finding import CLEAN, edit, findings, loud, one, places

CONTINUE = ("start: fetch", "start: fetch\n  on_error: continue")


def test_a_misspelled_key_is_one_fault() -> None:
    text = edit(CLEAN, ("${state.total}", "${state.totl}"))
    assert one("GW301", text).help == "did you mean `state.total`?"
    assert loud(text) == {"GW301"}


def test_a_key_that_is_only_assigned_later() -> None:
    text = edit(CLEAN, ('{team: "${inputs.team}"}', '{team: "${inputs.team}", n: "${state.total}"}'))
    found = one("GW301", text)
    assert found.message.endswith("no path to `fetch` assigns `total`; only `count` assigns it")
    assert found.related[0].span.line == 24
    assert findings("GW302", text) == []


@pytest.mark.parametrize(
    "read", ["state._last_error", "state._retries.count", "state.inputs.team", "state.tickets.x[0]"]
)
def test_what_is_always_there(read: str) -> None:
    text = edit(CLEAN, ("${state.total}", "${state.total} ${" + read + "}"))
    assert findings("GW301", text) == findings("GW302", text) == []


def test_misspelled_in_a_hook_and_in_a_fallback() -> None:
    hook = '\n  hooks: [{event: error, action: {item_id: tool:tickets/log, params: {n: "${state.totl}"}}}]'
    assert places("GW301", edit(CLEAN, ("start: fetch", "start: fetch" + hook))) == ["11: state.totl"]
    assert places("GW301", edit(CLEAN, ("${state.total}", "${state.totl || 0}"))) == ["28: state.totl"]
    counted = '\n  hooks: [{event: error, action: {item_id: tool:tickets/log, params: {n: "${state.step_count}"}}}]'
    assert findings("GW301", edit(CLEAN, ("start: fetch", "start: fetch" + counted))) == []


SKIPPING = edit(
    CLEAN, ("next: count", "next: [{to: count, when: {path: state.tickets, op: ne, value: []}}, {to: done}]")
)


def test_a_hook_is_told_what_its_event_has_beside_the_state() -> None:
    hook = (
        '  hooks: [{event: after_step, action: {item_id: tool:tickets/list, params: {n: "${state._current_node}"}}}]\n'
    )
    found = one("GW301", edit(CLEAN, ("  start: fetch\n", "  start: fetch\n" + hook)))
    assert found.help == "did you mean `node`? `after_step` hooks have it in addition to the state"


def test_the_witness_skips_the_assignment() -> None:
    found = one("GW302", SKIPPING)
    assert "`fetch → done`" in found.message
    assert found.related[0].message == "`total` is assigned here"
    assert loud(SKIPPING) == {"GW302"}


@pytest.mark.parametrize("read", ["state.total || 0", "state.total | default(0)", "(state.total | upper) || 'none'"])
def test_fallbacks_provide(read: str) -> None:
    assert findings("GW302", edit(SKIPPING, ("${state.total}", "${" + read + "}"))) == []


@pytest.mark.parametrize(
    "read", ["0 + state.total || 1", "state.tickets | default(state.total)", "'x' + (state.total | str)"]
)
def test_what_does_not_provide(read: str) -> None:
    assert len(findings("GW302", edit(SKIPPING, ("${state.total}", "${" + read + "}")))) == 1


@pytest.mark.parametrize(
    ("condition", "quiet"),
    [
        ("{path: state.total, op: exists}", True),
        ("{path: state.total, op: ne, value: null}", True),
        ("{path: state.total, op: gt, value: 3}", True),
        ("{path: state.total.x, value: 3}", True),
        ("{all: [{path: state.total, op: exists}, {path: state.tickets, op: exists}]}", True),
        ("{not: {path: state.total, value: null}}", True),
        ("{path: state.total, op: ne, value: 3}", False),
        ("{any: [{path: state.total, op: exists}, {path: state.tickets, op: exists}]}", False),
    ],
)
def test_conditions_guard_what_is_behind_them(condition: str, quiet: bool) -> None:
    route = f"    route: {{type: gate, next: [{{to: done, when: {condition}}}, {{to: none}}]}}\n"
    text = edit(SKIPPING, ("{to: done}", "{to: route}"), ("next: done", "next: route")) + route
    text += "    none: {type: return, output: {}}\n"
    at_done = [found for found in findings("GW302", text) if found.span.line == 28]
    assert (at_done == []) is quiet


def test_a_chain_whose_operands_exclude_each_other() -> None:
    text = edit(
        CLEAN,
        ("next: count", "on_error: offline\n      next: count"),
        ('{tickets: "${state.tickets}"}', '{tickets: "${state.note || state.tickets}"}'),
    )
    offline = '    offline: {type: gate, assign: {note: "offline"}, next: count}\n'
    assert findings("GW302", text + offline) == []
    assert len(findings("GW302", edit(text, ("state.note ||", "state.other ||")) + offline)) == 1


def test_error_edges_and_the_continue_policy_skip_assign() -> None:
    rescued = one("GW302", edit(CLEAN, ("next: done", "on_error: done\n      next: done")))
    assert "when `count` fails, its `assign` is not reached" in rescued.message
    going_on = findings("GW302", edit(CLEAN, CONTINUE))
    assert [found.span.line for found in going_on] == [23, 29]
    assert "when `fetch` fails, `on_error: continue` skips its `assign`" in going_on[0].message


def test_every_node_on_the_path_that_would_assign_is_explained() -> None:
    rescue = "    rescue: {action: {item_id: tool:tickets/count}, assign: {total: 0}, next: done}\n"
    text = edit(
        CLEAN, CONTINUE, ("next: done", "on_error: rescue\n      next: done"), ("state.tickets}", "state.tickets || 0}")
    )
    assert (
        "(when `count` fails, its `assign` is not reached, "
        "and when `rescue` fails, `on_error: continue` skips its `assign`)" in one("GW302", text + rescue).message
    )


def test_its_own_conditions_after_a_failure() -> None:
    route = "next: [{to: done, when: {path: state.total, op: gt, value: 0}}, {to: none}]"
    text = edit(CLEAN, CONTINUE, ("next: done", route), ("${state.tickets}", "${state.tickets || []}"))
    found = findings("GW302", text + "    none: {type: return, output: {}}\n")
    assert [each.span.line for each in found] == [26], "behind the condition it is there"
    assert "when `count` fails" in found[0].message


def test_an_empty_list_assigns_nothing() -> None:
    text = edit(
        CLEAN,
        ("    count:\n", '    count:\n      type: foreach\n      over: "${state.tickets}"\n      collect: all\n'),
        ('{total: "${state.total}"}', '{total: "${state.total}", all: "${state.all}"}'),
    )
    assert "`count` assigns nothing if its list is empty" in one("GW302", text).message


@pytest.mark.parametrize("over", ["[a, b]", '["${inputs.team}"]', "[]", "'[1]'"])
def test_a_list_that_is_written_out_is_as_long_as_it_is(over: str) -> None:
    loop = ("    count:\n", f"    count:\n      type: foreach\n      over: {over}\n      collect: all\n")
    found = findings("GW302", edit(CLEAN, loop))
    assert [each.span.line for each in found] == ([] if over in ("[a, b]", '["${inputs.team}"]') else [31])


def test_unread_keys() -> None:
    text = edit(CLEAN, ('"${result.total}"', '"${result.total}"\n        oldest: "${result.oldest}"'))
    assert one("GW303", text).severity is None
    assert places("GW303", text) == ["25: oldest"]
    bare = edit(text, ('\n      output: {total: "${state.total}"}', ""))
    assert {found.severity for found in findings("GW303", bare)} == {Severity.NOTE}
    assert findings("GW303", edit(text, ('"${state.total}"', '"${state.total}", all: "${state}"'))) == []


def test_overwritten_keys() -> None:
    text = edit(CLEAN, ('"${result.tickets}"', '"${result.tickets}"\n        total: 0'))
    assert "`count` overwrites it" in one("GW304", text).message
    assert findings("GW303", text) == []
    read_between = edit(
        text, ('{tickets: "${state.tickets}"}', '{tickets: "${state.tickets}", before: "${state.total}"}')
    )
    assert findings("GW304", read_between) == []
    assert findings("GW304", edit(text, ("next: done", "on_error: done\n      next: done"))) == []


def test_loop_variables() -> None:
    each = edit(
        CLEAN,
        (
            "    fetch:\n",
            "    fetch:\n      type: foreach\n      over: [a, b]\n      as: total\n      collect: tickets\n",
        ),
        ('      assign:\n        tickets: "${result.tickets}"\n', ""),
    )
    assert one("GW305", each).severity is None  # a warning
    outside = edit(each, ("as: total", "as: squad"), ('"${state.total}"', '"${state.total} ${squad}"'))
    assert one("GW305", outside).severity is Severity.ERROR
    assert "`state.tickets`" in str(one("GW305", outside).help)
    assert findings("GW303", edit(outside, ('tickets: "${state.tickets}"', "tickets: 1"))) == []


def test_undeclared_inputs() -> None:
    text = edit(CLEAN, ("${inputs.team}", "${inputs.taem}"))
    assert one("GW307", text).help == "did you mean `inputs.team`?"
    assert loud(text) == {"GW307"}
    for opening in ("additionalProperties: true", "patternProperties: {'^t': {}}"):
        assert findings("GW307", edit(text, ("  required: [team]", f"  required: [team]\n  {opening}"))) == []


def test_unused_inputs() -> None:
    text = edit(CLEAN, ("team: {type: string}", "team: {type: string}\n    area: {type: string}"))
    assert places("GW308", text) == ["8: area"]
    for use in ("${inputs}", "${state.inputs.area || 1}", "{input:area}"):
        assert findings("GW308", edit(text, ("${state.total}", use))) == []
    condition = "next: [{to: done, when: {path: inputs.area, op: exists}}, {to: done}]"
    assert findings("GW308", edit(text, ("next: done", condition))) == []


OPTIONAL = edit(CLEAN, ("team: {type: string}", "team: {type: string}\n    area: {type: string}"))


@pytest.mark.parametrize(
    ("use", "severity"),
    [
        ('{team: "${inputs.area}"}', Severity.NOTE),
        ('{deep: {team: "${inputs.area}"}}', Severity.NOTE),
        ('{teams: ["${inputs.area}"]}', None),
        ('{team: "in ${inputs.area}"}', None),
        ('{team: "${inputs.area | upper}"}', None),
    ],
)
def test_optional_inputs_in_params(use: str, severity: Severity | None) -> None:
    text = edit(OPTIONAL, ('{team: "${inputs.team}"}', use))
    assert one("GW309", text).severity is severity


@pytest.mark.parametrize(
    "use", ["${inputs.area || inputs.team}", "${inputs.area | default('x')}", "${inputs.team || inputs.area}"]
)
def test_optional_inputs_with_a_fallback(use: str) -> None:
    assert findings("GW309", edit(OPTIONAL, ('"${inputs.team}"', f'"in {use}"'))) == []


@pytest.mark.parametrize(
    ("area", "more", "is_reported"),
    [
        ("{type: string}", "allOf: [{$ref: '#/%24defs/named'}]", False),
        ("{type: string}", "$ref: '#/allOf/0'\n  allOf: [{required: [area]}]", False),
        ("{type: string}", "not: {required: [area]}", True),
        ("{$ref: '#/$defs/filled'}", "title: a run fills in no default that is behind a reference", True),
        ("{$ref: '#/$defs/filled', default: south}", "title: its own", False),
    ],
)
def test_whether_an_input_is_optional_is_read_as_a_run_reads_it(area: str, more: str, is_reported: bool) -> None:
    defs = "$defs: {named: {required: [area]}, filled: {type: string, default: north}}"
    text = edit(OPTIONAL, ("area: {type: string}", f"area: {area}\n  {more}\n  {defs}"))
    text = edit(text, ('{team: "${inputs.team}"}', '{team: "${inputs.area}"}'))
    assert bool(findings("GW309", text)) is is_reported


def test_optional_inputs_behind_a_condition() -> None:
    route = "next: [{to: count, when: {path: inputs.area, op: exists}}, {to: done}]"
    text = edit(OPTIONAL, ("next: count", route), ('tickets: "${state.tickets}"', 'tickets: "in ${inputs.area}"'))
    assert findings("GW309", text) == []
    text = edit(text, ("op: exists", "value: north"))
    assert [found.span.line for found in findings("GW309", text)] == [19], "the condition itself, but not behind it"


def test_an_optional_input_whose_type_allows_null() -> None:
    text = edit(OPTIONAL, ("area: {type: string}", 'area: {type: [string, "null"]}'))
    found = one("GW309", edit(text, ('"${inputs.team}"', '"in ${inputs.area}"')))
    assert found.message == (
        "`inputs.area` may be null: input `area` is optional without a default, and its type allows null"
    )
    assert found.help == (
        "remove `null` from the type of `area` and give it a `default` or list it in `required`, "
        "or write a fallback: `${inputs.area || …}`"
    )


def test_a_nullable_input_is_not_a_fallback() -> None:
    text = edit(OPTIONAL, ('"${inputs.team}"', '"in ${inputs.team || inputs.area}"'))
    assert findings("GW309", text) == []
    assert findings("GW309", edit(text, ("team: {type: string}", 'team: {type: [string, "null"]}'))) != []


def test_a_default_or_required_input_is_never_absent() -> None:
    default = ("area: {type: string}", "area: {type: string, default: x}")
    for change in (default, ("required: [team]", "required: [team, area]")):
        text = edit(OPTIONAL, change, ("${state.total}", "in ${inputs.area}"))
        assert findings("GW309", text) == []


def test_assign_in_a_parallel_loop() -> None:
    text = edit(
        CLEAN,
        ("    count:\n", '    count:\n      type: foreach\n      parallel: true\n      over: "${state.tickets}"\n'),
    )
    assert places("GW310", text) == ["26: assign"]
    assert loud(text) == {"GW310"}


def test_the_other_half_of_a_misspelling() -> None:
    text = edit(SKIPPING, ("{to: done}", "{to: other}")) + "    other: {type: gate, assign: {totla: 1}, next: done}\n"
    assert one("GW303", text).help == "did you mean `total`?"
    kept = edit(
        CLEAN, ("start: fetch", "start: fetch\n  state: {oldest: null}"), ('"${state.total}"', '"${state.oldest}"')
    )
    assert one("GW303", edit(kept, ('total: "${result', 'oldst: "${result'))).help == "did you mean `oldest`?"
    assert one("GW301", edit(CLEAN, ("${state.total}", "${state.total} ${state._last_eror}"))).help == (
        "did you mean `state._last_error`?"
    )
