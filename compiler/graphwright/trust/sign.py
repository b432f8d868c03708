"""Signs built modules and their lines in the manifest.

Signing the same text with the same key gives the same bytes. A file or line with the right text and a trusted signature
is kept, whoever signed it. Otherwise each developer's build would rewrite every module.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path, PurePosixPath

from graphwright.checking.cache import Cache
from graphwright.fault import Fault
from graphwright.project.config import ConfigError
from graphwright.project.projects import shown
from graphwright.trust.keys import PrivateKey, signing_key
from graphwright.trust.remembered import ValidSignatures
from graphwright.trust.sources import signed_fault
from graphwright_runtime.trust.header import HeaderError, digest, key_id_in, seal, split
from graphwright_runtime.trust.limits import check_module_key
from graphwright_runtime.trust.manifest import (
    REBUILD_ALL,
    Entry,
    Line,
    Manifest,
    ManifestError,
    Subject,
    item_payload,
    module_payload,
    parse,
    render,
    seal_of,
)
from graphwright_runtime.trust.pins import pinned_id
from graphwright_runtime.trust.truststore import TrustedKey, TrustError, TrustStore, find_trust
from graphwright_runtime.trust.verification import Refusal, Verified, check, check_key

#: Replaces the signature line in `checking` mode; no build writes such a line.
_PLACEHOLDER = b"# graphwright:signed:\n"


class Sealer:
    """Signs the files of one build. The key is looked up, or created, when the first file needs it.

    `project` is the folder whose trust file applies, `output` the folder of the package, `manifest` the content of its
    manifest (None if it has none). `notify` is called with remarks for the user. `cache` contains the signatures that
    earlier builds verified.
    With `checking`, nothing is signed and no key is needed: files that a build would sign get a placeholder instead of
    a signature. Signatures of unknown keys are then accepted, because trusted keys differ between machines and the
    result of a check should not. Methods raise ConfigError if a key or a trust file cannot be used.
    """

    def __init__(
        self,
        project: Path,
        output: Path,
        manifest: bytes | None,
        notify: Callable[[str], None],
        *,
        checking: bool = False,
        cache: Cache | None = None,
    ) -> None:
        self._project = project
        self._output = output
        self._text = manifest
        self._checking = checking
        self._notify = notify
        self._warned: set[str] = set()
        self._known: dict[bytes, tuple[str, str]] = {}
        self._signatures = ValidSignatures(cache or Cache(None, ""), output)

    @cached_property
    def trust(self) -> TrustStore:
        """The keys that are trusted in the project."""
        try:
            return self._signatures.spared(find_trust(self._project))
        except TrustError as error:
            raise ConfigError(str(error)) from error

    @cached_property
    def key(self) -> PrivateKey:
        """The key that signs."""
        key = signing_key(None, self._notify)
        self.__dict__.pop("trust", None)  # a new key may just have been trusted
        return key

    def remember(self) -> None:
        """Store the signatures that this build verified, so that the next one does not verify them again."""
        self._signatures.save(self.trust)

    def missing(self, there: Container[str]) -> Iterator[tuple[str, str]]:
        """The listed modules that do not exist, each with the id of its graph. Files in `there` are known to exist."""
        for path, entry in self._listed.modules.items():
            if entry.graph and path not in there and not (self._output / path).exists():
                yield path, entry.graph

    @property
    def pins(self) -> Mapping[str, str]:
        """The sha256 of tools, directives and knowledge, from accepted lines of the current manifest."""
        return self._listed.tools

    def is_signed(self, path: str, graph_id: str, line: bytes, sha256: str) -> bool:
        """Whether a module is signed and the current manifest lists it for this path, both by trusted keys.

        `line` is its signature line, `sha256` the digest of the text below. For any other module, a build must not rely
        on its cache: it could sign a file that someone else put there.
        """
        entry = self._listed.modules.get(path)
        if entry is None or (entry.graph, entry.sha256, entry.seal) != (graph_id, sha256, seal_of(line)):
            return False
        return self._is_trusted(key_id_in(line), path, graph_id)

    def recorded_digest(self, path: str) -> str | None:
        """The sha256 of a module as it was built, from the current manifest; None if the manifest does not list it."""
        entry = self._listed.modules.get(path)
        return None if entry is None else entry.sha256

    def signed_module(self, path: str, text: bytes, graph_id: str = "", present: bytes | None = None) -> bytes:
        """The signed module for this path. `present` is the current file. An `__init__.py` has no graph id."""
        if present is not None:
            if self._is_listed(present, text, path, graph_id):
                return present
            if self._is_accepted(self._verdict(path, present, graph_id)) and body(present) == text:
                return present
        if self._checking:
            return _PLACEHOLDER + text
        signed = seal("module", text, self.key.signer)
        self._warn_if_rejected(lambda key: check_module_key(key, path, graph_id, text))
        return signed

    def signed_statement(self, payload: Callable[[str], bytes], present: bytes | None) -> bytes:
        """A signed provenance statement; `payload` returns its text for the id of the key that signs it.

        `present` is the current file. It is kept if it has the same text and a trusted signature.
        """
        from graphwright.trust.provenance import envelope, has_payload, read_provenance

        if present is not None and has_payload(present, payload):
            verdict = read_provenance(present, self.trust)
            if not isinstance(verdict, Refusal) or (self._checking and verdict.reason == "unknown key"):
                return present
        return _PLACEHOLDER if self._checking else envelope(payload(self.key.key_id), self.key.signer)

    def signed_manifest(
        self,
        modules: Mapping[str, bytes],
        graphs: Mapping[str, str],
        gone: Iterable[str] = (),
        tools: Mapping[str, str] | None = None,
    ) -> bytes:
        """The updated manifest of the package.

        `modules` are signed modules by their path below the package, `graphs` the ids of the graphs among them, `tools`
        the sha256 of the tool files that these graphs call, by id. Accepted lines of the current manifest are kept
        unless they have changed or their path is in `gone`; other lines are dropped.
        """
        lines, listed = dict(self._listed.lines), self._listed
        for path, module in modules.items():
            before, graph = listed.modules.get(path), graphs.get(path, "")
            if before is None or before.graph != graph or self._fingerprint(module) != (before.sha256, before.seal):
                lines["module", path] = self._line(module_payload(path, _entry(module, graph)))
        for name, pin in (tools or {}).items():
            if listed.tools.get(name) != pin:
                lines["tool", name] = self._line(item_payload(name, pin))
                self._warn_if_rejected(partial(check_key, subject=pinned_id(name)))
        for path in gone:
            lines.pop(("module", path), None)
        modules_of_graphs = {path for path, entry in listed.modules.items() if entry.graph} | graphs.keys()
        for subject in _unused_inits(lines, modules_of_graphs):
            del lines[subject]
        return render(lines)

    def signature_fault(self, path: str, present: bytes, graph_id: str, name: str) -> Fault | None:
        """What is wrong with the signature of the module at this path. `name` is its path in messages."""
        verdict = self._verdict(path, present, graph_id)
        return signed_fault(name, verdict) if isinstance(verdict, Refusal) and not self._is_accepted(verdict) else None

    def manifest_fault(self, name: str) -> Fault | None:
        """What is wrong with the current manifest, apart from modules that it does not list."""
        if self._text is None:
            return signed_fault(name, Refusal("missing", "it is missing", REBUILD_ALL), "manifest")
        try:
            listed = parse(self._text)
        except ManifestError as error:
            return signed_fault(name, Refusal("malformed", str(error), REBUILD_ALL), "manifest")
        verdicts = (listed.verdict(subject, self.trust) for subject in listed.lines)
        refused = (each for each in verdicts if isinstance(each, Refusal) and not self._is_accepted(each))
        return next((signed_fault(name, each, "manifest") for each in refused), None)

    @cached_property
    def _listed(self) -> Manifest:
        """The accepted lines of the current manifest; none if it cannot be read."""
        try:
            listed = Manifest() if self._text is None else parse(self._text)
        except ManifestError:
            return Manifest()
        lines = {
            subject: line
            for subject, line in listed.lines.items()
            if self._is_accepted(listed.verdict(subject, self.trust))
        }
        return Manifest(
            {path: entry for path, entry in listed.modules.items() if ("module", path) in lines},
            {name: pin for name, pin in listed.tools.items() if ("tool", name) in lines},
            lines,
        )

    @cached_property
    def _seals(self) -> frozenset[tuple[str, str]]:
        """The digest and seal of every listed module."""
        return frozenset((entry.sha256, entry.seal) for entry in self._listed.modules.values())

    def _is_accepted(self, verdict: Verified | Refusal) -> bool:
        """Whether a build keeps a signature with this verdict."""
        if isinstance(verdict, Verified):
            return True
        if self._checking and verdict.reason == "unknown key":
            self._warn_once(
                f"some of {shown(self._output)} is signed by the key {verdict.key}, which is not trusted here: a build "
                "would sign it again"
            )
            return True
        return False

    def _verdict(self, path: str, present: bytes, graph_id: str) -> Verified | Refusal:
        """Verify the signature of a module, and that its key may sign this path."""
        verdict = check("module", present, self.trust, subject=graph_id or None)
        if isinstance(verdict, Refusal):
            return verdict
        return check_module_key(verdict.key, path, graph_id, verdict.body) or verdict

    def _is_listed(self, present: bytes, text: bytes, path: str, graph_id: str) -> bool:
        """Whether a file is this text with the signature that the manifest lists, by a key that is still trusted."""
        try:
            header, plain = split("module", present)
        except HeaderError:
            return False
        if header is None or plain != text:
            return False
        return self._fingerprint(present) in self._seals and self._is_trusted(header.key_id, path, graph_id)

    def _is_trusted(self, key_id: str, path: str, graph_id: str) -> bool:
        """Whether a key is currently trusted for this graph at this path."""
        entry = self.trust.get(key_id)
        return entry is not None and check_module_key(entry, path, graph_id, None) is None

    def _fingerprint(self, module: bytes) -> tuple[str, str]:
        """The digest and seal of a signed module."""
        if module not in self._known:
            try:
                header, plain = split("module", module)
            except HeaderError:
                header, plain = None, body(module)
            self._known[module] = (digest(plain), "" if header is None else seal_of(header.line()))
        return self._known[module]

    def _line(self, payload: bytes) -> Line:
        return Line(payload, bytes(64), "0" * 16) if self._checking else Line.signed(payload, self.key.signer)

    def _warn_if_rejected(self, check_limits: Callable[[TrustedKey], Refusal | None]) -> None:
        """Warn, once, if verified imports will reject what was just signed. `check_limits` checks the key's limits."""
        if self._checking:
            return
        entry = self.trust.get(self.key.key_id)
        if entry is None:
            problem = f"it is not trusted here; run `graphwright keys trust {self.key.key_id}`"
        else:
            refusal = check_limits(entry)
            if refusal is None:
                return
            problem = f"{refusal.text}; {refusal.advice}" if refusal.reason == "not allowed" else refusal.text
        self._warn_once(f"signed with the key {self.key}, but verified imports will reject it: {problem}")

    def _warn_once(self, remark: str) -> None:
        if remark not in self._warned:
            self._warned.add(remark)
            self._notify(remark)


def _unused_inits(lines: Iterable[Subject], modules: Container[str]) -> list[Subject]:
    """The lines of each `__init__.py` whose folder no longer contains a module, except that of the package itself."""
    paths = [name for kind, name in lines if kind == "module"]
    homes = {path.rpartition("/")[0] for path in paths if path in modules}
    folders = {"", *homes, *(str(folder) for home in homes for folder in PurePosixPath(home).parents)}
    return [("module", path) for path in paths if path not in modules and path.rpartition("/")[0] not in folders]


def _entry(module: bytes, graph: str) -> Entry:
    """The manifest's entry for a module. A module with a placeholder instead of a signature has no seal."""
    return Entry.of(body(module) if module.startswith(_PLACEHOLDER) else module, graph)


def body(data: bytes) -> bytes:
    """The text of a module without its signature line."""
    try:
        return split("module", data)[1]
    except HeaderError:
        return data.partition(b"\n")[2]
