"""`graphwright check`: finds mistakes in graphs, and fixes those that are safe to fix."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.checking.checker import check
from graphwright.checking.report import Report, exit_code
from graphwright.cli.command import Parser, UsageError, number_from
from graphwright.cli.console import Console
from graphwright.cli.patch import UNSIGNED, difference, is_signed
from graphwright.cli.reporting import FORMATS, MOST_FINDINGS, show
from graphwright.cli.selection import chosen_paths, elsewhere, opened_cache, own_folders, selection, watched_paths
from graphwright.cli.standard_input import MARK, add_path_option, piped
from graphwright.options import Options
from graphwright.project.projects import shown
from graphwright.render.summary import counted

if TYPE_CHECKING:
    from graphwright.checking.fix import Change


_EXAMPLES = """\
  graphwright check                         every graph of the project
  graphwright check graphs/report.yaml      one graph
  graphwright check --fix graphs            apply all safe fixes
  graphwright check --watch                 check again whenever a graph or what it uses changes
  graphwright check - --path graphs/report.yaml < draft.yaml
  graphwright check --format sarif > graphwright.sarif
  graphwright check --env-file prod.env     check that every required variable is set"""


def parser() -> Parser:
    """The options of the command."""
    parser = Parser(
        "check",
        "[PATH ...] [options]",
        "Find mistakes in graphs: in files, and in all graphs below folders.",
        _EXAMPLES,
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files and folders (default: the source roots); `-` reads standard input",
    )
    add_path_option(parser)
    parser.add_argument("--fix", action="store_true", help="apply the fixes that do not change what a graph does")
    parser.add_argument("--diff", action="store_true", help="show what `--fix` would change, without writing anything")
    parser.add_argument("--watch", action="store_true", help="check again whenever something changes, until Ctrl-C")
    parser.add_argument("--env", action="store_true", help="check that required variables are set in the environment")
    parser.add_argument("--env-file", metavar="FILE", help="check that required variables are set in this file")
    parser.add_argument("--strict", action="store_true", help="exit with 1 on warnings, too")
    parser.add_argument("--notes", action="store_true", help="show notes")
    parser.add_argument(
        "--select", action="append", metavar="CODES", help="report only these codes or families (GW3,GW401)"
    )
    parser.add_argument("--ignore", action="append", metavar="CODES", help="do not report these codes or families")
    parser.add_argument("--format", choices=FORMATS, default="text", help="the output format (default: text)")
    parser.add_argument("--statistics", action="store_true", help="count the findings of each code")
    parser.add_argument(
        "--max-findings", type=number_from(0), default=MOST_FINDINGS, metavar="N",
        help=f"show at most N findings as text, errors first; 0 shows all (default: {MOST_FINDINGS})",
    )  # fmt: skip
    parser.add_argument("--graphs-only", action="store_true", help="skip named files that are not graphs (for hooks)")
    parser.add_argument("--no-cache", action="store_true", help="do not use the cache")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Check, and return the exit code."""
    if options.watch:
        return _watch(options, console)
    paths, texts = piped(chosen_paths(options.paths, separated=options.separated), options)
    wanted = selection(options.select, options.ignore)
    asked = _asked(options)
    cache = opened_cache(enabled=not options.no_cache)

    def look(changed: Mapping[Path, bytes]) -> Report:
        held = {**texts, **changed}
        report = check(paths, options=asked, cache=None if held else cache, texts=held, graphs_only=options.graphs_only)
        return report.only(wanted)

    cache.sweep(time.time())
    if not (options.fix or options.diff):
        report = look({})
        _show(report, options, console)
        console.remark(elsewhere(report, paths))
        return exit_code(report.diagnostics, strict=options.strict)
    from graphwright.checking.fix import fix_files

    report, changes = fix_files(look, texts)
    if options.diff:
        console.result("".join(difference(file, change) for file, change in changes.items()))
    else:
        _write({file: change for file, change in changes.items() if file not in texts}, console)
        for file, data in texts.items():
            console.result((changes[file].after if file in changes else data).decode("utf-8", "replace"))
        if not changes:
            console.remark("there is nothing that can be fixed automatically\n" if report.diagnostics else "")
    _show(report, options, console)
    return max(exit_code(report.diagnostics, strict=options.strict), int(options.diff and bool(changes)))


def _watch(options: argparse.Namespace, console: Console) -> int:
    """Check again and again; the exit code for the signal that ends it."""
    from graphwright.cli.rounds import Outcome, refuse, watch
    from graphwright.watch.scope import Scope, scope_of

    refuse(options.format, [("--fix", options.fix), ("--diff", options.diff), (MARK, MARK in options.paths)])
    wanted = selection(options.select, options.ignore)
    cache = opened_cache(enabled=not options.no_cache)
    cache.sweep(time.time())

    def look(console: Console) -> Outcome:
        paths = chosen_paths(options.paths, separated=options.separated)
        report = check(paths, options=_asked(options), cache=cache, graphs_only=options.graphs_only).only(wanted)
        _show(report, options, console)
        console.remark(elsewhere(report, paths))
        return Outcome(report.diagnostics)

    def scope() -> Scope:
        files = [Path(options.env_file)] if options.env_file else []
        return scope_of(watched_paths(options.paths), files=files, ignored=own_folders())

    return watch(look, console, scope=scope, form=options.format)


def _show(report: Report, options: argparse.Namespace, console: Console) -> None:
    show(
        report, console, options.format, notes=options.notes, statistics=options.statistics,
        most=options.max_findings or None, compact=options.watch,
    )  # fmt: skip


def _asked(options: argparse.Namespace) -> Options:
    """The additional checks that the options request."""
    if options.env and options.env_file:
        raise UsageError("`--env` and `--env-file` cannot be combined")
    if options.env:
        return Options(environment=dict(os.environ))
    if options.env_file:
        from graphwright.project.environment_file import MalformedLine, read_environment

        try:
            return Options(environment=read_environment(Path(options.env_file)), environment_name=options.env_file)
        except OSError as error:
            raise UsageError(f"{options.env_file} cannot be read: {error.strerror}") from error
        except MalformedLine as error:
            raise UsageError(str(error)) from error
    return Options()


def _write(changes: Mapping[Path, Change], console: Console) -> None:
    """Write the fixed files."""
    from graphwright_runtime.atomic import replace_file

    for file, change in changes.items():
        try:
            replace_file(file, change.after)
        except OSError as error:
            raise UsageError(f"{shown(file)} cannot be written: {error.strerror}") from error
        console.remark(f"{shown(file)}: {counted(change.applied, 'mistake')} fixed\n")
        if is_signed(change.after):
            console.remark(f"{shown(file)}: {UNSIGNED}\n")
