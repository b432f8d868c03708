"""`graphwright sign`: puts the user's signature on files that are there, after a look at what they are.

Signing says "I vouch for this". So what was changed behind its signature, or behind the manifest that lists it, is not
signed again unless the user insists; nor is a package by a key that does not count: whoever made that key could have
written anything. A build makes such modules from their sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from graphwright.atomic import replace_file
from graphwright.project.projects import SUFFIXES
from graphwright.record import Record
from graphwright.trust.keys import PrivateKey
from graphwright.trust.sign import body
from graphwright_runtime.items.space import FOLDERS
from graphwright_runtime.trust.header import HeaderError, digest, seal, split
from graphwright_runtime.trust.manifest import MANIFEST, Entry, Manifest, ManifestError, parse, signed_manifest
from graphwright_runtime.trust.package import graph_id_of, only_words
from graphwright_runtime.trust.signing import Purpose
from graphwright_runtime.trust.truststore import TrustStore
from graphwright_runtime.trust.verification import Refusal, check

#: What may be wrong with a signature that is to be replaced: the file is as somebody signed it who could be believed.
_INTACT = ("expired", "not allowed")
_BUILD = "build the project again, which makes it from its sources, or look at it and insist with --force"


class Signed(Record):
    """What became of one file; `problem` is None when it was signed."""

    path: Path
    problem: str | None = None


def sign_file(file: Path, key: PrivateKey, *, force: bool = False) -> Signed:
    """Sign a graph, tool, directive or piece of knowledge. Raises OSError."""
    data = file.read_bytes()
    purpose = purpose_of(file)
    problem = None if force else _changed(purpose, data)
    if problem is None:
        replace_file(file, seal(purpose, data, key.signer, markdown=file.suffix == ".md"))
    return Signed(file, problem)


def sign_package(folder: Path, key: PrivateKey, trust: TrustStore, *, force: bool = False) -> Iterator[Signed]:
    """Sign the modules of a package and their manifest again; without a manifest, everything that was generated there.

    Nothing is written when a file has a problem. Raises OSError.
    """
    manifest, problem = _listed(folder, trust, force=force)
    if problem is not None:
        yield Signed(folder / MANIFEST, problem)
        return
    listed = manifest is not None
    manifest = manifest or _generated(folder)
    if not manifest.modules:
        yield Signed(folder, "no build wrote anything here: to sign graphs and tools, name their files")
        return
    entries: dict[str, Entry] = {}
    texts: dict[Path, bytes] = {}
    outcomes: list[Signed] = []
    for path, before in manifest.modules.items():
        file = folder / path
        try:
            data = file.read_bytes()
        except FileNotFoundError:
            outcomes.append(Signed(file, "the manifest lists it, but it is gone: build the project again"))
            continue
        text = body(data)
        if not force and digest(text) != before.sha256:
            outcomes.append(Signed(file, "it was changed after it was signed: build again, or insist with --force"))
            continue
        if not force and not listed and (doubt := _doubt(data, trust) or _by_hand(before, text)) is not None:
            outcomes.append(Signed(file, doubt))
            continue
        texts[file] = seal("module", text, key.signer)
        entries[path] = Entry.of(texts[file], before.graph)
        outcomes.append(Signed(file))
    if all(each.problem is None for each in outcomes):
        for file, data in texts.items():
            replace_file(file, data)
        replace_file(folder / MANIFEST, signed_manifest(entries, manifest.tools, key.signer))
        yield from outcomes
    else:
        yield from (each for each in outcomes if each.problem is not None)


def purpose_of(file: Path) -> Purpose:
    """What a file that is no generated module is signed as: by the folder that it lies in and its suffix."""
    folders = file.absolute().parts[:-1]
    kind = _kind(folders)
    if kind is None and file.suffix == ".md":
        kind = "knowledge" if "knowledge" in folders else "directive"
    return "source" if kind in (None, "tool") and file.suffix in SUFFIXES else kind or "tool"


def _kind(folders: Sequence[str]) -> Purpose | None:
    """What lies in such folders by the one below the nearest `.ai`, None where it is none for items."""
    for above, folder in zip(reversed(folders[:-1]), reversed(folders), strict=False):
        if above == ".ai":
            return next((cast("Purpose", kind) for kind, name in FOLDERS.items() if name == folder), None)
    return None


def _changed(purpose: Purpose, data: bytes) -> str | None:
    """Why a file should be looked at before it is signed: it bears a signature that it does not fit any more."""
    try:
        header, text = split(purpose, data)
    except HeaderError:
        return "its signature line is damaged: look at the file, then insist with --force"
    if header is not None and digest(text) != header.sha256:
        return "it was changed after it was signed: look at the change, then insist with --force"
    return None


def _listed(folder: Path, trust: TrustStore, *, force: bool) -> tuple[Manifest | None, str | None]:
    """The manifest to go by (None: there is none), or the reason not to trust what it says."""
    file = folder / MANIFEST
    if not file.is_file():
        return None, None
    try:
        manifest = parse(file.read_bytes())
    except ManifestError as error:
        return (None, None) if force else (None, f"{error}: build the project again")
    for subject in manifest.lines:
        verdict = manifest.verdict(subject, trust)
        if isinstance(verdict, Refusal) and verdict.reason not in _INTACT:
            return (None, None) if force else (None, _doubtful(verdict))
    return manifest, None


def _doubt(data: bytes, trust: TrustStore) -> str | None:
    """Why a module that no manifest lists is not to be signed unseen."""
    verdict = check("module", data, trust)
    if not isinstance(verdict, Refusal) or verdict.reason in (*_INTACT, "unsigned"):
        return None
    return _doubtful(verdict)


def _doubtful(verdict: Refusal) -> str:
    key = f" (key {verdict.key})" if verdict.key else ""
    return f"{verdict.text}{key}: {_BUILD}"


def _by_hand(entry: Entry, text: bytes) -> str | None:
    """Why a file that nothing vouches for is not to be signed unseen: it is none that a build writes."""
    return None if entry.graph or only_words(text) else f"it holds code that no build wrote: {_BUILD}"


def _generated(folder: Path) -> Manifest:
    """What a manifest of the folder would list: the modules that graphwright wrote, as they are."""
    modules: dict[str, Entry] = {}
    for file in sorted(folder.rglob("*.py")):
        text = body(file.read_bytes())
        graph = graph_id_of(text)
        if graph is not None or file.name == "__init__.py":
            modules[file.relative_to(folder).as_posix()] = Entry.of(text, graph or "")
    return Manifest(modules)
