"""`graphwright rename`: a key gets another name wherever it is used, and nothing else changes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from commands import graphwright
from readback.graphs import TICKETS

#: Every place where a key of the state, and an input, can stand.
EVERYWHERE = """\
# kept: state.total, inputs.team
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.shop.*]
config_schema:
  type: object
  properties:
    team: {type: string, description: "inputs.team, ${inputs.team}"}   # of the shop
    other: {type: string, default: team}
  required:
    - other
    - team
  dependentRequired: {team: [other], other: ['team']}
  if: {properties: {team: {const: a}}, required: [team]}
  then: {properties: {other: {minLength: 1}}}
  examples: [{team: a, other: b}]
config:
  start: count
  state: {total: 0, "rows": []}
  state_schema: {type: object, properties: {total: {type: integer}}, required: [total]}
  hooks:
    - event: after_step
      condition: {any: [{path: state.total, op: gt, value: 100}, {path: state.inputs.team, value: "${state.total}"}]}
      action: {item_id: "tool:shop/tell", params: {text: "${state.total} of ${state.inputs.team}"}}
    - event: graph_started
      condition: {path: inputs.team, value: b}
      action: {item_id: "tool:shop/tell", params: {text: "${inputs.team} ${state.inputs.other} ${state.total}"}}
  nodes:
    count:
      action:
        item_id: "tool:shop/${inputs.team}"
        params:
          total: "${state.total + 1}"   # the param keeps its name
          text: |
            state.total is ${state.total}, $${state.total} is not,
            ${ state['total'] } and ${state.total | str}
          quoted: "\\x24{state.total} ${state[\\"total\\"]} ${inputs.team}"
      assign:
        total: "${state.total + (result.total || 0)}"
        'double': "${state.total * 2}"
      next:
        - {to: each, when: {all: [{path: state.total, op: lt, value: 3}, {not: {path: "inputs['team']", value: x}}]}}
        - to: each
    each:
      type: foreach
      over: ${state.rows}
      as: total2
      action: {item_id: "tool:shop/add", params: {n: "${total2.total}", team: "${inputs.team}"}}
      collect: rows
      next: done
    done: {type: return, output: {total: "${state.total}", rows: "${state.rows}", t: "${inputs.team}${state.double}"}}
"""
GRAPH = Path("graphs/shop.yaml")
MODULE = "generated.shop"


@pytest.fixture(autouse=True)
def here(project: Path) -> Path:
    """A project with the graph `shop`, and a tool for all that it calls."""
    (project / GRAPH).write_text(EVERYWHERE, "utf-8")
    (project / "graphs/team/close-tickets.yaml").unlink()
    tools = project / ".ai/tools/shop"
    tools.mkdir(parents=True)
    for name in ("a", "add", "tell"):
        (tools / f"{name}.py").write_text(
            'def execute(params: dict, project_path: str) -> dict:\n    return {"total": 5, **params}\n', "utf-8"
        )
    assert graphwright("check").code == 0, graphwright("check").stderr
    return project


def renamed(*arguments: object, code: int = 0) -> str:
    """What the command prints to standard error."""
    done = graphwright("rename", *arguments)
    assert done.code == code, done.stderr
    return done.stderr


def ran() -> dict[str, Any]:
    team = "group" if "group" in GRAPH.read_text("utf-8") else "team"
    done = graphwright("run", GRAPH, "-i", f"{team}=a", "-i", "other=b")
    assert done.code == 0, done.stderr
    result = json.loads(done.stdout)
    assert isinstance(result, dict)
    return result


def test_a_state_key_is_renamed_in_every_place() -> None:
    before, result = GRAPH.read_text("utf-8"), ran()
    renamed("shop", "state.total", "sum")
    after = GRAPH.read_text("utf-8")
    expected = before
    for old, new in (
        ("{total: 0,", "{sum: 0,"),
        (
            "properties: {total: {type: integer}}, required: [total]",
            "properties: {sum: {type: integer}}, required: [sum]",
        ),
        ("path: state.total", "path: state.sum"),
        ("${state.total", "${state.sum"),
        ("$${state.sum}", "$${state.total}"),
        ("\\x24{state.total}", "\\x24{state.sum}"),
        ("state['total']", "state['sum']"),
        ('state[\\"total\\"]', 'state[\\"sum\\"]'),
        ('        total: "${state.sum + (result', '        sum: "${state.sum + (result'),
    ):
        assert old in expected, old
        expected = expected.replace(old, new)
    assert after == expected
    again = ran()
    assert again["output"] == result["output"]
    assert again["state"] == {("sum" if key == "total" else key): value for key, value in result["state"].items()}
    renamed("shop", "state.sum", "state.total")
    assert GRAPH.read_text("utf-8") == before


def test_an_input_is_renamed_in_every_place() -> None:
    before, result = GRAPH.read_text("utf-8"), ran()
    renamed(GRAPH, "inputs.team", "group")
    expected = before
    for old, new in (
        ("    team: {type", "    group: {type"),
        ("    - team", "    - group"),
        ("{team: [other], other: ['team']}", "{group: [other], other: ['group']}"),
        ("{properties: {team: {const: a}}, required: [team]}", "{properties: {group: {const: a}}, required: [group]}"),
        ("[{team: a,", "[{group: a,"),
        ("path: inputs.team", "path: inputs.group"),
        ("path: state.inputs.team", "path: state.inputs.group"),
        ("inputs['team']", "inputs['group']"),
        ("${inputs.team}", "${inputs.group}"),
        ("${state.inputs.team}", "${state.inputs.group}"),
        ('"inputs.team, ${inputs.group}"', '"inputs.team, ${inputs.team}"'),
    ):
        assert old in expected, old
        expected = expected.replace(old, new)
    assert GRAPH.read_text("utf-8") == expected
    again = ran()
    assert (again["output"], again["state"]) == (result["output"], result["state"])


def test_byte_order_mark_and_line_ends_stay(here: Path) -> None:
    data = b"\xef\xbb\xbf" + GRAPH.read_bytes().replace(b"\n", b"\r\n")
    GRAPH.write_bytes(data)
    renamed("shop", "state.rows", "lines")
    after = GRAPH.read_bytes()
    assert after.startswith(b"\xef\xbb\xbf")
    assert after.count(b"\r\n") == after.count(b"\n") == data.count(b"\n")
    assert b"collect: lines" in after


def test_a_diff_writes_nothing(here: Path) -> None:
    (here / "app.py").write_text(f"from {MODULE} import run_sync\nprint(run_sync({{'team': 'a'}}))\n", "utf-8")
    files = {file: file.read_bytes() for file in here.rglob("*") if file.is_file() and ".cache" not in file.parts}
    done = graphwright("rename", "shop", "inputs.team", "group", "--diff")
    assert done.code == 0
    assert "-print(run_sync({'team': 'a'}))\n+print(run_sync({'group': 'a'}))\n" in done.stdout
    assert "--- a/graphs/shop.yaml\n+++ b/graphs/shop.yaml\n" in done.stdout
    assert files == {file: file.read_bytes() for file in files}
    patch = subprocess.run(
        ["git", "apply", "--check", "-"], input=done.stdout.encode(), check=False, capture_output=True
    )
    assert patch.returncode == 0, patch.stderr


@pytest.mark.parametrize(
    ("key", "new", "said"),
    [
        ("state.total", "rows", "`state.rows` already exists: graphs/shop.yaml:"),
        ("inputs.team", "other", "`inputs.other` already exists"),
        ("state.total", "total", "already has that name"),
        ("state.total", "inputs", "reserved"),
        ("state.total", "_last_error", "reserved"),
        ("state._last_error", "error", "reserved"),
        ("state.total", "a b", "not a valid name"),
        ("state.total", "1st", "not a valid name"),
        ("state.total", "a.b", "not a valid name"),
        ("state.totl", "sum", "did you mean `state.total`?"),
        ("inputs.teem", "sum", "did you mean `inputs.team`?"),
        ("total", "sum", "write `state.NAME` or `inputs.NAME`"),
        ("result.total", "sum", "write `state.NAME` or `inputs.NAME`"),
    ],
)
def test_what_cannot_be_renamed_is_refused(key: str, new: str, said: str) -> None:
    before = GRAPH.read_bytes()
    assert said in renamed("shop", key, new, code=2)
    assert GRAPH.read_bytes() == before


def test_a_graph_with_errors_is_refused() -> None:
    text = GRAPH.read_text("utf-8").replace("next: done", "next: dnoe")
    GRAPH.write_text(text, "utf-8")
    assert "GW202" in renamed("shop", "state.total", "sum", code=1)
    assert GRAPH.read_text("utf-8") == text


def test_aliases(here: Path) -> None:
    graph = dedent("""\
        version: "1"
        tool_type: graph
        permissions: [rye.execute.tool.shop.*]
        config:
          start: a
          nodes:
            a: {action: &c {item_id: shop/a, params: {n: "${state.n || 0}"}}, assign: &set {n: "${result.n}"}, next: b}
            b: {action: *c, assign: *set, next: end}
            end: {type: return, output: OUTPUT}
        """)
    GRAPH.write_text(graph.replace("OUTPUT", '{n: "${state.n}"}'), "utf-8")
    assert "2 places" not in renamed("shop", "state.n", "m")
    assert 'n: "${state.m || 0}"' in GRAPH.read_text("utf-8")
    assert '&set {m: "${result.n}"}' in GRAPH.read_text("utf-8")
    shared = graph.replace("OUTPUT", "*set").replace('{n: "${result.n}"}', "{n: 1}")
    GRAPH.write_text(shared, "utf-8")
    assert "means something else" in renamed("shop", "state.n", "m", code=2)
    assert GRAPH.read_text("utf-8") == shared


def test_callers(here: Path) -> None:
    caller = here / "graphs/caller.yaml"
    caller.write_text(
        dedent("""\
        version: "1"
        tool_type: graph
        permissions: [rye.execute.tool.*]
        config_schema: {properties: {team: {type: string}, which: {type: string}}, required: [team, which]}
        config:
          start: call
          nodes:
            call:
              action: {item_id: "tool:shop", params: {team: "${inputs.team}", other: b}}   # team
              assign: {team: "${result.output.t}"}
              next: other
            other: {action: {item_id: "tool:shop/add", params: {team: a}}, next: any}
            any: {action: {item_id: "tool:${inputs.which}", params: {team: a}}, next: end}
            end: {type: return, output: {team: "${state.team}"}}
        """),
        "utf-8",
    )
    before = caller.read_text("utf-8")
    said = renamed("shop", "inputs.team", "group")
    assert caller.read_text("utf-8") == before.replace(
        'params: {team: "${inputs.team}", other', 'params: {group: "${inputs.team}", other'
    )
    assert "graphs/caller.yaml:13: the id of what is called is a template" in said
    assert graphwright("check").code == 0


def test_hooks_of_the_project(here: Path) -> None:
    """They belong to all graphs: what only one graph has is renamed, other names are listed."""
    hooks = here / ".graphwright/hooks.yaml"
    hooks.parent.mkdir()
    hooks.write_text(
        dedent("""\
        infra_hooks:
          - event: graph_completed
            condition: {path: state.total, op: exists}
            action: {item_id: "tool:shop/tell", params: {total: "${state.total}", team: "${state.inputs.team}"}}  # kept
        """),
        "utf-8",
    )
    before = hooks.read_text("utf-8")
    renamed("shop", "state.total", "sum")
    assert hooks.read_text("utf-8") == before.replace("state.total", "state.sum")
    renamed("shop", "inputs.team", "group")
    assert hooks.read_text("utf-8") == before.replace("state.total", "state.sum").replace("inputs.team", "inputs.group")
    (here / "graphs/other.yaml").write_text(GRAPH.read_text("utf-8"), "utf-8")
    assert ".graphwright/hooks.yaml:3: hooks of all graphs, and `other` has this key, too" in renamed(
        "shop", "state.sum", "total"
    )
    assert "state.sum" in hooks.read_text("utf-8")


def test_an_output_that_is_the_state(here: Path) -> None:
    GRAPH.write_text(
        dedent("""\
        version: "1"
        tool_type: graph
        permissions: [rye.execute.tool.shop.*]
        output_schema: {type: object, properties: {total: {}}}
        config:
          start: one
          state: {total: 1}
          nodes:
            one: {action: {item_id: shop/a, params: {n: "${state}"}}, assign: {total: "${result.n}"}}
        """),
        "utf-8",
    )
    caller = here / "graphs/caller.yaml"
    caller.write_text(
        dedent("""\
        version: "1"
        tool_type: graph
        permissions: [rye.execute.tool.*]
        config:
          start: call
          nodes:
            call:
              action: {item_id: "tool:shop"}
              assign: {t: "${result.output.total}", all: "${result.output}"}
              next: end
            end: {type: return, output: {t: "${state.t}", all: "${state.all}"}}
        """),
        "utf-8",
    )
    (here / "app.py").write_text(
        f"from {MODULE} import run_sync\n\nr = run_sync({{}})\nprint(r.output['total'], r.state['total'])\n",
        "utf-8",
    )
    said = renamed("shop", "state.total", "sum")
    assert "properties: {sum: {}}" in GRAPH.read_text("utf-8")
    assert 't: "${result.output.sum}", all: "${result.output}"' in caller.read_text("utf-8")
    assert "print(r.output['sum'], r.state['sum'])" in (here / "app.py").read_text("utf-8")
    assert "graphs/caller.yaml:9: reads the whole output" in said
    assert "graphs/shop.yaml:9: reads the whole of `state`" in said


def test_schemas_that_are_shared_are_refused() -> None:
    graph = TICKETS.replace(
        "  required: [team]\n",
        "  required: [team]\n  allOf: [{$ref: '#/$defs/t'}]\n  $defs: {t: {required: [team]}}\n",
    )
    GRAPH.write_text(graph, "utf-8")
    renamed("shop", "inputs.team", "group")
    assert "$defs: {t: {required: [group]}}" in GRAPH.read_text("utf-8")
    GRAPH.write_text(graph.replace("most: {", "extra: {$ref: '#/$defs/t'}\n    most: {"), "utf-8")
    assert "used for other values, too" in renamed("shop", "inputs.team", "group", code=2)


PROGRAM = """\
from __future__ import annotations

import asyncio

from generated import shop
from generated.shop import GRAPH, Inputs, State, run, run_sync as start


def make(team: str) -> Inputs:
    return {"team": team, "other": "b"}


def show(state: State) -> int:
    if "total" in state:
        return state["total"]
    return state.get("total", 0)


async def main() -> int:
    given: Inputs = {"team": "a", "other": "team"}  # team
    given["team"] = given["team"].upper().lower()
    result = await run(given)
    other = await shop.run(Inputs(team="a", other='b'), run_id="total")
    return result.state["total"] + show(other.state)


def again() -> str:
    state = start({'team': "a", "other": "b"}).state
    result = GRAPH.run_sync(make("a"))
    print(f"{result.state['total']} {state['total']:>5}")
    return f"{asyncio.run(run({'team': 'a', 'other': 'b'})).state['total']}"
"""


IN_TESTS = """\
from generated import shop
from generated.shop import GRAPH
from graphwright_runtime.testing import record, run_scripted


def test_shop() -> None:
    result = run_scripted(shop.GRAPH, {"team": "a", "other": "b"}, {"shop/a": {"total": 1}})
    assert result.state["total"] == 1
    assert run_scripted(tools={}, inputs={"team": "a", "other": "team"}, graph=GRAPH).state["total"] == 1
    assert record(GRAPH, shop.Inputs(team="a", other="b"), "team.json").state["total"] == 1
"""


def test_python_tests_follow(here: Path) -> None:
    (here / "test_shop.py").write_text(IN_TESTS, "utf-8")
    left = "left alone, please look at these places yourself (`{}`):\n  test_shop.py:{}: may mean the same\n"
    assert left.format("state.total", 7) in renamed("shop", "state.total", "sum")
    assert left.format("inputs.team", 9) in renamed("shop", "inputs.team", "group")
    expected = (
        IN_TESTS.replace('state["total"]', 'state["sum"]').replace('{"team":', '{"group":').replace("(team=", "(group=")
    )
    assert (here / "test_shop.py").read_text("utf-8") == expected


def test_python_code_follows_and_stays_clean(here: Path) -> None:
    """The types of the code hold before and after: mypy would find each key that was left out."""
    app = here / "app.py"
    app.write_text(PROGRAM, "utf-8")

    def errors() -> str:
        built = graphwright("build")
        assert built.code == 0, built.stderr
        command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "app.py"]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=here).stdout

    assert errors() == ""
    assert "left alone" in renamed("shop", "state.total", "sum")  # `run_id="total"`
    renamed("shop", "inputs.team", "group")
    assert errors() == ""
    expected = PROGRAM
    for old, new in (
        ('state["total"]', 'state["sum"]'),
        ("state['total']", "state['sum']"),
        ('get("total", 0)', 'get("sum", 0)'),
        ('"total" in state', '"sum" in state'),
        ('{"team":', '{"group":'),
        ("{'team':", "{'group':"),
        ('given["team"]', 'given["group"]'),
        ("Inputs(team=", "Inputs(group="),
    ):
        expected = expected.replace(old, new)
    assert app.read_text("utf-8") == expected


@pytest.mark.parametrize(
    "code",
    [
        "import generated.shop\nprint(generated.shop.run_sync({}).state['KEY'])\n",
        "import generated.shop as g\nprint(g.run_sync({}).state['KEY'])\n",
        "from generated.shop import GRAPH as G\nprint(G.run_sync({}).state['KEY'])\n",
        "from .generated import shop\nprint(shop.run_sync({}).state['KEY'])\n",
        "from app.generated.shop import run_sync\nprint(run_sync({}).state['KEY'])\n",
        "from generated.shop import Outcome\ndef f(r: Outcome) -> bool:\n    return 'KEY' not in r.state\n",
        "import asyncio\nfrom generated import shop\nprint(asyncio.run(shop.run({})).state.get('KEY'))\n",
        "from generated import shop\nr: shop.State = {}\nr['KEY'] = 1\nr |= {}\n",
        "def f() -> int:\n    from generated.shop import run_sync\n    s = run_sync({}).state\n    return s['KEY']\n",
        "from generated import shop\nasync def f() -> str:\n    return f'{(await shop.run({})).state[\"KEY\"]:>3}'\n",
    ],
)
def test_python_finds_the_module_by_every_import(code: str, here: Path) -> None:
    (here / "app.py").write_text(code.replace("KEY", "total"), "utf-8")
    assert "left alone" not in renamed("shop", "state.total", "sum")
    assert (here / "app.py").read_text("utf-8") == code.replace("KEY", "sum")


@pytest.mark.parametrize(
    "code",
    [
        "from generated.shops import run_sync\nprint(run_sync({}).state['total'])\n",
        "from generated.shop.more import run_sync\nprint(run_sync({}).state['total'])\n",
        "from shop import run_sync\nprint(run_sync({}).state['total'])\n",
        "from notgenerated.shop import run_sync\nprint(run_sync({}).state['total'])\n",
    ],
)
def test_python_of_other_modules_is_not_touched(code: str, here: Path) -> None:
    (here / "app.py").write_text(code, "utf-8")
    renamed("shop", "state.total", "sum")
    assert (here / "app.py").read_text("utf-8") == code


def test_uncertain_python_is_listed_and_left_alone(here: Path) -> None:
    text = dedent("""\
        from generated import shop
        from generated.shop import run_sync

        def first(state, result):
            print(state["total"], result.state["total"])

        def second(flag: bool) -> None:
            result = run_sync({}) if flag else None
            print(result.state["total"])
            data = {"total": 1}
            data = {"total": 2}
            run_sync(data)

        class run:
            state = {"total": 0}

        print(run().state["total"], dict(total=1))
        """)
    (here / "uses.py").write_text(text, "utf-8")
    (here / "other.py").write_text('shop = {"total": 1}\nprint(shop["total"])\n', "utf-8")
    dynamic = (
        'import importlib\nshop = importlib.import_module("generated.shop")\nprint(shop.run_sync({}).state["total"])\n'
    )
    (here / "dynamic.py").write_text(dynamic, "utf-8")
    (here / "broken.py").write_text("import generated.shop\nprint('total'\n", "utf-8")
    said = renamed("shop", "state.total", "sum")
    assert (here / "uses.py").read_text("utf-8") == text
    assert [line for line in said.splitlines() if line.startswith("  uses.py")] == [
        f"  uses.py:{number}: may mean the same" for number in (5, 9, 10, 11, 15, 17)
    ]
    assert "other.py" not in said
    assert "broken.py:1: this file cannot be parsed as Python, so it was not searched" in said
    assert "  dynamic.py:3: may mean the same" in said


def test_only_named_paths_are_looked_at(here: Path) -> None:
    text = f"from {MODULE} import run_sync\nprint(run_sync({{}}).state['total'])\n"
    for name in ("src/app.py", "tests/test_app.py", ".venv/lib/app.py"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text, "utf-8")
    renamed("shop", "state.total", "sum", "src")
    assert "'sum'" in (here / "src/app.py").read_text("utf-8")
    assert (here / "tests/test_app.py").read_text("utf-8") == text
    renamed("shop", "state.sum", "total")
    assert (here / "src/app.py").read_text("utf-8") == text
    assert (here / ".venv/lib/app.py").read_text("utf-8") == text
    assert "no such file" in renamed("shop", "state.total", "sum", "nowhere", code=2)
