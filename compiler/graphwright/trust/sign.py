"""Signs what is built: modules one by one, then the manifest that lists them.

The same text signed by the same key gives the same bytes. A file whose text is right and whose signature is trusted
here is left as it is, whoever signed it: else each developer's build would write every module again.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath

from graphwright.project.config import ConfigError
from graphwright.trust.keys import PrivateKey, signing_key
from graphwright_runtime.trust.header import HeaderError, digest, key_id_in, seal, split
from graphwright_runtime.trust.manifest import MANIFEST, Entry, Manifest, ManifestError, parse, render, seal_of
from graphwright_runtime.trust.signing import Purpose, Signer
from graphwright_runtime.trust.truststore import TrustError, TrustStore, find_trust
from graphwright_runtime.trust.verification import Verified, check, judge


class Sealer:
    """Signs the files of one build. The key is looked for (or made) when the first file needs it.

    `project` is the folder whose trust counts, `output` the folder of the package, `chosen` a key's id or name, `say`
    hears remarks for people. Raises ConfigError where a key or a trust file cannot be used.
    """

    def __init__(self, project: Path, output: Path, say: Callable[[str], None], chosen: str | None = None) -> None:
        self._project = project
        self._output = output
        self._chosen = chosen
        self._say = say
        self._warned: set[str] = set()
        self._known: dict[bytes, tuple[str, str]] = {}

    @cached_property
    def trust(self) -> TrustStore:
        """The keys that are trusted in the project."""
        try:
            return find_trust(self._project)
        except TrustError as error:
            raise ConfigError(str(error)) from error

    @cached_property
    def key(self) -> PrivateKey:
        """The key that signs."""
        key = signing_key(self._chosen, self._say)
        self.__dict__.pop("trust", None)  # a new key may just have been trusted
        return key

    def missing(self, there: Container[str]) -> Iterator[tuple[str, str]]:
        """The modules that the manifest lists and that are not there: their paths, and the ids of their graphs.

        `there` are paths of files that need not be looked for.
        """
        for path, entry in self._listed.modules.items():
            if entry.graph and path not in there and not (self._output / path).exists():
                yield path, entry.graph

    @property
    def signer(self) -> Signer:
        """What signs statements about modules."""
        return self.key.signer

    @property
    def pins(self) -> Mapping[str, str]:
        """The sha256 of tools, directives and knowledge, as the manifest that lies there vouches for them."""
        return self._listed.tools

    def vouches(self, path: str, graph_id: str, line: bytes, sha256: str) -> bool:
        """Whether the manifest that lies there lists this very module in this place, both by keys that count.

        `line` is its signature, `sha256` the digest of what stands below. Of any other module a build must not take a
        cache's word that it is what was built: it would sign what somebody put there.
        """
        entry = self._listed.modules.get(path)
        if entry is None or (entry.graph, entry.sha256, entry.seal) != (graph_id, sha256, seal_of(line)):
            return False
        return self._counts(key_id_in(line), graph_id)

    def module(self, text: bytes, graph_id: str = "", present: bytes | None = None) -> bytes:
        """The signed module; `present` is the file as it is now. An `__init__.py` has no graph id."""
        if present is not None and self._is_listed(present, body(text), graph_id):
            return present
        return self._sealed("module", text, graph_id or None, present)

    def package(
        self,
        modules: Mapping[str, bytes],
        graphs: Mapping[str, str],
        gone: Iterable[str] = (),
        tools: Mapping[str, str] | None = None,
    ) -> bytes:
        """The signed manifest of the package.

        `modules`: signed modules by their path below the package; `graphs`: the graph id of those that are one;
        `tools`: the sha256 of tool files that these graphs call, by id.
        What a manifest that lies there and verifies lists beside them stays listed, apart from what is `gone`; nothing
        is taken over from any other.
        """
        listed, pins = self._listed, {**self._listed.tools, **(tools or {})}
        entries = dict(listed.modules)
        for path, module in modules.items():
            before, graph = entries.get(path), graphs.get(path, "")
            if before is None or before.graph != graph or self._marks(module) != (before.sha256, before.seal):
                entries[path] = Entry.of(module, graph)
        for path in gone:
            entries.pop(path, None)
        homes = {path.rpartition("/")[0] for path, entry in entries.items() if entry.graph}
        folders = {folder for home in map(PurePosixPath, homes) for folder in (home, *home.parents)}
        for path in [each for each in entries if each.endswith("__init__.py")]:
            if PurePosixPath(path).parent not in folders:  # the last module of that folder is gone, and it with them
                del entries[path]
        if self._manifest is not None and self._verified == Manifest(entries, pins):
            return self._manifest
        return self._sealed("manifest", render(entries, pins), None, self._manifest)

    @cached_property
    def _manifest(self) -> bytes | None:
        """The manifest that lies there."""
        try:
            return (self._output / MANIFEST).read_bytes()
        except OSError:
            return None

    @cached_property
    def _verified(self) -> Manifest | None:
        """What it says; None where it does not verify."""
        verdict = None if self._manifest is None else check("manifest", self._manifest, self.trust)
        if not isinstance(verdict, Verified):
            return None
        try:
            return parse(verdict.body)
        except ManifestError:
            return None

    @property
    def _listed(self) -> Manifest:
        """What it lists, nothing where it does not verify."""
        return self._verified or Manifest()

    @cached_property
    def _seals(self) -> frozenset[tuple[str, str]]:
        """Digest and seal of every module that was signed when the manifest was."""
        return frozenset((entry.sha256, entry.seal) for entry in self._listed.modules.values())

    def _is_listed(self, present: bytes, text: bytes, graph_id: str) -> bool:
        """Whether a file is the text with a signature that was good for the manifest, and whose key still is."""
        try:
            header, plain = split("module", present)
        except HeaderError:
            return False
        if header is None or plain != text:
            return False
        return self._marks(present) in self._seals and self._counts(header.key_id, graph_id)

    def _counts(self, key_id: str, graph_id: str) -> bool:
        """Whether a key is trusted now, for this graph."""
        entry = self.trust.get(key_id)
        return entry is not None and judge(entry, graph_id or None) is None

    def _marks(self, module: bytes) -> tuple[str, str]:
        """Digest and seal of a signed module."""
        if module not in self._known:
            header, plain = split("module", module)
            self._known[module] = (digest(plain), "" if header is None else seal_of(header.line()))
        return self._known[module]

    def _sealed(self, purpose: Purpose, text: bytes, graph_id: str | None, present: bytes | None) -> bytes:
        if present is not None:
            verdict = check(purpose, present, self.trust, subject=graph_id)
            if isinstance(verdict, Verified) and verdict.body == body(text):
                return present
        signed = seal(purpose, text, self.key.signer)
        self._doubt(graph_id)
        return signed

    def _doubt(self, graph_id: str | None) -> None:
        """Say so, once, when what was just signed will be refused here."""
        entry = self.trust.get(self.key.key_id)
        if entry is None:
            problem = f"it is not trusted here: `graphwright keys trust {self.key.key_id}` adds it"
        else:
            refusal = judge(entry, graph_id)
            if refusal is None:
                return
            problem = refusal.text
        if problem not in self._warned:
            self._warned.add(problem)
            self._say(f"signed with the key {self.key}, but imports that are verified will refuse it: {problem}")


def body(data: bytes) -> bytes:
    """A module's text below its signature line, if it has one."""
    try:
        return split("module", data)[1]
    except HeaderError:
        return data.partition(b"\n")[2]
