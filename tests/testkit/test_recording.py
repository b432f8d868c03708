"""A real run is recorded once and replayed without its tools; a graph that does something else is found out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance.script import Script
from graphwright_runtime.testing import ReplayDeviation, assert_run, record, replay
from running import run_module
from testkit.graphs import TICKETS, AnyGraph, compiled
from testkit.graphs import tickets as tickets


class Service:
    """The real tools: each fails at first; the tickets are read in parallel, the first one last."""

    def __init__(self) -> None:
        self.called: list[str] = []

    def list(self, params: dict[str, Any]) -> dict[str, Any]:
        """In a thread."""
        self.called.append("list")
        if len(self.called) == 1:
            raise ConnectionResetError("gone")
        return {"tickets": [1, 2, 3]}

    async def read(self, params: dict[str, Any]) -> dict[str, Any]:
        """In the event loop."""
        self.called.append("read")
        await asyncio.sleep(0.03 / params["id"])
        return {"text": f"ticket {params['id']}", "order": len(self.called)}

    @property
    def tools(self) -> dict[str, Callable[..., object]]:
        """By id."""
        return {"tickets/list": self.list, "tickets/read": self.read, "tickets/report": lambda params: {}}


QUICK = TICKETS.replace("backoff_ms: 2000", "backoff_ms: 1")


def recorded(path: Path, text: str = QUICK) -> dict[str, Any]:
    """The recording of a run of the service."""
    for graph in compiled(text):
        record(graph, {"queue": "q"}, path, tools=Service().tools, env={"A": "b"})
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def test_a_run_is_replayed_without_its_tools(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    service = Service()
    for graph in compiled(QUICK):
        before = record(graph, {"queue": "q"}, file, tools=service.tools)
        assert service.called == ["list", "list", "read", "read", "read"]
        after = replay(graph, file)
        assert after.to_dict() == before.to_dict()
        assert_run(after).completed().took_path("fetch", "read", "done")
        assert len(service.called) == 5


def test_the_file_is_a_conformance_case(tmp_path: Path) -> None:
    case = recorded(tmp_path / "run.json")
    assert case["tools"]["tickets/list"] == [
        {"raise": {"type": "ConnectionResetError", "message": "gone", "category": "transient"}},
        {"return": {"tickets": [1, 2, 3]}},
    ]
    assert case["expect"]["calls"][0] == {
        "primary": "execute",
        "kind": "tool",
        "item_id": "tickets/list",
        "params": {"queue": "q"},
    }
    assert case["calls_at"] == ["1", "1", "2/0", "2/1", "2/2"]
    assert (case["inputs"], case["env"], case["capabilities"]) == ({"queue": "q"}, {"A": "b"}, None)
    script = Script(case["tools"])
    for graph in compiled(QUICK):
        module: Any = graph
        ran = asyncio.run(run_module(module, case["inputs"], lambda item_id, params: script.answer(item_id)))
        assert (ran.result.status, ran.path, ran.result.output) == (
            case["expect"]["status"],
            case["expect"]["path"],
            case["expect"]["output"],
        )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("params: {queue:", "params: {queues:", r"`tickets/list` in node `fetch` \(at 1\).params.queue: expected"),
        ("tool:tickets/list", "tool:tickets/report", "calls `tickets/report`; recorded is `tickets/list`"),
        ("attempts: 3", "attempts: 1", "`tickets/report` is called in node `report` .at 2., which was not recorded"),
        ("next: read\n", "next: done\n", r"the recorded call of `tickets/read` \(at 2/0\) is not made"),
        (
            'output: {read: "${state.read}"}',
            'output: {texts: "${state.read}"}',
            "output.read: expected .* no such key",
        ),
        ("  state: {read: []}", "  state: {read: [], more: 1}", "state.more: not expected, got 1"),
    ],
)
def test_a_graph_that_does_something_else_deviates(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = tmp_path / "run.json"
    recorded(file)
    assert old in QUICK
    for graph in compiled(QUICK.replace(old, new)):
        with pytest.raises(ReplayDeviation, match=said) as deviation:
            replay(graph, file)
        assert "the graph was changed since it was recorded" in str(deviation.value)
        assert str(file) in str(deviation.value)


def test_what_varies_can_be_matched(tickets: AnyGraph, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    case = recorded(file)
    case["expect"]["output"] = {"read": [{"$has": {"text": f"ticket {number}"}} for number in (1, 2, 3)]}
    case["expect"]["calls"][0]["params"]["queue"] = {"$match": "^[a-z]$"}
    file.write_text(json.dumps(case), "utf-8")
    for graph in compiled(QUICK):
        assert replay(graph, file).success
        case["expect"]["output"]["read"][0] = {"$match": "no text"}
        file.write_text(json.dumps(case), "utf-8")
        with pytest.raises(ReplayDeviation, match=r"output.read\[0\]"):
            replay(graph, file)


def test_a_timeout_is_replayed_as_one(tmp_path: Path) -> None:
    file = tmp_path / "run.json"

    async def hangs(params: dict[str, Any]) -> None:
        await asyncio.sleep(100)

    text = QUICK.replace("timeout_s: 30", "timeout_s: 0.01").replace("attempts: 3", "attempts: 2")
    for graph in compiled(text):
        before = record(graph, {}, file, tools={**Service().tools, "tickets/list": hangs})
        assert before.state["_last_error"]["error"] == "timed out after 0.01 s"
        assert replay(graph, file).to_dict() == before.to_dict()


def test_what_a_recorded_graph_calls_is_part_of_its_answer(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    outer = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: go
  nodes:
    go: {action: {item_id: tool:demo/tickets}, assign: {out: "${result.output}"}, next: done}
    done: {type: return, output: "${state.out}"}
"""
    for inner in compiled(QUICK):
        for graph in compiled(outer, "demo/outer"):
            before = record(graph, {}, file, tools={"demo/tickets": inner, **Service().tools})
            assert before.success, before.error
            assert json.loads(file.read_text("utf-8"))["calls_at"] == ["1"]
            assert replay(graph, file).output == before.output


def test_real_tools_of_a_project_and_a_dispatch_are_recorded(tickets: AnyGraph, tmp_path: Path) -> None:
    tool = tmp_path / ".ai/tools/tickets/list.py"
    tool.parent.mkdir(parents=True)
    tool.write_text('def execute(params, project_path):\n    return {"tickets": []}\n', "utf-8")
    file = tmp_path / "run.json"
    assert record(tickets, {}, file, project=tmp_path).success
    tool.unlink()
    assert replay(tickets, file).output == {"read": []}
    assert record(tickets, {}, file, dispatch=lambda call, context: {"tickets": []}).success
    assert replay(tickets, file).output == {"read": []}


def test_results_that_are_not_json_are_recorded_as_the_error_that_they_are(tickets: AnyGraph, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    tools: dict[str, Callable[..., object]] = {"tickets/list": lambda params: {"x": {1, 2}}}
    before = record(tickets, {}, file, tools={**tools, "tickets/report": lambda params: {}})
    assert "not JSON" in before.state["_last_error"]["error"]
    assert replay(tickets, file).to_dict() == before.to_dict()


@pytest.mark.parametrize("text", ["", "[]", '{"tools": {}}', '{"expect": 3'])
def test_another_file_is_refused(tickets: AnyGraph, tmp_path: Path, text: str) -> None:
    file = tmp_path / "run.json"
    file.write_text(text, "utf-8")
    with pytest.raises(ValueError, match="is not a recording"):
        replay(tickets, file)


def test_a_damaged_recording_is_refused(tickets: AnyGraph, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    case = recorded(file)
    damages: list[dict[str, Any]] = [
        {"calls_at": ["1"]},
        {"tools": {}},
        {"tools": {"tickets/list": [3]}},
    ]
    for damage in damages:
        file.write_text(json.dumps(case | damage), "utf-8")
        with pytest.raises(ValueError, match="do not belong together"):
            replay(tickets, file)
