"""The signed list of the modules of a package: `graphwright.manifest` in its top folder.

The signature of a module proves that it is genuine. Its line in the manifest proves that it is the current module for
its path, so modules that were added, moved or replaced by an older version are detected.

Each line is signed separately, over its exact JSON, with the key that built the module. A build changes only the lines
of the modules that it built, so branches that build different graphs merge as text. Lines are sorted by name; a comment
with the name before each line and a blank line after it keep git from treating changes of adjacent lines as conflicts.
A line does not say which lines belong together: see docs/security.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from graphwright_runtime.trust.header import digest, split
from graphwright_runtime.trust.layout import has_conflict_markers, layout_digest
from graphwright_runtime.trust.limits import check_limits
from graphwright_runtime.trust.pins import pinned_id
from graphwright_runtime.trust.signing import Signer, from_text, to_text
from graphwright_runtime.trust.truststore import TrustStore
from graphwright_runtime.trust.verification import Refusal, Verified, check_signature

#: The file name of the manifest in the top folder of a package.
MANIFEST = "graphwright.manifest"
#: The advice for a manifest that is not as a build wrote it.
REBUILD_ALL = "run `graphwright build` for the whole project, which regenerates and signs it"

_HEAD = b"# graphwright manifest 2: a signed line for each module; after a merge run `graphwright build`\n"
_LINE = re.compile(rb"(\{.+\}) ([A-Za-z0-9_-]{86}):([0-9a-f]{16})")

#: What a line describes: a module, by its path below the package, or another item, by its pin name.
Subject: TypeAlias = tuple[Literal["module", "tool"], str]


class ManifestError(ValueError):
    """Text that is not a manifest."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One module: the sha256 of the bytes that its signature covers, their `layout_digest`, the id of its graph.

    `graph` is empty for an `__init__.py`. `seal` is a digest of its signature line; if both digests match, the verified
    line of the manifest makes it unnecessary to verify the signature of the module.
    """

    sha256: str
    layout: str
    graph: str = ""
    seal: str = ""

    @classmethod
    def of(cls, module: bytes, graph: str = "") -> Entry:
        """The entry for a module, given as its whole file."""
        header, body = split("module", module)
        return cls(digest(body), layout_digest(body), graph, "" if header is None else seal_of(header.line()))


@dataclass(frozen=True, slots=True)
class Line:
    """One signed line; `payload` is its JSON, exactly the bytes that the signature covers."""

    payload: bytes
    signature: bytes
    key_id: str

    @classmethod
    def signed(cls, payload: bytes, signer: Signer) -> Line:
        """Sign a payload."""
        return cls(payload, signer.sign("manifest", payload), signer.key.id)

    def __bytes__(self) -> bytes:
        return b"%b %b:%b\n" % (self.payload, to_text(self.signature).encode(), self.key_id.encode())


@dataclass(frozen=True, slots=True)
class Manifest:
    """A parsed manifest. Nothing in it is verified: `verdict` verifies a line.

    `modules` is keyed by the path below the package, with `/`. `tools` are the sha256 of tool files at build time, by
    pin name. `lines` has the line of each module and tool.
    """

    modules: Mapping[str, Entry] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[Subject, Line] = field(default_factory=dict)

    def has_below(self, folder: str) -> bool:
        """Whether a module is listed below the folder with this path."""
        return any(path.startswith(folder + "/") for path in self.modules)

    def verdict(self, subject: Subject, trust: TrustStore) -> Verified | Refusal:
        """Verify that the line of a listed module or tool was signed by a trusted key within its limits."""
        line = self.lines[subject]
        kind, name = subject
        about = (self.modules[name].graph or None) if kind == "module" else pinned_id(name)
        verdict = check_signature("manifest", line.payload, line.key_id, line.signature, trust, subject=about)
        if isinstance(verdict, Verified):
            refusal = check_limits(verdict.key, name, self.modules[name].graph, None) if kind == "module" else None
            return refusal or verdict
        text = verdict.text if verdict.reason != "forged" else "it was changed after it was signed"
        advice = verdict.advice if verdict.reason != "forged" else REBUILD_ALL
        return Refusal(verdict.reason, f"its line for {name} is not valid: {text}", advice, verdict.key)


def seal_of(line: bytes) -> str:
    """A digest of a signature line: 16 hexadecimal digits."""
    return digest(line)[:16]


def module_payload(path: str, entry: Entry) -> bytes:
    """The payload of the line of a module."""
    table = {"graph": entry.graph, "sha256": entry.sha256, "seal": entry.seal, "layout": entry.layout}
    return json.dumps({"module": path, **table}).encode()


def item_payload(name: str, sha256: str) -> bytes:
    """The payload of the line of a tool, directive or knowledge item."""
    return json.dumps({"tool": name, "sha256": sha256}).encode()


def signed_manifest(modules: Mapping[str, Entry], tools: Mapping[str, str], signer: Signer) -> bytes:
    """The manifest of these modules and items, with all lines signed by one key."""
    lines: dict[Subject, Line] = {}
    for path, entry in modules.items():
        lines["module", path] = Line.signed(module_payload(path, entry), signer)
    for name, pin in tools.items():
        lines["tool", name] = Line.signed(item_payload(name, pin), signer)
    return render(lines)


def render(lines: Mapping[Subject, Line]) -> bytes:
    """The text of a manifest: the same bytes for the same lines."""
    paragraphs = (
        b"# %b\n%b" % (json.dumps(subject[1]).encode(), bytes(line)) for subject, line in sorted(lines.items())
    )
    return b"\n".join((_HEAD, *paragraphs))


def parse(data: bytes) -> Manifest:
    """Parse a manifest without verifying signatures. Raises ManifestError."""
    if has_conflict_markers(data):
        raise ManifestError("it contains merge conflict markers")
    if b"\r" in data:
        raise ManifestError("its line endings were changed")
    if not data.startswith(_HEAD):
        raise ManifestError("it is not a manifest of this version of graphwright")
    modules: dict[str, Entry] = {}
    tools: dict[str, str] = {}
    lines: dict[Subject, Line] = {}
    for payload, line in _lines(data.split(b"\n")):
        try:
            subject = _read(payload, modules, tools)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ManifestError(f"it is not a manifest of modules: {error}") from error
        known = lines.setdefault(subject, line)
        if known.payload != line.payload:
            raise ManifestError(f"it has two lines for {subject[1]}, probably from a merge")
    return Manifest(modules, tools, lines)


def _lines(texts: Iterable[bytes]) -> Iterable[tuple[bytes, Line]]:
    for number, text in enumerate(texts, 1):
        if not text or text.startswith(b"#"):
            continue
        found = _LINE.fullmatch(text)
        if found is None:
            raise ManifestError(f"its line {number} is damaged")
        try:
            signature = from_text(found[2].decode())
        except ValueError as error:
            raise ManifestError(f"its line {number} is damaged") from error
        yield found[1], Line(found[1], signature, found[3].decode())


def _read(payload: bytes, modules: dict[str, Entry], tools: dict[str, str]) -> Subject:
    """Add the payload of a line to the modules or tools, and return its subject."""
    table = json.loads(payload)
    if "tool" in table:
        name = str(table["tool"])
        tools.setdefault(name, str(table["sha256"]))
        return "tool", name
    path = str(table["module"])
    graph, sha256, seal, layout = (str(table[key]) for key in ("graph", "sha256", "seal", "layout"))
    modules.setdefault(path, Entry(sha256, layout, graph, seal))
    return "module", path
