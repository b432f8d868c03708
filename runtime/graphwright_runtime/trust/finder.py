"""The import finder of `loader.py`: resolves modules of verified packages to verified bytes.

It ignores bytecode caches, extension modules, zip files and folders that the signed manifest does not list, so none of
these can replace a module.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from graphwright_runtime.trust.manifest import MANIFEST
from graphwright_runtime.trust.package import UNLISTED, Refused, SignedPackage, open_package
from graphwright_runtime.trust.truststore import TrustError, TrustStore, load_trust, user_file
from graphwright_runtime.trust.verification import Policy, Refusal


class VerificationError(ImportError):
    """A module that was refused. If one file is the cause, `path` is that file and `refusal` the reason."""

    def __init__(self, message: str, *, name: str | None = None, path: Path | None = None) -> None:
        super().__init__(message, name=name, path=None if path is None else str(path))
        self.refusal: Refusal | None = None

    @classmethod
    def of(cls, refused: Refused, name: str) -> VerificationError:
        """The error for a refused file of the module `name`."""
        error = cls(f"refused to import {name}: {refused}", name=name, path=refused.path)
        error.refusal = refused.refusal
        return error


class VerificationWarning(UserWarning):
    """A module that policy `require` would refuse, imported under `warn`."""


class VerifiedLoader(SourceFileLoader):
    """Executes verified bytes without reading the file again or using a bytecode cache."""

    def __init__(self, fullname: str, path: str, data: bytes) -> None:
        super().__init__(fullname, path)
        self._data = data

    def get_data(self, path: str) -> bytes:
        """The verified bytes of the module, or the content of any other file."""
        return self._data if path == self.path else super().get_data(path)

    def get_source(self, fullname: str) -> str:  # noqa: ARG002
        """The text of the module."""
        return self._data.decode()

    def get_code(self, fullname: str) -> CodeType:
        """The compiled module. Compiles text, not bytes, so that an encoding comment has no effect."""
        code: CodeType = compile(self.get_source(fullname), self.path, "exec", dont_inherit=True)
        return code


class Rule:
    """One package to verify. Its folder is located, and its manifest read, at the first import.

    `path` are the folders to search; None means those that Python would search.
    """

    def __init__(self, name: str, policy: Policy, trust: Path, path: Sequence[str] | None = None) -> None:
        self.name = name
        self.policy = policy
        self.trust = trust
        self.path = path
        self.package: SignedPackage | None = None
        self.exists = False  # whether the package was looked for and found, see `loader.check_packages`

    def find(self, fullname: str, path: Sequence[str] | None) -> ModuleSpec | None:
        """The spec of a module of the package; None, only under `warn`, lets other finders look for it."""
        if fullname == self.name:
            self.package = self._open(self._folders(path))
        if self.package is None:
            if self.policy == "require":
                raise VerificationError(f"refused to import {fullname}: {self.name} is not verified", name=fullname)
            return None
        below = fullname[len(self.name) + 1 :].replace(".", "/")
        listed = self.package.manifest.modules
        for file in (f"{below}/__init__.py".lstrip("/"), f"{below}.py"):
            if file in listed:
                return self._spec(self.package, fullname, file)
        folder = self.package.folder / below
        if not below or self.package.manifest.has_below(below):
            if not (folder / "__init__.py").exists():
                spec = ModuleSpec(fullname, None, is_package=True)
                spec.submodule_search_locations = [str(folder)]
                return spec
            self._refuse_unlisted(folder / "__init__.py", fullname)
        else:
            self._refuse_unlisted(_named(folder.parent, folder.name, fullname), fullname)
        return None

    def _folders(self, path: Sequence[str] | None) -> Sequence[str]:
        """The folders that may contain the package; `path` is the search path of its parent package, if any."""
        parents = self.name.count(".")
        if self.path is None:
            return sys.path if path is None else path
        return [str(Path(entry, *self.name.split(".")[:parents])) for entry in self.path]

    def _spec(self, package: SignedPackage, fullname: str, file: str) -> ModuleSpec:
        try:
            data = package.module(file).data
        except Refused as refused:
            if self.policy == "require" or refused.data is None:
                raise VerificationError.of(refused, fullname) from None
            warn(refused, fullname)
            data = refused.data
        origin = package.folder / file
        is_package = origin.name == "__init__.py"
        spec = ModuleSpec(
            fullname, VerifiedLoader(fullname, str(origin), data), origin=str(origin), is_package=is_package
        )
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [str(origin.parent)]
        return spec

    def _refuse_unlisted(self, file: Path, fullname: str) -> None:
        refused = Refused(file, UNLISTED)
        if self.policy == "require":
            raise VerificationError.of(refused, fullname)
        warn(refused, fullname)

    def _open(self, entries: Sequence[str]) -> SignedPackage | None:
        """The package in the first folder of this name that has a manifest; zip files and other folders are skipped."""
        last = self.name.rpartition(".")[2]
        folders = [Path(entry or os.curdir, last).absolute() for entry in entries]
        trust = trusted_keys(self.trust, self.name)
        try:
            for folder in folders:
                if (folder / MANIFEST).is_file():
                    return open_package(folder, trust)
            bare = next((folder for folder in folders if folder.is_dir()), None)
            if bare is not None:
                text = f"there is no {MANIFEST}, so the files in this folder are not verified"
                raise Refused(bare, Refusal("unsigned", text, "run `graphwright build`"))
        except Refused as refused:
            if self.policy == "require":
                raise VerificationError.of(refused, self.name) from None
            warn(refused, self.name)
            return None
        if self.policy == "require":
            text = f"No module named {self.name!r}: no folder on the path contains it with a {MANIFEST}"
            raise ModuleNotFoundError(text, name=self.name)
        return None


class Finder:
    """The meta path finder for the packages to verify; it precedes all other finders."""

    def __init__(self) -> None:
        self.rules: dict[str, Rule] = {}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        for name, rule in self.rules.items():
            if fullname == name or fullname.startswith(name + "."):
                return rule.find(fullname, path)
        return None


def _named(folder: Path, name: str, fullname: str) -> Path:
    """A file that Python might import as the module, with any suffix. Raises ModuleNotFoundError."""
    try:
        there = sorted(file for file in folder.iterdir() if file.name.partition(".")[0] == name)
    except OSError:
        there = []
    if not there:
        raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
    return there[0]


def trusted_keys(project: Path, name: str) -> TrustStore:
    """The trusted keys of a project, for importing `name`. Raises VerificationError if a trust file cannot be used."""
    try:
        return load_trust(project, user_file())
    except TrustError as error:
        raise VerificationError(f"refused to import {name}: {error}", name=name) from error


def warn(refused: Refused, name: str) -> None:
    """Issue a warning about a file that `require` would refuse."""
    text = f"{name}: {refused.refusal}"
    warnings.warn_explicit(text, VerificationWarning, filename=str(refused.path), lineno=1)
