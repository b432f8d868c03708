"""The additional imports of a tool's file: files in its folder, and the code of its project.

A module that is not installed is searched for in the folder of the file, in the tool folder, in the project's `src` and
in the project. `sys.path` is not changed: modules found there have unique names in `sys.modules`, so that several
projects with equal module names can run in one process. Modules are compiled from the bytes that a `Reader` returns; no
`__pycache__` is read or written.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
)
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Final, TypeAlias, cast

if TYPE_CHECKING:
    from importlib.abc import Loader

#: The prefix of the names of the packages that represent folders.
_PREFIX: Final = "graphwright_tools_"

#: Returns the bytes of a module's file. Raises an error for a file that may not be executed.
Reader: TypeAlias = Callable[[Path], bytes]

#: Scopes by the name of the package.
_scopes: Final[dict[str, Scope]] = {}


class Scope:
    """The imports of the files of one folder, the first of `folders`, which are all searched.

    `package` is the package that represents the folder. `builtins` are the built-in names that its files see.
    """

    def __init__(self, package: str, folders: Sequence[Path], policy: str, read: Reader) -> None:
        self.package = package
        self.read = read
        self.builtins: Mapping[str, object] = {**vars(builtins), "__import__": self._import}
        self._folders = folders
        self._policy = policy

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 - as Python calls it
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """`__import__` for these files: if a module is not found otherwise, import it from the folders."""
        top = name.partition(".")[0]
        try:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        except ModuleNotFoundError as error:
            home = self._home(top) if level == 0 and error.name == top else None
            if home is None:
                raise
        module = builtins.__import__(f"{home}.{name}", globals, locals, fromlist or (), 0)
        return module if fromlist else sys.modules[f"{home}.{top}"]

    def _home(self, name: str) -> str | None:
        """The package of the first folder that contains a module; those with `__init__.py` take precedence."""
        found: int | None = None
        for index, folder in enumerate(self._folders):
            spec = spec_in(str(folder), name, self)
            if spec is not None and (spec.loader is not None or found is None):
                found = index
                if spec.loader is not None:
                    break
        return None if found is None else scope(self._folders[found:], self._policy, self.read).package


def scope(folders: Sequence[Path], policy: str, read: Reader) -> Scope:
    """The scope of the files in the first folder; the same object for the same arguments.

    Modules are loaded separately for each `policy`, the name of the requirements that `read` checks.
    """
    key = "\0".join((policy, *map(str, folders)))
    package = _PREFIX + sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    if package not in _scopes:
        module = ModuleType(package)
        module.__path__ = [str(folders[0])]
        sys.modules[package] = module
        _scopes[package] = Scope(package, tuple(folders), policy, read)
        if not any(isinstance(each, _Finder) for each in sys.meta_path):
            sys.meta_path.insert(0, _Finder())
    found = _scopes[package]
    found.read = read
    return found


def spec_in(folder: str, name: str, scope: Scope) -> ModuleSpec | None:
    """The spec of a module in a folder. A new finder each time, because finders cache the contents of folders."""
    ours = cast("type[Loader]", partial(_Loader, scope))
    return FileFinder(folder, (ours, SOURCE_SUFFIXES), (ExtensionFileLoader, EXTENSION_SUFFIXES)).find_spec(name)


class _Finder:
    """Finds the modules of scopes, and no others."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        scope = _scopes.get(name.partition(".")[0]) if path is not None and name.startswith(_PREFIX) else None
        if scope is None:
            return None
        return next((spec for folder in path or () if (spec := spec_in(folder, name, scope)) is not None), None)


class _Loader(SourceFileLoader):
    """Executes the bytes that the reader of a scope returns."""

    def __init__(self, scope: Scope, fullname: str, path: str) -> None:
        super().__init__(fullname, path)
        self._scope = scope

    def get_code(self, _fullname: str) -> CodeType:
        return compile(self._scope.read(Path(self.path)), self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = self._scope.builtins
        super().exec_module(module)
