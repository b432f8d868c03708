"""What `state_schema` and `output_schema` declare holds while a graph runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cases.graphs import graph
from commands import graphwright
from running import Ran, compile_text, run_text

STATE = """\
state_schema:
  type: object
  properties:
    total: {type: integer, minimum: 0}
    kind: {enum: [bug, question]}
    rows: {type: array, items: {$ref: "#/$defs/row"}}
    note: {type: [string, "null"], maxLength: 5}
  patternProperties: {"_url$": {type: string, pattern: "^https:"}}
  additionalProperties: {type: number}
  $defs: {row: {type: object, properties: {id: {type: integer}}, required: [id]}}
"""


def fetching(assign: str, *, more: str = "", policy: str = "", output: str = "") -> str:
    """A graph that assigns from a result."""
    return graph(f"""\
start: fetch
{policy}
state: {{total: 0}}
{STATE}
nodes:
  fetch:
    action: {{item_id: shop/fetch}}
    assign: {assign}
    next: done
    {more}
  rescue: {{type: return, output: {{was: "${{state}}"}}}}
  done: {{type: return{output}}}
""")


def fetched(assign: str, result: object, **options: str) -> Ran:
    return run_text(fetching(assign, **options), {}, {"shop/fetch": result})


@pytest.mark.parametrize(
    ("assign", "result", "message"),
    [
        ('{total: "${result.n}"}', {"n": "12"}, "`state.total` does not conform to `state_schema`: must be an integer"),
        ('{total: "${result.n}"}', {"n": "12"}, "(found the string '12')"),
        ('{total: "${result.n}"}', {"n": True}, "(found true)"),
        ('{total: "${result.n}"}', {}, "(found null)"),
        ('{total: "${result.n}"}', {"n": -1}, "must be at least 0 (found the number -1)"),
        ('{kind: "${result.n}"}', {"n": "bugs"}, 'must be one of "bug", "question" (found the string \'bugs\')'),
        ('{rows: "${result.n}"}', {"n": [{"id": 1}, {"id": None}]}, "`state.rows[1].id` does not conform"),
        ('{rows: "${result.n}"}', {"n": [{}]}, "`state.rows[0].id` is missing, and `state_schema` requires it"),
        ('{rows: [{id: "${result.n}"}]}', {"n": 1.5}, "`state.rows[0].id` does not conform"),
        ('{note: "${result.n}"}', {"n": "longer"}, "`state.note` does not conform"),
        ('{page_url: "${result.n}"}', {"n": "ftp:x"}, "`state.page_url` does not conform"),
        ('{other: "${result.n}"}', {"n": "x"}, "`state.other` does not conform to `state_schema`: must be a number"),
        ('{note: ok, kind: "${result.n}", total: 5}', {"n": "x"}, "`state.kind` does not conform"),
    ],
)
def test_a_value_that_does_not_conform_is_a_node_error(assign: str, result: object, message: str) -> None:
    ended = fetched(assign, result)
    assert ended.result.status == "error"
    assert message in str(ended.result.error)
    assert ended.result.node == "fetch"
    assert ended.result.state == {"total": 0, "_last_error": {"node": "fetch", "error": ended.result.error}}
    rescued = fetched(assign, result, more="on_error: rescue")
    assert rescued.path == ["fetch", "rescue"]
    assert rescued.result.output["was"]["total"] == 0
    suppressed = fetched(assign, result, policy="on_error: continue")
    assert suppressed.result.status == "completed_with_errors"
    assert suppressed.result.output["total"] == 0


@pytest.mark.parametrize(
    ("assign", "result", "state"),
    [
        ('{total: "${result.n}"}', {"n": 12}, {"total": 12}),
        ('{total: "${result.n}"}', {"n": 12.0}, {"total": 12.0}),
        ('{rows: "${result.n}"}', {"n": [{"id": 1, "x": None}]}, {"total": 0, "rows": [{"id": 1, "x": None}]}),
        ('{note: "${result.n}"}', {}, {"total": 0, "note": None}),
        ('{page_url: "${result.n}", other: 1.5}', {"n": "https:x"}, {"total": 0, "page_url": "https:x", "other": 1.5}),
    ],
)
def test_a_value_that_conforms_enters(assign: str, result: object, state: dict[str, Any]) -> None:
    assert fetched(assign, result).result.state == state


def test_the_retry_policy_and_hooks_see_it_as_any_error() -> None:
    answers = iter([{"n": "x"}, {"n": -1}, {"n": 3}])
    text = fetching('{total: "${result.n}"}', more="retry: {attempts: 3, backoff_ms: 0, categories: [permanent]}")
    ran = run_text(text, {}, lambda item_id, params: next(answers))
    assert ran.result.state == {"total": 3}
    assert ran.called == ["shop/fetch"] * 3


LOOP = graph(
    """\
start: each
{policy}
state: {{sum: 0}}
state_schema:
  properties: {{sum: {{type: integer}}, pages: {{items: {{type: object, required: [text]}}}}}}
nodes:
  each:
    type: foreach
    over: "${{inputs.xs}}"
    action: {{item_id: shop/get, params: {{x: "${{item}}"}}}}
    next: done
    {how}{more}
  rescue: {{type: return, output: {{was: "${{state}}"}}}}
  done: {{type: return}}
""",
    inputs="xs: {{type: array}}\n",
)


def looped(how: str, items: list[object], policy: str = "", more: str = "") -> Ran:
    def answer(item_id: str, params: dict[str, Any]) -> object:
        if params["x"] == "raise":
            raise ValueError("gone")
        return params["x"]

    return run_text(LOOP.format(policy=policy, how=how, more=more), {"xs": items}, answer)


def test_each_item_is_checked_as_it_assigns() -> None:
    assign = 'assign: {sum: "${state.sum + result.n}", seen: "${result.n}"}'
    ran = looped(assign, [{"n": 1}, {"n": 0.5}, {"n": 2}], policy="on_error: continue")
    assert ran.result.state["sum"] == 3
    assert "item 1 of 3 failed: `state.sum` does not conform" in ran.result.state["_last_error"]["error"]
    ran = looped(assign, [{"n": 1}, {"n": 0.5}, {"n": 2}], more="\n      on_error: rescue")
    assert (ran.result.state["sum"], ran.result.state["seen"], len(ran.calls)) == (1, 1, 2)


@pytest.mark.parametrize("how", ["collect: pages", "collect: pages\n      parallel: true"])
def test_what_is_collected_is_checked_as_a_list(how: str) -> None:
    assert looped(how, [{"text": 1}, {"text": 2}]).result.state["pages"] == [{"text": 1}, {"text": 2}]
    ran = looped(how, [{"text": 1}, {"txt": 2}], more="\n      on_error: rescue")
    assert ran.path == ["each", "rescue"]
    assert "pages" not in ran.result.output["was"]
    assert "`state.pages[1].text` is missing" in ran.result.state["_last_error"]["error"]


def test_a_list_with_failed_items_enters_only_if_it_conforms() -> None:
    ran = looped("collect: pages", [{"text": 1}, "raise"], policy="on_error: continue")
    assert "pages" not in ran.result.state
    error = ran.result.state["_last_error"]["error"]
    assert error.startswith("item 1 of 2 failed: gone; `state.pages[1].text` is missing")
    ran = looped("collect: others", [{"text": 1}, "raise"], policy="on_error: continue")
    assert ran.result.state["others"] == [{"text": 1}, {"status": "error", "error": "gone"}]


# --- the end of a run


REQUIRED = graph("""\
start: fetch
{policy}
state: {{n: 0}}
state_schema: {{required: [rows, n], properties: {{rows: {{type: array}}}}, maxProperties: 2{more}}}
nodes:
  fetch:
    action: {{item_id: shop/fetch}}
    next:
      - {{to: keep, when: {{path: result.rows, op: exists}}}}
      - {{to: extra, when: {{path: result.extra, op: exists}}}}
      - {{to: done}}
  keep: {{type: gate, assign: {{rows: []}}, next: {after}}}
  extra: {{type: gate, assign: {{rows: [], x: 1}}}}
  done: {{type: return, output: fine}}
""")


def test_required_keys_are_there_when_a_run_completes() -> None:
    text = REQUIRED.format(policy="", more="", after="done")
    assert run_text(text, {}, {"shop/fetch": {"rows": 1}}).result.output == "fine"
    missing = run_text(text, {}, {"shop/fetch": {}}).result
    assert (missing.status, missing.node, missing.output) == ("error", "done", None)
    assert missing.error == "`state.rows` is missing, and `state_schema` requires it"
    assert missing.state["_last_error"] == {"node": "done", "error": missing.error}
    many = run_text(text, {}, {"shop/fetch": {"extra": 1}}).result
    assert many.error == "`state` does not conform to `state_schema`: must have at most 2 keys (found a mapping of 3)"
    assert many.node == "extra"


def test_a_run_that_a_limit_ends_is_held_to_it_too() -> None:
    policy = "max_steps: 4\n  on_max_steps: flag"
    endless = REQUIRED.format(policy=policy, more="", after="keep")
    assert run_text(endless, {}, {"shop/fetch": {"rows": 1}}).result.max_steps_reached
    text = endless.replace("{to: done}", "{to: fetch}").replace("  done: {type: return, output: fine}\n", "")
    ended = run_text(text, {}, {"shop/fetch": {}}).result
    assert (ended.status, ended.max_steps_reached, ended.node) == ("error", False, "fetch")


def test_rules_for_several_keys_hold_at_the_end() -> None:
    more = (
        ", if: {properties: {n: {const: 1}}}, then: {required: [rows, never]}, else: {properties: {n: {type: integer}}}"
    )
    text = REQUIRED.format(policy="", more=more, after="done").replace("n: 0", "n: 1")
    ended = run_text(text, {}, {"shop/fetch": {"rows": 1}}).result
    assert ended.error == "`state.never` is missing, and `state_schema` requires it"
    assert run_text(text.replace("n: 1", "n: 2", 1), {}, {"shop/fetch": {"rows": 1}}).result.success


def test_hooks_are_told_and_decide_nothing() -> None:
    policy = 'hooks: [{event: error, action: {item_id: shop/tell, params: {m: "${error.message}"}}}]'
    text = REQUIRED.format(policy=policy, more="", after="done")
    ran = run_text(text, {}, {"shop/fetch": {}, "shop/tell": {"action": "retry"}})
    assert ran.called == ["shop/fetch", "shop/tell"]
    assert ran.calls[1].params == {"m": ran.result.error}


OUTPUT = """\
output_schema:
  type: object
  properties: {total: {type: integer}, rows: {type: array}}
  required: [total]
  additionalProperties: false
"""


def answering(output: str, *, state: str = "total: 0") -> str:
    return graph(
        f"""\
start: fetch
state: {{{state}}}
nodes:
  fetch: {{action: {{item_id: shop/fetch}}, assign: {{rows: "${{result.rows}}"}}, next: done}}
  done: {{type: return{output}}}
""",
        top=OUTPUT,
    )


@pytest.mark.parametrize(
    ("output", "rows", "error"),
    [
        (', output: {total: "${state.rows}"}', 3, None),
        (
            ', output: {total: "${state.rows}"}',
            "3",
            "`output.total` does not conform to `output_schema`: must be an integer",
        ),
        (
            ', output: "${state.rows}"',
            {"total": 1, "x": 1},
            "`output.x` does not conform to `output_schema`: is not a known property",
        ),
        (', output: "${state.rows}"', {}, "`output.total` is missing, and `output_schema` requires it"),
        ("", [], None),
        ("", "x", "`output.rows` does not conform to `output_schema`: must be a list (found the string 'x')"),
    ],
)
def test_an_output_that_does_not_conform_ends_the_run(output: str, rows: object, error: str | None) -> None:
    ended = run_text(answering(output), {}, {"shop/fetch": {"rows": rows}}).result
    assert ended.status == ("completed" if error is None else "error")
    assert str(ended.error).startswith(str(error))
    assert (ended.output is None, ended.node) == ((True, "done") if error else (False, None))
    assert error is None or ended.state["_last_error"] == {"node": "done", "error": ended.error}


def test_an_output_is_refused_whatever_the_policy() -> None:
    text = answering(', output: "${state.rows}"').replace("start: fetch", "start: fetch\n  on_error: continue")
    assert run_text(text, {}, {"shop/fetch": {"rows": {}}}).result.status == "error"


# --- what is proved costs nothing


def test_what_is_proved_is_not_checked() -> None:
    text = graph(
        """\
start: set
state: {n: 1, kind: a}
state_schema:
  properties: {n: {type: integer}, kind: {enum: [a, b]}, text: {type: string}, all: {type: array}}
  required: [n, text]
nodes:
  set:
    type: gate
    assign:
      n: "${inputs.n + 1}"
      kind: b
      text: "n is ${inputs.n}"
      all: ["${state.n}", "${inputs.any}"]
    next: done
  done: {type: return, output: {n: "${state.n}", kind: "${state.kind}"}}
""",
        inputs="n: {type: integer, default: 1}\nany: {}\n",
        top="output_schema: {required: [n], properties: {n: {type: [integer, string]}, kind: {type: string}}}\n",
    )
    assert "misfit" not in compile_text(text)
    assert "check" not in compile_text(text).replace("TYPE_CHECKING", "").replace("type checkers", "")


def test_nothing_is_proved_by_what_a_tool_promises() -> None:
    text = graph("""\
start: set
state_schema: {properties: {out: {type: string}}}
nodes:
  set: {action: {item_id: rye/bash, params: {command: date}}, assign: {out: "${result.stdout}"}, next: done}
  done: {type: return, output: "${state.out}"}
""")
    assert run_text(text, {}, {"rye/bash": {"stdout": 5}}).result.status == "error"
    assert run_text(text, {}, {"rye/bash": {"stdout": "5"}}).result.output == "5"


LIBRARY = graph("""\
start: fetch
state: {n: 0}
state_schema:
  $id: https://example.com/state
  properties: {n: {type: integer}, rows: {items: {type: object}, unevaluatedItems: false}}
  if: {properties: {m: {const: 1}}}
  then: {properties: {n: {minimum: 5}}}
  required: [rows]
nodes:
  fetch: {action: {item_id: shop/fetch}, assign: {n: "${result.n}", rows: "${result.rows}"}, next: done}
  done: {type: return}
""")


@pytest.mark.parametrize(
    ("result", "node", "message"),
    [
        ({"n": 5, "rows": [{}]}, None, None),
        (
            {"n": "5", "rows": [{}]},
            "fetch",
            "`state.n` does not conform to `state_schema`: '5' is not of type 'integer'",
        ),
        ({"n": 5, "rows": [1]}, "fetch", "`state.rows[0]` does not conform"),
        ({"n": 1, "rows": []}, "done", "`state.n` does not conform to `state_schema`: 1 is less than the minimum of 5"),
    ],
)
def test_schemas_that_only_the_library_understands(result: object, node: str | None, message: str | None) -> None:
    ended = run_text(LIBRARY, {}, {"shop/fetch": result}).result
    assert (ended.node, ended.success) == (node, node is None)
    assert str(ended.error).startswith(str(message))


def test_the_command_line_says_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tmp_path / ".ai" / "tools"
    (tools / "shop").mkdir(parents=True)
    (tools / "shop" / "fetch.py").write_text("def execute(params, project_path):\n    return {'n': 'many'}\n", "utf-8")
    (tools / "count.yaml").write_text(fetching('{total: "${result.n}"}'), "utf-8")
    monkeypatch.chdir(tmp_path)
    done = graphwright("run", "count")
    assert done.code == 1
    result = json.loads(done.stdout)
    assert result["error"].startswith("`state.total` does not conform to `state_schema`")
    assert result["state"]["total"] == 0
