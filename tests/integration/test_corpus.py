"""Graphs that other people wrote, read from next to the checkout: they compile and really run."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from casefolders import shared
from checking import check_files, loud
from graphwright_runtime.result import RunResult
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


async def thread_directive(params: dict[str, object]) -> object:
    """Stands in for a thread with a model in it: writes the file that it was asked for."""
    inputs = params["inputs"]
    assert isinstance(inputs, dict)
    path = Path(str(inputs["output_path"]))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"summary": "fine"}\n' if path.suffix == ".json" else "# fine\n", encoding="utf-8")
    status = "running" if params.get("async") else "completed"
    return {"thread_id": "thread-1", "status": status, "result": "fine"}


def run_here(name: str, inputs: dict[str, object], project: Path, **options: object) -> RunResult[Any, Any]:
    """Run a graph with real commands in a project folder."""
    before = Path.cwd()
    os.chdir(project)
    try:
        with loaded(compile_text(text_of(name))) as module:
            run = module.run(
                inputs,
                tools={"rye/agent/threads/thread_directive": thread_directive},
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


def test_code_analysis_pipeline(project: Path) -> None:
    result = run_here("code-analysis-pipeline.yaml", {"file_path": "a.py"}, project)
    assert result.status == "completed"
    assert result.state["source_code"] == "print(1)\nprint(2)"
    assert result.state["thread_id"] == "thread-1"
    assert "fine" in result.state["analysis_json"]
    assert result.state["report_written"] is True


def test_conditional_pipeline(project: Path) -> None:
    result = run_here("conditional-pipeline.yaml", {}, project)
    assert result.status == "completed"
    assert list(result.path) == [
        "setup", "classify_mode", "run_analysis", "classify_mode", "run_summary", "write_summary", "trigger_error",
        "recover_from_error", "write_report", "done",
    ]  # fmt: skip
    assert "report written" in result.state["final_report"]


def test_thread_monitor(project: Path) -> None:
    result = run_here("thread-monitor.yaml", {}, project)
    assert result.status == "completed"
    assert result.state["spawned_thread_id"] == "thread-1"
    assert "Thread Monitor Report" in result.state["final_report"]


def test_the_newer_dialect_gets_one_diagnostic() -> None:
    found = loud(check_files({"g/newer-dialect.yaml": text_of("newer-dialect.yaml")}))
    assert [entry.split(":")[0] for entry in found] == ["GW114"]
