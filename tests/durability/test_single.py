"""`graphwright step`: one node by itself, in real processes; nothing that another run left is touched."""

from __future__ import annotations

import asyncio
import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from durability.kept import COUNT, compiled
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.single import step

HOOKED = COUNT.replace(
    "config:\n",
    """config:
  hooks:
    - {event: graph_started, action: {item_id: tool:t/hook, params: {event: start}}}
    - {event: graph_completed, action: {item_id: tool:t/hook, params: {event: end}}}
    - {event: after_step, action: {item_id: tool:t/hook, params: {event: "${next_node}"}}}
""",
    1,
)
ADD = """\
def execute(params, project_path, context=None):
    if params["n"] == 7:
        raise ValueError("not seven")
    return {"n": params["n"] + 1}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    tools = tmp_path / ".ai" / "tools"
    (tools / "t").mkdir(parents=True)
    (tools / "count.yaml").write_text(COUNT, "utf-8")
    (tools / "t" / "add.py").write_text(ADD, "utf-8")
    (tools / "t" / "hook.py").write_text(
        "def execute(params, project_path):\n"
        "    with open(project_path + '/told', 'a') as out:\n"
        "        out.write(params['event'] + ' ')\n",
        "utf-8",
    )
    return tmp_path


def graphwright(project: Path, *arguments: str) -> tuple[int, dict[str, Any], str]:
    """Exit code, result, standard error."""
    command = [sys.executable, "-m", "graphwright", *arguments]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout or "{}"), done.stderr


def files(project: Path) -> dict[str, str]:
    """What is below a project, with the digest of each file."""
    found = [path for path in project.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def test_one_node_is_executed_and_nothing_is_kept(project: Path) -> None:
    before = files(project)
    code, result, _ = graphwright(project, "step", "count", "work", "--state", '{"n": 4}')
    assert (code, result) == (
        0,
        {"success": True, "state": {"n": 5}, "executed_node": "work", "next_node": "check", "step_count": 1},
    )
    assert files(project) == before


@pytest.mark.parametrize(("n", "following"), [(2, "work"), (3, "done")])
def test_a_gate_says_where_it_leads(project: Path, n: int, following: str) -> None:
    _, result, _ = graphwright(project, "step", "count", "check", "--state", json.dumps({"n": n}), "-i", "limit=3")
    assert (result["next_node"], result["state"]) == (following, {"n": n})


def test_a_step_starts_where_a_run_stood_and_leaves_it_alone(project: Path) -> None:
    code, _, said = graphwright(project, "run", "count", "-i", "limit=2", "--run-id", "r")
    assert code == 0, said
    before = files(project)
    _, result, said = graphwright(project, "step", "count", "check", "--resume-from", "r")
    assert (result["state"], result["next_node"], result["step_count"]) == ({"n": 2}, "done", 6), said
    _, result, _ = graphwright(project, "step", "count", "check", "--resume-from", "r", "--state", '{"n": 1}')
    assert (result["state"], result["next_node"]) == ({"n": 1}, "work")
    assert files(project) == before


def test_a_node_that_fails_is_a_failed_step(project: Path) -> None:
    code, result, _ = graphwright(project, "step", "count", "work", "--state", '{"n": 7}')
    assert (code, result["success"], result["error"], result["next_node"]) == (1, False, "not seven", None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["wrk"], "has no node `wrk`; it has work, check, done"),
        (["work", "--state", "{"], "`--state` is not JSON"),
        (["work", "--state", "[]"], "`--state` takes a JSON object"),
        (["work", "--resume-from", "gone"], "there is no run `gone`"),
        (["work", "--resume-from", "../r"], "run id"),
        (["work", "--resume-from", "r", "-i", "limit=1"], "has its inputs"),
        (["work", "--resume-from", "r", "--capability", "rye.*"], "has its inputs and capabilities"),
        (["work", "-i", "limit=much"], "limit"),
    ],
)
def test_what_cannot_be_done_is_one_line(project: Path, arguments: list[str], said: str) -> None:
    assert graphwright(project, "run", "count", "--run-id", "r")[0] == 0
    code, result, error = graphwright(project, "step", "count", *arguments)
    assert (code, result) == (2, {})
    assert said in error
    assert error.startswith("graphwright: ")


def test_a_log_that_was_changed_is_not_started_from(project: Path) -> None:
    assert graphwright(project, "run", "count", "--run-id", "r")[0] == 0
    log = project / ".ai" / "state" / "threads" / "r" / "transcript.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"n":1', b'"n":2'))
    code, _, error = graphwright(project, "step", "count", "check", "--resume-from", "r")
    assert code == 2
    assert "line" in error


def test_hooks_of_the_node_run_and_those_of_the_run_do_not(project: Path) -> None:
    (project / ".ai" / "tools" / "count.yaml").write_text(HOOKED, "utf-8")
    code, result, said = graphwright(project, "step", "count", "work")
    assert (code, result["next_node"]) == (0, "check"), said
    assert (project / "told").read_text("utf-8") == "check "


def test_a_step_from_python_leaves_the_graph_as_it_is(project: Path) -> None:
    with compiled() as module:
        graph = module.GRAPH
        result = asyncio.run(step(graph, "work", {}, state={"n": 1}, project=project))
        assert result["state"] == {"n": 2}
        assert (graph.start, graph.initial(), graph.max_steps) == ("work", {"n": 0}, 100)
        with pytest.raises(RefusedError, match="no node"):
            asyncio.run(step(graph, "nowhere", {}, project=project))
