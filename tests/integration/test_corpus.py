"""Graphs that other people wrote, read from next to the checkout: they compile and really run."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from casefolders import shared
from checking import check_files, loud
from commands import graphwright
from graphwright_runtime.agent.runner import Thread
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.result import RunResult
from graphwright_runtime.testing import ScriptedThreads
from running import compile_text, loaded

CORPUS = shared("corpus")

TREE = {
    "a.py": "print(1)\nprint(2)\n",
    "pkg/b.py": "x = 1\n",
    "pkg/notes.txt": "no python\n",
    ".venv/c.py": "skipped\n",
}


def text_of(name: str) -> str:
    return (CORPUS / name).read_text("utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A little tree with three lines of Python in two files."""
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def run_here(name: str, inputs: dict[str, object], project: Path, **options: object) -> RunResult[Any, Any]:
    """Run a graph with real commands in a project folder."""
    before = Path.cwd()
    os.chdir(project)
    try:
        with loaded(compile_text(text_of(name))) as module:
            run = module.run(
                inputs,
                project=project,
                env={"PATH": os.environ["PATH"]},
                **options,
            )
            result: RunResult[Any, Any] = asyncio.run(asyncio.wait_for(run, 60))
            return result
    finally:
        os.chdir(before)


def test_project_stats_counts(project: Path) -> None:
    result = run_here("project-stats.yaml", {"directory": "."}, project, capabilities=["rye.execute.tool.rye.bash*"])
    assert result.status == "completed"
    assert (result.state["file_count"].strip(), result.state["line_count"].strip()) == ("2", "3")
    assert "a.py" in result.state["largest_files"]


def test_project_stats_depends_on_its_caller(project: Path) -> None:
    result = run_here("project-stats.yaml", {}, project)
    assert (result.status, result.node) == ("error", "count_files")


def test_cas_showcase_recovers(project: Path) -> None:
    result = run_here("cas-showcase.yaml", {}, project)
    count = int(
        subprocess.run("find /usr/bin -maxdepth 1 -type f | wc -l", shell=True, capture_output=True, check=True).stdout
    )
    state = result.state
    assert result.status == "completed"
    assert int(state["file_count"]) == count
    assert state["mode"] == "scan"
    assert state["_last_error"]["node"] == "trigger_error"
    # "418" is compared with "10" as text, which the compiler warns about
    if str(count) > "10":
        assert list(result.path) == [
            "setup",
            "count_files",
            "route_by_count",
            "fan_out",
            "trigger_error",
            "recover",
            "write_report",
            "done",
        ]
        assert state["scan_results"][0]["stdout"] == os.uname().sysname
        assert state["recovery"] == "on_error edge worked"
        assert f'"file_count": {count}' in state["final_report"]
        assert (project / "graph-output/cas-showcase/report.json").exists()


PIPELINES = ("code-analysis-pipeline", "conditional-pipeline", "thread-monitor")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which the graphs that start threads are checked and built."""
    folder = tmp_path_factory.mktemp("pipelines")
    for name in PIPELINES:
        path = folder / ".ai" / "tools" / "graphs" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(f"{name}.yaml"), encoding="utf-8")
    with contextlib.chdir(folder):
        checked = graphwright("check", ".")
        assert checked.code == 0, checked.stderr
        done = graphwright("build", "--no-sign")
        assert done.code == 0, done.stderr
    return folder


def written(thread: Thread) -> dict[str, object]:
    """Stands in for a model: writes the file that the thread was asked for."""
    path = Path(str(thread.inputs["output_path"]))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"summary": "fine"}\n' if path.suffix == ".json" else "# fine\n", encoding="utf-8")
    return {"result": "fine", "cost": {"turns": 2, "spend": 0.01}}


@pytest.fixture
def threads() -> ScriptedThreads:
    return ScriptedThreads({"test/graphs/analyze_code": written, "test/graphs/summarize_text": written})


def run_built(
    name: str, inputs: dict[str, object], built: Path, project: Path, threads: ScriptedThreads
) -> RunResult[Any, Any]:
    """Import the module of a graph and run it with real commands in a project folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(built))
        patch.chdir(project)
        module = importlib.import_module(f"generated.graphs.{name.replace('-', '_')}")
        run = module.run(inputs, host=InProcessHost(threads=threads), project=project, env={"PATH": os.environ["PATH"]})
        result: RunResult[Any, Any] = asyncio.run(asyncio.wait_for(run, 60))
    for loaded_name in [each for each in sys.modules if each == "generated" or each.startswith("generated.")]:
        del sys.modules[loaded_name]
    return result


def test_code_analysis_pipeline(built: Path, project: Path, threads: ScriptedThreads) -> None:
    result = run_built("code-analysis-pipeline", {"file_path": "a.py"}, built, project, threads)
    assert result.status == "completed"
    [thread] = threads.threads
    assert thread.inputs == {"code_snippet": "print(1)\nprint(2)", "output_path": "graph-output/analysis.json"}
    assert (thread.limits["turns"], thread.limits["spend"]) == (6, 0.05)
    assert thread.capabilities == ["rye.execute.directive.*", "rye.execute.tool.*", "rye.load.*"]
    state = result.state
    assert (state["analysis_result"], state["thread_id"]) == ("fine", f"{result.graph_run_id}.2")
    assert state["analysis_json"] == '{"summary": "fine"}'
    report = (project / "graph-output/report.md").read_text("utf-8")
    assert "## Source File" in report
    assert state["thread_id"] in report
    assert result.cost == {"turns": 2, "spend": 0.01}


def test_conditional_pipeline(built: Path, project: Path, threads: ScriptedThreads) -> None:
    result = run_built("conditional-pipeline", {}, built, project, threads)
    assert result.status == "completed"
    assert list(result.path) == [
        "setup", "classify_mode", "run_analysis", "classify_mode", "run_summary", "write_summary", "trigger_error",
        "recover_from_error", "write_report", "done",
    ]  # fmt: skip
    assert [(each.directive, each.thread_id) for each in threads.threads] == [
        ("test/graphs/analyze_code", f"{result.graph_run_id}.3"),
        ("test/graphs/summarize_text", f"{result.graph_run_id}.6"),
    ]
    assert threads.threads[1].inputs["text"] == '{"summary": "fine"}', "the second reads what the first wrote"
    assert result.state["_last_error"]["node"] == "trigger_error"
    assert result.state["final_report"].endswith("## Summary Output\n# fine")
    assert result.cost == {"turns": 4, "spend": 0.02}


def test_thread_monitor(built: Path, project: Path, threads: ScriptedThreads) -> None:
    result = run_built("thread-monitor", {}, built, project, threads)
    assert result.status == "completed"
    [thread] = threads.threads
    assert result.state["spawned_thread_id"] == thread.thread_id == f"{result.graph_run_id}.2"
    assert '{"summary": "fine"}' in result.state["thread_output"], "it ran next to the graph"
    assert "Thread Monitor Report" in result.state["final_report"]
    assert f"Thread {thread.thread_id} launched" in result.state["final_report"]


@pytest.mark.parametrize("name", PIPELINES)
def test_an_author_cannot_set_what_the_runtime_owns(name: str) -> None:
    text = text_of(f"{name}.yaml")
    place = "          directive_id: test/graphs/analyze_code\n"
    for param in ("parent_thread_id: r", "parent_depth: 9", "parent_limits: {}", "parent_capabilities: ['*']"):
        found = check_files({f"graphs/{name}.yaml": text.replace(place, f"{place}          {param}\n")})
        assert [each.code for each in found if each.code == "GW608"] == ["GW608"], param


def test_the_newer_dialect_gets_one_diagnostic() -> None:
    found = loud(check_files({"g/newer-dialect.yaml": text_of("newer-dialect.yaml")}))
    assert [entry.split(":")[0] for entry in found] == ["GW114"]
