"""Resolves names in Python files, through imports of other files of the project.

Imports are resolved as at run time (the runtime's `toolimports`): in the folder of the file, the tool folder, the
project's `src` and the project. Anything else is considered installed, and known only by its name.
"""

from __future__ import annotations

import ast
import builtins
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from graphwright.contract.python.module import Definition, Imported, Module, Unclear, parse
from graphwright.record import Record

#: Returns the bytes of a file; None if it does not exist or cannot be read.
Load: TypeAlias = Callable[[Path], bytes | None]

#: Maximum number of files to read for one tool, and of names in a chain.
_MAX_FILES: Final = 200
_MAX_STEPS: Final = 50

#: Packages whose types are known by name, and that files of the project do not replace.
_KNOWN: Final = sys.stdlib_module_names | {"typing_extensions", "pydantic"}


class Place(Record):
    """A definition and the file that contains it; `name` is the name of the definition."""

    module: Module
    name: str
    definition: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.expr


#: The target of a name: a definition or a module of the project, the full name of something installed, or None.
Target: TypeAlias = "Place | Module | str | None"


class Search:
    """The files that are read for one tool, each through `load`."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._modules: dict[tuple[Path, tuple[Path, ...]], Module | str | None] = {}

    def module(self, path: Path, folders: tuple[Path, ...]) -> Module | str | None:
        """The module in a file: None if the file does not exist, a reason if it cannot be read."""
        key = (path, folders)
        if key not in self._modules:
            data = self._load(path) if len(self._modules) < _MAX_FILES else None
            tree = None if data is None else parse(data)
            self._modules[key] = Module(path, folders, tree) if isinstance(tree, ast.Module) else tree
        return self._modules[key]

    def target(self, expression: ast.expr, module: Module) -> Target:
        """The target of a name or a path of attributes."""
        match expression:
            case ast.Name(id=name):
                return self.named(name, module)
            case ast.Attribute(value=ast.Name() | ast.Attribute() as value, attr=attribute):
                return self._attribute(self.target(value, module), attribute)
            case _:
                return None

    def named(self, name: str, module: Module, steps: int = _MAX_STEPS) -> Target:
        """The target of a name in a module."""
        definition = self._definition(name, module, steps)
        if definition is None:
            return f"builtins.{name}" if hasattr(builtins, name) else None
        if isinstance(definition, str | Module | Place):
            return definition
        if isinstance(definition, Unclear) or not steps:
            return None
        if isinstance(definition, Imported):
            return self._imported(definition, module, steps - 1)
        if isinstance(definition, ast.Name | ast.Attribute):
            found = self._alias(definition, module, steps - 1)
            return Place(module, name, definition) if found is None else found
        return Place(module, name, definition)

    def _alias(self, definition: ast.Name | ast.Attribute, module: Module, steps: int) -> Target:
        """The target of a name to which another name is assigned."""
        if isinstance(definition, ast.Name):
            return None if module.names.get(definition.id) is definition else self.named(definition.id, module, steps)
        return self.target(definition, module) if isinstance(definition.value, ast.Name) else None

    def _definition(self, name: str, module: Module, steps: int) -> Definition | Place | Module | str | None:
        if name in module.names:
            return module.names[name]
        for star in module.stars if steps else ():
            source = self._imported(star, module, steps - 1)
            if source == "typing" and name in typing.__all__:
                return f"typing.{name}"
            found = self.named(name, source, steps - 1) if isinstance(source, Module) else None
            if found is not None and not (isinstance(found, str) and found.startswith("builtins.")):
                return found
        return None

    def _imported(self, imported: Imported, module: Module, steps: int) -> Target:
        source = self._module_named(imported.module, imported.level, module)
        if source is None and not imported.level:
            return imported.module if imported.name is None else f"{imported.module}.{imported.name}"
        if imported.name is None:
            return source if isinstance(source, Module) else None
        if isinstance(source, Module):
            found = self.named(imported.name, source, steps) if imported.name in source.names or source.stars else None
            if found is not None:
                return found
        below = self._module_named(f"{imported.module}.{imported.name}".strip("."), imported.level, module)
        return below if isinstance(below, Module) else None

    def _attribute(self, target: Target, name: str) -> Target:
        match target:
            case str():
                return f"{target}.{name}"
            case Module():
                return self.named(name, target) or self._below(target, name)
            case Place(module=module, definition=ast.ClassDef(body=body)):
                inner = next((found for each in body if (found := _in_class(each, name)) is not None), None)
                return None if inner is None else Place(module, f"{target.name}.{name}", inner)
            case _:
                return None

    def _below(self, package: Module, name: str) -> Target:
        """A module in a package with an `__init__.py`."""
        if package.path.name != "__init__.py":
            return None
        found = self._file(package.path.parent, [name], package.folders)
        return found if isinstance(found, Module) else None

    def _module_named(self, dotted: str, level: int, module: Module) -> Module | str | None:
        """The module that an import finds, or the reason if it cannot be read; None for something installed."""
        parts = dotted.split(".") if dotted else []
        if level:
            folder = module.path.parent
            for _ in range(level - 1):
                folder = folder.parent
            if not any(each == folder or each in folder.parents for each in module.folders):
                return None
            return self._file(folder, parts, module.folders)
        if parts[0] in _KNOWN:
            return None
        for index, folder in enumerate(module.folders):
            found = self._file(folder, parts, module.folders[index:])
            if found is not None:
                return found
        return None

    def _file(self, folder: Path, parts: list[str], folders: tuple[Path, ...]) -> Module | str | None:
        base = folder.joinpath(*parts)
        package = self.module(base / "__init__.py", folders)
        if package is not None or not parts:
            return package
        return self.module(base.with_name(f"{base.name}.py"), folders)


def _in_class(statement: ast.stmt, name: str) -> ast.ClassDef | ast.expr | None:
    """What a statement in the body of a class defines under a name: a class, or a value, such as that of an enum."""
    match statement:
        case ast.ClassDef(name=own) if own == name:
            return statement
        case ast.Assign(targets=[ast.Name(id=own)], value=value) if own == name:
            return value
    return None
