"""Collects the provenance of a module that was just built: the files it depends on, with their digests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

from graphwright import __version__
from graphwright.content import content_of
from graphwright.ir import Const
from graphwright.ir.visit import Caller
from graphwright.project.projects import SourceFile
from graphwright.trust.items import purpose_of
from graphwright.trust.provenance import (
    Material,
    Provenance,
    builder_id,
    compiler_materials,
    relative_name,
    statement,
)
from graphwright_runtime.ids import is_id
from graphwright_runtime.items.space import FOLDERS, candidates
from graphwright_runtime.trust.header import digest
from graphwright_runtime.trust.limits import constant
from graphwright_runtime.trust.pins import pin_name
from graphwright_runtime.trust.signing import Purpose
from graphwright_runtime.version import ABI


def attestation(
    source_file: SourceFile, file: Path, module: bytes, dependencies: Iterable[tuple[Path, str]], builder: str
) -> bytes:
    """The provenance statement of a module, as unsigned JSON.

    `module` is the content of the module that was built from `source_file` and published as `file`. `dependencies` are
    the files that were read for it, including the source, each with the sha256 of what was read. `builder` is the id of
    the key that will sign the statement.
    """
    project = source_file.project
    kinds = {source_file.file: "source", project.hooks: "configuration"}
    materials = {
        Material(kinds.get(each) or _kind(each), relative_name(each, project.folder), sha256)
        for each, sha256 in dependencies
    }
    if project.config.file is not None:
        materials.add(Material.of_file("configuration", project.config.file, project.folder))
    provenance = Provenance(
        module=relative_name(file, project.folder),
        sha256=digest(module),
        graph_id=source_file.graph_id,
        graph_hash=constant(module, "GRAPH_HASH") or "",
        materials=(*materials, *compiler_materials()),
        builder=builder_id(builder),
    )
    return statement(provenance, abi=ABI, compiler=__version__)


def named_items(callers: Iterable[Caller], source_file: SourceFile) -> Iterator[Path]:
    """The files that directives and knowledge items named by actions may resolve to, up to the first that exists."""
    for caller in callers:
        item_id = caller.action.item_id
        kind = caller.action.kind
        if kind in ("directive", "knowledge") and isinstance(item_id, Const) and isinstance(item_id.value, str):
            folder = source_file.project.folder / ".ai" / FOLDERS[kind]
            for file in candidates(kind, folder / item_id.value) if is_id(item_id.value) else ():
                yield file
                if file.is_file():
                    break


def item_digests(source_file: SourceFile, depends: Iterable[Path]) -> dict[str, str]:
    """The sha256 of each item of the project in `depends` that is not a graph, keyed by the name of its pin."""
    pins: dict[str, str] = {}
    for file in depends:
        for kind, name in FOLDERS.items():
            folder = source_file.project.folder / ".ai" / name
            if folder in file.parents and _kind(file) == kind:
                item_id = file.relative_to(folder).with_suffix("").as_posix()
                pins[pin_name(cast("Purpose", kind), item_id)] = digest(content_of(file))
    return pins


def _kind(file: Path) -> str:
    purpose = purpose_of(file)
    return "graph" if purpose == "source" else purpose
