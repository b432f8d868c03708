"""The signed list of the modules of a package: `graphwright.manifest` in its top folder.

A module's own signature says that it is genuine; its line here says that it is the one that belongs in this place, now.
So a module that was added, put in another's place or replaced by its older self is found.

Each line is signed by itself, over its JSON as it stands, by whoever built that module. A build changes the lines of
what it built and no others, so branches that build different graphs merge as text. The lines stand in the order of
their names, each below a comment with the name and above a blank line: git then takes changes of neighbours for two
changes. What a line cannot say is which lines belong together: see docs/security.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from graphwright_runtime.trust.header import digest, split
from graphwright_runtime.trust.layout import has_conflict_markers, layout_free
from graphwright_runtime.trust.limits import beyond_limits
from graphwright_runtime.trust.pins import pinned_id
from graphwright_runtime.trust.signing import Signer, from_text, to_text
from graphwright_runtime.trust.truststore import TrustStore
from graphwright_runtime.trust.verification import Refusal, Verified, check_signature

#: The manifest's name in the package's top folder.
MANIFEST = "graphwright.manifest"
#: What to do about a manifest that is not as a build wrote it.
WHOLE = "run `graphwright build` for the whole project, which regenerates and signs it"

_HEAD = b"# graphwright manifest 2: a signed line for each module; after a merge run `graphwright build`\n"
_LINE = re.compile(rb"(\{.+\}) ([A-Za-z0-9_-]{86}):([0-9a-f]{16})")

#: What a line speaks of: a module by its path below the package, or a tool, directive or knowledge by its pin's name.
Subject: TypeAlias = tuple[Literal["module", "tool"], str]


class ManifestError(ValueError):
    """Text that is not a manifest."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One module: the sha256 of what its signature covers, its `layout_free` digest, its graph's id.

    `graph` is empty for an `__init__.py`. `seal` tells its signature line from any other, so that whoever has verified
    the manifest's line need not verify that of a module that is as it was.
    """

    sha256: str
    layout: str
    graph: str = ""
    seal: str = ""

    @classmethod
    def of(cls, module: bytes, graph: str = "") -> Entry:
        """The entry for a module, given as its whole file."""
        header, body = split("module", module)
        return cls(digest(body), layout_free(body), graph, "" if header is None else seal_of(header.line()))


@dataclass(frozen=True, slots=True)
class Line:
    """One signed line: `said` is its JSON, byte for byte what the signature covers."""

    said: bytes
    signature: bytes
    key_id: str

    @classmethod
    def signed(cls, said: bytes, signer: Signer) -> Line:
        """The line that says this, signed."""
        return cls(said, signer.sign("manifest", said), signer.key.id)

    def __bytes__(self) -> bytes:
        return b"%b %b:%b\n" % (self.said, to_text(self.signature).encode(), self.key_id.encode())


@dataclass(frozen=True, slots=True)
class Manifest:
    """`modules` by their path below the package, with `/`; `tools`: the sha256 of tool files, as built with, by id.

    None of it is verified: `verdict` says what a line is worth.
    """

    modules: Mapping[str, Entry] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[Subject, Line] = field(default_factory=dict)

    def has_below(self, folder: str) -> bool:
        """Whether a module lies in the folder of this path."""
        return any(path.startswith(folder + "/") for path in self.modules)

    def verdict(self, subject: Subject, trust: TrustStore) -> Verified | Refusal:
        """Whether the line of something that is listed was signed by a key that counts, within its limits."""
        line = self.lines[subject]
        kind, name = subject
        about = (self.modules[name].graph or None) if kind == "module" else pinned_id(name)
        verdict = check_signature("manifest", line.said, line.key_id, line.signature, trust, subject=about)
        if isinstance(verdict, Verified):
            refusal = beyond_limits(verdict.key, name, self.modules[name].graph, None) if kind == "module" else None
            return refusal or verdict
        text = verdict.text if verdict.reason != "forged" else "it was changed after it was signed"
        advice = verdict.advice if verdict.reason != "forged" else WHOLE
        return Refusal(verdict.reason, f"its line for {name} is not valid: {text}", advice, verdict.key)


def seal_of(line: bytes) -> str:
    """What tells a signature line from any other, in 16 hexadecimal digits."""
    return digest(line)[:16]


def said_of_module(path: str, entry: Entry) -> bytes:
    """What a line says of a module."""
    table = {"graph": entry.graph, "sha256": entry.sha256, "seal": entry.seal, "layout": entry.layout}
    return json.dumps({"module": path, **table}).encode()


def said_of_item(name: str, sha256: str) -> bytes:
    """What a line says of a tool, directive or piece of knowledge."""
    return json.dumps({"tool": name, "sha256": sha256}).encode()


def signed_manifest(modules: Mapping[str, Entry], tools: Mapping[str, str], signer: Signer) -> bytes:
    """The manifest of these modules and items, every line signed by one key."""
    lines: dict[Subject, Line] = {}
    for path, entry in modules.items():
        lines["module", path] = Line.signed(said_of_module(path, entry), signer)
    for name, pin in tools.items():
        lines["tool", name] = Line.signed(said_of_item(name, pin), signer)
    return render(lines)


def render(lines: Mapping[Subject, Line]) -> bytes:
    """The text of a manifest: the same bytes for the same lines."""
    paragraphs = (
        b"# %b\n%b" % (json.dumps(subject[1]).encode(), bytes(line)) for subject, line in sorted(lines.items())
    )
    return b"\n".join((_HEAD, *paragraphs))


def parse(data: bytes) -> Manifest:
    """A manifest from its text, whatever its signatures are worth. Raises ManifestError."""
    if has_conflict_markers(data):
        raise ManifestError("it contains merge conflict markers")
    if b"\r" in data:
        raise ManifestError("its line endings were changed")
    if not data.startswith(_HEAD):
        raise ManifestError("it is not a manifest of this version of graphwright")
    modules: dict[str, Entry] = {}
    tools: dict[str, str] = {}
    lines: dict[Subject, Line] = {}
    for said, line in _lines(data.split(b"\n")):
        try:
            subject = _read(said, modules, tools)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ManifestError(f"it is not a manifest of modules: {error}") from error
        known = lines.setdefault(subject, line)
        if known.said != line.said:
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


def _read(said: bytes, modules: dict[str, Entry], tools: dict[str, str]) -> Subject:
    """Enter what a line says."""
    table = json.loads(said)
    if "tool" in table:
        name = str(table["tool"])
        tools.setdefault(name, str(table["sha256"]))
        return "tool", name
    path = str(table["module"])
    graph, sha256, seal, layout = (str(table[key]) for key in ("graph", "sha256", "seal", "layout"))
    modules.setdefault(path, Entry(sha256, layout, graph, seal))
    return "module", path
