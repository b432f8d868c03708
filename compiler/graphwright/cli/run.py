"""`graphwright run`: runs a graph, a YAML file or a generated module, and prints the result as JSON."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Never, TextIO, cast

from graphwright.checking.report import Report, exit_code
from graphwright.cli.background import DETACHED, Detaching, check_kept, ignore_hangup, start
from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.cli.diversion import diverted
from graphwright.cli.inputs import read_inputs
from graphwright.cli.interruption import Interruptible, Interruption
from graphwright.cli.reporting import show
from graphwright.cli.runnable import Runnable, runnable
from graphwright.cli.runs.naming import found_run
from graphwright.cli.scripted import add_options, answering, check_record, finish, read_mock
from graphwright.cli.standard_input import MARK, add_path_option, piped
from graphwright.cli.target import checked_folder, project_folder
from graphwright.cli.troubleshooting import logged, raised_at, show_traceback
from graphwright.cli.watching import watched
from graphwright.pattern import pattern

if TYPE_CHECKING:
    from graphwright_runtime.events import Listener
    from graphwright_runtime.graph import AnyGraph
    from graphwright_runtime.host import Durability
    from graphwright_runtime.inprocess import InProcessHost
    from graphwright_runtime.result import RunResult
    from graphwright_runtime.testing.script import Script
    from graphwright_runtime.tooling import Dispatch

#: Matches the error of a run about a missing input, but not inside other inputs.
_MISSING = pattern(r"missing required input: '([^'.\[]+)'")

_EXAMPLES = """\
  graphwright run graphs/report.yaml -i team=blue -i limit=5
  graphwright run reports/weekly --inputs inputs.json        by id
  graphwright run generated.reports.weekly --inputs -        a generated module, inputs from standard input
  graphwright run reports/weekly --resume weekly-1717-ab12   continue where that run was interrupted
  graphwright run reports/weekly --mock weekly.json          its tools played from a script, none is run
  graphwright run reports/weekly --async                     in the background; prints the id of the run
  graphwright run graphs/report.yaml --capability 'rye.execute.tool.rye.bash*'"""


def parser() -> Parser:
    """The options of the command."""
    description = (
        "Run a graph. The result is JSON on standard output. Progress, and whatever tools print, go to standard error."
    )
    parser = Parser("run", "GRAPH [options]", description, _EXAMPLES)
    parser.add_argument(
        "graph",
        metavar="GRAPH",
        help="a YAML file, the id of a graph, or a generated module; `-` reads a graph from standard input",
    )
    parser.add_argument("-i", "--input", action="append", default=[], metavar="NAME=VALUE", help="one input")
    parser.add_argument("--inputs", metavar="FILE", help="a JSON file with inputs, - for standard input")
    add_path_option(parser)
    parser.add_argument("--run-id", metavar="ID", help="the id of the run (default: made from the graph's name)")
    parser.add_argument("--resume", metavar="RUN", help="continue a run that was killed, cancelled or failed")
    add_options(parser)
    add_running(parser)
    return parser


def add_running(parser: Parser) -> None:
    """Declare the options that new and resumed runs have in common."""
    parser.add_argument(
        "--capability", action="append", metavar="PATTERN", help="a capability that the run is granted (repeatable)"
    )
    parser.add_argument("--project", metavar="DIR", help="the project folder (default: the nearest one above)")
    parser.add_argument(
        "--durability",
        choices=("process", "power", "exit", "off"),
        help="what is kept: each step, so that the run survives a kill (process, the default in a project) or a power "
        "failure (power); the final state (exit); nothing (off)",
    )
    parser.add_argument(
        "--async",
        dest="background",
        action="store_true",
        help="run in the background: print the id of the run once it has started; its output goes to "
        ".ai/state/threads/ID/async.log",
    )
    parser.add_argument(DETACHED, action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--allow-changed", action="store_true", help="resume even if the graph has changed")
    parser.add_argument("--events", metavar="FILE", help="write the events of the run to a file, as lines of JSON")
    parser.add_argument("-v", "--verbose", action="store_true", help="log to standard error")
    parser.add_argument("--traceback", action="store_true", help="show where in a tool an error was raised")


def run(options: argparse.Namespace, console: Console) -> int:
    """Run the graph; returns 0 if it completed, 1 if it failed, 129, 130 or 143 if a signal ended it.

    In the background, returns 0 when the run has started.
    """
    if options.detached:
        ignore_hangup()
    elif options.background:
        return start(options.words, console)
    interruption = Interruption()
    with diverted() as out, logged(verbose=options.verbose, tracebacks=options.traceback), interruption.noticed():
        return _run(options, console, out, interruption)


def _run(options: argparse.Namespace, console: Console, out: TextIO, interruption: Interruption) -> int:
    if options.graph == MARK == options.inputs:
        raise UsageError("standard input is either the graph or the inputs: pass a file for one of them")
    script = read_mock(options)
    check_record(options)
    (target,), texts = piped([options.graph], options)
    loaded = runnable(target, checked_folder(options.project), texts)
    if isinstance(loaded, Report):
        show(loaded, console)
        return max(exit_code(loaded.diagnostics), 1)
    inputs = read_inputs(options.input, options.inputs, loaded.types, loaded.graph.declared)
    inputs = inputs if script is None else {**script.inputs, **inputs}
    keeping = _keeping(options, loaded)
    host = _host(loaded, keeping.project, plays=script is not None)
    answers = answering(options, script, host)
    detaching = Detaching(loaded.graph, keeping.project, host, out, console) if options.detached else None
    if detaching is not None:
        detaching.check_starter()
    with watched(loaded.graph, console, options.events, detaching) as listener:
        caller = _caller(options, script, answers)
        result = asyncio.run(_execute(loaded, inputs, keeping, caller, host, listener, interruption))
    ended_by = interruption.signal
    if detaching is not None and detaching.problem is not None:
        raise UsageError(detaching.problem)
    if options.traceback:
        show_traceback(result.exception, console)
    elif where := raised_at(result.exception, keeping.project):
        console.remark(f"raised at {where}; --traceback shows how the tool got there\n")
    console.result(_written(result), out)
    finish(answers, options, loaded.graph, inputs, result, console)
    if missing := _MISSING.findall(result.error or "") if not result.path else ():
        console.remark(f"pass {' '.join(f'-i {name}=…' for name in missing)}, or a file with `--inputs`\n")
    stopped = bool(result.steps) and result.status in ("cancelled", "error")
    if stopped and keeping.resumes(loaded.graph, result.graph_run_id):
        console.remark(f"to resume the run: graphwright run {options.graph} --resume {result.graph_run_id}\n")
    if ended_by is None and result.status == "cancelled":  # requested by another process
        ended_by = signal.SIGTERM
    if ended_by is not None:
        return 128 + ended_by
    return 0 if result.success else 1


def _written(result: RunResult[object, object]) -> str:
    """The result as JSON."""
    found = result.to_dict()
    try:
        return json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    except ValueError:  # an integer of thousands of digits, which Python refuses to write by default
        most = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0)
        try:
            return json.dumps(found, indent=2, ensure_ascii=False) + "\n"
        finally:
            sys.set_int_max_str_digits(most)


class _Keeping(NamedTuple):
    """How the run is recorded. `durability` None: not specified, so the runtime decides."""

    project: Path
    durability: Durability | None
    run_id: str | None
    resume: str | None
    allow_changed: bool

    def resumes(self, graph: AnyGraph, run_id: str) -> bool:
        """Whether resuming the run can make progress: its steps are recorded, and it would not end in the same way."""
        from graphwright_runtime.durable.listing import end_of

        kept = (self.durability or graph.durability) not in ("exit", "off")
        end = end_of(self.project, run_id) if kept else None
        return end is not None and end.get("repeats") is not True


class _Caller(NamedTuple):
    """What the caller of the run provides: capabilities, variables (None: those of this process), tools."""

    capabilities: Sequence[str] | None
    env: Mapping[str, str] | None
    dispatch: Dispatch | None


def _caller(options: argparse.Namespace, script: Script | None, answers: Dispatch | None) -> _Caller:
    """The capabilities and variables of the script, with those on the command line taking precedence."""
    if script is None:
        return _Caller(options.capability, None, answers)
    capabilities = script.capabilities if options.capability is None else options.capability
    return _Caller(capabilities, {**os.environ, **script.env}, answers)


def _keeping(options: argparse.Namespace, loaded: Runnable) -> _Keeping:
    """How to record the run: by default each step, but only in a project folder."""
    if options.resume and options.run_id:
        raise UsageError("`--resume` continues a run under its own id: leave out `--run-id`")
    if options.allow_changed and not options.resume:
        raise UsageError("`--allow-changed` goes with `--resume`")
    if options.resume and options.durability in ("exit", "off"):
        raise UsageError(f"`--durability {options.durability}`: every step of a resumed run is kept")
    project = project_folder(options.project)
    durability = options.durability
    if options.mock is not None:
        durability = "off"
    if options.detached and not options.resume:
        durability = durability or loaded.graph.durability
        check_kept(durability, in_project=project is not None)
        durability = durability or "process"
    if durability is None and project is None and not options.resume:
        durability = loaded.graph.durability or "off"
    if options.run_id is not None:
        _check_id(options.run_id)
    folder = project or Path.cwd()
    resume = None if options.resume is None else found_run(folder, options.resume)
    return _Keeping(folder, durability, options.run_id, resume, options.allow_changed)


def _check_id(run_id: str) -> None:
    from graphwright_runtime.durable.layout import check_run_id
    from graphwright_runtime.errors import RefusedError

    try:
        check_run_id(run_id)
    except RefusedError as error:
        raise UsageError(f"`--run-id`: {error}") from error


def _host(loaded: Runnable, project: Path, *, plays: bool) -> InProcessHost:
    from graphwright.cli.protection import file_protection, trusted_tools
    from graphwright_runtime.inprocess import InProcessHost

    kind = InProcessHost
    if plays:
        from graphwright_runtime.testing.script import ScriptedHost

        kind = ScriptedHost
    return kind(graphs=loaded.graphs, trust=trusted_tools(project), protection=file_protection(project))


async def _execute(
    loaded: Runnable,
    inputs: Mapping[str, object],
    keeping: _Keeping,
    caller: _Caller,
    host: InProcessHost,
    listener: Listener | None,
    interruption: Interruption,
) -> RunResult[object, object]:
    """Run the graph, which `interruption` may end, and return the result."""
    from graphwright_runtime.durable.layout import Layout

    run_id = None if keeping.resume is not None else keeping.run_id or host.new_run_id(loaded.graph.id)
    kept = None if keeping.durability == "off" else Layout(keeping.project, "", keeping.resume or run_id or "")
    running = asyncio.create_task(
        loaded.graph.run(
            cast("Never", dict(inputs)),
            dispatch=caller.dispatch,
            capabilities=caller.capabilities,
            env=caller.env,
            host=host,
            project=keeping.project,
            run_id=run_id,
            resume=keeping.resume,
            durability=keeping.durability,
            allow_changed=keeping.allow_changed,
            on_event=listener,
        )
    )
    with interruption.ending(Interruptible(host, running, None if kept is None else kept.cancel)):
        return await running
