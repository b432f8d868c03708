"""What both build systems do: compile the graphs of a project, and list the files that belong in its distributions.

Modules are written to the configured output folder, as `graphwright build` does, so a module that is already up to date
keeps its signature. Only the key in `GRAPHWRIGHT_SIGNING_KEY` signs: installing somebody's package neither creates a
key nor signs the package with a key of the user.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir
from pathlib import Path, PurePosixPath

from graphwright.building.builder import Built, build
from graphwright.building.listing import LISTING
from graphwright.building.plan import MANIFEST, provenance_of
from graphwright.building.publish import content
from graphwright.checking.checker import check
from graphwright.cli import FINE, guarded
from graphwright.cli.build import sealers
from graphwright.cli.command import UsageError
from graphwright.cli.console import Console
from graphwright.cli.reporting import show
from graphwright.cli.selection import chosen_paths, opened_cache
from graphwright.emit.errors import BuildError
from graphwright.emit.python import PYTHON
from graphwright.presence import is_file
from graphwright.project.projects import Project, Projects, absolute, shown
from graphwright.record import Record, replace
from graphwright.render.summary import counted
from graphwright_runtime.environment import SIGNING_KEY
from graphwright_runtime.trust.truststore import PROJECT_FILE


class PackagingError(Exception):
    """The graphs were not compiled. The reasons were written to standard error."""


class Package(Record):
    """The compiled graphs of a project. All paths are absolute.

    `output` is the output folder and `files` are the generated files in it. `sources` are the files that another build
    needs to generate them again: graphs, the files that these depend on, the configuration and the trusted keys.
    """

    output: Path
    files: tuple[Path, ...]
    sources: tuple[Path, ...]


def compile_package(root: Path) -> Package:
    """Compile the graphs of the project in `root`, the folder of its pyproject.toml.

    Writes diagnostics and remarks to standard error. Raises `PackagingError`.
    """
    console = Console()
    made: list[Package] = []

    def action() -> int:
        package = _compiled(root, console)
        made.extend(() if package is None else (package,))
        return FINE

    with chdir(root):
        guarded(action, console)
    if not made:
        raise PackagingError("the graphs of this package were not compiled")
    return made[0]


def _compiled(root: Path, console: Console) -> Package | None:
    """The compiled graphs; None if there are errors, which are shown. Raises like a command."""
    project = Projects().of(root)
    if root not in project.output.parents:
        raise UsageError(f"the output folder {project.output} is not below the folder of the package, {root}")
    paths = chosen_paths([], separated=False)
    cache = opened_cache(enabled=True)
    report = check(paths, cache=cache)
    if not report.graphs and not report.failed:  # a build would remove the modules of graphs that were not packaged
        raise UsageError(f"there are no graphs in {', '.join(shown(path) for path in paths)}")
    key = bool(os.environ.get(SIGNING_KEY))
    try:
        built = build(paths, sealer=sealers(console, cache) if key else None, cache=cache)
    except BuildError as error:
        raise UsageError(str(error)) from error
    show(replace(built.report, diagnostics=built.diagnostics), console)
    if built.failed:
        return None
    modules = [file for file in (*built.written, *built.unchanged) if project.output in file.parents]
    if not key and project.config.sign:
        _tell_unsigned(modules, console.remark)
    files = _present(project.output / path for path in _generated(project.output, modules))
    return Package(project.output, tuple(files), tuple(_present(_sources(root, project, built))))


def _tell_unsigned(modules: list[Path], tell: Callable[[str], None]) -> None:
    unsigned = [file for file in modules if not (content(file) or b"").startswith(PYTHON.signed)]
    if unsigned:
        are, them = ("is", "it") if len(unsigned) == 1 else ("are", "them")
        tell(f"{counted(len(unsigned), 'module')} {are} not signed: set {SIGNING_KEY} to sign {them}\n")


def _generated(output: Path, modules: Iterable[Path]) -> Iterator[PurePosixPath]:
    """The paths, relative to the output folder, of everything that a build writes for these modules."""
    paths = [PurePosixPath(file.relative_to(output).as_posix()) for file in modules]
    yield from paths
    yield from PYTHON.companions(paths)
    yield from (MANIFEST, LISTING)
    yield from map(provenance_of, paths)


def _sources(root: Path, project: Project, built: Built) -> Iterator[Path]:
    """The files of the project, below `root`, that its modules are generated from."""
    every = {file for files in built.sources.values() for file in files}
    every.add(project.folder / PROJECT_FILE)
    if project.config.file is not None:
        every.add(project.config.file)
    if project.config.templates is not None:
        every.update(absolute(project.folder / project.config.templates).glob("*.j2"))
    yield from (file for file in every if root in file.parents)


def _present(files: Iterable[Path]) -> list[Path]:
    return sorted(file for file in set(files) if is_file(file))
