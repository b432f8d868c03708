"""What a build would write into an output folder and take out of it: a build does it, `build --check` says it.

Both go by the same plan, so that what a check skips is what a build leaves alone.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Protocol

from graphwright.building import publish
from graphwright.building.listing import LISTING, listed, render
from graphwright.building.targets import Target, Unit
from graphwright.fault import Fault
from graphwright.record import Record

#: Name of the signed list of a package's modules.
MANIFEST = PurePosixPath("graphwright.manifest")


class Sealer(Protocol):
    """What signs the modules of one build: see `trust/sign.py`."""

    def vouches(self, path: str, graph_id: str, line: bytes, sha256: str) -> bool:
        """Whether a module of this signature line and digest is, by signatures that count, what belongs in a place."""

    def digest_of(self, path: str) -> str | None:
        """The sha256 of a module as it was built, where the manifest says so."""

    def module(self, path: str, text: bytes, graph_id: str = "", present: bytes | None = None) -> bytes:
        """The signed module for this path; `present` is the file as it is now. A companion has no graph id."""

    def package(
        self,
        modules: Mapping[str, bytes],
        graphs: Mapping[str, str],
        gone: Iterable[str] = (),
        tools: Mapping[str, str] | None = None,
    ) -> bytes:
        """The manifest brought up to date: these modules are in the package, those that are `gone` are not."""

    def missing(self, there: Container[str]) -> Iterator[tuple[str, str]]:
        """The modules that the manifest lists and that are not `there`, with their graphs."""

    def statement(self, payload: Callable[[str], bytes], present: bytes | None) -> bytes:
        """A signed statement whose text `payload` gives for the id of a key; `present` is the one that lies there."""

    def refusal(self, path: str, present: bytes, graph_id: str, name: str) -> Fault | None:
        """What is wrong with the signature of the module at this path, which people know as `name`."""

    def damage(self, name: str) -> Fault | None:
        """What is wrong with the manifest that lies there."""

    @property
    def pins(self) -> Mapping[str, str]:
        """The sha256 of tools, directives and knowledge, as the manifest that lies there vouches for them."""


class Plan(Record):
    """`contents`: the files to write. `texts`: what modules among them say, without signature.

    `removed`: modules that go, `outdated`: files that go because what they say about modules is not true any more.
    `kept`: modules without a source that somebody edited. `foreign`: files in the place of modules that graphwright did
    not write.
    """

    target: Target
    contents: Mapping[PurePosixPath, bytes]
    texts: Mapping[PurePosixPath, bytes]
    removed: tuple[PurePosixPath, ...]
    outdated: tuple[PurePosixPath, ...]
    kept: tuple[PurePosixPath, ...]
    foreign: tuple[PurePosixPath, ...]


class Planner:
    """Works out the plan of one folder.

    `made`: the texts of the modules that were made again; the others are there, and vouched for where there is a
    sealer. `looked`: the files that a module was made of, with their digests. With `provenance` what modules are made
    of is signed, too.
    """

    def __init__(
        self,
        target: Target,
        made: Mapping[Unit, bytes],
        sealer: Sealer | None,
        looked: Callable[[Unit], Iterable[tuple[Path, str]]],
        *,
        provenance: bool,
    ) -> None:
        self._target = target
        self._made = made
        self._sealer = sealer
        self._looked = looked
        self._provenance = provenance

    def plan(self, pins: Mapping[str, str]) -> Plan:
        """The plan; `pins` are the sha256 of the tools, directives and knowledge that the graphs use."""
        target, remains = self._target, self._target.remains
        texts = {unit.path: text for unit, text in self._made.items()}
        foreign = [path for path in texts if self._is_foreign(path)]
        contents: dict[PurePosixPath, bytes] = {}
        for path, text in self._companions():
            if path.suffix == target.backend.suffix:
                texts[path] = text
            elif target.folder.content(path) != text:
                contents[path] = text
        signed: dict[str, bytes] = {}
        graphs = {str(unit.path): unit.checked.graph_id for unit in self._made}
        for path, text in texts.items():
            present = target.folder.content(path)
            if self._sealer is not None:
                wanted = signed[str(path)] = self._sealer.module(str(path), text, graphs.get(str(path), ""), present)
            else:
                wanted = text if present is None or publish.body(present, target.backend) != text else present
            if wanted != present:
                contents[path] = wanted
        if self._sealer is not None:
            stale = [str(path) for path in remains.stale if path not in texts]
            gone = [path for path, graph in self._sealer.missing(target.folder.there) if not target.has_source(graph)]
            manifest = self._sealer.package(signed, graphs, (*stale, *gone), pins)
            if manifest != target.folder.content(MANIFEST):
                contents[MANIFEST] = manifest
            if self._provenance:
                contents |= self._attested(contents, self._sealer)
        elif (unsigned := self._listing()) != target.folder.content(LISTING):
            contents[LISTING] = unsigned
        removed = tuple(path for path in remains.stale if path not in texts)
        return Plan(target, contents, texts, removed, self._outdated(contents), remains.kept, tuple(foreign))

    def _listing(self) -> bytes:
        """The list of modules that were not signed: those of this build, and those listed so far that stay."""
        target = self._target
        stay = {str(each.path) for each in target.remains.staying} & listed(target.output)
        return render({*stay, *(str(unit.path) for unit in target.units)})

    def _is_foreign(self, path: PurePosixPath) -> bool:
        """Whether something else stands in the place of a module: not ours by its header, nor by the manifest."""
        present, backend = self._target.folder.content(path), self._target.backend
        if present is None or backend.is_companion(path, present):
            return False
        return publish.is_foreign(present, backend) and not self._is_recorded(path)

    def _is_recorded(self, path: PurePosixPath) -> bool:
        return self._sealer is not None and self._sealer.digest_of(str(path)) is not None

    def _companions(self) -> Iterator[tuple[PurePosixPath, bytes]]:
        """The files that have to lie next to the modules, where they are missing or ours."""
        target, backend = self._target, self._target.backend
        staying = {each.path for each in target.remains.staying}
        for path, text in backend.companions(unit.path for unit in target.units).items():
            present = target.folder.content(path)
            ours = present is None or backend.is_companion(path, present) or self._is_recorded(path)
            if path not in staying and ours:
                yield path, text

    def _attested(self, contents: Mapping[PurePosixPath, bytes], sealer: Sealer) -> dict[PurePosixPath, bytes]:
        """The provenance of each module, where another one lies there or none."""
        from graphwright.trust.attest import attestation

        made: dict[PurePosixPath, bytes] = {}
        for unit in self._target.units:
            module = contents.get(unit.path) or unit.present or b""
            made_of = [(unit.checked.source_file.file, unit.checked.digest), *self._looked(unit)]
            path = provenance_of(unit.path)
            present = self._target.folder.content(path)
            said = sealer.statement(partial(attestation, unit.checked.source_file, unit.file, module, made_of), present)
            if said != present:
                made[path] = said
        return made

    def _outdated(self, contents: Mapping[PurePosixPath, bytes]) -> tuple[PurePosixPath, ...]:
        """What this build makes untrue: the list of unsigned modules, where it signs them all, and the provenance of
        modules that it takes out, or replaces without saying what they are made of.
        """
        suffix = self._target.backend.suffix
        changed = (path for path in (*self._target.remains.stale, *contents) if path.suffix == suffix)
        beside = dict.fromkeys(map(provenance_of, changed))
        right = {provenance_of(unit.path) for unit in self._target.units} if self._provenance else set()
        listing = () if self._sealer is None else (LISTING,)
        return tuple(
            path for path in (*beside, *listing) if path not in right and str(path) in self._target.folder.there
        )


def provenance_of(module: PurePosixPath) -> PurePosixPath:
    """The file with the provenance of a module."""
    return module.with_name(module.name + publish.PROVENANCE)
