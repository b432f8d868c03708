"""`run --mock FILE` answers the calls of a run from a script; `run --record FILE` records the answers of its tools."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console

if TYPE_CHECKING:
    from graphwright_runtime.graph import AnyGraph
    from graphwright_runtime.inprocess import InProcessHost
    from graphwright_runtime.result import RunResult
    from graphwright_runtime.testing.recording import Recorder
    from graphwright_runtime.testing.script import Player, Script


def add_options(parser: Parser) -> None:
    """Declare `--mock` and `--record`."""
    parser.add_argument(
        "--mock",
        metavar="FILE",
        help="play the tools from a script, a recording or a conformance case, with its inputs and variables: no tool "
        "runs, nothing is kept, and nothing waits between attempts",
    )
    parser.add_argument(
        "--record", metavar="FILE", help="write the calls of the run and their answers to a file for `--mock` and tests"
    )


def read_mock(options: argparse.Namespace) -> Script | None:
    """Read the script of `--mock`; None without that option. Raises UsageError."""
    if options.mock is None:
        return None
    for name, given in (
        ("--record", options.record),
        ("--resume", options.resume),
        ("--async", options.background or options.detached),
        ("--durability", options.durability not in (None, "off")),
    ):
        if given:
            raise UsageError(f"`--mock` does not go with `{name}`: nothing is kept of a run whose tools are played")
    from graphwright_runtime.testing.script import ScriptError, read_script

    try:
        return read_script(Path(options.mock))
    except OSError as error:
        raise UsageError(f"`--mock {options.mock}` cannot be read: {error.strerror}") from error
    except ScriptError as error:
        raise UsageError(f"`--mock {options.mock}` is not a script: {error}") from error


def check_record(options: argparse.Namespace) -> None:
    """Raise UsageError if the file of `--record` cannot be written, or contains something other than a recording."""
    if options.record is None:
        return
    if options.resume:
        raise UsageError("`--record` does not go with `--resume`: the steps before would be missing")
    file = Path(options.record)
    try:
        replaced = file.read_bytes() if file.exists() else b""
    except OSError as error:
        raise UsageError(f"`--record {file}` cannot be written: {error.strerror}") from error
    if replaced.strip() and not _is_recording(replaced):
        raise UsageError(f"`--record {file}`: the file holds something else than a recording; it is not replaced")
    if not file.parent.is_dir():
        raise UsageError(f"`--record {file}` cannot be written: {file.parent} is not a folder")


def answering(options: argparse.Namespace, script: Script | None, host: InProcessHost) -> Player | Recorder | None:
    """The object that answers the calls of the run; None if its tools run normally."""
    if script is not None:
        from graphwright_runtime.testing.script import Player

        return Player(script, options.mock, host)
    if options.record is None:
        return None
    from graphwright_runtime.testing.recording import Recorder

    return Recorder({}, None, host)


def finish(
    answers: Player | Recorder | None,
    options: argparse.Namespace,
    graph: AnyGraph,
    inputs: Mapping[str, object],
    result: RunResult[object, object],
    console: Console,
) -> None:
    """Report calls without an answer, or write the recording. Raises UsageError if that fails."""
    if answers is None:
        return
    from graphwright_runtime.testing.recording import Recorder, recording

    if not isinstance(answers, Recorder):
        for told in dict.fromkeys(answers.unanswered):
            console.remark(f"{told}\n")
        return
    if result.status == "cancelled":
        console.remark("the run was cancelled, so it is not recorded\n")
        return
    text = recording(graph, inputs, answers, result, env=None, capabilities=options.capability)
    _write(Path(options.record), text.encode("utf-8", "surrogatepass"))
    calls = len(answers.calls)
    console.remark(
        f"{calls} {'call' if calls == 1 else 'calls'} recorded in {options.record}, with inputs, params and results as "
        "they are: look for secrets before you share it\n"
    )


def _write(file: Path, data: bytes) -> None:
    from graphwright_runtime.atomic import replace_file

    try:
        replace_file(file, data)
    except OSError as error:
        raise UsageError(f"`--record {file}` cannot be written: {error.strerror}") from error


def _is_recording(data: bytes) -> bool:
    from graphwright_runtime.testing.recording import RECORDED

    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and RECORDED in found
