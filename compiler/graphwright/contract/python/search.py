"""From a name in a Python file to what it stands for, through imports of files next to it and of its project.

Imports are looked for as a run does (the runtime's `toolimports`): in the folder of the file, the tool folder, the
project's `src` and the project. What is found nowhere there is installed, and known by its name only.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from graphwright.contract.python.module import Definition, Imported, Module, Unclear, parse
from graphwright.record import Record

#: The bytes of a file; None where there is none that can be read.
Load: TypeAlias = Callable[[Path], bytes | None]

#: The most files that are read for one tool, and the most names that lead to one another.
_MAX_FILES: Final = 200
_MAX_STEPS: Final = 50

#: Packages whose types are known by name; a file of the project does not replace them.
_KNOWN: Final = sys.stdlib_module_names | {"typing_extensions", "pydantic"}


class Place(Record):
    """What a name stands for, in the file where it is defined. `name` is that of the definition."""

    module: Module
    name: str
    definition: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.expr


#: What a name stands for: a definition or a module of the project, the full name of something installed, or None.
Target: TypeAlias = "Place | Module | str | None"


class Search:
    """The files that one tool is read from. `load` is asked for each of them."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._modules: dict[tuple[Path, tuple[Path, ...]], Module | str | None] = {}

    def module(self, path: Path, folders: tuple[Path, ...]) -> Module | str | None:
        """The module in a file: None where there is no such file, the reason where it cannot be read."""
        key = (path, folders)
        if key not in self._modules:
            data = self._load(path) if len(self._modules) < _MAX_FILES else None
            tree = None if data is None else parse(data)
            self._modules[key] = Module(path, folders, tree) if isinstance(tree, ast.Module) else tree
        return self._modules[key]

    def target(self, expression: ast.expr, module: Module) -> Target:
        """What a name, or a path of attributes, stands for."""
        match expression:
            case ast.Name(id=name):
                return self.named(name, module)
            case ast.Attribute(value=ast.Name() | ast.Attribute() as value, attr=attribute):
                return self._attribute(self.target(value, module), attribute)
            case _:
                return None

    def named(self, name: str, module: Module, steps: int = _MAX_STEPS) -> Target:
        """What a name of a module stands for."""
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
        """What a name stands for that is assigned another name."""
        if isinstance(definition, ast.Name):
            return None if module.names.get(definition.id) is definition else self.named(definition.id, module, steps)
        return self.target(definition, module) if isinstance(definition.value, ast.Name) else None

    def _definition(self, name: str, module: Module, steps: int) -> Definition | Place | Module | str | None:
        if name in module.names:
            return module.names[name]
        for star in module.stars if steps else ():
            source = self._imported(star, module, steps - 1)
            found = self.named(name, source, steps - 1) if isinstance(source, Module) else None
            if found is not None and not (isinstance(found, str) and found.startswith("builtins.")):
                return found
        return None

    def _imported(self, imported: Imported, module: Module, steps: int) -> Target:
        source = self._module_named(imported.module, imported.level, module)
        if source is None:
            if imported.level:
                return None
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
                inner = next((each for each in body if isinstance(each, ast.ClassDef) and each.name == name), None)
                return None if inner is None else Place(module, f"{target.name}.{name}", inner)
            case _:
                return None

    def _below(self, package: Module, name: str) -> Target:
        """A module in a package whose `__init__.py` is known."""
        if package.path.name != "__init__.py":
            return None
        found = self._file(package.path.parent, [name], package.folders)
        return found if isinstance(found, Module) else None

    def _module_named(self, dotted: str, level: int, module: Module) -> Module | str | None:
        """The module of a file that an import finds, or why it cannot be read; None for what is installed."""
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
