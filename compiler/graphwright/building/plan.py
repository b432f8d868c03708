"""Plans what a build writes to an output folder and removes from it.

`build` carries out the plan and `build --check` reports it, so the two always agree.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Protocol

from graphwright.building import publish
from graphwright.building.listing import LISTING, listed_unsigned, render
from graphwright.building.targets import Target, Unit
from graphwright.fault import Fault
from graphwright.record import Record

#: The file name of the signed list of a package's modules.
MANIFEST = PurePosixPath("graphwright.manifest")


class Sealer(Protocol):
    """Signs the modules of one build; implemented in `trust/sign.py`."""

    def is_signed(self, path: str, graph_id: str, line: bytes, sha256: str) -> bool:
        """Whether a module with this signature line and digest is signed, and listed for this path, by trusted keys."""

    def recorded_digest(self, path: str) -> str | None:
        """The sha256 of the module at this path as it was built; None if the manifest does not list it."""

    def signed_module(self, path: str, text: bytes, graph_id: str = "", present: bytes | None = None) -> bytes:
        """The signed module for this path. `present` is the current file. A companion has no graph id."""

    def signed_manifest(
        self,
        modules: Mapping[str, bytes],
        graphs: Mapping[str, str],
        gone: Iterable[str] = (),
        tools: Mapping[str, str] | None = None,
    ) -> bytes:
        """The updated manifest: with these modules, and without those in `gone`."""

    def missing(self, there: Container[str]) -> Iterator[tuple[str, str]]:
        """The listed modules that do not exist, each with the id of its graph. Files in `there` are known to exist."""

    def signed_statement(self, payload: Callable[[str], bytes], present: bytes | None) -> bytes:
        """A signed statement. `payload` returns its text for the id of a key; `present` is the current file."""

    def signature_fault(self, path: str, present: bytes, graph_id: str, name: str) -> Fault | None:
        """What is wrong with the signature of the module at this path. `name` is its path in messages."""

    def manifest_fault(self, name: str) -> Fault | None:
        """What is wrong with the current manifest."""

    def remember(self) -> None:
        """Keep what this build has verified, for the next one."""

    @property
    def pins(self) -> Mapping[str, str]:
        """The sha256 of tools, directives and knowledge, from the current manifest."""


class Plan(Record):
    """What to do in one output folder.

    `contents` are the files to write, `texts` the unsigned texts of the modules that were considered. `removed` are
    modules to remove, `outdated` other files to remove because they describe modules that have changed, and `orphaned`
    companions of modules that were removed by hand. `kept` are modules that have no source but were edited. `foreign`
    are paths of modules where there is a file that graphwright did not write.
    """

    target: Target
    contents: Mapping[PurePosixPath, bytes]
    texts: Mapping[PurePosixPath, bytes]
    removed: tuple[PurePosixPath, ...]
    outdated: tuple[PurePosixPath, ...]
    orphaned: tuple[PurePosixPath, ...]
    kept: tuple[PurePosixPath, ...]
    foreign: tuple[PurePosixPath, ...]


class Planner:
    """Plans one folder.

    `made` are the texts of the modules that were compiled; the others are up to date and, if there is a sealer, signed.
    `dependencies` returns the files that a module was built from, with their digests. With `provenance`, the plan
    includes a signed provenance file for each module.
    """

    def __init__(
        self,
        target: Target,
        made: Mapping[Unit, bytes],
        sealer: Sealer | None,
        dependencies: Callable[[Unit], Iterable[tuple[Path, str]]],
        *,
        provenance: bool,
    ) -> None:
        self._target = target
        self._made = made
        self._sealer = sealer
        self._dependencies = dependencies
        self._provenance = provenance

    def plan(self, pins: Mapping[str, str]) -> Plan:
        """The plan; `pins` are the sha256 of the tools, directives and knowledge that the graphs use."""
        target, leftovers = self._target, self._target.leftovers
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
                wanted = signed[str(path)] = self._sealer.signed_module(
                    str(path), text, graphs.get(str(path), ""), present
                )
            else:
                wanted = text if present is None or publish.body(present, target.backend) != text else present
            if wanted != present:
                contents[path] = wanted
        if self._sealer is not None:
            stale = [str(path) for path in leftovers.stale if path not in texts]
            missing = self._sealer.missing(target.folder.there)
            gone = frozenset(
                path for path, graph in missing if path not in signed and not target.has_other_source(graph)
            )
            manifest = self._sealer.signed_manifest(signed, graphs, (*stale, *gone), pins)
            if manifest != target.folder.content(MANIFEST):
                contents[MANIFEST] = manifest
            if self._provenance:
                contents |= self._provenance_files(contents, self._sealer)
        else:
            unsigned = self._listing()
            gone = listed_unsigned(target.output) - target.folder.there - frozenset(map(str, texts))
            if unsigned != (target.folder.content(LISTING) or render(())):
                contents[LISTING] = unsigned
        removed = tuple(path for path in leftovers.stale if path not in texts)
        return Plan(
            target, contents, texts, removed, self._outdated(contents), tuple(self._orphaned(gone)), leftovers.kept,
            tuple(foreign),
        )  # fmt: skip

    def _listing(self) -> bytes:
        """The list of unsigned modules: those of this build that no manifest lists, and those already listed."""
        from graphwright.trust.audit import signed_modules

        target = self._target
        remaining = {str(each.path) for each in target.leftovers.remaining} & listed_unsigned(target.output)
        return render({*remaining, *(str(unit.path) for unit in target.units)} - signed_modules(target.output))

    def _is_foreign(self, path: PurePosixPath) -> bool:
        """Whether there is a file at the path of a module that, by its header and the manifest, is not generated."""
        present, backend = self._target.folder.content(path), self._target.backend
        if present is None or backend.is_companion(path, present):
            return False
        return publish.is_foreign(present, backend) and not self._is_recorded(path)

    def _is_recorded(self, path: PurePosixPath) -> bool:
        return self._sealer is not None and self._sealer.recorded_digest(str(path)) is not None

    def _companions(self) -> Iterator[tuple[PurePosixPath, bytes]]:
        """The files that must accompany the modules, except those that someone else wrote."""
        target, backend = self._target, self._target.backend
        remaining = {each.path for each in target.leftovers.remaining}
        for path, text in backend.companions(unit.path for unit in target.units).items():
            present = target.folder.content(path)
            ours = present is None or backend.is_companion(path, present) or self._is_recorded(path)
            if path not in remaining and ours:
                yield path, text

    def _provenance_files(self, contents: Mapping[PurePosixPath, bytes], sealer: Sealer) -> dict[PurePosixPath, bytes]:
        """The provenance files to write: those that are missing or differ."""
        from graphwright.trust.attest import attestation

        made: dict[PurePosixPath, bytes] = {}
        for unit in self._target.units:
            module = contents.get(unit.path) or unit.present or b""
            dependencies = [(unit.checked.source_file.file, unit.checked.digest), *self._dependencies(unit)]
            path = provenance_of(unit.path)
            present = self._target.folder.content(path)
            payload = partial(attestation, unit.checked.source_file, unit.file, module, dependencies)
            statement = sealer.signed_statement(payload, present)
            if statement != present:
                made[path] = statement
        return made

    def _orphaned(self, gone: Iterable[str]) -> Iterator[PurePosixPath]:
        """The companions in packages of modules that are `gone`, if nothing else is left there."""
        parents = {folder for path in map(PurePosixPath, gone) for folder in path.parents}
        if not parents:
            return
        there = [PurePosixPath(path) for path in sorted(self._target.folder.there)]
        needed = {folder for unit in self._target.units for folder in unit.path.parents}
        folders = parents - needed - {PurePosixPath()}
        left = {folder: [path for path in there if folder in path.parents] for folder in folders}
        empty = [folder for folder, paths in left.items() if all(map(self._is_companion, paths))]
        yield from sorted({path for folder in empty for path in left[folder]})

    def _is_companion(self, path: PurePosixPath) -> bool:
        data = self._target.folder.content(path)
        return data is not None and self._target.backend.is_companion(path, data)

    def _outdated(self, contents: Mapping[PurePosixPath, bytes]) -> tuple[PurePosixPath, ...]:
        """The files that this build makes obsolete: the list of unsigned modules if it signs them all, and the
        provenance of modules that it removes or rewrites without writing new provenance.
        """
        suffix = self._target.backend.suffix
        changed = (path for path in (*self._target.leftovers.stale, *contents) if path.suffix == suffix)
        candidates = dict.fromkeys(map(provenance_of, changed))
        current = {provenance_of(unit.path) for unit in self._target.units} if self._provenance else set()
        listing = () if self._sealer is None else (LISTING,)
        return tuple(
            path for path in (*candidates, *listing) if path not in current and str(path) in self._target.folder.there
        )


def provenance_of(module: PurePosixPath) -> PurePosixPath:
    """The path of the provenance file of a module."""
    return module.with_name(module.name + publish.PROVENANCE)
