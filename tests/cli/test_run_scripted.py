"""`graphwright run --mock` and `--record`: a graph is tried without its tools, and a run is kept to be played again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from casefolders import discover
from commands import graphwright

CASES = discover(Path(__file__).parents[1] / "conformance" / "cases", "case.json")
GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.shop.*]
env_requires: [SHOP_TOKEN]
config_schema: {type: object, properties: {team: {type: string}, most: {type: integer, default: 2}}, required: [team]}
config:
  start: load
  nodes:
    load:
      action: {item_id: shop/load, params: {team: "${inputs.team}"}}
      retry: {attempts: 3, backoff_ms: 20000, categories: [transient]}
      assign: {orders: "${result.orders}"}
      next: each
      on_error: failed
    each:
      type: foreach
      over: "${state.orders}"
      as: order
      action: {item_id: shop/price, params: {order: "${order}"}}
      collect: prices
      next: done
    done: {type: return, output: {prices: "${state.prices}", most: "${inputs.most}"}}
    failed: {type: return, output: {why: "${state._last_error.error}"}}
"""
OUTER = """\
tool_type: graph
permissions: [rye.execute.tool.shop.*]
env_requires: [SHOP_TOKEN]
config:
  start: call
  nodes:
    call: {action: {item_id: shop/orders, params: {team: blue}}, assign: {got: "${result.output}"}, next: done}
    done: {type: return, output: "${state.got}"}
"""
SCRIPT: dict[str, Any] = {
    "tools": {
        "shop/load": [
            {"raise": {"type": "ConnectionError", "message": "refused"}},
            {"return": {"orders": [1, 2, 3]}},
        ],
        "shop/price": [{"return": {"price": 5}}, {"return": {"price": 7}}],
    }
}
FULL = {**SCRIPT, "inputs": {"team": "blue", "most": 9}, "env": {"SHOP_TOKEN": "x"}}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with graphs, and without their tools."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SHOP_TOKEN", raising=False)
    folder = tmp_path / ".ai" / "tools" / "shop"
    folder.mkdir(parents=True)
    (folder / "orders.yaml").write_text(GRAPH, "utf-8")
    (folder / "all.yaml").write_text(OUTER, "utf-8")
    write(FULL)
    return folder


def write(script: object, name: str = "script.json") -> None:
    Path(name).write_text(script if isinstance(script, str) else json.dumps(script), "utf-8")


def ran(*arguments: str, code: int = 0) -> dict[str, Any]:
    done = graphwright("run", *arguments)
    assert done.code == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def refused(*arguments: str) -> str:
    """What a command says that is used wrongly."""
    done = graphwright("run", *arguments)
    assert (done.code, done.stdout) == (2, ""), done.stderr
    return done.stderr


def test_a_graph_is_tried_before_its_tools_exist() -> None:
    result = ran("shop/orders", "--mock", "script.json")
    assert result["output"] == {"prices": [{"price": 5}, {"price": 7}, {"price": 7}], "most": 9}
    assert not Path(".ai/state").exists(), "nothing is kept"
    assert graphwright("runs", "list").stdout.count("shop") == 0


def test_what_is_passed_takes_precedence_over_the_script() -> None:
    assert ran("shop/orders", "--mock", "script.json", "-i", "most=1")["output"]["most"] == 1
    Path("inputs.json").write_text('{"most": 3}')
    assert ran("shop/orders", "--mock", "script.json", "--inputs", "inputs.json")["output"]["most"] == 3
    write({**FULL, "capabilities": []})
    denied = ran("shop/orders", "--mock", "script.json", "-q")
    assert "rye.execute.tool.shop.load" in denied["output"]["why"]
    assert "prices" in ran("shop/orders", "--mock", "script.json", "--capability", "rye.execute.*")["output"]


def test_a_generated_module_and_a_graph_that_calls_another() -> None:
    assert graphwright("build", "--no-typecheck", "--no-sign").code == 0
    assert len(ran("shop/all", "--mock", "script.json")["output"]["prices"]) == 3
    for target in ("generated.shop.orders", "generated.shop.all"):
        command = [sys.executable, "-m", "graphwright", "run", "-q", target, "--mock", "script.json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert len(json.loads(done.stdout)["output"]["prices"]) == 3


def test_a_tool_that_the_script_does_not_have() -> None:
    write({**FULL, "tools": {"shop/price": [{"return": 1}]}})
    done = graphwright("run", "shop/orders", "--mock", "script.json")
    told = "script.json: it has no answer for `shop/load`, only for `shop/price` (node `load`)"
    assert json.loads(done.stdout)["output"] == {"why": told}
    assert f"\n{told}\n" in done.stderr, "it is told, although the graph recovers"
    write({**FULL, "tools": {}})
    assert ran("shop/orders", "--mock", "script.json")["output"]["why"].startswith("script.json: it has no answers")


def test_a_list_without_answers() -> None:
    write({**FULL, "tools": {**SCRIPT["tools"], "shop/price": []}})
    result = ran("shop/orders", "--mock", "script.json", code=1)
    assert "script.json: it has no answers for `shop/price`, and this is call 1 (node `each`)" in result["error"]


def test_tools_that_exist_are_not_run(here: Path) -> None:
    (here / "load.py").write_text("def execute(params):\n    raise SystemExit('it runs')\n")
    (here / "price.py").write_text("def execute(params):\n    raise SystemExit('it runs')\n")
    assert ran("shop/orders", "--mock", "script.json")["status"] == "completed"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tools: {}", "is not a script: it is not JSON: Expecting value"),
        ("[]", "is not a script: it has no `tools`: expected an object with the answers of each tool"),
        ('{"inputs": {}}', "is not a script: it has no `tools`"),
        ('{"tools": []}', "is not a script: `tools` is not an object"),
        ('{"tools": {"a": [{"return": 1}, {"n": 1}]}}', 'tools["a"][1]: expected an answer, {"return": …} or {"raise"'),
        ('{"tools": {"a": {"return": 1, "raise": "x"}}}', 'tools["a"]: expected an answer'),
        ('{"tools": {"a": [{"raise": 3}]}}', 'tools["a"][0].raise: expected an object with `type` and `message`'),
        ('{"tools": {}, "inputs": 3}', "`inputs` is not an object"),
        ('{"tools": {}, "env": {"A": 1}}', "`env.A` is not a string"),
        ('{"tools": {}, "capabilities": "x"}', "`capabilities` is not a list of patterns"),
        ('{"tools": {}, "capabilities": [1]}', "`capabilities[0]` is not a string"),
    ],
)
def test_what_is_not_a_script(text: str, says: str) -> None:
    write(text)
    assert says in refused("shop/orders", "--mock", "script.json")


def test_a_script_that_cannot_be_read() -> None:
    assert "`--mock none.json` cannot be read: No such file" in refused("shop/orders", "--mock", "none.json")
    assert "`--mock .` cannot be read: Is a directory" in refused("shop/orders", "--mock", ".")
    Path("script.json").write_bytes(b'{"tools": "\xff"}')
    assert "is not a script: it is not UTF-8" in refused("shop/orders", "--mock", "script.json")


@pytest.mark.parametrize(
    "more", [["--record", "x"], ["--resume", "x"], ["--durability", "process"]], ids=lambda more: more[0]
)
def test_options_that_do_not_go_with_a_script(more: list[str]) -> None:
    assert f"`--mock` does not go with `{more[0]}`" in refused("shop/orders", "--mock", "script.json", *more)


def test_nothing_is_played_in_the_background(capfd: pytest.CaptureFixture[str]) -> None:
    assert graphwright("run", "shop/orders", "--mock", "script.json", "--async").code == 2
    assert "`--mock` does not go with `--async`" in capfd.readouterr().err


def tools(folder: Path) -> None:
    """Those of the graph."""
    (folder / "load.py").write_text("def execute(params):\n    return {'orders': [1, len(params['team'])]}\n")
    (folder / "price.py").write_text("def execute(params):\n    return {'price': params['order'] * 10}\n")


def test_a_run_is_recorded_and_played(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools(here)
    monkeypatch.setenv("SHOP_TOKEN", "secret")
    done = graphwright("run", "shop/orders", "-i", "team=red", "--record", "red.json")
    assert done.code == 0, done.stderr
    assert "3 calls recorded in red.json, with inputs, params and results as they are" in done.stderr
    case = json.loads(Path("red.json").read_text("utf-8"))
    assert case["tools"]["shop/price"] == [{"return": {"price": 10}}, {"return": {"price": 30}}]
    assert (case["inputs"], case["env"]) == ({"team": "red"}, {"SHOP_TOKEN": "secret"})
    monkeypatch.delenv("SHOP_TOKEN")
    for name in ("load.py", "price.py"):
        (here / name).unlink()
    recorded = json.loads(done.stdout)
    played = ran("shop/orders", "--mock", "red.json")
    assert {**played, "graph_run_id": ""} == {**recorded, "graph_run_id": ""}


def test_a_recording_has_one_answer_for_each_call(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools(here)
    monkeypatch.setenv("SHOP_TOKEN", "x")
    ran("shop/orders", "-i", "team=red", "--record", "red.json")
    case = json.loads(Path("red.json").read_text("utf-8"))
    del case["tools"]["shop/price"][1]
    write(case)
    result = ran("shop/orders", "--mock", "script.json", code=1)
    assert "script.json: it has 1 answer for `shop/price`, and this is call 2 (node `each`)" in result["error"]


def test_a_failed_run_is_recorded(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools(here)
    monkeypatch.setenv("SHOP_TOKEN", "x")
    (here / "price.py").write_text("def execute(params):\n    raise ConnectionError('refused')\n")
    result = ran("shop/orders", "-i", "team=red", "--record", "red.json", code=1)
    case = json.loads(Path("red.json").read_text("utf-8"))
    assert case["tools"]["shop/price"][0]["raise"]["message"] == "refused"
    assert ran("shop/orders", "--mock", "red.json", code=1)["error"] == result["error"]


def test_only_a_recording_is_replaced(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools(here)
    monkeypatch.setenv("SHOP_TOKEN", "x")
    for name in ("script.json", ".ai/tools/shop/load.py"):
        before = Path(name).read_bytes()
        says = refused("shop/orders", "-i", "team=red", "--record", name)
        assert "the file holds something else than a recording; it is not replaced" in says
        assert Path(name).read_bytes() == before
    Path("empty.json").touch()
    for team in ("red", "blue"):
        ran("shop/orders", "-i", f"team={team}", "--record", "empty.json")
        assert json.loads(Path("empty.json").read_text("utf-8"))["inputs"] == {"team": team}


def test_a_recording_that_cannot_be_written() -> None:
    assert "`--record .` cannot be written: Is a directory" in refused("shop/orders", "--record", ".")
    assert "`--record no/x.json` cannot be written: no is not a folder" in refused(
        "shop/orders", "--record", "no/x.json"
    )
    assert "`--record` does not go with `--resume`" in refused("shop/orders", "--record", "x.json", "--resume", "y")


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_conformance_cases_are_scripts(folder: Path) -> None:
    """What a case expects is what `--mock` prints; the harness compares with an implementation of its own."""
    case = json.loads((folder / "case.json").read_text("utf-8"))
    done = graphwright("run", "-q", folder / "graph.yaml", "--mock", folder / "case.json")
    assert json.loads(done.stdout)["status"] == case["expect"]["status"]
