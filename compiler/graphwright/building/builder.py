"""Builds modules: check, compile what changed, gate, publish.

All or nothing: when one graph has an error, or one module does not pass a gate, no module of the build is written.
A module counts as unchanged while its source, all that its source looks at, the configuration and the compiler are
the same, and the module itself is the one that was built. What is going to be signed is made again unless a signature
says so already: the cache's word is not enough.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Protocol

from graphwright.building import publish
from graphwright.building.targets import Remembered, Target, Unit, targets
from graphwright.checking.cache import Cache, Digests, cache_folder
from graphwright.checking.checker import check
from graphwright.checking.report import Report
from graphwright.collector import paused_collector
from graphwright.diagnostic import Diagnostic, Severity
from graphwright.emit.errors import BuildError
from graphwright.options import Options
from graphwright.project.projects import absolute, shown
from graphwright.record import Record

#: Name of the signed list of a package's modules.
MANIFEST = PurePosixPath("graphwright.manifest")


class Sealer(Protocol):
    """What signs the modules of one build: see `trust/sign.py`."""

    def vouches(self, path: str, graph_id: str, line: bytes, sha256: str) -> bool:
        """Whether a module of this signature line and digest is, by signatures that count, what belongs in a place."""

    def module(self, text: bytes, graph_id: str = "", present: bytes | None = None) -> bytes:
        """The signed module; `present` is the file as it is now. An `__init__.py` has no graph id."""

    def package(
        self,
        modules: Mapping[str, bytes],
        graphs: Mapping[str, str],
        gone: Iterable[str] = (),
        tools: Mapping[str, str] | None = None,
    ) -> bytes:
        """The signed manifest brought up to date: these modules are in the package, those that are `gone` are not."""

    def missing(self, there: Container[str]) -> Iterator[tuple[str, str]]:
        """The modules that the manifest lists and that are gone, with their graphs; `there` need not be looked for."""

    def statement(self, payload: Callable[[str], bytes], present: bytes | None) -> bytes:
        """A signed statement whose text `payload` gives for the id of a key; `present` is the one that lies there."""

    @property
    def pins(self) -> Mapping[str, str]:
        """The sha256 of tools, directives and knowledge, as the manifest that lies there vouches for them."""


class Built(Record):
    """The result of a build. `diagnostics` are those of the check and of the build itself, in order.

    `written`, `unchanged`, `removed` are modules, absolute. `sources`: each module with the files that it depends on.
    """

    report: Report
    diagnostics: tuple[Diagnostic, ...]
    written: tuple[Path, ...] = ()
    unchanged: tuple[Path, ...] = ()
    removed: tuple[Path, ...] = ()
    sources: Mapping[Path, tuple[Path, ...]] = {}

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
    sealer: Callable[[Path], Sealer | None] | None = None,
    options: Options | None = None,
    provenance: bool = False,
    cache: Cache | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Built:
    """Build the graphs that `paths` lead to.

    `output` and `typecheck` come before what the projects configure. With `drift` nothing is written: modules that
    are not what a build would write are reported (GW802, GW803, GW805). `sealer` gives what signs for an output
    folder; with `provenance` it also signs what each module was made of. `say` hears what is being done. Raises
    `ConfigError` and `BuildError`.
    """
    asked = list(paths)
    remembers = cache or Cache(None, "")
    run = _Build([absolute(path) for path in asked], remembers, sealer or (lambda _: None), say, provenance=provenance)
    folder = None if output is None else absolute(output)
    with paused_collector(), ExitStack() as locks:
        report = check(asked, options=options, cache=remembers, keep=True)
        if report.failed:
            return Built(report, report.diagnostics)
        wanted = targets(report.graphs, folder, typecheck)
        for target in wanted:
            locks.enter_context(publish.locked(str(target.output), cache_folder()))
        return run.drifted(report, wanted) if drift else run.published(report, wanted)


class _Build:
    """One build over some output folders. `given`: the paths it was asked to build, absolute."""

    def __init__(
        self,
        given: Sequence[Path],
        cache: Cache,
        sealer: Callable[[Path], Sealer | None],
        say: Callable[[str], None],
        *,
        provenance: bool,
    ) -> None:
        self._given = given
        self._cache = cache
        self._sealer = sealer
        self._say = say
        self._provenance = provenance
        self._sources: dict[Path, tuple[Path, ...]] = {}

    def published(self, report: Report, wanted: Sequence[Target]) -> Built:
        """Compile what is pending in all folders, then write."""
        made: list[tuple[dict[Unit, bytes], Sealer | None]] = []
        faults: list[Diagnostic] = []
        for target in wanted:
            sealer = self._sealer(target.output)
            texts, problems = self._made(target, sealer)
            made.append((texts, sealer))
            faults += problems
        if faults:
            return Built(report, (*report.diagnostics, *faults))
        written: list[Path] = []
        removed: list[Path] = []
        for target, (texts, sealer) in zip(wanted, made, strict=True):
            there = publish.files(target.output)
            stale = tuple(target.left_over(self._given, there))
            contents = self._contents(target, texts, stale, there, sealer)
            if self._provenance and sealer is not None:
                contents |= self._attested(target, contents, sealer)
            publish.publish(target.output, contents, (*stale, *_outdated(target.output, stale, contents)), there)
            written += [unit.file for unit in texts if unit.path in contents]
            removed += [target.output / path for path in stale]
            for unit, text in texts.items():
                unit.remember(self._cache, text, self._depends(unit))
        new = set(written)
        unchanged = tuple(unit.file for target in wanted for unit in target.units if unit.file not in new)
        return Built(report, report.diagnostics, tuple(written), unchanged, tuple(removed), self._sources)

    def drifted(self, report: Report, wanted: Sequence[Target]) -> Built:
        """Compare what lies there with what would be written."""
        from graphwright.building.drift import left_over, stale

        found: list[Diagnostic] = []
        for target in wanted:
            texts, problems = self._made(target, self._sealer(target.output))
            found += problems
            if not problems:
                found += (each for unit, text in texts.items() for each in stale(unit, text))
            stray = target.left_over(self._given, publish.files(target.output))
            found += (each for path in stray for each in left_over(target.output / path))
        diagnostics = tuple(sorted((*report.diagnostics, *found), key=lambda each: each.place))
        every = tuple(unit.file for target in wanted for unit in target.units)
        return Built(report, diagnostics, unchanged=every, sources=self._sources)

    def _made(self, target: Target, sealer: Sealer | None) -> tuple[dict[Unit, bytes], list[Diagnostic]]:
        """The modules that have to be made again, and what went wrong."""
        pending: list[Unit] = []
        digests = Digests()
        for unit in target.units:
            made = unit.remembered(self._cache, digests)
            if made is not None and unit.is_intact(made) and (sealer is None or self._is_vouched(unit, made, sealer)):
                self._sources[unit.file] = (unit.checked.place.file, *map(Path, made.depends))
            else:
                pending.append(unit)
        if not pending:
            return {}, []
        from graphwright.building.making import make  # imports the front end, the emitter and the formatter

        texts, faults = make(target, pending, self._say)
        for unit in pending:
            looked = [Path(file) for file, digest in self._depends(unit) if digest is not None]
            self._sources[unit.file] = (unit.checked.place.file, *looked)
        return {unit: texts[unit.path].encode() for unit in pending if unit.path in texts}, faults

    def _is_vouched(self, unit: Unit, made: Remembered, sealer: Sealer) -> bool:
        """Whether all that would be signed for a module is signed already: itself, and what it pins.

        Provenance is a signed statement about what was looked at, so for that everything is looked at again.
        """
        if self._provenance or unit.present is None:
            return False
        line = publish.signature_line(unit.present)
        vouched = sealer.vouches(str(unit.path), unit.checked.graph_id, line, unit.digest)
        return vouched and _pins(unit, map(Path, made.depends)).items() <= sealer.pins.items()

    @staticmethod
    def _depends(unit: Unit) -> list[tuple[str, str | None]]:
        """The files that a graph's facts looked at beside its own, and those that it pins, with their digests."""
        from graphwright.checking.neighbours import Siblings

        facts, place = unit.checked.facts(), unit.checked.place
        if not isinstance(facts.project, Siblings):
            return []
        if facts.graph is not None and place.project.config.trust.tools != "off":
            from graphwright.trust.attest import named_items

            facts.project.look_at(named_items(facts.graph, place))
        return facts.project.depends()

    def _contents(
        self,
        target: Target,
        texts: Mapping[Unit, bytes],
        stale: Sequence[PurePosixPath],
        there: Container[str],
        sealer: Sealer | None,
    ) -> dict[PurePosixPath, bytes]:
        """The files to write: modules that are not there as they should be, signed where there is a signer.

        What was not made again is there, and vouched for where there is a signer: see `_made`.
        """
        bodies = {unit.path: text for unit, text in texts.items()}
        graphs = {str(unit.path): unit.checked.graph_id for unit in texts}
        initial = publish.initial_files(target.output, (unit.path for unit in target.units))
        bodies |= dict.fromkeys(initial, publish.INIT)
        contents: dict[PurePosixPath, bytes] = {}
        signed: dict[str, bytes] = {}
        for path, text in bodies.items():
            present = publish.content(target.output / path)
            if path.name != "__init__.py" and publish.is_foreign(present):
                raise BuildError(f"{shown(target.output / path)} was not generated by graphwright: move it away first")
            if sealer is not None:
                text = signed[str(path)] = sealer.module(text, graphs.get(str(path), ""), present)
            elif present is not None and publish.body(present) == text:
                continue
            if text != present:
                contents[path] = text
        if sealer is not None:
            pins: dict[str, str] = {}
            for unit in target.units:
                pins |= _pins(unit, self._sources[unit.file])
            gone = [path for path, graph_id in sealer.missing(there) if not target.has_source(graph_id)]
            manifest = sealer.package(signed, graphs, (*map(str, stale), *gone), pins)
            if manifest != publish.content(target.output / MANIFEST):
                contents[MANIFEST] = manifest
        return contents

    def _attested(
        self, target: Target, contents: Mapping[PurePosixPath, bytes], sealer: Sealer
    ) -> dict[PurePosixPath, bytes]:
        """The provenance of each module, where another one lies there or none."""
        from graphwright.trust.attest import attestation

        made: dict[PurePosixPath, bytes] = {}
        for unit in target.units:
            module = contents.get(unit.path) or unit.present or b""
            looked = ((Path(file), digest) for file, digest in self._depends(unit) if digest is not None)
            made_of = [(unit.checked.place.file, unit.checked.digest), *looked]
            path = _provenance(unit.path)
            present = publish.content(target.output / path)
            said = sealer.statement(partial(attestation, unit.checked.place, unit.file, module, made_of), present)
            if said != present:
                made[path] = said
        return made


def _pins(unit: Unit, depends: Iterable[Path]) -> dict[str, str]:
    """The tools, directives and knowledge that a graph uses, in a project that asks for trusted ones."""
    place = unit.checked.place
    if place.project.config.trust.tools == "off":
        return {}
    from graphwright.trust.attest import item_digests

    return item_digests(place, depends)


def _provenance(module: PurePosixPath) -> PurePosixPath:
    return module.with_name(module.name + publish.PROVENANCE)


def _outdated(
    output: Path, stale: Sequence[PurePosixPath], contents: Mapping[PurePosixPath, bytes]
) -> list[PurePosixPath]:
    """Provenance of modules which this build takes out, or replaces without saying what they are made of."""
    beside = [_provenance(path) for path in (*stale, *contents) if path.suffix == ".py"]
    return [path for path in beside if path not in contents and (output / path).exists()]
