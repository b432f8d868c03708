"""A return node with `status: error` ends the run with an error, wherever it is looked at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checking import check_text as found
from commands import graphwright
from durability.kept import compiled

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.shop.count]
config:
  start: count
  nodes:
    count:
      action: {item_id: "tool:shop/count"}
      assign: {total: "${result.total}"}
      next:
        - {to: done, when: {path: state.total, op: gt, value: 0}}
        - to: nothing
    nothing: {type: return, status: error, error: "only ${state.total} orders"}
    done: {type: return, output: {total: "${state.total}"}}
"""
CALLER = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.shop.*]
config:
  start: call
  nodes:
    call: {action: {item_id: "tool:shop/orders"}, assign: {got: "${result.output}"}, on_error: sorry, next: end}
    sorry: {type: return, output: "${state._last_error.error}"}
    end: {type: return, output: "${state.got}"}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / ".ai" / "tools" / "shop"
    folder.mkdir(parents=True)
    (folder / "orders.yaml").write_text(GRAPH, "utf-8")
    (folder / "ask.yaml").write_text(CALLER, "utf-8")
    (folder / "count.py").write_text("def execute(params):\n    return {'total': 0}\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_on_the_command_line(project: Path) -> None:
    ran = graphwright("run", "shop/orders", "--run-id", "r")
    result = json.loads(ran.stdout)
    assert (ran.code, result["status"], result["success"]) == (1, "error", False)
    assert (result["error"], result["node"], result["ended_at"]) == ("only 0 orders", "nothing", "nothing")
    assert result["output"] is None
    assert "nothing FAILED 0.0s (only 0 orders)" in ran.stderr
    assert "raised at" not in ran.stderr
    status = json.loads(graphwright("runs", "status", "r").stdout)
    assert (status["status"], status["alive"]) == ("error", False)
    log = (project / ".ai/state/threads/r/transcript.jsonl").read_text("utf-8")
    ends = [json.loads(line) for line in log.splitlines() if '"graph_error"' in line]
    assert [(end["payload"]["error"], end["payload"]["node"]) for end in ends] == [("only 0 orders", "nothing")]


def test_such_a_run_ends_there_again_if_it_is_resumed(project: Path) -> None:
    graphwright("run", "shop/orders", "--run-id", "r", "-q")
    again = graphwright("run", "shop/orders", "--resume", "r", "-q")
    result = json.loads(again.stdout)
    assert (again.code, result["status"], result["error"]) == (1, "error", "only 0 orders")
    assert result["steps"] == 2
    assert graphwright("verify", ".").code in (0, 1)


def test_a_nested_graph_fails_its_caller(project: Path) -> None:
    ran = graphwright("run", "shop/ask", "-q")
    assert json.loads(ran.stdout)["output"] == "only 0 orders"


def test_step(project: Path) -> None:
    ran = graphwright("step", "shop/orders", "nothing", "--state", '{"total": 7}')
    assert ran.code == 1
    assert json.loads(ran.stdout)["error"] == "only 7 orders"


def test_from_python() -> None:
    with compiled(GRAPH) as module:
        result: Any = module.run_sync({}, tools={"shop/count": lambda params: {"total": 0}})
        assert (result.status, result.error, result.node) == ("error", "only 0 orders", "nothing")
        assert str(result.exception) == "only 0 orders"
        assert result.exception.__notes__ == ["demo/count.yaml:13, node nothing"]
        fine: Any = module.run_sync({}, tools={"shop/count": lambda params: {"total": 2}})
        assert fine.output == {"total": 2}


def test_what_holds_of_completed_runs_says_nothing_of_failed_ones() -> None:
    """The keys of the state and the output are those of the ends that complete."""
    text = GRAPH.replace("only ${state.total} orders", "no").replace(
        "nothing: {type: return,", "nothing: {type: return, output: [1],"
    )
    text = text.replace("      next:\n", "      on_error: nothing\n      next:\n")
    with compiled("output_schema: {type: object}\n" + text) as module:
        assert "NotRequired" not in str(module.State.__annotations__["total"])
        result: Any = module.run_sync({}, tools={"shop/count": lambda params: 1 / 0})
        assert (result.status, result.output) == ("error", [1])


@pytest.mark.parametrize(
    ("written", "code", "says"),
    [
        ('error: "x"', "GW103", "`status` is missing in a return node with `error`"),
        ('status: completed, error: "x"', "GW102", "`status` must be `error` in a node that has an `error`"),
        ("status: failed", "GW106", "`failed` is not a known value of `status`"),
        ("status: eror", "GW106", "`eror` is not a known value of `status`"),
        ("status: error, error: 3", "GW102", "`error` must be a string"),
        ("status: error, error: [x]", "GW102", "`error` must be a string, not a list"),
        ('status: error, error: "${state.totl}"', "GW301", "totl"),
        ('status: error, error: "${result.total}"', "GW404", "result"),
    ],
)
def test_mistakes(written: str, code: str, says: str) -> None:
    text = GRAPH.replace('status: error, error: "only ${state.total} orders"', written)
    [diagnostic] = found(text)
    assert diagnostic.code == code
    assert says in diagnostic.message


def test_an_error_on_another_node_means_the_edge() -> None:
    [diagnostic] = found(GRAPH.replace("      assign:", "      error: done\n      assign:"))
    assert diagnostic.code == "GW104"
    assert diagnostic.help is not None
    assert "write `on_error`" in diagnostic.help
