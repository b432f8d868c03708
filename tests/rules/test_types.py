"""GW407–GW410 and GW412: what known types say, and that unknown ones say nothing."""

from __future__ import annotations

import pytest

from rules.finding import edit, findings, one, places

HEAD = """\
tool_type: graph
permissions: [rye.execute.tool.rye.bash, rye.execute.tool.a.b]
config_schema:
  type: object
  properties:
    n: {type: integer}
    s: {type: string}
    flag: {type: boolean}
    rows: {type: array, items: {type: object, properties: {id: {type: string}}}}
    digits: {enum: ["1", "22"]}
    any: {}
    maybe: {type: integer}
    filter: {type: object, properties: {status: {type: string}, open: {type: object, additionalProperties: true}}}
  required: [n, s, flag, rows, digits, any, filter]
"""


def output(expression: str) -> str:
    """A graph that returns a value."""
    return f"{HEAD}config:\n  start: done\n  nodes:\n    done: {{type: return, output: {expression}}}\n"


def condition(text: str) -> str:
    """A graph with a command before a condition: `state.out` is text, `state.code` a number, `state.r` unknown."""
    return f"""{HEAD}config:
  start: run
  nodes:
    run:
      action: {{item_id: tool:rye/bash, params: {{command: date}}}}
      assign: {{out: "${{result.stdout}}", code: "${{result.exit_code}}"}}
      next: more
    more:
      action: {{item_id: tool:a/b}}
      assign: {{r: "${{result.r}}"}}
      next:
        - {{to: done, when: {text}}}
        - {{to: done}}
    done: {{type: return}}
"""


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("inputs.n + inputs.s", "`inputs.n + inputs.s` adds an integer and a string"),
        ("inputs.s + 1", "`inputs.s + 1` adds a string and an integer"),
        ("inputs.flag + 1", "`inputs.flag + 1` adds a boolean and an integer"),
        ("inputs.rows + inputs.n", "adds a list of objects and an integer"),
        ("inputs.s * 2", "multiplies a string and an integer"),
        ("null + 1", "adds null and an integer"),
        ("-inputs.s", "`-inputs.s` negates a string"),
        ("inputs.n + 1 - inputs.s", "subtracts an integer and a string"),
    ],
)
def test_what_cannot_be_added(expression: str, message: str) -> None:
    graph = output(f'"${{{expression}}}"')
    found = one("GW407", graph)
    assert message in found.message
    assert places("GW407", graph) == [f"18: {expression}"]


def test_a_long_sum_is_quoted_from_its_end() -> None:
    graph = output(f'"${{{" + ".join(["inputs.n"] * 300)} + inputs.s}}"')
    message = one("GW407", graph).message
    assert " + inputs.n + inputs.s` adds an integer and a string" in message
    assert len(message) < 200


@pytest.mark.parametrize(
    "expression",
    [
        "inputs.n + 1.5",
        "inputs.s + 'x'",
        "inputs.rows + []",
        "inputs.any + 1",
        "inputs.maybe + 1",
        "inputs.filter.open.x + 1",
        "inputs.s.nothing + 1",
        "(inputs.any || inputs.s) + 1",
        "(inputs.s | int) + 1",
    ],
)
def test_what_may_be_added(expression: str) -> None:
    assert findings("GW407", output(f'"${{{expression}}}"')) == []


@pytest.mark.parametrize(
    ("text", "message", "advice"),
    [
        ("{path: inputs.n, op: gt, value: '5'}", "an integer, which `gt` cannot compare with a string", "quotes"),
        ("{path: state.out, op: lt, value: 5}", "`state.out` is a string", '`out: "${result.stdout | int}"`'),
        ("{path: inputs.flag, op: gte, value: 1}", "`inputs.flag` is a boolean", "`{path: inputs.flag, value: true}`"),
        ("{path: inputs.n, op: gt, value: '${inputs.s}'}", "`gt` cannot compare with a string", "two numbers"),
        ("{path: inputs.flag, op: gt, value: '${inputs.any}'}", "is a boolean, which `gt`", "value: true}`"),
        ("{path: inputs.n, op: in, value: '${inputs.s}'}", "`in` looks for `inputs.n` in a string", "contains"),
    ],
)  # fmt: skip
def test_what_cannot_be_ordered(text: str, message: str, advice: str) -> None:
    found = one("GW407", condition(text))
    assert message in found.message
    assert advice in str(found.help)
    assert findings("GW408", condition(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "{path: inputs.n, op: gt, value: 5}",
        "{path: inputs.n, op: gt, value: '${inputs.any}'}",
        "{path: state.code, op: gt, value: 0.5}",
        "{path: state.r, op: gt, value: 5}",
        "{path: state.r, op: gt, value: abc}",
        "{path: inputs.maybe, op: gt, value: 5}",
        "{path: inputs.n, op: gt, value: '${inputs.maybe}'}",
        "{path: inputs.n, op: eq, value: '${inputs.s}'}",
        "{path: inputs.s, op: gt, value: abc}",
    ],
)
def test_what_may_be_ordered(text: str) -> None:
    assert findings("GW407", condition(text)) == []
    assert findings("GW408", condition(text)) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("{path: inputs.s, op: gt, value: '10'}", "'10'"),
        ("{path: state.r, op: lte, value: ' -1.5e3 '}", "' -1.5e3 '"),
        ("{path: state.out, op: gt, value: '10'}", "'10'"),
        ("{path: inputs.digits, op: gt, value: '${inputs.s}'}", "inputs.digits"),
    ],
)
def test_text_that_looks_like_a_number(text: str, place: str) -> None:
    graph = condition(text)
    assert [where.partition(": ")[2] for where in places("GW408", graph)] == [place]
    assert any(pipe in str(one("GW408", graph).help) for pipe in ("| int}", "| float}"))


def test_a_date_is_no_number() -> None:
    assert findings("GW408", condition("{path: inputs.s, op: gt, value: '2024-01-31'}")) == []


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("all: ${inputs.rows}", "inputs.rows"),
        ("all: ${inputs.rows || []}", "inputs.rows"),
        ("${inputs.flag}!", "inputs.flag"),
        ("f=${inputs.filter}", "inputs.filter"),
        ("n=${inputs.rows | keys}", "inputs.rows | keys"),
        ("${inputs.rows}", None),
        ("all: ${inputs.rows | json}", None),
        ("${inputs.n} ${inputs.s} ${inputs.any} ${inputs.maybe}", None),
        ("x ${inputs.any || inputs.rows}", None),
    ],
)
def test_odd_texts(text: str, odd: str | None) -> None:
    found = places("GW409", output(f'"{text}"'))
    assert found == ([] if odd is None else [f"18: {odd}"])


@pytest.mark.parametrize(
    ("path", "segment", "advice"),
    [
        ("inputs.s.name", "a string has no `name`", "from_json"),
        ("inputs.n.x.y", "an integer has no `x`", None),
        ("inputs.rows.first", "a list of objects has no `first`", "`inputs.rows.0.first`"),
        ("inputs.rows.0.id.x", "a string has no `x`", None),
        ("inputs.rows.0.idd", "an object has no `idd`", "did you mean `id`?"),
        ("inputs.filter.stauts", "an object has no `stauts`", "did you mean `status`?"),
        ("inputs.digits.0", "a string has no `0`", None),
    ],
)
def test_fields_that_are_not_there(path: str, segment: str, advice: str | None) -> None:
    graph = output(f'"${{{path}}}"')
    found = one("GW410", graph)
    assert segment in found.message
    assert advice is None or advice in str(found.help)
    assert places("GW410", graph) == [f"18: {path}"]


@pytest.mark.parametrize(
    "path",
    [
        "inputs.any.x",
        "inputs.filter.status",
        "inputs.filter.open.x",
        "inputs.rows.0.id",
        "inputs.rows[-1]['id']",
        "inputs.x.y",
    ],
)
def test_fields_that_may_be_there(path: str) -> None:
    assert findings("GW410", output(f'"${{{path}}}"')) == []


def test_fields_of_literals_and_commands() -> None:
    graph = condition("{path: state.out.lines, op: exists}")
    assert one("GW410", graph).message.endswith("because a string has no `lines`")
    text = output("'${state.cfg.sise}'").replace("start: done\n", "start: done\n  state: {cfg: {size: 1}}\n")
    assert one("GW410", text).help == "did you mean `size`?"
    same = output("'${state.rows.rows}'").replace("start: done\n", "start: done\n  state: {rows: '[]'}\n")
    assert str(one("GW410", same).help).startswith("write `state.rows`; if it contains JSON")


FOREACH = """{head}config:
  start: loop
  nodes:
    loop:
      type: foreach
      over: {over}
      action: {{item_id: tool:a/b, params: {{x: "${{item}}"}}}}
      next: done
    done: {{type: return}}
"""


@pytest.mark.parametrize(
    ("over", "problem"),
    [
        ('"${inputs.n}"', "an integer"),
        ('"${inputs.flag}"', "a boolean"),
        ('"${inputs.filter}"', "an object"),
        ('"${inputs.maybe}"', "an integer or null"),
        ("5", "an integer"),
        ("{a: 1}", "an object"),
        ("plain text", "a string that does not contain a JSON list"),
        ('"${inputs.rows}"', None),
        ('"${inputs.s}"', None),
        ('"${inputs.any}"', None),
        ("'[1, 2]'", None),
        ("[1, '${inputs.n}']", None),
    ],
)
def test_over(over: str, problem: str | None) -> None:
    found = findings("GW412", FOREACH.format(head=HEAD, over=over))
    assert [problem in each.message for each in found if problem] == ([True] if problem else [])
    assert bool(found) is (problem is not None)


SCHEMA = """\
output_schema:
  type: object
  properties: {total: {type: integer}, rows: {type: array, items: {type: string}}, mode: {enum: [a, b]}}
  required: [total]
  additionalProperties: false
"""


@pytest.mark.parametrize(
    ("value", "message", "place"),
    [
        ('"${inputs.s}"', "`output` is a string, but `output_schema` requires an object", '"${inputs.s}"'),
        ("just text", 'does not conform to `output_schema`: "just text" is not of type object', "just text"),
        (
            '{total: "${inputs.s}"}',
            "`output.total` is a string, but `output_schema` requires an integer",
            '"${inputs.s}"',
        ),
        ("{total: none, mode: a}", '`output.total` is "none", but `output_schema` requires an integer', "none"),
        ("{total: 1, rows: 5}", "`output.rows` is 5, but `output_schema` requires a list of strings", "5"),
        ('{total: 1, rows: ["${inputs.n}"]}', "`output.rows", '"${inputs.n}"'),
        ('{total: "${inputs.n}", mode: c}', 'requires one of "a", "b"', "c"),
        (
            '{mode: "${inputs.any}"}',
            "`output` has no `total`, which `output_schema` requires",
            '{mode: "${inputs.any}"}',
        ),
        ('{total: "${inputs.n}", more: 1}', "`output_schema` does not allow `output.more`", "1"),
    ],
)
def test_outputs_that_do_not_fit(value: str, message: str, place: str) -> None:
    graph = SCHEMA + output(value)
    assert message in one("GW412", graph).message
    assert [where.partition(": ")[2] for where in places("GW412", graph)] == [place]


@pytest.mark.parametrize(
    "value",
    [
        '{total: "${inputs.n}"}',
        '{total: "${inputs.maybe}"}',
        '{total: "${inputs.any}", rows: []}',
        '{total: "${inputs.n / 2}"}',
        '{total: "${inputs.n}", mode: "${inputs.s}"}',
        '"${inputs.any}"',
    ],
)
def test_outputs_that_may_fit(value: str) -> None:
    assert findings("GW412", SCHEMA + output(value)) == []


STATE = """{head}config:
  start: set
  state_schema:
    type: object
    properties: {{n: {{type: integer, minimum: 0}}, mode: {{enum: [fast, slow]}}, rows: {{type: array}}}}
    additionalProperties: false
  state: {{{state}}}
  nodes:
    set: {{type: gate, assign: {{{assign}}}, next: done}}
    done: {{type: return}}
"""


@pytest.mark.parametrize(
    ("state", "assign", "message"),
    [
        ("n: x", "", "`state.n` does not conform to `state_schema`: \"x\" is not of type integer"),
        ("n: -1", "", "less than the minimum"),
        ("n: 0", "mode: fsat", "`state.mode` does not conform to `state_schema`"),
        ("n: 0", 'n: "${inputs.s}"', "`state.n` is a string, but `state_schema` requires an integer"),
        ("n: 0", "other: 1", "`state_schema` does not allow the key `other`"),
        ("n: 0", 'n: "${inputs.n}", mode: slow, rows: []', None),
        ("n: 0", 'n: "${inputs.any}", mode: "${inputs.s}"', None),
    ],
)  # fmt: skip
def test_state_schema(state: str, assign: str, message: str | None) -> None:
    found = findings("GW412", STATE.format(head=HEAD, state=state, assign=assign))
    assert [message in each.message for each in found if message] == ([True] if message else [])
    assert bool(found) is (message is not None)


@pytest.mark.parametrize(
    ("schema", "state", "assign", "message"),
    [
        ("patternProperties: {^n: {minimum: 1}}", "no: 0", "", "less than the minimum"),
        ("patternProperties: {^n: {minimum: 1}}", "", "num: 0", "less than the minimum"),
        ("additionalProperties: {type: integer}", "no: x", "", "is not of type integer"),
        ("additionalProperties: {type: integer}", "", 'no: "${inputs.s}"', "`state.no` is a string"),
        ("allOf: [{properties: {a: {maxLength: 2}}}]", "a: abc", "", "more than 2"),
        ("$ref: '#/$defs/all', $defs: {all: {properties: {a: {enum: [1]}}}}", "a: 2", "", "not one of [1]"),
        ("required: [total]", "totals: 1", "", "`state_schema` requires `total`, which is never assigned"),
        ("required: [total]", "total: 1", "", None),
        ("required: [total]", "", 'total: "${inputs.any}"', None),
        (
            "properties: {total: {}}, additionalProperties: false, required: [total]",
            "totl: 1",
            "",
            "does not allow the key",
        ),
    ],
)
def test_what_a_state_schema_says_of_keys(schema: str, state: str, assign: str, message: str | None) -> None:
    graph = f"""{HEAD}config:
  start: set
  state_schema: {{{schema}}}
  state: {{{state}}}
  nodes:
    set: {{type: gate, assign: {{{assign}}}, next: done}}
    done: {{type: return}}
"""
    found = findings("GW412", graph)
    assert [message in each.message for each in found if message] == ([True] if message else [])
    assert bool(found) is (message is not None)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("n", "`state.n` is a list of objects, but `state_schema` requires an integer"),
        ("other", "`state_schema` does not allow the key `other`"),
        ("rows", None),
    ],
)
def test_what_a_loop_collects_fits_the_state_schema(key: str, message: str | None) -> None:
    loop = (
        "set: {type: gate, assign: {}, next: done}",
        f"set: {{type: foreach, over: [1], action: {{item_id: tool:a/b}}, collect: {key}, next: done}}",
    )
    found = findings("GW412", edit(STATE.format(head=HEAD, state="n: 0", assign=""), loop))
    assert [each.message.removeprefix("node `set`: ") for each in found] == ([message] if message else [])
