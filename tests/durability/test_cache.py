"""Results of nodes with `cache_result` are kept from run to run, as long as nothing that matters changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from commands import graphwright
from durability.kept import compiled, events, log_of, run
from graphwright_runtime.durable.cache import clear, entries

CACHED = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config_schema: {type: object, properties: {n: {type: integer, default: 1}}}
config:
  start: one
  nodes:
    one:
      action: {item_id: tool:t/mul, params: {n: "${inputs.n}"}}
      cache_result: true
      assign: {a: "${result.n}"}
      next: all
    all:
      type: foreach
      over: "${[1, 2, inputs.n]}"
      as: x
      action: {item_id: tool:t/mul, params: {n: "${x}"}}
      cache_result: true
      collect: all
      next: done
    done: {type: return, output: {a: "${state.a}", all: "${state.all}"}}
"""
TOOL = """\
from pathlib import Path
def execute(params, project_path):
    with open(Path(project_path, "calls"), "a") as out:
        out.write(f"{params['n']} ")
    if params["n"] < 0:
        raise ValueError("negative")
    return {"n": params["n"] * 10}
"""


@pytest.fixture(scope="module")
def module() -> Iterator[ModuleType]:
    with compiled(CACHED, "demo/cached") as found:
        yield found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".ai" / "tools" / "t").mkdir(parents=True)
    (tmp_path / ".ai" / "tools" / "t" / "mul.py").write_text(TOOL, "utf-8")
    return tmp_path


def calls(module: ModuleType, project: Path, **options: Any) -> list[str]:
    """What was called by a run, which gives the same as ever."""
    file = project / "calls"
    file.write_text("", "utf-8")
    result = run(module, project, **options)
    n = options.get("inputs", {}).get("n", 1)
    if n > 0:
        assert result.output == {"a": n * 10, "all": [{"n": 10}, {"n": 20}, {"n": n * 10}]}
    return file.read_text("utf-8").split()


def test_results_are_kept_across_runs_and_for_each_item(module: ModuleType, project: Path) -> None:
    assert calls(module, project, run_id="first") == ["1", "1", "2"]
    assert calls(module, project, run_id="second") == []
    assert calls(module, project, inputs={"n": 3}) == ["3", "3"]
    first, second = (events(project, name, "step_completed")[0]["receipt"] for name in ("first", "second"))
    assert (first["cache_hit"], second["cache_hit"]) == (False, True)
    assert first["node_result_hash"] == second["node_result_hash"]
    assert [item.get("cache_hit", False) for item in events(project, "first", "foreach_item")] == [False, False, True]
    assert [item["cache_hit"] for item in events(project, "second", "foreach_item")] == [True] * 3


def test_a_changed_tool_or_configuration_is_called_again(module: ModuleType, project: Path) -> None:
    assert calls(module, project)
    (project / ".ai" / "tools" / "t" / "mul.py").write_text(TOOL + "# changed\n", "utf-8")
    assert calls(module, project)
    assert not calls(module, project)
    (project / ".graphwright").mkdir()
    (project / ".graphwright" / "errors.toml").write_text("errors = []\n", "utf-8")
    assert calls(module, project)


def test_a_changed_graph_calls_again(module: ModuleType, project: Path) -> None:
    assert calls(module, project)
    with compiled(CACHED.replace("x}", "x }"), "demo/cached") as other:
        assert other.GRAPH_HASH == module.GRAPH_HASH
        assert not calls(other, project)
    with compiled(CACHED.replace("start: one", "start: one\n  max_steps: 9"), "demo/cached") as other:
        assert calls(other, project)


def test_failures_are_not_kept(module: ModuleType, project: Path) -> None:
    assert calls(module, project, inputs={"n": -1}) == ["-1"]
    assert calls(module, project, inputs={"n": -1}) == ["-1"]
    assert list(entries(project)) == []


def test_a_damaged_or_forged_entry_is_a_miss(module: ModuleType, project: Path) -> None:
    assert calls(module, project)
    files = [*entries(project), *(project / ".ai" / "state" / "objects").glob("*.json")]
    whole = {file: file.read_bytes() for file in files}
    for file, data in whole.items():
        file.write_bytes(data.replace(b"1", b"2"))
    assert calls(module, project) == ["1", "1", "2"]
    assert calls(module, project) == []
    kept = {file: json.loads(file.read_bytes()) for file in entries(project)}
    names = sorted({entry["node_result_hash"] for entry in kept.values()})
    for file, entry in kept.items():
        other = names[1 - names.index(entry["node_result_hash"])]
        file.write_text(json.dumps({**entry, "node_result_hash": other}), "utf-8")
    assert calls(module, project) == ["1", "1", "2"]
    for file in entries(project):
        file.write_bytes(b"[1]")
    assert calls(module, project) == ["1", "1", "2"]


def test_what_holds_more_than_its_code_is_called_in_every_process(module: ModuleType, project: Path) -> None:
    kept = []

    def closure(params: dict[str, Any]) -> dict[str, Any]:
        kept.append(params["n"])
        return {"n": params["n"] * 10}

    run(module, project, more={"t/mul": closure})
    run(module, project, more={"t/mul": closure})
    assert kept == [1, 1, 2] * 2
    assert list(entries(project)) == []


def test_the_cache_is_cleared(module: ModuleType, project: Path) -> None:
    calls(module, project)
    assert clear(project) == 3
    assert list(entries(project)) == []
    assert calls(module, project, run_id="after")
    assert log_of(project, "after").exists()


def receipts(project: Path, run_id: str) -> dict[str, tuple[bool, int | None]]:
    """By node, whether its result came from the cache, and how many of its items did."""
    return {
        event["node"]: (event["receipt"]["cache_hit"], event["receipt"].get("cache_hits"))
        for event in events(project, run_id, "step_completed")
    }


def test_items_from_the_cache_are_in_receipts_and_traces(
    module: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert run(module, project, run_id="r1", inputs={"n": 2}).success  # `all` calls for 1 and 2
    assert run(module, project, run_id="r2", inputs={"n": 3}).success  # and for 3
    assert run(module, project, run_id="r3", inputs={"n": 3}).success
    assert receipts(project, "r1")["all"] == (False, 1)
    assert receipts(project, "r2")["all"] == (False, 2)
    assert receipts(project, "r3") == {"one": (True, None), "all": (True, 3), "done": (False, None)}
    shown = graphwright("runs", "trace", "r2").stdout
    assert "\n        2 items from the cache\n" in shown
    lines = [line.split() for line in graphwright("runs", "trace", "r3").stdout.splitlines()]
    assert [line[1:3] for line in lines if line[:1] in (["1"], ["2"])] == [["one", "cached"], ["all", "cached"]]
    assert "  cache    2 items from the cache\n" in graphwright("runs", "trace", "r2", "--node", "all").stdout
    steps = json.loads(graphwright("runs", "trace", "r2", "--format", "json").stdout)["steps"]
    assert [step.get("cache_hits") for step in steps] == [None, 2, None]


def test_items_from_the_cache_are_counted_over_a_resumption(module: ModuleType, project: Path) -> None:
    fails = 'if Path(project_path, "calls").read_text().split().count("3") == 2'
    tool = project / ".ai" / "tools" / "t" / "mul.py"
    tool.write_text(TOOL.replace('if params["n"] < 0', fails), "utf-8")
    assert run(module, project, run_id="r1", inputs={"n": 2}).success
    failed = run(module, project, run_id="r2", inputs={"n": 3})
    assert (failed.status, failed.node) == ("error", "all")  # with the items 1 and 2 from the cache
    assert run(module, project, resume="r2").success
    assert receipts(project, "r2")["all"] == (False, 2)
