"""Ids of runs name folders and are arguments of commands: those that cannot be are refused, and none is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from commands import graphwright
from durability.kept import compiled, run
from graphwright_runtime.durable.layout import check_run_id
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.testing import FrozenHost


@pytest.fixture(scope="module")
def module() -> Iterator[ModuleType]:
    with compiled() as found:
        yield found


@pytest.mark.parametrize(("run_id", "part"), [("a/b", "names a folder"), ("..", "names a folder"), ("x" * 200, "150")])
def test_an_id_that_is_not_a_name(module: ModuleType, tmp_path: Path, run_id: str, part: str) -> None:
    assert part in str(run(module, tmp_path, run_id=run_id).error)
    assert part in str(run(module, tmp_path, resume=run_id).error)
    assert not (tmp_path / ".ai").exists()


@pytest.mark.parametrize("run_id", ["-x", "--help", ".x", "a/b", 'a"b', "a:b", "a\\b", "a\nb", "x" * 200])
@pytest.mark.parametrize("durability", ["process", "exit", "off"])
def test_an_id_that_cannot_be_used_everywhere(
    module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_id: str, durability: str
) -> None:
    result = run(module, tmp_path, run_id=run_id, durability=durability)
    assert (result.status, result.steps) == ("error", 0)
    assert "a run id names a folder: at most 150 printable characters, no dot or minus" in str(result.error)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.yaml").write_text("tool_type: graph\nconfig: {start: d, nodes: {d: {type: return}}}\n", "utf-8")
    done = graphwright("run", "one.yaml", f"--run-id={run_id}", "--durability", durability)
    assert (done.code, done.stdout) == (2, "")
    assert "`--run-id`: a run id names a folder" in done.stderr
    assert not (tmp_path / ".ai").exists()


@pytest.mark.parametrize("graph_id", ["-x", "a/.hidden", 'a/b"c:d', "x" * 300, "é" * 120, "a/...", "a/\u200b"])
@pytest.mark.parametrize("host", [InProcessHost, FrozenHost])
def test_ids_that_are_made_can_be_used_everywhere(graph_id: str, host: Callable[[], InProcessHost]) -> None:
    check_run_id(host().new_run_id(graph_id))
    check_run_id(f"{host().new_run_id(graph_id)}.1000.10000~2")
