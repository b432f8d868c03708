"""What a process may do that a thread has started: what the signed context of the thread says, while it runs."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agent.graphs import REVIEW, one, with_directive
from durability.kept import Crash, compiled, run
from durability.test_inheritance import replaced
from graphwright_runtime.agent.runner import Thread
from graphwright_runtime.durable.canonical import canonical
from graphwright_runtime.durable.layout import Layout
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.testing import ScriptedThreads
from graphwright_runtime.trust.header import Header, digest
from graphwright_runtime.trust.signing import Signer

PERMITTED = REVIEW.replace("rye.execute.tool.team.*", "rye.execute.tool.PERMITTED")
BOTH = """\
    then:
      action:
        item_id: tool:rye/agent/threads/thread_directive
        params: {directive_name: team/review, inputs: {diff: again}}
      next: done
    done:"""


@pytest.fixture(scope="module")
def counter() -> Iterator[ModuleType]:
    with compiled() as module:
        yield module


def during(
    project: Path, work: Callable[[Thread], Any], permitted: str = "t.*", text: str = "", **options: Any
) -> list[Any]:
    """What `work` gives for each thread of a graph, while the thread runs."""
    found: list[Any] = []

    async def agent(thread: Thread) -> dict[str, object]:
        found.append(await asyncio.to_thread(work, thread))
        return {"outputs": {"verdict": "fine"}}

    with_directive(project, PERMITTED.replace("PERMITTED", permitted))
    with compiled(text or one(), "demo/ask") as module:
        host = InProcessHost(threads=ScriptedThreads({"team/review": agent}))
        result = asyncio.run(module.run({}, host=host, project=project, **options))
    assert result.success, result.error
    return found


def below(counter: ModuleType, project: Path, thread_id: str, **options: Any) -> Any:
    """The result of a run as in a process that the thread has started."""
    return run(counter, project, Crash(), env={"RYE_PARENT_THREAD_ID": thread_id}, **options)


def test_it_has_the_capabilities_and_the_levels_of_the_thread(counter: ModuleType, tmp_path: Path) -> None:
    (result,) = during(tmp_path, lambda thread: below(counter, tmp_path, thread.thread_id, run_id="child"), run_id="r")
    assert result.success
    told = json.loads(Layout(tmp_path, "", "child").context.read_text("utf-8"))
    assert (told["parent_thread_id"], told["depth"]) == ("r.1", 3)
    (denied,) = during(tmp_path, lambda thread: below(counter, tmp_path, thread.thread_id), "other")
    assert "permission denied: `rye.execute.tool.t.add`" in denied.error
    flat = one("limit_overrides: {depth: 0}")
    (none,) = during(tmp_path, lambda thread: below(counter, tmp_path, thread.thread_id), text=flat)
    assert none.error == "no graph can be started below this one: `limits.depth` is used up"


def test_a_forged_one_grants_nothing(counter: ModuleType, tmp_path: Path) -> None:
    def work(thread: Thread) -> None:
        context = Layout(tmp_path, "", thread.thread_id).context
        signature = context.with_name("thread.json.sig")
        wider = canonical({**json.loads(context.read_bytes()), "capabilities": ["*"]})

        def denial() -> str:
            return str(below(counter, tmp_path, thread.thread_id).error)

        for file in (context, signature):
            with replaced(file, None):
                assert "cannot be verified: there is no " in denial()
        with replaced(context, wider):
            assert "is not what the run wrote" in denial()
        own = Signer(os.urandom(32))
        with (
            replaced(context, wider),
            replaced(signature, Header(digest(wider), own.sign("thread", wider), own.key.id).line()),
        ):
            assert "which is neither yours nor trusted here" in denial()
        run_context = Layout(tmp_path, "", thread.parent_thread_id).context
        with (
            replaced(context, run_context.read_bytes()),
            replaced(signature, run_context.with_name("thread.json.sig").read_bytes()),
        ):
            assert "belongs to another run" in denial(), "of its run, which may do more"
        assert below(counter, tmp_path, thread.thread_id).success

    during(tmp_path, work)


def test_one_of_a_thread_that_is_over_grants_nothing(counter: ModuleType, tmp_path: Path) -> None:
    """Neither while its run goes on, nor after that, nor if it is put in the place of another one."""
    two = one().replace("next: done", "next: then", 1).replace("    done:", BOTH, 1)
    kept: dict[str, bytes] = {}

    def work(thread: Thread) -> str:
        files = [Layout(tmp_path, "", thread.thread_id).context]
        files.append(files[0].with_name("thread.json.sig"))
        if not kept:
            kept.update({file.name: file.read_bytes() for file in files})
            return thread.thread_id
        earlier = f"{thread.parent_thread_id}.1"
        assert "the thread that it belongs to is over" in str(below(counter, tmp_path, earlier).error)
        with replaced(files[0], kept["thread.json"]), replaced(files[1], kept["thread.json.sig"]):
            assert "belongs to another run" in str(below(counter, tmp_path, thread.thread_id).error)
        return thread.thread_id

    first, second = during(tmp_path, work, text=two, run_id="r")
    assert (first, second) == ("r.1", "r.2")
    for over in (first, second):
        assert "the run that wrote it is over" in str(below(counter, tmp_path, over).error)
