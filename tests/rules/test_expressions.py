"""GW401–GW406, GW411, GW415, GW416: what is wrong with a text, where, and what to type instead."""

from __future__ import annotations

import pytest

from graphwright.checking.fix import apply_fixes
from rules.finding import CLEAN, edit, findings, loud, one, places


def with_param(text: str) -> str:
    """The clean graph with one more parameter, on line 22."""
    return edit(
        CLEAN, ('params: {tickets: "${state.tickets}"}', f'params: {{tickets: "${{state.tickets}}", p: {text}}}')
    )


def with_condition(condition: str) -> str:
    """The clean graph with a condition on its last action."""
    return edit(
        CLEAN, ("      next: done\n", f"      next:\n        - {{to: done, when: {condition}}}\n        - to: fetch\n")
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('"${}"', "${}"),
        ('"${inputs.team && true}"', "&&"),
        ('"team ${inputs.team"', "${"),
        ('"é ${inputs.team && true}"', "&&"),
        (r'"tab\t${inputs.team && true}"', "&&"),
        ("'it''s ${inputs.team && true}'", "&&"),
    ],
)
def test_the_caret_of_a_syntax_fault(text: str, place: str) -> None:
    graph = with_param(text)
    assert places("GW401", graph) == [f"22: {place}"]
    assert loud(graph) == {"GW401"}


def test_all_faults_of_one_text() -> None:
    graph = with_param('"${} and ${inputs.team | uper} and ${state.tickets && 1}"')
    assert len(findings("GW401", graph)) == 2
    assert one("GW403", graph).help == "did you mean `upper`?"


@pytest.mark.parametrize(
    ("text", "message", "advice"),
    [
        (
            '"${HOME}/x"',
            "`HOME` in node `count` is not defined here",
            "only shell commands read the environment, as `$HOME`; declare an input and read `${inputs.home}`",
        ),
        ('"${tickets}"', "`tickets` in node `count` is not defined here", "did you mean `state.tickets`?"),
        ('"${stat.tickets}"', "`stat.tickets` in node `count` begins with `stat`", "did you mean `state.tickets`?"),
        (
            '"${zzzzzz}"',
            "`zzzzzz` in node `count`",
            "a path begins with `state`, `inputs`, `_now`, `_timestamp` or `_run`",
        ),
    ],
)
def test_unknown_namespaces(text: str, message: str, advice: str) -> None:
    found = one("GW402", with_param(text))
    assert found.message.startswith(message)
    assert str(found.help).startswith(advice)


def test_a_bare_key_in_a_condition() -> None:
    graph = with_condition("{path: total, op: gt, value: 0}")
    assert one("GW402", graph).help == "did you mean `state.total`?"
    assert loud(graph) == {"GW402"}


OUTPUT = 'output: {total: "${state.total}"}'
GATE = edit(CLEAN, ("      type: return\n", "      type: gate\n"), (OUTPUT, "assign: {x: '${result.x}'}"))


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (
            with_param('"${result.total}"'),
            "`result.total` in node `count`: `result` is what the action returns, and does not exist before it",
        ),
        (GATE, "`result.x` in node `done`: a gate has no action, and so no `result`"),
        (
            edit(CLEAN, (OUTPUT, 'output: "${result}"')),
            "`result` in node `done`: a return node has no action, and so no `result`",
        ),
    ],
)
def test_result_where_there_is_none(graph: str, message: str) -> None:
    assert one("GW404", graph).message == message


@pytest.mark.parametrize(("operator", "meant"), [("equals", "`eq`"), ("gtt", "`gt`"), (">", "`gt`")])
def test_unknown_operators(operator: str, meant: str) -> None:
    found = one("GW405", with_condition(f"{{path: state.total, op: '{operator}', value: 1}}"))
    assert meant in str(found.help)


@pytest.mark.parametrize(
    ("condition", "said", "advice"),
    [
        ("{path: state.total, op: in, value: open}", "`in` needs a list", '["open"]'),
        ("{path: state.total, op: regex, value: '([a-z'}", "`regex` is not valid", "close the bracket"),
        ("{path: state.total, op: exists, value: false}", "`exists` takes no value", "`not:"),
        ("{path: state.total, op: exists, value: yes please}", "`exists` takes no value", "remove `value`"),
        ("{path: state.total, op: gt, value: [1]}", "compares two numbers or two strings", "`in`"),
        ("{path: state.total, op: gt, value: null}", "compares two numbers or two strings", "op: exists"),
    ],
)
def test_operators_and_values(condition: str, said: str, advice: str) -> None:
    graph = with_condition(condition)
    found = one("GW406", graph)
    assert said in found.message
    assert advice in str(found.help)
    assert loud(graph) <= {"GW406"}


def test_a_template_as_path_has_a_fix() -> None:
    found = one("GW411", with_condition('{path: "${state.total}", op: gt, value: 0}'))
    assert found.help == "write the path without braces: `path: state.total`"
    assert found.fix is not None
    assert found.fix.edits[0].text == '"state.total"', "in the quotes that were there"


def test_templates_in_fixed_places() -> None:
    assert (
        "primary"
        in one(
            "GW411",
            edit(
                CLEAN, ("item_id: tool:tickets/count", "primary: '${inputs.team}'\n        item_id: tool:tickets/count")
            ),
        ).message
    )
    found = one("GW411", edit(CLEAN, ("next: count", 'next: "${state.total}"')))
    assert "`next` in node `fetch`" in found.message
    assert "an edge for each" in str(found.help)
    found = one("GW411", edit(CLEAN, ("start: fetch", 'start: fetch\n  state: {deep: {key: "${inputs.team}"}}')))
    assert "deep.key" in found.message  # fmt: skip


def test_directive_syntax_is_fixed() -> None:
    graph = with_param('"hello {input:team} and {input:other}"')
    found = one("GW415", graph)
    assert found.fix is not None
    assert found.fix.edits[0].text == "${inputs.team}"
    assert places("GW415", graph) == ["22: {input:team}"]


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ('"{{ inputs.team }}"', "{{ inputs.team }}"),
        ('"for {{inputs.team | upper}}!"', "{{inputs.team | upper}}"),
        ('"for {inputs.team}, ${state.tickets | length}"', "{inputs.team}"),
        ("$inputs.team", "$inputs.team"),
        ('"$inputs.team of somebody"', "$inputs.team"),
        ('"{{{inputs.team}}}"', "{{{inputs.team}}}"),
        ('"$(inputs.team)"', "$(inputs.team)"),
        ('"$ {inputs.team}"', "$ {inputs.team}"),
        ('"#{inputs.team}"', "#{inputs.team}"),
        ('"for %{inputs.team}."', "%{inputs.team}"),
        ("'{\"of\": {inputs.team}}'", "{inputs.team}"),
    ],
)
def test_templates_in_the_syntax_of_other_tools(text: str, reported: str) -> None:
    graph = with_param(text)
    assert places("GW415", graph) == [f"22: {reported}"]
    assert one("GW415", graph).fix is not None
    expression = reported.strip("#%${()} ")
    assert f"${{{expression}}}" in str(one("GW415", graph).help)


@pytest.mark.parametrize(
    "text",
    [
        '"{{ .Names }} {{ inputs.other }} {state}"',
        '"$${inputs.team} is how a template begins"',
        "\"docker ps --format '{{json .}}'\"",
        '"“${inputs.team}” is quoted in a sentence"',
        "“${inputs.team}” and “${inputs.team}”",
        "“team”",
        "'“${inputs.team}”'",
        '"(inputs.team) <inputs.team> inputs.team of somebody, $5 for $$(inputs.team)"',
        '"for inputs in teams; do print $inputs.team; done"',
        "\"${inputs.team | default('{inputs.team}')}\"",
    ],
)
def test_braces_and_dollars_of_other_things_stay(text: str) -> None:
    assert places("GW415", with_param(text)) == []


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("“${inputs.team}”", '"${inputs.team}"'),
        ("‘${inputs.team} in ${state.tickets | json}’", '"${inputs.team} in ${state.tickets | json}"'),
        ('“${inputs.team | default("a")}”', "'${inputs.team | default(\"a\")}'"),
    ],
)
def test_curly_quotes_instead_of_those_of_yaml(text: str, instead: str) -> None:
    returned = "      output:\n        total: ${state.total}\n        text: "
    graph = edit(CLEAN, ('      output: {total: "${state.total}"}', f"{returned}{text}"))
    found = one("GW415", graph)
    assert loud(graph) == {"GW415"}, "one mistake"
    assert "curly quotes, which are part of the string" in found.message
    assert found.help == f"write `{instead}`"
    assert found.fix is not None
    assert loud(apply_fixes(graph, [found.fix]).text) == set()


def test_curly_quotes_between_brackets() -> None:
    found = one("GW001", with_param("“${inputs.team}”"))
    assert found.message == "`“${inputs.team}”` is in curly quotes, which YAML does not know"
    assert found.help == 'write `"${inputs.team}"`'


def test_a_number_sign_may_be_text() -> None:
    found = one("GW415", with_param('"issue #{state.total} of ${inputs.team}"'))
    assert found.help == "write `${state.total}`, or `#${state.total}`"
    assert found.fix is None


@pytest.mark.parametrize("text", ['"{inputs.taem}"', '"see $(inputs.taem)"', "inputs.taem", "$inputs.taem"])
def test_other_syntax_with_a_misspelled_name(text: str) -> None:
    found = one("GW415", with_param(text))
    assert "`${inputs.team}`" in str(found.help).replace('"', "")
    assert found.fix is None, "a guess"


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("${DB_URL}", "write a shell variable as `$DB_URL`, without braces"),
        ("psql ${env.DB_URL}", "write a shell variable as `$DB_URL`, without braces"),
        ("for f in *; do cat ${f}; done", "write a shell variable as `$f`, without braces"),
    ],
)
def test_environment_variables_in_commands(text: str, advice: str) -> None:
    graph = edit(CLEAN, ("rye.execute.tool.tickets.*", "rye.execute.tool.*"), ("tool:tickets/count", "tool:rye/bash"))
    graph = graph.replace('params: {tickets: "${state.tickets}"}', f"params: {{command: '{text}'}}")
    assert one("GW402", graph).help == advice
    elsewhere = graph.replace("command: ", "command: ls, working_dir: ")
    assert one("GW402", elsewhere).help != advice or "for" in text
    hook = f"start: fetch\n  hooks: [{{event: error, action: {{item_id: rye/bash, params: {{command: '{text}'}}}}}}]"
    assert one("GW402", edit(CLEAN, ("start: fetch", hook))).help == advice


@pytest.mark.parametrize("text", ["${DB_URL}", "at ${env.DB_URL}", "${secrets.DB_URL}"])
def test_environment_variables_elsewhere(text: str) -> None:
    declare = "only shell commands read the environment, as `$DB_URL`; declare an input and read `${inputs.db_url}`"
    passed = one("GW402", with_param(f'"{text}"'))
    assert passed.help == f"{declare}, or let the tool read `DB_URL` itself and add `env_requires: [DB_URL]`"
    assert one("GW402", edit(CLEAN, ("${state.total}", text))).help == declare


@pytest.mark.parametrize(
    ("command", "reported"),
    [
        ("echo $(inputs.team)", []),
        ("for inputs in a b; do cat $inputs.team; done", []),
        ("echo {inputs.team}", ["{inputs.team}"]),
        ("echo {{ inputs.team }}", ["{{ inputs.team }}"]),
    ],
)
def test_other_syntax_in_shell_commands(command: str, reported: list[str]) -> None:
    graph = edit(CLEAN, ("rye.execute.tool.tickets.*", "rye.execute.tool.*"), ("tool:tickets/count", "tool:rye/bash"))
    graph = graph.replace('params: {tickets: "${state.tickets}"}', f"params: {{command: '{command}'}}")
    assert [place.partition(": ")[2] for place in places("GW415", graph)] == reported


def test_other_syntax_in_hooks() -> None:
    hook = '{event: error, action: {item_id: tool:tickets/x, params: {a: "{error.message} $(state.total) {node}"}}}'
    graph = edit(CLEAN, ("start: fetch", f"start: fetch\n  hooks: [{hook}]"))
    assert [place.partition(": ")[2] for place in places("GW415", graph)] == ["{error.message}", "$(state.total)"]


@pytest.mark.parametrize("over", ["{{ state.tickets }}", "$(state.tickets)", "{state.tickets}"])
def test_a_loop_over_other_syntax_is_one_mistake(over: str) -> None:
    loop = f'count:\n      type: foreach\n      over: "{over}"'
    found = loud(edit(CLEAN, ("count:", loop)))
    assert found == {"GW415", "GW302"}, "`total` may be unassigned if the list is empty"


@pytest.mark.parametrize(
    "path", ["{state.total}", "{{ state.total }}", "$state.total", "$(state.total)", "“state.total”"]
)
def test_a_condition_path_in_other_syntax(path: str) -> None:
    found = one("GW401", with_condition(f"{{path: '{path}', op: gt, value: 0}}"))
    assert found.help == "write the path by itself: `path: state.total`"


def test_curly_quotes_in_an_expression() -> None:
    found = one("GW401", with_param('"${inputs.team || ‘none’}"'))
    assert found.help == "write straight quotes, as in `'text'`"


def test_literal_nulls_of_params() -> None:
    graph = with_param("{deep: null, list: [null]}")
    assert one("GW416", graph).message == "`p.deep` in the params of node `count` is null and will be dropped"
