"""`rye/core/processes/*`, called by a graph: how other runs of the project stand, and ending one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from durability.kept import Crash, compiled, run
from running import QuickHost

ASKING = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.rye.core.processes.TOOL"]
config_schema: {type: object, properties: {PROPERTIES}}
config:
  start: ask
  nodes:
    ask:
      action: {item_id: tool:rye/core/processes/TOOL, params: {PARAMS}}
      assign: {told: "${result}"}
      next: done
    done: {type: return, output: "${state.told}"}
"""


PARAMS = {"status": ["run_id"], "cancel": ["run_id"], "list": ["status", "graph_id", "parent_id", "limit"]}


def asking(tool: str) -> str:
    """A graph that calls a tool with its inputs."""
    properties = ", ".join(f"{name}: {{}}" for name in PARAMS[tool])
    params = ", ".join(f'{name}: "${{inputs.{name}}}"' for name in PARAMS[tool])
    return ASKING.replace("TOOL", tool).replace("PROPERTIES", properties).replace("PARAMS", params)


@pytest.fixture(scope="module")
def count() -> Iterator[ModuleType]:
    with compiled() as module:
        yield module


@pytest.fixture(scope="module")
def tools() -> Iterator[dict[str, ModuleType]]:
    with (
        compiled(asking("status"), "demo/status") as status,
        compiled(asking("cancel"), "demo/cancel") as cancel,
        compiled(asking("list"), "demo/list") as listing,
    ):
        yield {"status": status, "cancel": cancel, "list": listing}


Asked = Any


@pytest.fixture
def ask(tools: dict[str, ModuleType], tmp_path: Path) -> Asked:
    """Call a tool in a graph; the result of the node."""

    def asked(name: str, project: Path = tmp_path, **params: Any) -> Any:
        found = asyncio.run(tools[name].run(params, project=project, durability="off", host=QuickHost()))
        assert found.success, found.error
        return found.output

    return asked


def test_the_status_of_a_run(count: ModuleType, ask: Asked, tmp_path: Path) -> None:
    assert run(count, tmp_path, run_id="r").success
    assert ask("status", run_id="r") == {
        "run_id": "r",
        "graph_id": "demo/count",
        "alive": False,
        "pid": None,
        "status": "completed",
        "current_node": None,
        "step": 7,
    }


def test_the_status_of_a_run_that_failed_is_a_result(count: ModuleType, ask: Asked, tmp_path: Path) -> None:
    assert run(count, tmp_path, Crash(2), run_id="r").status == "error"
    found = ask("status", run_id="r")
    assert (found["status"], found["step"]) == ("error", 3)
    assert ask("cancel", run_id="r")["requested"] is False


def test_the_status_of_a_run_that_is_alive(count: ModuleType, tools: dict[str, ModuleType], tmp_path: Path) -> None:
    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        found = await tools["status"].run({"run_id": "r"}, project=tmp_path, durability="off", host=QuickHost())
        assert (found.output["alive"], found.output["pid"]) == (True, os.getpid())
        assert (found.output["status"], found.output["current_node"]) == ("running", "work")
        return {"n": params["n"] + 1}

    assert run(count, tmp_path, tool, run_id="r").success


def test_a_run_is_cancelled(count: ModuleType, tools: dict[str, ModuleType], tmp_path: Path) -> None:
    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        found = await tools["cancel"].run({"run_id": "r"}, project=tmp_path, durability="off", host=QuickHost())
        assert (found.output["requested"], found.output["status"]) == (True, "running")
        await asyncio.sleep(20)
        return {"n": params["n"] + 1}

    assert run(count, tmp_path, tool, run_id="r").status == "cancelled"
    resumed = run(count, tmp_path, resume="r")
    assert resumed.output == {"n": 3}


def test_runs_are_listed(count: ModuleType, ask: Asked, tmp_path: Path) -> None:
    assert ask("list") == {"runs": [], "total": 0}
    for number, crash in enumerate((None, 1, None)):
        run(count, tmp_path, Crash(crash), run_id=f"r{number}", env={"RYE_PARENT_THREAD_ID": "p"} if crash else {})
    found = ask("list")
    assert [row["run_id"] for row in found["runs"]] == ["r2", "r1", "r0"]
    assert found["total"] == 3
    assert set(found["runs"][0]) == {
        "run_id",
        "graph_id",
        "parent_id",
        "status",
        "alive",
        "pid",
        "created_at",
        "updated_at",
    }
    oldest = found["runs"][2]
    assert (oldest["status"], oldest["alive"], oldest["pid"]) == ("completed", False, None)
    assert [row["run_id"] for row in ask("list", status="error")["runs"]] == ["r1"]
    assert [row["run_id"] for row in ask("list", parent_id="p")["runs"]] == ["r1"]
    assert ask("list", graph_id="demo/gone")["runs"] == []
    assert ask("list", limit=1) == {"runs": found["runs"][:1], "total": 3}


def test_runs_of_other_projects_are_not_known(
    count: ModuleType, tools: dict[str, ModuleType], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert run(count, tmp_path, run_id="r").success
    other = tmp_path_factory.mktemp("other")
    for name in ("status", "cancel"):
        for run_id in ("r", f"../../../../{tmp_path.name}/.ai/state/threads/r"):
            found = tools[name].run_sync({"run_id": run_id}, project=other, durability="off")
            assert found.status == "error"
            assert found.exception.category == "permanent"
    assert "there is no run 'r' in " in str(
        tools["status"].run_sync({"run_id": "r"}, project=other, durability="off").error
    )


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("status", {}, "missing parameter `run_id`"),
        ("cancel", {"run_id": 7}, "`run_id` must be a string"),
        ("list", {"limit": 0}, "`limit` must be an integer above zero"),
        ("list", {"status": True}, "`status` must be a string"),
    ],
)
def test_wrong_params(
    tools: dict[str, ModuleType], tmp_path: Path, name: str, params: dict[str, Any], message: str
) -> None:
    found = tools[name].run_sync(params, project=tmp_path, durability="off")
    assert message in str(found.error)


def test_each_has_a_capability_of_its_own(tools: dict[str, ModuleType], tmp_path: Path) -> None:
    found = tools["cancel"].run_sync(
        {"run_id": "r"},
        project=tmp_path,
        durability="off",
        capabilities=["rye.execute.tool.rye.core.processes.status"],
    )
    assert "permission denied: `rye.execute.tool.rye.core.processes.cancel`" in str(found.error)
