"""`graphwright sign` for packages: signs existing modules again, after checking where they come from.

A signature says "I vouch for this". A module is signed again only if the same key (or one that it replaces, see `keys
rotate`) signed it before, or if a build from the current sources produces the same text. Someone else could have
written anything else in the folder, listed in the manifest or not: it is signed only with `--force`, which first prints
what it signs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

from graphwright.content import content_of
from graphwright.trust.items import Signed
from graphwright.trust.keys import PrivateKey
from graphwright.trust.sign import body
from graphwright_runtime.atomic import replace_file
from graphwright_runtime.trust.header import digest, seal, split
from graphwright_runtime.trust.limits import graph_id_of, has_no_code, is_path_of
from graphwright_runtime.trust.manifest import (
    MANIFEST,
    Entry,
    Line,
    Manifest,
    ManifestError,
    Subject,
    item_payload,
    module_payload,
    parse,
    render,
)
from graphwright_runtime.trust.truststore import TrustStore
from graphwright_runtime.trust.verification import Refusal, Verified, check, check_encoding

#: Reasons for which a signature is refused although it was valid until its key expired.
_RENEWABLE = ("expired",)
_BUILD = "run `graphwright build` to generate it from its sources, or review it and pass --force"


class Resigner:
    """Signs the modules of a package and its manifest again; without a manifest, all generated modules in the folder.

    `own` are the ids of the key and its predecessors. `built` returns the modules that a build from the current sources
    produces, by path; it is called only if there is a module that none of these keys has signed.
    """

    def __init__(
        self,
        folder: Path,
        key: PrivateKey,
        own: frozenset[str],
        trust: TrustStore,
        built: Callable[[], Mapping[str, bytes]],
    ) -> None:
        self._folder = folder
        self._key = key
        self._own = own
        self._trust = trust
        self._build = built

    def sign(self, *, force: bool, notify: Callable[[str], None]) -> list[Signed]:
        """Sign all modules, or none if one of them has a problem; then return the files with problems.

        With `force`, problems are passed to `notify`, and the modules are signed nevertheless. Raises OSError.
        """
        manifest, problem = self._listed()
        if problem is not None and not force:
            return [Signed(self._folder / MANIFEST, problem)]
        listed = manifest if problem is None else None
        manifest = listed or _generated(self._folder)
        if not manifest.modules:
            return [
                Signed(
                    self._folder,
                    "this folder contains no generated modules: to sign graphs and tools, name their files",
                )
            ]
        texts: dict[str, bytes] = {}
        outcomes: list[Signed] = []
        for path, entry in manifest.modules.items():
            outcome, text = self._examined(path, entry, listed)
            if text is not None and (outcome.problem is None or force):
                if outcome.problem is not None:
                    notify(f"{path}{f' ({entry.graph})' if entry.graph else ''}: {outcome.problem}")
                texts[path], outcome = text, Signed(outcome.path)
            outcomes.append(outcome)
        if any(each.problem is not None for each in outcomes):
            return [each for each in outcomes if each.problem is not None]
        self._write(manifest, texts)
        return outcomes

    def _examined(self, path: str, entry: Entry, listed: Manifest | None) -> tuple[Signed, bytes | None]:
        """Whether a module has a problem, and its text; None instead of the text if it must not be signed at all."""
        file = self._folder / path
        try:
            data = content_of(file)
        except FileNotFoundError:
            return Signed(file, "the manifest lists it, but it does not exist: run `graphwright build`"), None
        text = body(data)
        refusal = check_encoding("module", data)
        if refusal is not None:
            return Signed(file, refusal.text), None
        return Signed(file, self._problem(path, entry, data, text, listed)), text

    def _problem(self, path: str, entry: Entry, data: bytes, text: bytes, listed: Manifest | None) -> str | None:
        if listed is not None and digest(text) != entry.sha256:
            return "it was changed after it was signed: run `graphwright build`, or pass --force"
        if self._built.get(path) == text if entry.graph else has_no_code(text):
            return None
        verdict = check("module", data, self._trust, subject=entry.graph or None)
        if isinstance(verdict, Refusal) and verdict.reason not in (*_RENEWABLE, "unsigned"):
            return _unverified(verdict)
        if self._has_own_signature(data, verdict) and (not entry.graph or _is_module_of(path, entry.graph, text)):
            return None
        if not entry.graph:
            return f"it contains code that a build did not write: {_BUILD}"
        return f"the key {self._key} did not sign it before, and a build from the sources does not produce it: {_BUILD}"

    def _has_own_signature(self, data: bytes, verdict: Verified | Refusal) -> bool:
        """Whether one of the user's own keys made the signature of a module, which verified with this verdict."""
        header, _ = split("module", data)
        intact = isinstance(verdict, Verified) or verdict.reason in _RENEWABLE
        return header is not None and header.key_id in self._own and intact

    @cached_property
    def _built(self) -> Mapping[str, bytes]:
        return self._build()

    def _listed(self) -> tuple[Manifest | None, str | None]:
        """The manifest (None if there is none), and the reason not to trust its contents, if any."""
        file = self._folder / MANIFEST
        if not file.is_file():
            return None, None
        try:
            manifest = parse(content_of(file))
        except ManifestError as error:
            return None, f"{error}: run `graphwright build`"
        for subject in manifest.lines:
            verdict = manifest.verdict(subject, self._trust)
            if isinstance(verdict, Refusal) and verdict.reason not in _RENEWABLE:
                return manifest, _unverified(verdict)
        return manifest, None

    def _write(self, manifest: Manifest, texts: Mapping[str, bytes]) -> None:
        """Write the modules, and a manifest with lines signed by this key; lines of other keys for tools are kept."""
        signer = self._key.signer
        lines: dict[Subject, Line] = {}
        for path, text in texts.items():
            module = seal("module", text, signer)
            replace_file(self._folder / path, module)
            entry = Entry.of(module, manifest.modules[path].graph)
            lines["module", path] = Line.signed(module_payload(path, entry), signer)
        for name, pin in manifest.tools.items():
            line = manifest.lines["tool", name]
            own = line.key_id in self._own
            lines["tool", name] = Line.signed(item_payload(name, pin), signer) if own else line
        replace_file(self._folder / MANIFEST, render(lines))


def _is_module_of(path: str, graph: str, text: bytes) -> bool:
    """Whether a module belongs to this graph and has its path: a genuine module may have been moved."""
    return graph_id_of(text) == graph and is_path_of(path, graph)


def _unverified(verdict: Refusal) -> str:
    key = f" (key {verdict.key})" if verdict.key else ""
    return f"{verdict.text}{key}: {_BUILD}"


def _generated(folder: Path) -> Manifest:
    """A manifest, without signatures, of the generated modules that the folder contains."""
    modules: dict[str, Entry] = {}
    for file in sorted(folder.rglob("*.py")):
        text = body(content_of(file))
        graph = graph_id_of(text)
        if graph is not None or file.name == "__init__.py":
            modules[file.relative_to(folder).as_posix()] = Entry.of(text, graph or "")
    return Manifest(modules)
