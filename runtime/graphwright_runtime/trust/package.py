"""A package of signed modules: its folder, its manifest, and the bytes of a module once they are verified.

Every file is read once; what was read is what is judged and what the loader compiles. Nothing but the files that the
manifest lists is ever looked at: bytecode, extension modules and whatever else is next to them do not exist here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from graphwright_runtime.content import content_of
from graphwright_runtime.trust.limits import beyond_limits
from graphwright_runtime.trust.manifest import MANIFEST, WHOLE, Entry, Manifest, ManifestError, parse
from graphwright_runtime.trust.truststore import TrustedKey, TrustStore
from graphwright_runtime.trust.verification import Refusal, Verified, check


class Refused(Exception):  # noqa: N818 - the answer of a judge, not a fault of the program
    """A file that is not accepted; `data` are its bytes where it could be read."""

    def __init__(self, path: Path, refusal: Refusal, data: bytes | None = None) -> None:
        super().__init__(f"{path}: {refusal}")
        self.path = path
        self.refusal = refusal
        self.data = data


@dataclass(frozen=True, slots=True)
class Found:
    """A verified module of the package: its file, the bytes that were verified, and who signed it.

    `graph` is the id of its graph as the manifest's line says it, empty for an `__init__.py`.
    """

    path: Path
    data: bytes
    signer: TrustedKey
    graph: str


@dataclass(frozen=True, slots=True)
class SignedPackage:
    """The folder, its manifest, and the keys that modules and the manifest's lines may be signed with.

    A line of the manifest is verified when it is needed.
    """

    folder: Path
    manifest: Manifest
    trust: TrustStore

    def module(self, path: str) -> Found:
        """The verified module at this path below the folder, with `/`. Raises Refused."""
        file = self.folder / path
        entry = self.manifest.modules.get(path)
        if entry is None:
            text = "the signed manifest of the package does not list it: it was added after the build"
            raise Refused(file, Refusal("unlisted", text, f"remove it, or {WHOLE}"))
        data = read(file)
        verdict = check("module", data, self.trust, subject=entry.graph or None, layout=entry.layout)
        if isinstance(verdict, Refusal):
            raise Refused(file, verdict, data)
        line = self.manifest.verdict(("module", path), self.trust)
        if isinstance(line, Refusal):
            raise Refused(self.folder / MANIFEST, line, data)
        refusal = (
            self._belongs(entry, verdict)
            or beyond_limits(verdict.key, path, entry.graph, verdict.body)
            or beyond_limits(line.key, path, entry.graph, verdict.body)
        )
        if refusal is not None:
            raise Refused(file, refusal, data)
        return Found(file, data, verdict.key, entry.graph)

    def pin(self, name: str) -> str | None:
        """The sha256 of an item that the graphs were built with, by its `pin_name`.

        None where there is none, or where it is not for the key of its line to say: a key that may sign some graphs
        may vouch for items with such ids, and for no others.
        """
        pin = self.manifest.tools.get(name)
        if pin is None or isinstance(self.manifest.verdict(("tool", name), self.trust), Refusal):
            return None
        return pin

    @staticmethod
    def _belongs(entry: Entry, verdict: Verified) -> Refusal | None:
        """What is wrong with a genuine module in this place."""
        if verdict.sha256 == entry.sha256:
            return None
        text = (
            "it is genuine, but not the module that the manifest lists here: it is an older version, or another module"
        )
        return Refusal("replaced", text, WHOLE, str(verdict.key))


def open_package(folder: Path, trust: TrustStore) -> SignedPackage:
    """The package in this folder, its manifest read. Raises Refused."""
    file = folder / MANIFEST
    data = read(file)
    try:
        return SignedPackage(folder, parse(data), trust)
    except ManifestError as error:
        raise Refused(file, Refusal("malformed", str(error), WHOLE), data) from error


def read(file: Path) -> bytes:
    """The bytes of a regular file. Raises Refused."""
    try:
        if not file.is_file():
            raise FileNotFoundError
        return content_of(file)
    except FileNotFoundError as error:
        raise Refused(file, Refusal("missing", "it is missing from the package", WHOLE)) from error
    except OSError as error:
        text = f"it cannot be read: {error.strerror}"
        raise Refused(file, Refusal("unreadable", text, "fix its permissions")) from error
