"""Compiling a graph and running the module, for tests that look from outside."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import itertools
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from graphwright.building.compile import compile_source
from graphwright_runtime.context import Context
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.result import RunResult
from graphwright_runtime.tooling import Call

#: Answers a call: item id and params -> result, or an exception raised.
Answer = Callable[[str, dict[str, Any]], object]

_serial = itertools.count()


class RejectedError(Exception):
    """A graph did not compile; the text names the codes."""


def compile_text(text: str, path: str = "graphs/test.yaml") -> str:
    """The module that a graph compiles to. Raises `RejectedError`."""
    compiled = compile_source(text, path=path)
    if compiled.text is None:
        errors = [f"{one.code} at line {one.span.line}: {one.message}" for one in compiled.diagnostics]
        raise RejectedError(f"does not compile: {'; '.join(errors)}")
    return compiled.text


@contextlib.contextmanager
def loaded(code: str) -> Iterator[ModuleType]:
    """The module of emitted code, importable as long as the block lasts."""
    module = ModuleType(f"compiled_{next(_serial)}")
    sys.modules[module.__name__] = module
    try:
        exec(compile(code, f"<{module.__name__}>", "exec", dont_inherit=True), module.__dict__)
        yield module
    finally:
        del sys.modules[module.__name__]


class QuickHost(InProcessHost):
    """A host on which nothing has to be waited for; what would be waited is noted in `slept`, in seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        """Returns at once."""
        self.slept.append(seconds)


@dataclass(slots=True)
class Ran:
    """A finished run, and what it called."""

    result: RunResult[Any, Any]
    calls: list[Call] = field(default_factory=list)
    host: QuickHost = field(default_factory=QuickHost)

    @property
    def path(self) -> list[str]:
        """The executed nodes, in order."""
        return list(self.result.path)

    @property
    def called(self) -> list[str | None]:
        """The ids of the items called, in order."""
        return [call.item_id for call in self.calls]


async def run_module(
    module: ModuleType,
    inputs: Mapping[str, object],
    answer: Answer,
    *,
    capabilities: Sequence[str] | None = None,
    env: Mapping[str, str] | None = None,
    project: Path | None = None,
) -> Ran:
    """Run a module whose every call goes to `answer`, on a `QuickHost`, in a fresh project folder."""
    calls: list[Call] = []

    async def dispatch(call: Call, context: Context) -> object:
        calls.append(call._replace(params=copy.deepcopy(call.params)))
        return answer(call.item_id or "", call.params)

    host = QuickHost()
    with tempfile.TemporaryDirectory(prefix="project-") as space:
        result = await module.run(
            dict(inputs),
            dispatch=dispatch,
            capabilities=capabilities,
            env=env or {},
            host=host,
            project=project or Path(space),
        )
    if result.exception is not None and result.exception.node is None:
        raise result.exception  # a bug of the module or of the runtime, which no test expects
    return Ran(result, calls, host)


def run_text(text: str, inputs: Mapping[str, object], answer: Answer | Mapping[str, object]) -> Ran:
    """Compile and run a graph. A mapping gives each tool its one result; an exception in it is raised."""
    with loaded(compile_text(text)) as module:
        return asyncio.run(run_module(module, inputs, answer if callable(answer) else table(answer)))


def table(results: Mapping[str, object]) -> Answer:
    """A result per tool, always the same."""

    def answer(item_id: str, params: dict[str, Any]) -> object:
        if item_id not in results:
            raise LookupError(f"no such tool: {item_id}")
        result = results[item_id]
        if isinstance(result, Exception):
            raise result
        return result

    return answer
