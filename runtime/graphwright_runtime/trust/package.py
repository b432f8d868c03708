"""A package of signed modules: its folder, its manifest, and verified modules.

Every file is read once, and the verified bytes are those that the loader compiles. Only files that the manifest lists
are read; bytecode, extension modules and other files are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from graphwright_runtime.content import content_of
from graphwright_runtime.trust.limits import check_limits
from graphwright_runtime.trust.manifest import MANIFEST, REBUILD_ALL, Entry, Manifest, ManifestError, parse
from graphwright_runtime.trust.truststore import TrustedKey, TrustStore
from graphwright_runtime.trust.verification import Refusal, Verified, check

#: The refusal of a file that the manifest does not list.
UNLISTED = Refusal(
    "unlisted",
    "the signed manifest of the package does not list it: it was added after the build",
    "delete it; if it is the module of a graph, run `graphwright build` instead",
)


class Refused(Exception):  # noqa: N818 - an outcome, not an error of the program
    """A file that is not accepted; `data` are its bytes if it could be read."""

    def __init__(self, path: Path, refusal: Refusal, data: bytes | None = None) -> None:
        super().__init__(f"{path}: {refusal}")
        self.path = path
        self.refusal = refusal
        self.data = data


@dataclass(frozen=True, slots=True)
class Found:
    """A verified module of the package: its file, the verified bytes, and the key that signed it.

    `graph` is the id of its graph according to the manifest, empty for an `__init__.py`.
    """

    path: Path
    data: bytes
    signer: TrustedKey
    graph: str


@dataclass(frozen=True, slots=True)
class SignedPackage:
    """A package: its folder, its manifest, and the trusted keys. Lines of the manifest are verified when needed."""

    folder: Path
    manifest: Manifest
    trust: TrustStore

    def module(self, path: str) -> Found:
        """The verified module at this path below the folder, with `/`. Raises Refused."""
        file = self.folder / path
        entry = self.manifest.modules.get(path)
        if entry is None:
            raise Refused(file, UNLISTED)
        data = read(file)
        verdict = check("module", data, self.trust, subject=entry.graph or None, layout=entry.layout)
        if isinstance(verdict, Refusal):
            raise Refused(file, verdict, data)
        line = self.manifest.verdict(("module", path), self.trust)
        if isinstance(line, Refusal):
            raise Refused(self.folder / MANIFEST, line, data)
        refusal = (
            self._check_listed(entry, verdict)
            or check_limits(verdict.key, path, entry.graph, verdict.body)
            or check_limits(line.key, path, entry.graph, verdict.body)
        )
        if refusal is not None:
            raise Refused(file, refusal, data)
        return Found(file, data, verdict.key, entry.graph)

    def pin(self, name: str) -> str | None:
        """The sha256 that an item had when the graphs were built, by its `pin_name`.

        None if it is not pinned, or if the key of its line is not trusted or may not sign items with this id.
        """
        pin = self.manifest.tools.get(name)
        if pin is None or isinstance(self.manifest.verdict(("tool", name), self.trust), Refusal):
            return None
        return pin

    @staticmethod
    def _check_listed(entry: Entry, verdict: Verified) -> Refusal | None:
        """Check that a genuine module is the one that the manifest lists for its path; None if it is."""
        if verdict.sha256 == entry.sha256:
            return None
        text = (
            "it is genuine, but not the module that the manifest lists here: it is an older version, or another module"
        )
        return Refusal("replaced", text, REBUILD_ALL, str(verdict.key))


def open_package(folder: Path, trust: TrustStore) -> SignedPackage:
    """The package in this folder, its manifest read. Raises Refused."""
    file = folder / MANIFEST
    data = read(file)
    try:
        return SignedPackage(folder, parse(data), trust)
    except ManifestError as error:
        raise Refused(file, Refusal("malformed", str(error), REBUILD_ALL), data) from error


def read(file: Path) -> bytes:
    """The bytes of a regular file. Raises Refused."""
    try:
        if not file.is_file():
            raise FileNotFoundError
        return content_of(file)
    except FileNotFoundError as error:
        raise Refused(file, Refusal("missing", "it is missing from the package", REBUILD_ALL)) from error
    except OSError as error:
        text = f"it cannot be read: {error.strerror}"
        raise Refused(file, Refusal("unreadable", text, "fix its permissions")) from error
