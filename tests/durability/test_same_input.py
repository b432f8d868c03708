"""`graphwright runs same-input`: which runs called a tool in the same way, and whether they got the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from commands import graphwright
from durability.kept import compiled, log_of, run

LOOP = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: each
  nodes:
    each: {type: foreach, over: "${[1, 2]}", as: n, action: {item_id: tool:t/add, params: {n: "${n}"}}, next: done}
    done: {type: return, output: 1}
"""


@pytest.fixture(scope="module")
def module() -> Iterator[ModuleType]:
    with compiled() as found:
        yield found


@pytest.fixture
def space(module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the runs `first`, `again`, which does the same, and `other`, whose tool gives more in step 1."""
    monkeypatch.chdir(tmp_path)
    run(module, tmp_path, run_id="first")
    run(module, tmp_path, run_id="again", inputs={"limit": 2})
    run(module, tmp_path, lambda params: {"n": params["n"] + 3}, run_id="other")
    return tmp_path


def found(*arguments: str) -> Any:
    done = graphwright("runs", "same-input", *arguments, "--node", "work", "--format", "json")
    assert done.code == 0, done.stderr
    return json.loads(done.stdout)


def test_steps_with_the_same_input_are_compared(space: Path) -> None:
    inputs = found("first")["inputs"]
    assert [[(each["run_id"], each["step"], each["same_result"]) for each in one["executions"]] for one in inputs] == [
        [("first", 1, True), ("again", 1, True), ("other", 1, False)],
        [("first", 3, True), ("again", 3, True)],
        [("first", 5, True)],
    ]
    receipt = json.loads(graphwright("runs", "trace", "first", "--format", "json", "--last", "7").stdout)["steps"][0]
    assert inputs[0]["node_input_hash"] == receipt["node_input_hash"]
    assert inputs[0]["executions"][0]["node_result_hash"] == receipt["node_result_hash"]


def test_the_table_says_how_many_differ(space: Path) -> None:
    text = graphwright("runs", "same-input", "first", "--node", "work", "--step", "1").stdout
    assert [line.split()[0] for line in text.splitlines()] == ["input", "RUN", "first", "again", "other", "3"]
    assert text.endswith("3 steps in 3 runs, 1 with a different result\n")
    alone = graphwright("runs", "same-input", "first", "--node", "work", "--step", "5").stdout
    assert alone.endswith("no other step had this input\n")


def test_a_log_that_does_not_verify_is_left_out_and_named(space: Path) -> None:
    log = log_of(space, "again")
    log.write_bytes(log.read_bytes().replace(b'"delta":{"n":1}', b'"delta":{"n":7}'))
    done = graphwright("runs", "same-input", "first", "--node", "work", "--format", "json")
    assert done.code == 1
    told = json.loads(done.stdout)
    assert list(told["unverified"]) == ["again"]
    assert {each["run_id"] for one in told["inputs"] for each in one["executions"]} == {"first", "other"}
    assert "the run again is left out: the log of the run 'again' is not what the run wrote" in done.stderr
    done = graphwright("runs", "same-input", "again", "--node", "work")
    assert (done.code, done.stdout) == (2, "")


def test_a_node_without_an_input(space: Path) -> None:
    with compiled(LOOP, "demo/loop") as loop:
        run(loop, space, run_id="loop")
    for arguments, said in (
        (("first", "--node", "check"), "`check` is a node of the type gate: it called nothing"),
        (("loop", "--node", "each"), "the hashes of the inputs of items are not kept"),
        (("first", "--node", "wrok"), "no node `wrok`; did you mean `work`?"),
        (("first", "--node", "work", "--step", "2"), "step 2 of the run first is not `work`, which is step 1, 3, 5"),
        (("first",), "--node is missing"),
    ):
        done = graphwright("runs", "same-input", *arguments)
        assert (done.code, done.stdout) == (2, "")
        assert said in done.stderr
