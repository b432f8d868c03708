"""The provenance of a module that was just built: gathers what it was made of, and has it signed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from graphwright import __version__
from graphwright.project.projects import SUFFIXES, Place
from graphwright.trust.provenance import (
    Material,
    Provenance,
    builder_id,
    compiler_materials,
    envelope,
    shown_in,
    statement,
)
from graphwright_runtime.trust.header import digest
from graphwright_runtime.trust.signing import Signer
from graphwright_runtime.version import ABI

_HASH = re.compile(rb'^GRAPH_HASH: Final = "([^"]*)"', re.MULTILINE)


class Attester(Protocol):
    """What signs statements: a `Sealer` does."""

    @property
    def signer(self) -> Signer:
        """The key that signs."""


def attestation(place: Place, file: Path, module: bytes, depends: Iterable[Path], attester: Attester) -> bytes:
    """The signed statement about a module.

    `place` is its source, `file` where it is published with the content `module`, `depends` the other files that it
    was made of.
    """
    signer, project = attester.signer, place.project
    materials = {Material.of_file("source", place.file, project.folder)}
    materials |= {Material.of_file(_kind(each), each, project.folder) for each in depends if each != place.file}
    if project.config.file is not None:
        materials.add(Material.of_file("configuration", project.config.file, project.folder))
    found = _HASH.search(module)
    said = Provenance(
        module=shown_in(file, project.folder),
        sha256=digest(module),
        graph_id=place.graph_id,
        graph_hash="" if found is None else found[1].decode(),
        materials=(*materials, *compiler_materials()),
        builder=builder_id(signer.key.id),
    )
    return envelope(statement(said, abi=ABI, compiler=__version__), signer)


def tool_digests(place: Place, depends: Iterable[Path]) -> dict[str, str]:
    """The sha256 of each tool file of the project among `depends`, by the id of the tool."""
    folder = place.project.folder / ".ai" / "tools"
    return {
        file.relative_to(folder).with_suffix("").as_posix(): digest(file.read_bytes())
        for file in depends
        if folder in file.parents and _kind(file) == "tool"
    }


def _kind(file: Path) -> str:
    return "graph" if file.suffix in SUFFIXES else "tool"
