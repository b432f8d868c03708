"""`graphwright build`: compile graphs to typed Python modules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from graphwright.building.builder import Built, build
from graphwright.building.plan import Sealer
from graphwright.checking.cache import Cache
from graphwright.checking.report import exit_code
from graphwright.cli.built import as_json, reasons, tell
from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.cli.progress import Progress
from graphwright.cli.reporting import FORMATS, show
from graphwright.cli.selection import chosen_paths, elsewhere, opened_cache, own_folders, watched_paths
from graphwright.cli.standard_input import MARK
from graphwright.emit.errors import BuildError
from graphwright.presence import is_folder, is_there
from graphwright.project.projects import Projects
from graphwright.record import replace
from graphwright.render.summary import summary

_EXAMPLES = """\
  graphwright build                       every graph of the project
  graphwright build graphs -o generated
  graphwright build --check               check that the generated modules are up to date (for CI)
  graphwright build --watch               build again whenever a graph or what it uses changes
  graphwright build --explain             print why each module was or was not rebuilt
  graphwright build --no-typecheck --depfile generated.d graphs"""


def parser() -> Parser:
    """The options of the command."""
    parser = Parser(
        "build",
        "[PATH ...] [options]",
        "Compile graphs to typed Python modules. If one of them has an error, nothing is written.",
        _EXAMPLES,
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: the source roots)")
    parser.add_argument("-o", "--output", metavar="DIR", help="where to write modules (default: as configured)")
    parser.add_argument("--check", action="store_true", help="write nothing; report what a build would change")
    parser.add_argument("--watch", action="store_true", help="build again whenever something changes, until Ctrl-C")
    parser.add_argument("--tracked", action="store_true", help="with --check: only files that git tracks, as hooks do")
    parser.add_argument("--no-typecheck", action="store_true", help="do not run mypy on the modules")
    parser.add_argument("--no-sign", action="store_true", help="do not sign modules")
    parser.add_argument(
        "--provenance", action="store_true", help="also write signed provenance for each module (in-toto)"
    )
    parser.add_argument("--depfile", metavar="FILE", help="write the dependencies of each module, for make")
    parser.add_argument("--explain", action="store_true", help="print for each module why it was or was not rebuilt")
    parser.add_argument("--notes", action="store_true", help="show notes")
    parser.add_argument("--format", choices=FORMATS, default="text", help="the output format (default: text)")
    parser.add_argument("--no-cache", action="store_true", help="do not use the cache")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Run the build and return the exit code."""
    if options.provenance and options.no_sign:
        raise UsageError("`--provenance` is signed, so it cannot be combined with `--no-sign`")
    if options.tracked and not options.check:
        raise UsageError("`--tracked` can only be used with `--check`; a build always uses all files")
    if options.output and is_there(Path(options.output)) and not is_folder(Path(options.output)):
        raise UsageError(f"the output `{options.output}` is not a folder")
    if options.explain and options.format not in ("text", "json"):
        raise UsageError(f"`--explain` has no form in `--format {options.format}`; choose text or json")
    if MARK in options.paths:
        raise UsageError(
            "a build reads files, because a module names its source; `check -` and `run -` read standard input"
        )
    if options.watch:
        return _watch(options, console)
    return exit_code(_build(options, console).diagnostics)


def _build(options: argparse.Namespace, console: Console) -> Built:
    """Build once, and show what was done."""
    paths = chosen_paths(options.paths, separated=options.separated)
    cache = opened_cache(enabled=not options.no_cache)
    shows_progress = not options.quiet and options.format == "text" and (not options.watch or sys.stderr.isatty())
    try:
        with Progress(shown=shows_progress) as progress:
            built = build(
                paths,
                output=options.output,
                drift=options.check,
                explain=options.explain or options.format == "json",
                typecheck=False if options.no_typecheck else None,
                sealer=None if options.no_sign else sealers(console, cache, checking=options.check),
                provenance=options.provenance,
                included=_tracked() if options.tracked else lambda _: True,
                cache=cache,
                progress=progress,
            )
    except BuildError as error:
        raise UsageError(str(error)) from error
    _show(built, options, console)
    console.remark(elsewhere(built.report, paths))
    if options.depfile and not built.stopped:
        _depend(built, Path(options.depfile))
    return built


def _watch(options: argparse.Namespace, console: Console) -> int:
    """Build again and again; the exit code for the signal that ends it."""
    from graphwright.cli.rounds import Outcome, refuse, watch
    from graphwright.watch.own import Written
    from graphwright.watch.scope import Scope, scope_of

    refuse(options.format, [("--check", options.check)])
    written = Written()

    def scope() -> Scope:
        output = [Path(options.output)] if options.output else []
        depfile = [Path(options.depfile)] if options.depfile else []
        return scope_of(watched_paths(options.paths), folders=output, ignored=[*own_folders(), *depfile])

    def look(console: Console) -> Outcome:
        built = _build(options, console)
        written.note(built.left)
        return Outcome(built.diagnostics, bool(built.left))

    return watch(look, console, scope=scope, is_own=written.is_own, form=options.format)


def _show(built: Built, options: argparse.Namespace, console: Console) -> None:
    """Write the diagnostics, then the results for the modules."""
    report = replace(built.report, diagnostics=built.diagnostics)
    if options.format == "json":
        console.result(as_json(built, compact=options.watch))
        console.remark(summary(report, notes=True))
    else:
        show(report, console, options.format, notes=options.notes)
        if options.explain and options.format == "text":
            console.result(reasons(built, checking=options.check))
    if built.stopped:
        console.remark("nothing was built\n" if not options.check else "")
    elif not options.check or not built.failed:
        tell(built, console, files=not options.explain)


def _tracked() -> Callable[[Path], bool]:
    """A function that tells whether git tracks a file, in the repository of the working directory."""
    from graphwright.project.tracked import NotTracked, tracked

    try:
        return tracked(Path.cwd()).__contains__
    except NotTracked as error:
        raise UsageError(f"`--tracked`: {error}") from error


def sealers(console: Console, cache: Cache, *, checking: bool = False) -> Callable[[Path, bytes | None], Sealer | None]:
    """A function that returns what signs the modules of an output folder, given its manifest; None if nothing does."""

    def sealer(output: Path, manifest: bytes | None) -> Sealer | None:
        project = Projects().of_output(output)
        if not project.config.sign:
            return None
        from graphwright.trust.sign import Sealer as Signer

        return Signer(
            project.folder, output, manifest, lambda text: console.remark(f"{text}\n"), checking=checking, cache=cache
        )

    return sealer


def _depend(built: Built, file: Path) -> None:
    from graphwright.building.depfile import depfile
    from graphwright_runtime.atomic import replace_file

    try:
        replace_file(file, depfile(built.sources).encode("utf-8", "surrogateescape"))
    except BuildError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}") from error
