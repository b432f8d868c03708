"""What a run came to as objects, and that a change to any of them is found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from durability.kept import COUNT, Crash, compiled, log_of, run


@pytest.fixture(scope="module")
def module() -> Iterator[ModuleType]:
    with compiled() as found:
        yield found


def store(project: Path) -> Path:
    return project / ".ai" / "state" / "objects"


def loaded_object(project: Path, name: str) -> Any:
    data = (store(project) / f"{name}.json").read_bytes()
    assert hashlib.sha256(data).hexdigest() == name
    return json.loads(data)


def test_a_ref_leads_to_snapshot_receipts_results_and_state(module: ModuleType, tmp_path: Path) -> None:
    assert run(module, tmp_path, run_id="r", inputs={"limit": 2}).success
    ref = json.loads((store(tmp_path) / "refs" / "graphs" / "r.json").read_bytes())
    snapshot = loaded_object(tmp_path, ref["execution_snapshot"])
    assert snapshot["graph_hash"] == module.GRAPH_HASH
    assert (snapshot["status"], snapshot["steps"]) == ("completed", 5)
    assert snapshot["log_sha256"] == hashlib.sha256(log_of(tmp_path, "r").read_bytes()).hexdigest()
    assert loaded_object(tmp_path, snapshot["state_hash"]) == {"n": 2}
    receipts = [loaded_object(tmp_path, name) for name in snapshot["node_receipts"]]
    assert [receipt["node"] for receipt in receipts] == ["work", "check", "work", "check", "done"]
    results = [receipt["node_result_hash"] for receipt in receipts]
    assert [name and loaded_object(tmp_path, name) for name in results] == [{"n": 1}, None, {"n": 2}, None, None]


def test_the_log_alone_has_the_results_of_a_long_run(tmp_path: Path) -> None:
    with compiled(COUNT.replace("start: work", "start: work\n  max_steps: 1000")) as long:
        assert run(long, tmp_path, run_id="r", inputs={"limit": 150}).steps == 301
    ref = json.loads((store(tmp_path) / "refs" / "graphs" / "r.json").read_bytes())
    assert loaded_object(tmp_path, ref["execution_snapshot"])["node_receipts"] == []
    assert len(list(store(tmp_path).glob("*.json"))) == 2


def test_a_changed_view_ref_or_object_is_found(module: ModuleType, tmp_path: Path) -> None:
    assert run(module, tmp_path, Crash(3), run_id="r").status == "error"
    files = [
        *store(tmp_path).rglob("*.json"),
        *(tmp_path / ".ai" / "knowledge").rglob("*.md"),
    ]
    assert len(files) > 9
    for file in files:
        data = file.read_bytes()
        for changed in (data[:-2] + bytes([data[-2] ^ 1]) + data[-1:], data[:-5], data + b" "):
            file.write_bytes(changed)
            result = run(module, tmp_path, resume="r")
            assert result.steps == 0, file
            assert str(file) in str(result.error)
        file.write_bytes(data)
    assert run(module, tmp_path, resume="r").success
