"""What a process may do that a run has started: what the signed context of that run says, and nothing without it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from durability.kept import Crash, compiled, run
from graphwright_runtime.context import Context
from graphwright_runtime.durable.canonical import canonical
from graphwright_runtime.durable.layout import Layout
from graphwright_runtime.trust.header import Header, digest
from graphwright_runtime.trust.signing import Signer

OUTER = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.t.*"]
LIMITS
config:
  start: go
  nodes:
    go: {action: {item_id: tool:t/go}, next: done}
    done: {type: return}
"""


@pytest.fixture(scope="module")
def counter() -> Iterator[ModuleType]:
    with compiled() as module:
        yield module


def below(project: Path, work: Callable[[str], Any], limits: str = "", **options: Any) -> Any:
    """What `work` gives, which is called with the id of a run while that run is executing it."""
    found: list[Any] = []

    def go(params: dict[str, Any], context: Context) -> dict[str, Any]:
        found.append(work(context.run_id))
        return {}

    with compiled(OUTER.replace("LIMITS", limits), "demo/outer") as module:
        result = run(module, project, more={"t/go": go}, **options)
    assert result.success, result.error
    return found[0]


def started(counter: ModuleType, project: Path, parent: str, **options: Any) -> Any:
    """The result of a run as in a process that the run `parent` has started."""
    return run(counter, project, Crash(), env={"RYE_PARENT_THREAD_ID": parent}, **options)


def test_it_has_the_capabilities_of_its_parent(counter: ModuleType, tmp_path: Path) -> None:
    assert below(tmp_path, lambda parent: started(counter, tmp_path, parent)).success
    narrow: dict[str, Any] = {"capabilities": ["rye.execute.tool.t.go"]}
    denied = below(tmp_path, lambda parent: started(counter, tmp_path, parent, capabilities=["*"]), **narrow)
    assert "permission denied: `rye.execute.tool.t.add` is not among the capabilities" in denied.error


@pytest.mark.parametrize(("limits", "runs"), [("limits: {depth: 1}", True), ("limits: {depth: 0}", False)])
def test_it_is_a_level_below_its_parent(counter: ModuleType, tmp_path: Path, limits: str, runs: bool) -> None:
    result = below(tmp_path, lambda parent: started(counter, tmp_path, parent, run_id="child"), limits)
    assert result.success is runs
    if runs:
        told = json.loads(Layout(tmp_path, "", "child").context.read_text("utf-8"))
        assert (told["depth"], told["parent_thread_id"]) == (0, result and told["parent_thread_id"])
    else:
        assert result.error == "no graph can be started below this one: `limits.depth` is used up"


def test_one_that_is_over_grants_nothing(counter: ModuleType, tmp_path: Path) -> None:
    parent = below(tmp_path, lambda parent: parent)
    denied = started(counter, tmp_path, parent)
    assert f"the context of the parent run `{parent}` cannot be verified: the run that wrote it is over" in denied.error


@contextmanager
def replaced(file: Path, data: bytes | None) -> Iterator[None]:
    """A file with other contents, or none, as long as the block lasts."""
    before = file.read_bytes()
    file.unlink()
    if data is not None:
        file.write_bytes(data)
    yield
    file.unlink(missing_ok=True)
    file.write_bytes(before)


def denial(counter: ModuleType, project: Path, parent: str) -> str:
    result = started(counter, project, parent)
    assert result.status == "error"
    return str(result.error)


def test_one_that_is_missing_changed_or_signed_by_others_grants_nothing(counter: ModuleType, tmp_path: Path) -> None:
    def work(parent: str) -> None:
        context = Layout(tmp_path, "", parent).context
        signature = context.with_name("thread.json.sig")
        data = context.read_bytes()
        with replaced(context, None):
            assert "cannot be verified: there is no " in denial(counter, tmp_path, parent)
        with replaced(signature, None):
            assert "cannot be verified: there is no " in denial(counter, tmp_path, parent)
        wider = canonical({**json.loads(data), "capabilities": ["*"]})
        with replaced(context, wider):
            assert "is not what the run wrote" in denial(counter, tmp_path, parent)
        signer = Signer(os.urandom(32))
        header = Header(digest(wider), signer.sign("thread", wider), signer.key.id)
        with replaced(context, wider), replaced(signature, header.line()):
            assert "which is neither yours nor trusted here" in denial(counter, tmp_path, parent)
        assert started(counter, tmp_path, parent).success

    below(tmp_path, work)


def test_one_of_another_run_or_of_an_earlier_process_grants_nothing(counter: ModuleType, tmp_path: Path) -> None:
    earlier = below(tmp_path, lambda parent: parent, run_id="earlier")
    files = [Layout(tmp_path, "", earlier).context]
    files.append(files[0].with_name("thread.json.sig"))
    copies = [file.read_bytes() for file in files]

    def work(parent: str) -> None:
        mine = Layout(tmp_path, "", parent).context
        with replaced(mine, copies[0]), replaced(mine.with_name("thread.json.sig"), copies[1]):
            assert "belongs to another run" in denial(counter, tmp_path, parent)
        assert "the run that wrote it is over" in denial(counter, tmp_path, earlier)
        Layout(tmp_path, "", parent).writer.write_text("1\n", "utf-8")  # as if another process executed the run
        assert "the run that wrote it is over" in denial(counter, tmp_path, parent)

    below(tmp_path, work)


def test_not_the_id_of_a_run(counter: ModuleType, tmp_path: Path) -> None:
    assert "cannot be verified: a run id names a folder" in denial(counter, tmp_path, "../../x")
