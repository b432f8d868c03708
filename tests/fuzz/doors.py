"""The doors that a text comes through, and what none of them may do with it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

from commands import Outcome, graphwright
from graphwright.building.compile import compile_source
from graphwright.emit.errors import BuildError
from graphwright_runtime.inprocess import InProcessHost
from running import loaded

#: Seconds of processor time that one door may take for a text of some kilobytes, on a slow machine.
_LONGEST = 30.0

#: Seconds that a run may go on for; it is cancelled then, and that has to work.
_RUN = 1.0

_INTERNAL = re.compile(r"internal error: \w+(?:Error|Exception)|Traceback \(most recent")
_FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab")


class FoundError(AssertionError):
    """A door did what it must not do."""


def check(text: str, random: Random) -> None:
    """`check` in every format; JSON has to be JSON."""
    Path("graphs").mkdir(exist_ok=True)
    Path("graphs/it.yaml").write_text(text, "utf-8", "surrogatepass")
    form = random.choice(_FORMATS)
    outcome = _command("check", "graphs/it.yaml", "--notes", "--no-cache", "--format", form)
    if form in ("json", "sarif", "gitlab"):
        json.loads(outcome.stdout)


def fix(text: str, random: Random) -> None:
    """`check --fix`; what it writes can be checked again, and has nothing left to be fixed in the same place."""
    Path("graphs/it.yaml").write_text(text, "utf-8", "surrogatepass")
    _command("check", "graphs/it.yaml", "--fix", "--no-cache")
    _command("check", "graphs/it.yaml", "--diff", "--no-cache")


def compile_and_run(text: str, random: Random) -> None:
    """`compile_source`; what it compiles can be imported, and ends or can be cancelled. Nothing is ever called."""
    try:
        compiled = compile_source(text, path="graphs/it.yaml")
    except BuildError:
        return
    if any(each.code == "GW901" for each in compiled.diagnostics):
        raise FoundError("compile_source: GW901")
    if compiled.text is not None:
        with loaded(compiled.text) as module:
            asyncio.run(_run(module.run))


async def _run(run: Callable[..., Awaitable[object]]) -> None:
    task = asyncio.ensure_future(run({}, host=InProcessHost(), capabilities=()))
    done, _ = await asyncio.wait({task}, timeout=_RUN)
    if not done:
        task.cancel()
        done, _ = await asyncio.wait({task}, timeout=_LONGEST)
        if not done:
            raise FoundError("a run cannot be cancelled")
    if not task.cancelled() and (error := task.exception()) is not None:
        raise error


def build(text: str, random: Random) -> None:
    """`build`, then `verify` and `build --check` of a module that was changed."""
    Path("graphs/it.yaml").write_text(text, "utf-8", "surrogatepass")
    _command("build", "graphs", "--output", "out", "--no-typecheck", "--no-cache")


def altered(text: str, random: Random) -> None:
    """`verify` and `build --check` where the text stands in place of a module, a manifest or provenance."""
    out = Path("out")
    out.mkdir(exist_ok=True)
    for name in random.sample(("it.py", "graphwright.manifest", "it.py.intoto.jsonl", "__init__.py"), 2):
        out.joinpath(name).write_text(text, "utf-8", "surrogatepass")
    _command("verify", "out", "--provenance")
    _command("build", "graphs", "--output", "out", "--check", "--no-typecheck", "--no-cache")


def configuration(text: str, random: Random) -> None:
    """The text as a configuration, a trust file, a key, contracts, hooks, inputs or an environment."""
    place = Path(random.choice(("graphwright.toml", ".graphwright/trust.toml", "inputs.json", "it.env", "key.pem")))
    place.parent.mkdir(exist_ok=True)
    place.write_text(text, "utf-8", "surrogatepass")
    try:
        _command("check", "graphs", "--no-cache", "--env-file", "it.env")
        _command("run", "graphs/good.yaml", "--inputs", "inputs.json", "--capability", "none")
        _command("keys", "trust", "key.pem")
        _command("keys", "list")
        _command("sign", "graphs/it.yaml")
        _command("verify", "graphs/it.yaml")
    finally:
        place.unlink()


DOORS: tuple[Callable[[str, Random], None], ...] = (check, fix, compile_and_run, build, altered, configuration)


def _command(*arguments: str) -> Outcome:
    """The outcome of a command, which must be one of those that the command line knows."""
    try:
        with _bounded(" ".join(arguments)):
            outcome = graphwright(*arguments)
    except Exception as error:
        raise FoundError(f"{' '.join(arguments)}: {type(error).__name__}: {error}") from error
    if outcome.code not in (0, 1, 2) or _INTERNAL.search(outcome.stdout + outcome.stderr):
        raise FoundError(f"{' '.join(arguments)}: exit {outcome.code}: {outcome.stderr[-2000:]}")
    return outcome


@contextlib.contextmanager
def _bounded(what: str) -> Iterator[None]:
    began = time.process_time()
    yield
    taken = time.process_time() - began
    if taken > _LONGEST:
        raise FoundError(f"{what}: {taken:.0f} s")
