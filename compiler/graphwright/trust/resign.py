"""`graphwright sign`: puts the user's signature on files that are there, after a look at what they are.

Signing says "I vouch for this". A module is signed again only where the same key (or one that it replaces, see `keys
rotate`) has signed it before, or where a build from the sources that are there writes the same text. Whatever else lies
there, listed by a manifest or not, someone else could have written: it is signed only if the user insists, and is told
beforehand what that is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

from graphwright.atomic import replace_file
from graphwright.content import content_of
from graphwright.trust.items import Signed
from graphwright.trust.keys import PrivateKey
from graphwright.trust.sign import body
from graphwright_runtime.trust.header import digest, seal, split
from graphwright_runtime.trust.limits import graph_id_of, is_place_of, only_words
from graphwright_runtime.trust.manifest import (
    MANIFEST,
    Entry,
    Line,
    Manifest,
    ManifestError,
    Subject,
    parse,
    render,
    said_of_item,
    said_of_module,
)
from graphwright_runtime.trust.truststore import TrustStore
from graphwright_runtime.trust.verification import Refusal, Verified, check, misread

#: What may be wrong with a signature that is to be replaced: it was one until its key's last day.
_INTACT = ("expired",)
_BUILD = "run `graphwright build` to generate it from its sources, or review it and pass --force"


class Resigner:
    """Signs the modules of a package and their manifest again; without a manifest, everything that was generated there.

    `own`: the ids of the key and of those that it replaces. `built` gives the modules that a build from the sources
    writes, by their paths; it is asked when something is there that none of these keys has signed.
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

    def sign(self, *, force: bool, say: Callable[[str], None]) -> list[Signed]:
        """Sign; nothing is written when a file has a problem. With `force` problems are only said, before that.

        Raises OSError.
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
                    say(f"{path}{f' ({entry.graph})' if entry.graph else ''}: {outcome.problem}")
                texts[path], outcome = text, Signed(outcome.path)
            outcomes.append(outcome)
        if any(each.problem is not None for each in outcomes):
            return [each for each in outcomes if each.problem is not None]
        self._write(manifest, texts)
        return outcomes

    def _examined(self, path: str, entry: Entry, listed: Manifest | None) -> tuple[Signed, bytes | None]:
        """What stands against signing a module, and its text; None where it must not be signed in any case."""
        file = self._folder / path
        try:
            data = content_of(file)
        except FileNotFoundError:
            return Signed(file, "the manifest lists it, but it does not exist: run `graphwright build`"), None
        text = body(data)
        refusal = misread("module", data)
        if refusal is not None:
            return Signed(file, refusal.text), None
        return Signed(file, self._problem(path, entry, data, text, listed)), text

    def _problem(self, path: str, entry: Entry, data: bytes, text: bytes, listed: Manifest | None) -> str | None:
        if listed is not None and digest(text) != entry.sha256:
            return "it was changed after it was signed: run `graphwright build`, or pass --force"
        if self._built.get(path) == text if entry.graph else only_words(text):
            return None
        verdict = check("module", data, self._trust, subject=entry.graph or None)
        if isinstance(verdict, Refusal) and verdict.reason not in (*_INTACT, "unsigned"):
            return _doubtful(verdict)
        if self._has_signed(data, verdict) and (not entry.graph or _is_in_place(path, entry.graph, text)):
            return None
        if not entry.graph:
            return f"it contains code that a build did not write: {_BUILD}"
        return f"the key {self._key} did not sign it before, and a build from the sources does not produce it: {_BUILD}"

    def _has_signed(self, data: bytes, verdict: Verified | Refusal) -> bool:
        """Whether a module, of which this was said, bears a signature by one of the user's own keys."""
        header, _ = split("module", data)
        intact = isinstance(verdict, Verified) or verdict.reason in _INTACT
        return header is not None and header.key_id in self._own and intact

    @cached_property
    def _built(self) -> Mapping[str, bytes]:
        return self._build()

    def _listed(self) -> tuple[Manifest | None, str | None]:
        """The manifest to go by (None: there is none), and the reason not to trust what it says."""
        file = self._folder / MANIFEST
        if not file.is_file():
            return None, None
        try:
            manifest = parse(content_of(file))
        except ManifestError as error:
            return None, f"{error}: run `graphwright build`"
        for subject in manifest.lines:
            verdict = manifest.verdict(subject, self._trust)
            if isinstance(verdict, Refusal) and verdict.reason not in _INTACT:
                return manifest, _doubtful(verdict)
        return manifest, None

    def _write(self, manifest: Manifest, texts: Mapping[str, bytes]) -> None:
        """Write the modules, and a manifest whose lines are the key's; lines of others for tools stay theirs."""
        signer = self._key.signer
        lines: dict[Subject, Line] = {}
        for path, text in texts.items():
            module = seal("module", text, signer)
            replace_file(self._folder / path, module)
            entry = Entry.of(module, manifest.modules[path].graph)
            lines["module", path] = Line.signed(said_of_module(path, entry), signer)
        for name, pin in manifest.tools.items():
            line = manifest.lines["tool", name]
            own = line.key_id in self._own
            lines["tool", name] = Line.signed(said_of_item(name, pin), signer) if own else line
        replace_file(self._folder / MANIFEST, render(lines))


def _is_in_place(path: str, graph: str, text: bytes) -> bool:
    """Whether a module is the one of this graph and lies where that belongs: a genuine one may have been moved."""
    return graph_id_of(text) == graph and is_place_of(path, graph)


def _doubtful(verdict: Refusal) -> str:
    key = f" (key {verdict.key})" if verdict.key else ""
    return f"{verdict.text}{key}: {_BUILD}"


def _generated(folder: Path) -> Manifest:
    """What a manifest of the folder would list: the modules that graphwright wrote, as they are."""
    modules: dict[str, Entry] = {}
    for file in sorted(folder.rglob("*.py")):
        text = body(content_of(file))
        graph = graph_id_of(text)
        if graph is not None or file.name == "__init__.py":
            modules[file.relative_to(folder).as_posix()] = Entry.of(text, graph or "")
    return Manifest(modules)
