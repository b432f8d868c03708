"""GW213 and GW412 where all values of a path are known: constants that are assigned, and the language's own words."""

from __future__ import annotations

import pytest

from checking import check_files
from graphwright.diagnostic import Severity
from rules.finding import findings, one, places

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.x.a, rye.execute.tool.x.b]
config:
  start: a
  state: {{speed: fast{state}}}
  nodes:
    a:
      action: {{item_id: tool:x/a}}
      assign: {{mode: analyze, code: 1, sure: true}}
      next: r
    r:
      type: gate
      next:
        - {{to: b, when: {when}}}
        - {{to: done}}
    b:
      action: {{item_id: tool:x/b}}
      assign: {{mode: summarize}}
      next: done
    done: {{type: return, output: "${{state.mode}} ${{state.code}} ${{state.sure | json}} ${{state.speed}}"}}
"""


def graph(when: str, state: str = "") -> str:
    """A graph whose only condition is on line 14."""
    return GRAPH.format(when=when, state=state)


def loud(text: str) -> list[str]:
    return [each.code for each in check_files({"graph.yaml": text}) if each.severity is not Severity.NOTE]


@pytest.mark.parametrize(
    ("when", "verdict", "help_"),
    [
        ("{path: state.mode, value: analyse}", "never", "did you mean `analyze`?"),
        ("{path: state.mode, op: ne, value: analyse}", "always", "did you mean `analyze`?"),
        ("{path: state.mode, op: in, value: [analyse, summarise]}", "never", None),
        ("{not: {path: state.mode, value: sumarize}}", "never", "did you mean `summarize`?"),
        ("{path: state.mode, value: translate}", "never", None),
        ("{path: state.code, value: 2}", "never", None),
        ("{path: state.sure, value: false}", "never", None),
        ("{path: state.speed, value: fsat}", "never", "did you mean `fast`?"),
    ],
)
def test_a_value_that_a_key_never_has(when: str, verdict: str, help_: str | None) -> None:
    text = graph(when)
    found = one("GW213", text)
    assert "is only ever set to" in found.message
    assert found.message.endswith(f"is {verdict} true")
    assert help_ is None or found.help == help_
    assert [label.message for label in found.related] or "speed" in when
    assert loud(text) == ["GW213"]


@pytest.mark.parametrize(
    "when",
    [
        "{path: state.mode, value: analyze}",
        "{path: state.mode, op: ne, value: summarize}",
        "{path: state.mode, op: in, value: [summarize, other]}",
        "{path: state.mode, op: exists}",
        "{path: state.speed, value: slow}",
        "{path: state.speed, op: ne, value: fast}",
        "{path: state.sure, value: true}",
    ],
)
def test_a_value_that_it_has_and_a_setting_that_its_author_may_change(when: str) -> None:
    assert findings("GW213", graph(when)) == []


def test_a_key_that_also_holds_a_result_can_be_anything() -> None:
    text = graph("{path: state.mode, value: analyse}").replace("mode: summarize", 'mode: "${result.mode}"')
    assert findings("GW213", text) == []


def test_a_key_that_is_misspelled_where_it_is_assigned_is_one_mistake() -> None:
    text = graph("{path: state.mode, value: summarize}").replace("mode: summarize", "mdoe: summarize")
    assert loud(text) == ["GW303"]


@pytest.mark.parametrize("state", ["", ", mode: draft", ", mode: null"])
def test_the_value_at_the_start_counts(state: str) -> None:
    assert bool(findings("GW213", graph("{path: state.mode, value: draft}", state))) is ("draft" not in state)


def hook(event: str, condition: str) -> str:
    """The graph with a hook, its condition on line 4."""
    hooks = f"  hooks:\n    - {{event: {event}, condition: {condition}, action: {{item_id: tool:x/a}}}}\n"
    return graph("{path: state.mode, value: analyze}").replace("config:\n", f"config:\n{hooks}")


@pytest.mark.parametrize(
    ("event", "condition", "help_"),
    [
        ("error", "{path: classification.category, value: rate_limit}", "did you mean `rate_limited`?"),
        ("error", "{path: classification.category, op: in, value: [throttled, busy]}", None),
        ("error", "{path: node, value: c}", None),
        ("after_step", "{path: status, value: errors}", "did you mean `error`?"),
        ("after_step", "{path: status, value: failed}", 'write `value: "error"` or `value: "ok"`'),
        ("after_step", "{path: next_node, value: dome}", "did you mean `done`?"),
        ("limit", "{path: limit_code, value: max_step_exceeded}", "did you mean `max_steps_exceeded`?"),
        ("graph_completed", "{path: status, value: complete}", "did you mean `completed`?"),
        ("graph_completed", "{path: status, op: ne, value: compleeted}", "did you mean `completed`?"),
        ("graph_completed", "{path: state.mode, value: analyse}", "did you mean `analyze`?"),
    ],
)
def test_the_words_of_the_language_in_hooks(event: str, condition: str, help_: str | None) -> None:
    text = hook(event, condition)
    found = one("GW213", text)
    assert found.span.line == 5
    assert help_ is None or str(found.help).startswith(help_.split(",")[0])
    assert loud(text) == ["GW213"]


@pytest.mark.parametrize(
    ("event", "condition"),
    [
        ("error", "{path: classification.category, value: rate_limited}"),
        ("error", "{path: classification.retryable, value: true}"),
        ("error", "{path: error.code, value: 429}"),
        ("error", "{path: node, op: in, value: [a, b]}"),
        ("after_step", "{path: status, value: error}"),
        ("after_step", "{path: next_node, op: exists}"),
        ("after_step", "{path: result.status, value: error}"),
        ("limit", "{path: current_value, op: gt, value: 50}"),
        ("limit", "{path: limit_code, op: ne, value: max_visits_exceeded}"),
        ("graph_completed", "{path: status, op: in, value: [cancelled, interrupted]}"),
        ("graph_completed", "{path: error, op: exists}"),
        ("graph_completed", "{path: state.step_count, op: gt, value: 3}"),
    ],
)
def test_what_hooks_can_see(event: str, condition: str) -> None:
    assert loud(hook(event, condition)) == []


def test_a_loop_over_constants_that_are_no_lists() -> None:
    loop = (
        '    b:\n      type: foreach\n      over: "${state.mode}"\n      as: each\n'
        '      action: {item_id: tool:x/b, params: {each: "${each}"}}\n      next: done\n'
    )
    text = graph("{path: state.mode, value: analyze}")
    start, end = text.index("    b:\n"), text.index("    done:")
    assert places("GW412", text[:start] + loop + text[end:]) == ['18: "${state.mode}"']
    listed = (
        (text[:start] + loop + text[end:])
        .replace("mode: analyze", "mode: '[1, 2]'")
        .replace("value: analyze", "op: exists")
    )
    assert findings("GW412", listed) == []


# --- items of lists, and what strings are searched for ------------------------------------------------------------


@pytest.mark.parametrize(
    ("when", "place", "help_"),
    [
        ("{path: state.mode, op: in, value: [analyze, summarise]}", "14: summarise", "did you mean `summarize`?"),
        ("{not: {path: state.mode, op: in, value: [analise, summarize]}}", "14: analise", "did you mean `analyze`?"),
        ("{path: state.mode, op: contains, value: analyse}", "14: path", "did you mean `analyze`?"),
        ("{path: state.mode, op: contains, value: translate}", "14: path", None),
        ("{path: state.mode, op: regex, value: '^sumari'}", "14: path", None),
    ],
)
def test_a_part_that_no_known_value_matches(when: str, place: str, help_: str | None) -> None:
    text = graph(when)
    assert places("GW213", text) == [place]
    assert help_ is None or one("GW213", text).help == help_
    assert loud(text) == ["GW213"]


@pytest.mark.parametrize(
    "when",
    [
        "{path: state.mode, op: in, value: [summarize, translate]}",
        "{path: state.mode, op: in, value: [summarize, summarise]}",
        "{path: state.mode, op: in, value: [summarize, null]}",
        "{path: state.mode, op: contains, value: rize}",
        "{path: state.mode, op: regex, value: '^(summ|trans)'}",
        "{path: state.code, op: contains, value: 1}",
        "{path: state.speed, op: contains, value: slow}",
    ],
)
def test_parts_that_match_or_may_be_values_to_come(when: str) -> None:
    assert findings("GW213", graph(when)) == []


def test_items_that_a_schema_or_the_language_excludes_need_not_be_near() -> None:
    status = one("GW213", hook("after_step", "{path: status, op: in, value: [ok, failed]}"))
    assert status.message.endswith('`status` is one of "error", "ok", so "failed" in this list is never a match')
    assert status.help == "remove it from the list"
    schema = "config_schema: {type: object, properties: {level: {enum: [low, high]}}, required: [level]}\n"
    text = graph("{path: inputs.level, op: in, value: [low, medium, hihg]}").replace("config:\n", f"{schema}config:\n")
    assert places("GW213", text) == ["15: medium", "15: hihg"]
    assert [each.suggestion for each in findings("GW213", text)] == [None, "high"]
