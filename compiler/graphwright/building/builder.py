"""Builds modules: checks graphs, compiles those that changed, runs the gates, and publishes the modules.

If one graph has an error, or one module fails a gate, no module is written. A module is up to date if its source, all
dependencies of the source, the configuration, the compiler and the module itself are unchanged since it was built. A
module that a build would sign is compiled again unless it already has a trusted signature: the cache alone does not
prove what a file contains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.building import publish
from graphwright.building.crew import Crew
from graphwright.building.ledger import Ledger, Made
from graphwright.building.making import Progress
from graphwright.building.plan import MANIFEST, Plan, Planner, Sealer
from graphwright.building.targets import Folder, Target, Unit, grouped, target
from graphwright.checking.cache import Cache, cache_folder, digest_of, is_listing
from graphwright.checking.checker import check
from graphwright.checking.report import Checked, Report
from graphwright.collector import paused_collector
from graphwright.diagnostic import Diagnostic, Severity
from graphwright.emit.backend import Backend
from graphwright.emit.errors import BuildError
from graphwright.emit.python import PYTHON
from graphwright.options import Options
from graphwright.project.projects import absolute, shown
from graphwright.record import Record

if TYPE_CHECKING:
    from graphwright.building.explain import Explained


class Built(Record):
    """The result of a build. `diagnostics` are those of the check and of the build itself, sorted.

    `written`, `unchanged` and `removed` are absolute paths of modules, `others` of other files that were written.
    `sources` maps each module to the files that it depends on. `explained` says what a build does to each module, if
    that was asked for. `left` has the sha256 of each file that was written, None for each that was removed. `stopped`:
    there were errors and nothing was built.
    """

    report: Report
    diagnostics: tuple[Diagnostic, ...]
    written: tuple[Path, ...] = ()
    unchanged: tuple[Path, ...] = ()
    removed: tuple[Path, ...] = ()
    others: tuple[Path, ...] = ()
    sources: Mapping[Path, tuple[Path, ...]] = {}
    explained: tuple[Explained, ...] = ()
    left: Mapping[Path, str | None] = {}
    stopped: bool = False

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(each.severity is Severity.ERROR for each in self.diagnostics)


def build(
    paths: Iterable[str | Path],
    *,
    output: str | Path | None = None,
    drift: bool = False,
    explain: bool = False,
    typecheck: bool | None = None,
    sealer: Callable[[Path, bytes | None], Sealer | None] | None = None,
    options: Options | None = None,
    provenance: bool = False,
    cache: Cache | None = None,
    backend: Backend = PYTHON,
    included: Callable[[Path], bool] = lambda _: True,
    progress: Progress = lambda *_: None,
) -> Built:
    """Build the graphs in `paths`, which are files and folders.

    `output` and `typecheck` override the configuration of projects. With `drift`, nothing is written; what a build
    would write or remove is reported (GW802 to GW805). With `explain`, the result has a reason for each module.
    `sealer` returns the signer for an output folder, given the content of its manifest; with `provenance`, it also
    signs a provenance file for each module. `backend` compiles the graphs. Files that `included` rejects are treated as
    missing. `progress` is told how far the build is. Raises `ConfigError` and `BuildError`.
    """
    asked = list(paths)
    cache = cache or Cache(None, "")
    folder = None if output is None else absolute(output)
    with paused_collector(), ExitStack() as locks:
        told = partial(progress, "checking")
        crew = Crew(cache, told)
        helps = backend is PYTHON and options is None
        report = check(
            asked, options=options, cache=cache, keep=True, included=included, progress=told,
            assistant=crew.inspect if helps else None,
        )  # fmt: skip
        if report.failed:
            return Built(report, report.diagnostics, stopped=True)
        job = _Build([absolute(path) for path in asked], cache, crew, progress, provenance=provenance)
        groups = grouped(report.graphs, folder, job.given, backend)
        for each in groups:
            locks.enter_context(publish.locked(str(each), cache_folder()))
        for each, members in groups.items():
            job.plan(Folder.read(each, included, backend), members, sealer or (lambda *_: None), typecheck)
        explained = job.explain() if explain else ()
        return job.drift(report, explained) if drift else job.publish(report, explained)


class _Planned(Record):
    """What to do in one output folder: `made` are the texts of the modules that were compiled."""

    plan: Plan
    made: Mapping[Unit, bytes]
    sealer: Sealer | None
    ledger: Ledger


class _Build:
    """One build of one or more output folders. `given` are the absolute paths that the caller asked to build."""

    def __init__(
        self, given: Sequence[Path], cache: Cache, crew: Crew, progress: Progress, *, provenance: bool
    ) -> None:
        self.given = given
        self._cache = cache
        self._crew = crew
        self._progress = progress
        self._provenance = provenance
        self._sources: dict[Path, tuple[Path, ...]] = {}
        self._planned: list[_Planned] = []
        self._faults: list[Diagnostic] = []

    def plan(
        self,
        folder: Folder,
        members: Sequence[Checked],
        sealers: Callable[[Path, bytes | None], Sealer | None],
        typecheck: bool | None,
    ) -> None:
        """Compile the outdated graphs of one folder, and plan what to write to it."""
        sealer = sealers(folder.output, folder.content(MANIFEST))
        found = target(folder, members, self.given, typecheck, sealer)
        if not members and not found.leftovers.stale and not found.leftovers.kept:
            return
        ledger = Ledger(self._cache, folder.output)
        made, faults = self._compile_outdated(found, sealer, ledger)
        self._faults += faults
        if faults:
            return
        pins: dict[str, str] = {}
        for unit in found.units if sealer is not None else ():
            pins |= _pins(unit, self._sources[unit.file])
        planner = Planner(found, made, sealer, self._dependencies, provenance=self._provenance)
        self._planned.append(_Planned(planner.plan(pins), made, sealer, ledger))

    def explain(self) -> tuple[Explained, ...]:
        """What the plans do to each module, and why."""
        from graphwright.building.explain import explain

        return tuple(
            explained
            for each in self._planned
            for explained in explain(
                each.plan, each.made, each.sealer, each.ledger.changes, partial(self._suspects, each.sealer)
            )
        )

    def publish(self, report: Report, explained: tuple[Explained, ...]) -> Built:
        """Carry out all plans, unless a module of any folder failed. Raises `BuildError`."""
        if self._faults:
            return Built(report, (*report.diagnostics, *self._faults), stopped=True)
        foreign = [each.plan.target.output / path for each in self._planned for path in each.plan.foreign]
        if foreign:
            raise BuildError(f"{shown(foreign[0])} was not generated by graphwright: move it elsewhere first")
        written: list[Path] = []
        removed: list[Path] = []
        others: list[Path] = []
        edited: list[Diagnostic] = []
        left: dict[Path, str | None] = {}
        self._progress("writing", 0, 0)
        for planned in self._planned:
            plan, made, folder = planned.plan, planned.made, planned.plan.target.folder
            stale = (*plan.removed, *plan.outdated, *plan.orphaned)
            publish.publish(folder.output, plan.contents, stale, folder.there, folder.backend)
            modules = {unit.path for unit in made}
            written += [unit.file for unit in made if unit.path in plan.contents]
            others += [folder.output / path for path in plan.contents if path not in modules]
            removed += [folder.output / path for path in plan.removed]
            if plan.kept:
                from graphwright.building.drift import edited_leftovers  # imports the front end

                edited += edited_leftovers(plan)
            left |= dict.fromkeys((folder.output / path for path in stale), None)
            left |= {folder.output / path: digest_of(data) for path, data in plan.contents.items()}
            units = {str(unit.path): Made.of(unit, text, self._accessed(unit)) for unit, text in made.items()}
            planned.ledger.store(units, folder.there)
            if planned.sealer is not None:
                planned.sealer.remember()
        new = set(written)
        every = [unit.file for planned in self._planned for unit in planned.plan.target.units]
        return Built(
            report,
            _ordered(*report.diagnostics, *edited),
            tuple(written),
            tuple(file for file in every if file not in new),
            tuple(removed),
            tuple(others),
            self._sources,
            explained,
            left,
        )

    def drift(self, report: Report, explained: tuple[Explained, ...]) -> Built:
        """Report what the plans would change."""
        from graphwright.building.drift import differences

        found = [
            each
            for planned in self._planned
            for each in differences(planned.plan, planned.sealer, partial(self._suspects, planned.sealer))
        ]
        every = tuple(unit.file for planned in self._planned for unit in planned.plan.target.units)
        diagnostics = _ordered(*report.diagnostics, *self._faults, *found)
        return Built(report, diagnostics, unchanged=every, sources=self._sources, explained=explained)

    def _compile_outdated(
        self, target: Target, sealer: Sealer | None, ledger: Ledger
    ) -> tuple[dict[Unit, bytes], list[Diagnostic]]:
        """Compile the modules that are out of date: their texts, or none and the internal errors that occurred."""
        pending: list[Unit] = []
        for unit in target.units:
            made = ledger.current(unit)
            if (
                made is not None
                and unit.signature[1] == made.body
                and (sealer is None or self._is_signed(unit, made, sealer))
            ):
                self._sources[unit.file] = (unit.checked.source_file.file, *made.files)
            else:
                pending.append(unit)
        if not pending:
            return {}, []
        from graphwright.building.making import make  # imports the front end and the emitter

        texts, faults = make(target, pending, self._crew, self._progress)
        for unit in pending:
            self._sources[unit.file] = (unit.checked.source_file.file, *(file for file, _ in self._dependencies(unit)))
        return {} if faults else {unit: texts[unit.path].encode() for unit in pending}, faults

    def _is_signed(self, unit: Unit, made: Made, sealer: Sealer) -> bool:
        """Whether everything that would be signed for a module already is: the module itself, and its pins.

        False with `provenance`, which is a signed statement about files and therefore needs them to be read again.
        """
        is_signed = not self._provenance and sealer.is_signed(str(unit.path), unit.checked.graph_id, *unit.signature)
        return is_signed and _pins(unit, made.files).items() <= sealer.pins.items()

    def _suspects(self, sealer: Sealer | None, unit: Unit) -> Sequence[str]:
        """The items that a compiled graph uses and whose digest differs from the manifest's; else all files it uses."""
        files = [file for file, _ in self._dependencies(unit)]
        if sealer is not None:
            pins, recorded = _pins(unit, files), sealer.pins
            if changed := sorted(name for name, pin in pins.items() if recorded.get(name, pin) != pin):
                return changed
        return [shown(file) for file in files]

    def _accessed(self, unit: Unit) -> Sequence[tuple[str, str | None]]:
        """What was read and searched for a graph, and those that it pins; see `dependencies`."""
        from graphwright.building.dependencies import accessed

        made = self._crew.module(unit.checked)
        return accessed(unit.checked.facts(), unit.checked.source_file) if made is None else made.accessed

    def _dependencies(self, unit: Unit) -> list[tuple[Path, str]]:
        """The existing files that `_accessed` returns, with their digests."""
        return [
            (Path(path), digest) for path, digest in self._accessed(unit) if digest is not None and not is_listing(path)
        ]


def _pins(unit: Unit, depends: Iterable[Path]) -> dict[str, str]:
    """The sha256 of the tools, directives and knowledge that a graph uses, if `trust.tools` is not off."""
    source_file = unit.checked.source_file
    if source_file.project.config.trust.tools == "off":
        return {}
    from graphwright.trust.attest import item_digests

    return item_digests(source_file, depends)


def _ordered(*diagnostics: Diagnostic) -> tuple[Diagnostic, ...]:
    return tuple(sorted(diagnostics, key=lambda each: each.sort_key))
