"""Signs what is built: modules one by one, and the line of each in the manifest.

The same text signed by the same key gives the same bytes. A file or line whose text is right and whose signature is
trusted here is left as it is, whoever signed it: else each developer's build would write every module again.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path, PurePosixPath

from graphwright.fault import Fault
from graphwright.project.config import ConfigError
from graphwright.project.projects import shown
from graphwright.trust.keys import PrivateKey, signing_key
from graphwright.trust.sources import signed_fault
from graphwright_runtime.trust.header import HeaderError, digest, key_id_in, seal, split
from graphwright_runtime.trust.limits import against_module
from graphwright_runtime.trust.manifest import (
    WHOLE,
    Entry,
    Line,
    Manifest,
    ManifestError,
    Subject,
    parse,
    render,
    said_of_item,
    said_of_module,
    seal_of,
)
from graphwright_runtime.trust.pins import pinned_id
from graphwright_runtime.trust.truststore import TrustedKey, TrustError, TrustStore, find_trust
from graphwright_runtime.trust.verification import Refusal, Verified, check, judge

#: Stands where a check would have to sign: unlike any signature line.
_PENDING = b"# graphwright:signed:\n"


class Sealer:
    """Signs the files of one build. The key is looked for (or made) when the first file needs it.

    `project` is the folder whose trust counts, `output` the folder of the package, `manifest` what its manifest holds,
    None where it has none. `say` hears remarks for people.
    With `checking` nothing is signed and no key is needed: what a build would have to sign comes back as something
    that no build writes. A signature by a key that is unknown here counts then, for who is trusted differs from one
    machine to the next and a check should not. Raises ConfigError where a key or a trust file cannot be used.
    """

    def __init__(
        self, project: Path, output: Path, manifest: bytes | None, say: Callable[[str], None], *, checking: bool = False
    ) -> None:
        self._project = project
        self._output = output
        self._text = manifest
        self._checking = checking
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
        key = signing_key(None, self._say)
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
        return self._counts(key_id_in(line), path, graph_id)

    def digest_of(self, path: str) -> str | None:
        """The sha256 of a module as it was built, by the manifest that lies there; None where it does not say."""
        entry = self._listed.modules.get(path)
        return None if entry is None else entry.sha256

    def module(self, path: str, text: bytes, graph_id: str = "", present: bytes | None = None) -> bytes:
        """The signed module for this path; `present` is the file as it is now. An `__init__.py` has no graph id."""
        if present is not None:
            if self._is_listed(present, text, path, graph_id):
                return present
            if self._stands(self._verdict(path, present, graph_id)) and body(present) == text:
                return present
        if self._checking:
            return _PENDING + text
        signed = seal("module", text, self.key.signer)
        self._doubt(lambda key: against_module(key, path, graph_id, text))
        return signed

    def statement(self, payload: Callable[[str], bytes], present: bytes | None) -> bytes:
        """The signed statement about a module; `payload` gives its text for the id of the key that signs it.

        `present` is the one that lies there. It stays where it says the same and its key counts.
        """
        from graphwright.trust.provenance import envelope, is_said, read_provenance

        if present is not None and is_said(present, payload):
            said = read_provenance(present, self.trust)
            if not isinstance(said, Refusal) or (self._checking and said.reason == "unknown key"):
                return present
        return _PENDING if self._checking else envelope(payload(self.key.key_id), self.key.signer)

    def package(
        self,
        modules: Mapping[str, bytes],
        graphs: Mapping[str, str],
        gone: Iterable[str] = (),
        tools: Mapping[str, str] | None = None,
    ) -> bytes:
        """The manifest of the package.

        `modules`: signed modules by their path below the package; `graphs`: the graph id of those that are one;
        `tools`: the sha256 of tool files that these graphs call, by id.
        The lines of a manifest that lies there stay where they are right, apart from those of what is `gone`; a line
        that does not verify does not count.
        """
        lines, listed = dict(self._listed.lines), self._listed
        for path, module in modules.items():
            before, graph = listed.modules.get(path), graphs.get(path, "")
            if before is None or before.graph != graph or self._marks(module) != (before.sha256, before.seal):
                lines["module", path] = self._line(said_of_module(path, _entry(module, graph)))
        for name, pin in (tools or {}).items():
            if listed.tools.get(name) != pin:
                lines["tool", name] = self._line(said_of_item(name, pin))
                self._doubt(partial(judge, subject=pinned_id(name)))
        for path in gone:
            lines.pop(("module", path), None)
        modules_of_graphs = {path for path, entry in listed.modules.items() if entry.graph} | graphs.keys()
        for subject in _without_modules(lines, modules_of_graphs):
            del lines[subject]
        return render(lines)

    def refusal(self, path: str, present: bytes, graph_id: str, name: str) -> Fault | None:
        """What is wrong with the signature of the module at this path, which people know as `name`."""
        verdict = self._verdict(path, present, graph_id)
        return signed_fault(name, verdict) if isinstance(verdict, Refusal) and not self._stands(verdict) else None

    def damage(self, name: str) -> Fault | None:
        """What is wrong with the manifest that lies there; that a module is not listed is nothing of that kind."""
        if self._text is None:
            return signed_fault(name, Refusal("missing", "it is missing", WHOLE), "manifest")
        try:
            listed = parse(self._text)
        except ManifestError as error:
            return signed_fault(name, Refusal("malformed", str(error), WHOLE), "manifest")
        verdicts = (listed.verdict(subject, self.trust) for subject in listed.lines)
        refused = (each for each in verdicts if isinstance(each, Refusal) and not self._stands(each))
        return next((signed_fault(name, each, "manifest") for each in refused), None)

    @cached_property
    def _listed(self) -> Manifest:
        """The lines of the manifest that count, nothing where it cannot be read."""
        try:
            listed = Manifest() if self._text is None else parse(self._text)
        except ManifestError:
            return Manifest()
        lines = {
            subject: line for subject, line in listed.lines.items() if self._stands(listed.verdict(subject, self.trust))
        }
        return Manifest(
            {path: entry for path, entry in listed.modules.items() if ("module", path) in lines},
            {name: pin for name, pin in listed.tools.items() if ("tool", name) in lines},
            lines,
        )

    @cached_property
    def _seals(self) -> frozenset[tuple[str, str]]:
        """Digest and seal of every module that was signed when its line was."""
        return frozenset((entry.sha256, entry.seal) for entry in self._listed.modules.values())

    def _stands(self, verdict: Verified | Refusal) -> bool:
        """Whether a signature is left as it is."""
        if isinstance(verdict, Verified):
            return True
        if self._checking and verdict.reason == "unknown key":
            self._say_once(
                f"some of {shown(self._output)} is signed by the key {verdict.key}, which is not trusted here: a build "
                "would sign it again"
            )
            return True
        return False

    def _verdict(self, path: str, present: bytes, graph_id: str) -> Verified | Refusal:
        """What the signature of a module is worth in this place."""
        verdict = check("module", present, self.trust, subject=graph_id or None)
        if isinstance(verdict, Refusal):
            return verdict
        return against_module(verdict.key, path, graph_id, verdict.body) or verdict

    def _is_listed(self, present: bytes, text: bytes, path: str, graph_id: str) -> bool:
        """Whether a file is the text with a signature that was good for the manifest, and whose key still is."""
        try:
            header, plain = split("module", present)
        except HeaderError:
            return False
        if header is None or plain != text:
            return False
        return self._marks(present) in self._seals and self._counts(header.key_id, path, graph_id)

    def _counts(self, key_id: str, path: str, graph_id: str) -> bool:
        """Whether a key is trusted now, for this graph in this place."""
        entry = self.trust.get(key_id)
        return entry is not None and against_module(entry, path, graph_id, None) is None

    def _marks(self, module: bytes) -> tuple[str, str]:
        """Digest and seal of a signed module."""
        if module not in self._known:
            try:
                header, plain = split("module", module)
            except HeaderError:
                header, plain = None, body(module)
            self._known[module] = (digest(plain), "" if header is None else seal_of(header.line()))
        return self._known[module]

    def _line(self, said: bytes) -> Line:
        return Line(said, bytes(64), "0" * 16) if self._checking else Line.signed(said, self.key.signer)

    def _doubt(self, against: Callable[[TrustedKey], Refusal | None]) -> None:
        """Say so, once, when what was just signed will be refused here; `against` is what its limits say."""
        if self._checking:
            return
        entry = self.trust.get(self.key.key_id)
        if entry is None:
            problem = f"it is not trusted here; run `graphwright keys trust {self.key.key_id}`"
        else:
            refusal = against(entry)
            if refusal is None:
                return
            problem = f"{refusal.text}; {refusal.advice}" if refusal.reason == "not allowed" else refusal.text
        self._say_once(f"signed with the key {self.key}, but verified imports will reject it: {problem}")

    def _say_once(self, remark: str) -> None:
        if remark not in self._warned:
            self._warned.add(remark)
            self._say(remark)


def _without_modules(lines: Iterable[Subject], modules: Container[str]) -> list[Subject]:
    """The lines of each `__init__.py` whose folder holds no module any more: it went with the last one.

    That of the package itself stays.
    """
    paths = [PurePosixPath(name) for kind, name in lines if kind == "module"]
    folders = {PurePosixPath(), *(folder for path in paths if str(path) in modules for folder in path.parents)}
    return [("module", str(path)) for path in paths if str(path) not in modules and path.parent not in folders]


def _entry(module: bytes, graph: str) -> Entry:
    """What the manifest says of a module; one that is still to be signed has no seal."""
    return Entry.of(body(module) if module.startswith(_PENDING) else module, graph)


def body(data: bytes) -> bytes:
    """A module's text below its signature line, if it has one."""
    try:
        return split("module", data)[1]
    except HeaderError:
        return data.partition(b"\n")[2]
