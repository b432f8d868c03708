"""Builds modules: check, compile what changed, gate, publish.

All or nothing: when one graph has an error, or one module does not pass a gate, no module of the build is written.
A module counts as unchanged while its source, all that its source looks at, the configuration and the compiler are
the same, and the module itself is the one that was built. What is going to be signed is made again unless a signature
says so already: the cache's word is not enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from graphwright.building import publish
from graphwright.building.plan import MANIFEST, Plan, Planner, Sealer
from graphwright.building.targets import Folder, Remembered, Target, Unit, grouped, target
from graphwright.checking.cache import Cache, Digests, cache_folder
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


class Built(Record):
    """The result of a build. `diagnostics` are those of the check and of the build itself, in order.

    `written`, `unchanged`, `removed` are modules, absolute; `others` is what else was written. `sources`:
    each module with the files that it depends on. `stopped`: there was an error, and nothing was built.
    """

    report: Report
    diagnostics: tuple[Diagnostic, ...]
    written: tuple[Path, ...] = ()
    unchanged: tuple[Path, ...] = ()
    removed: tuple[Path, ...] = ()
    others: tuple[Path, ...] = ()
    sources: Mapping[Path, tuple[Path, ...]] = {}
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
    typecheck: bool | None = None,
    sealer: Callable[[Path, bytes | None], Sealer | None] | None = None,
    options: Options | None = None,
    provenance: bool = False,
    cache: Cache | None = None,
    backend: Backend = PYTHON,
    counts: Callable[[Path], bool] = lambda _: True,
    say: Callable[[str], None] = lambda _: None,
) -> Built:
    """Build the graphs that `paths` lead to.

    `output` and `typecheck` come before what the projects configure. With `drift` nothing is written: what a build
    would write or remove is reported (GW802 to GW805). `sealer` gives what signs for an output folder, whose manifest
    it is told; with `provenance` it also signs what each module was made of. `backend` says what a graph becomes.
    Graphs and modules that do not count (`counts`) are not there. `say` hears what is being done. Raises `ConfigError`
    and `BuildError`.
    """
    asked = list(paths)
    remembers = cache or Cache(None, "")
    folder = None if output is None else absolute(output)
    with paused_collector(), ExitStack() as locks:
        report = check(asked, options=options, cache=remembers, keep=True, counts=counts)
        if report.failed:
            return Built(report, report.diagnostics, stopped=True)
        run = _Build([absolute(path) for path in asked], remembers, say, provenance=provenance)
        groups = grouped(report.graphs, folder, run.given, backend)
        for source_file in groups:
            locks.enter_context(publish.locked(str(source_file), cache_folder()))
        for source_file, members in groups.items():
            run.look(Folder.read(source_file, counts, backend), members, sealer or (lambda *_: None), typecheck)
        return run.drifted(report) if drift else run.published(report)


class _Build:
    """One build over some output folders. `given`: the paths it was asked to build, absolute."""

    def __init__(self, given: Sequence[Path], cache: Cache, say: Callable[[str], None], *, provenance: bool) -> None:
        self.given = given
        self._cache = cache
        self._say = say
        self._provenance = provenance
        self._sources: dict[Path, tuple[Path, ...]] = {}
        self._plans: list[tuple[Plan, Sealer | None]] = []
        self._made_again: list[dict[Unit, bytes]] = []
        self._faults: list[Diagnostic] = []

    def look(
        self,
        folder: Folder,
        members: Sequence[Checked],
        sealers: Callable[[Path, bytes | None], Sealer | None],
        typecheck: bool | None,
    ) -> None:
        """Compile what is pending for one folder and plan what to write into it."""
        sealer = sealers(folder.output, folder.content(MANIFEST))
        found = target(folder, members, self.given, typecheck, sealer)
        if not members and not found.remains.stale and not found.remains.kept:
            return  # nothing of ours is there
        made, faults = self._made(found, sealer)
        self._faults += faults
        if faults:
            return
        pins: dict[str, str] = {}
        for unit in found.units if sealer is not None else ():
            pins |= _pins(unit, self._sources[unit.file])
        planner = Planner(found, made, sealer, self._looked, provenance=self._provenance)
        self._plans.append((planner.plan(pins), sealer))
        self._made_again.append(made)

    def published(self, report: Report) -> Built:
        """Write, unless something went wrong with one of the folders."""
        from graphwright.building.drift import kept

        if self._faults:
            return Built(report, (*report.diagnostics, *self._faults), stopped=True)
        for plan, _ in self._plans:
            for path in plan.foreign:
                raise BuildError(
                    f"{shown(plan.target.output / path)} was not generated by graphwright: move it elsewhere first"
                )
        written: list[Path] = []
        removed: list[Path] = []
        others: list[Path] = []
        left: list[Diagnostic] = []
        for (plan, _), made in zip(self._plans, self._made_again, strict=True):
            folder = plan.target.folder
            publish.publish(folder.output, plan.contents, (*plan.removed, *plan.outdated), folder.there, folder.backend)
            modules = {unit.path for unit in made}
            written += [unit.file for unit in made if unit.path in plan.contents]
            others += [folder.output / path for path in plan.contents if path not in modules]
            removed += [folder.output / path for path in plan.removed]
            left += kept(plan)
            for unit, text in made.items():
                unit.remember(self._cache, text, self._depends(unit))
        new = set(written)
        every = [unit.file for plan, _ in self._plans for unit in plan.target.units]
        return Built(
            report,
            _ordered(*report.diagnostics, *left),
            tuple(written),
            tuple(file for file in every if file not in new),
            tuple(removed),
            tuple(others),
            self._sources,
        )

    def drifted(self, report: Report) -> Built:
        """Say what would be written."""
        from graphwright.building.drift import differences

        found = [each for plan, sealer in self._plans for each in differences(plan, sealer)]
        every = tuple(unit.file for plan, _ in self._plans for unit in plan.target.units)
        diagnostics = _ordered(*report.diagnostics, *self._faults, *found)
        return Built(report, diagnostics, unchanged=every, sources=self._sources)

    def _made(self, target: Target, sealer: Sealer | None) -> tuple[dict[Unit, bytes], list[Diagnostic]]:
        """The modules that have to be made again, and what went wrong."""
        pending: list[Unit] = []
        digests = Digests()
        for unit in target.units:
            made = unit.remembered(self._cache, digests)
            if (
                made is not None
                and unit.is_intact(made)
                and (sealer is None or self._is_vouched(target, unit, made, sealer))
            ):
                self._sources[unit.file] = (unit.checked.source_file.file, *map(Path, made.depends))
            else:
                pending.append(unit)
        if not pending:
            return {}, []
        from graphwright.building.making import make  # imports the front end and the emitter

        texts, faults = make(target, pending, self._say)
        for unit in pending:
            looked = [Path(file) for file, digest in self._depends(unit) if digest is not None]
            self._sources[unit.file] = (unit.checked.source_file.file, *looked)
        return {} if faults else {unit: texts[unit.path].encode() for unit in pending}, faults

    def _is_vouched(self, target: Target, unit: Unit, made: Remembered, sealer: Sealer) -> bool:
        """Whether all that would be signed for a module is signed already: itself, and what it pins.

        Provenance is a signed statement about what was looked at, so for that everything is looked at again.
        """
        if self._provenance or unit.present is None:
            return False
        line = publish.signature_line(unit.present, target.backend)
        vouched = sealer.vouches(str(unit.path), unit.checked.graph_id, line, unit.digest)
        return vouched and _pins(unit, map(Path, made.depends)).items() <= sealer.pins.items()

    @staticmethod
    def _depends(unit: Unit) -> list[tuple[str, str | None]]:
        """The files that a graph's facts read in addition to its own, and those that it pins, with their digests."""
        from graphwright.checking.neighbours import Siblings

        facts, source_file = unit.checked.facts(), unit.checked.source_file
        if not isinstance(facts.project, Siblings):
            return []
        if facts.graph is not None and source_file.project.config.trust.tools != "off":
            from graphwright.trust.attest import named_items

            facts.project.look_at(named_items(facts.callers, source_file))
        own = str(source_file.file)  # a search for a neighbour can meet it
        return [each for each in facts.project.depends() if each[0] != own]

    def _looked(self, unit: Unit) -> list[tuple[Path, str]]:
        return [(Path(file), digest) for file, digest in self._depends(unit) if digest is not None]


def _pins(unit: Unit, depends: Iterable[Path]) -> dict[str, str]:
    """The tools, directives and knowledge that a graph uses, in a project that asks for trusted ones."""
    source_file = unit.checked.source_file
    if source_file.project.config.trust.tools == "off":
        return {}
    from graphwright.trust.attest import item_digests

    return item_digests(source_file, depends)


def _ordered(*diagnostics: Diagnostic) -> tuple[Diagnostic, ...]:
    return tuple(sorted(diagnostics, key=lambda each: each.sort_key))
