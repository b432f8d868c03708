"""What kept runs say of the calls of their tools, and how they go on: through the commands, with tools in files."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from commands import graphwright
from dispatcher.project import BUILD, REPORT, TOTAL, Reports
from durability.kept import compiled, events
from graphwright_runtime.context import Context
from graphwright_runtime.host import Durability
from graphwright_runtime.testing import Delayed, FrozenHost, ScriptedTools, SimulatedCrash, run_scripted


@pytest.fixture
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reports:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Reports(folder)


def traced(*arguments: str) -> str:
    done = graphwright("runs", "trace", "r", *arguments)
    assert done.code == 0, done.stderr
    return done.stdout


def test_a_tool_in_a_file_calls_tools_and_graphs(reports: Reports) -> None:
    assert reports.run()["output"] == {"first": 4, "totals": [4, 3]}
    assert reports.calls() == ["r/1/call-1 blue", "r.1.call-2/1 blue", "r.1.call-3/1 red"]
    shown = graphwright("runs", "show", "r", "--format", "json")
    assert json.loads(shown.stdout)["called"] == ["r.1.call-2", "r.1.call-3"]


def test_the_receipt_of_a_step_says_what_its_tool_called(reports: Reports) -> None:
    reports.run()
    [build, _] = events(reports.folder, "r", "step_completed")
    calls = build["receipt"]["calls"]
    assert [(each["item_id"], each["idempotency_key"], each["status"]) for each in calls] == [
        ("report/rows", "r/1/call-1", "ok"),
        ("report/total", "r/1/call-2", "ok"),
        ("report/total", "r/1/call-3", "ok"),
    ]
    [child, _] = events(reports.folder, "r.1.call-2", "step_completed")
    [own, *_] = calls
    assert child["receipt"]["node_input_hash"] == own["input_hash"], "the same call, by a node and by a tool"
    assert child["receipt"]["node_result_hash"] == own["result_hash"]
    head = json.loads(traced("--format", "json"))
    assert head["steps"][0]["calls"] == calls
    receipt = reports.folder / ".ai" / "state" / "objects" / f"{head['steps'][0]['receipt_hash']}.json"
    assert json.loads(receipt.read_bytes())["calls"] == calls
    lines = [line.split() for line in traced().splitlines() if "call-" in line]
    assert [(line[0], line[1], line[-1]) for line in lines] == [
        ("report/rows", "ok", "(call-1)"),
        ("report/total", "ok", "(call-2)"),
        ("report/total", "ok", "(call-3)"),
    ]
    page = traced("--node", "build")
    assert f"call-1 execute tool report/rows: ok, input {own['input_hash']}, result {own['result_hash']}\n" in page


def test_a_receipt_that_was_changed_does_not_verify(reports: Reports) -> None:
    reports.run()
    log = reports.folder / ".ai" / "state" / "threads" / "r" / "transcript.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"report/rows"', b'"report/rovs"'))
    assert graphwright("runs", "trace", "r").code == 2


def test_a_step_that_is_executed_again_makes_the_same_calls(reports: Reports) -> None:
    (reports.folder / "fail").touch()
    assert reports.run(code=1)["error"] == "not yet"
    (reports.folder / "fail").unlink()
    assert reports.run("--resume", "r")["output"] == {"first": 4, "totals": [4, 3]}
    before = ["r/1/call-1 blue", "r.1.call-2/1 blue", "r.1.call-3/1 red"]
    assert reports.calls() == [*before, "r/1/call-1 blue"], "graphs that had completed are not repeated"


def test_another_call_does_not_get_what_the_first_one_gave(reports: Reports) -> None:
    (reports.folder / "fail").touch()
    assert reports.run(code=1)["status"] == "error"
    (reports.folder / "fail").unlink()
    (reports.folder / "teams").write_text("violet red")
    assert reports.run("--resume", "r")["output"] == {"first": 6, "totals": [6, 3]}
    assert reports.calls()[3:] == ["r/1/call-1 violet", "r.1.call-2+2/1 violet"]


def test_the_calls_of_items_and_of_what_failed_are_kept(reports: Reports) -> None:
    loop = (
        "type: foreach, over: [blue, red], as: team, collect: got, action: {item_id: tool:report/build, params: {teams"
    )
    text = REPORT.replace("action: {item_id: tool:report/build, params: {teams: [blue, red]", f'{loop}: ["${{team}}"]')
    reports.write("all.yaml", text.replace(', assign: {got: "${result}"}', ""))
    reports.write("build.py", BUILD.replace('"report/total"', '"report/gone"'))
    assert "no tool `report/gone`" in reports.run(code=1)["error"]
    [item] = events(reports.folder, "r", "foreach_item")
    assert [(each["idempotency_key"], each["status"]) for each in item["calls"]] == [
        ("r/1/0/call-1", "ok"),
        ("r/1/0/call-2", "error"),
    ]
    assert "no tool `report/gone`" in item["calls"][1]["error"]
    [step] = json.loads(traced("--format", "json"))["steps"]
    assert step["calls"] == item["calls"]
    assert "  report/gone            error" in traced()


def test_depth_bounds_the_graphs_that_tools_call(reports: Reports) -> None:
    reports.write("all.yaml", REPORT + "limits: {depth: 0}\n")
    assert "`limits.depth` is used up" in reports.run(code=1)["error"]
    assert reports.calls() == ["r/1/call-1 blue"]
    [build] = events(reports.folder, "r", "step_completed")
    assert [(each["status"], each.get("category")) for each in build["receipt"]["calls"]] == [
        ("ok", None),
        ("error", "denied"),
    ]


def test_a_graph_that_a_tool_calls_is_narrowed(reports: Reports) -> None:
    reports.write("all.yaml", REPORT.replace('"rye.execute.tool.report.*"', '"rye.execute.tool.report.[bt]*"'))
    reports.write(
        "build.py", 'def execute(params, context):\n    return context.call_sync("report/total", {"team": "x"})\n'
    )
    error = reports.run(code=1)["error"]
    assert "permission denied: `rye.execute.tool.report.rows`" in error


def test_a_recording_has_the_answer_of_the_tool_with_all_that_it_called(reports: Reports) -> None:
    recorded = reports.run("--record", "recording.json")["output"]
    found: dict[str, Any] = json.loads(Path("recording.json").read_text())
    assert [call["item_id"] for call in found["expect"]["calls"]] == ["report/build"]
    made = reports.calls()
    assert reports.run("--mock", "recording.json")["output"] == recorded
    assert reports.calls() == made, "nothing is called"


def test_threads_of_the_tool_itself_are_part_of_its_answer(reports: Reports) -> None:
    text = "from concurrent.futures import ThreadPoolExecutor\n\n\ndef execute(params, context):\n"
    text += "    with ThreadPoolExecutor() as pool:\n"
    text += (
        '        given = pool.map(lambda team: context.call_sync("report/total", {"team": team}), params["teams"])\n'
    )
    reports.write("build.py", text + '        return {"totals": sorted(each["output"] for each in given)}\n')
    assert reports.run("--record", "recording.json")["output"] == {"totals": [3, 4]}
    found: dict[str, Any] = json.loads(Path("recording.json").read_text())
    assert [call["item_id"] for call in found["expect"]["calls"]] == ["report/build"]


@pytest.mark.parametrize(
    ("signature", "codes"),
    [
        ("params, project_path, context", []),
        ("params, *, ctx: 'Context | None' = None", []),
        ("params, folder, ctx", []),
        ("params, project_path", ["GW603"]),
    ],
)
def test_permissions_of_what_a_tool_may_call_are_not_unused(reports: Reports, signature: str, codes: list[str]) -> None:
    reports.write("build.py", BUILD.replace("params, project_path, context", signature))
    reports.write(
        "all.yaml", REPORT.replace('"rye.execute.tool.report.*"', "rye.execute.tool.report.build, rye.load.*")
    )
    done = graphwright("check", ".ai/tools/report/all.yaml", "--format", "json")
    assert [each["code"] for each in json.loads(done.stdout)["diagnostics"]] == codes


def test_a_run_that_was_killed_during_a_call_makes_it_again(tmp_path: Path) -> None:
    async def build(params: dict[str, Any], context: Context) -> object:
        return {"totals": [(await context.call("report/total", {"team": team}))["output"] for team in params["teams"]]}

    with compiled(REPORT, "report/all") as report, compiled(TOTAL, "report/total") as total:
        tools = ScriptedTools({"report/build": build, "report/total": total.GRAPH, "report/rows": {"n": 4}})
        tools.crash("report/rows", call=2)
        with pytest.raises(SimulatedCrash):
            run_scripted(report.GRAPH, {}, tools, project=tmp_path, run_id="r", durability="process")
        result = run_scripted(report.GRAPH, {}, tools, project=tmp_path, resume="r")
    assert result.output == {"totals": [4, 4]}
    keys = [(call.item_id, call.idempotency_key) for call in tools.calls if call.item_id != "report/build"]
    first, second = ("report/total", "r/1/call-1"), ("report/total", "r/1/call-2")
    rows, more = ("report/rows", "r.1.call-1/1"), ("report/rows", "r.1.call-2/1")
    assert keys == [first, rows, second, more, first, second, more], "the graph that had completed is not repeated"
    [build_step, _] = events(tmp_path, "r", "step_completed")
    assert [call["idempotency_key"] for call in build_step["receipt"]["calls"]] == ["r/1/call-1", "r/1/call-2"]


@pytest.mark.parametrize("durability", ["process", "exit"])
def test_the_end_of_a_cancelled_run_says_what_its_tool_called(tmp_path: Path, durability: Durability) -> None:
    async def build(params: dict[str, Any], context: Context) -> object:
        await context.call("report/rows", {"team": "blue"})
        host.cancel()
        asyncio.get_running_loop().call_soon(cut.set)
        return await context.call("report/rows", {"team": "red"})

    async def run() -> Any:
        task = asyncio.create_task(
            report.run({}, dispatch=tools, host=host, project=tmp_path, run_id="r", durability=durability)
        )
        await cut.wait()
        task.cancel()
        return await task

    cut, host = asyncio.Event(), FrozenHost()
    tools = ScriptedTools({"report/build": build, "report/rows": [{"n": 4}, Delayed(30, {"n": 3})]})
    with compiled(REPORT, "report/all") as report:
        assert asyncio.run(run()).status == "cancelled"
    [end] = events(tmp_path, "r", "graph_cancelled")
    assert [(call["idempotency_key"], call["status"]) for call in end["calls"]] == [
        ("r/1/call-1", "ok"),
        ("r/1/call-2", "cancelled"),
    ]
