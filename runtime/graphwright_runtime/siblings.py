"""Finds graphs by their ids in the package of another graph's module.

Modules are imported through the import system, so that imports are verified, and only if their source declares the
wanted graph id, so that an id cannot cause other modules of the package to run.
"""

from __future__ import annotations

import importlib
import sys
from importlib.abc import SourceLoader
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType
from zipimport import zipimporter

from graphwright_runtime.errors import Category, NodeError
from graphwright_runtime.graph import AnyGraph, GraphRecord
from graphwright_runtime.ids import module_name


def sibling(graph: AnyGraph, graph_id: str) -> AnyGraph | None:
    """The graph `graph_id` in the same package as `graph`; None if there is none.

    Raises NodeError if its module cannot be imported or is refused.
    """
    module = _module_of(graph)
    own = module_name(graph.id)
    if module is None or f".{module.__name__}"[-len(own) - 1 :] != f".{own}":
        return None  # not in a generated package: written by hand, or executed from another file
    name = module.__name__.removesuffix(own) + module_name(graph_id)
    try:
        if not _is_module_of(name, graph_id, module, own):
            return None
        found = getattr(importlib.import_module(name), "GRAPH", None)
    except Exception as error:
        category: Category = "denied" if isinstance(error, ImportError) else "permanent"
        raise NodeError(f"the graph `{graph_id}` cannot be imported: {error}", category=category) from error
    return found if isinstance(found, GraphRecord) and found.id == graph_id else None


def _module_of(graph: AnyGraph) -> ModuleType | None:
    """The imported module that defines the nodes of a graph."""
    node = next(iter(graph.nodes.values()), None)
    if not isinstance(node, FunctionType):
        return None
    module = sys.modules.get(node.__module__)
    return module if module is not None and vars(module) is node.__globals__ else None


def _is_module_of(name: str, graph_id: str, caller: ModuleType, own: str) -> bool:
    """Whether there is a module with this name whose source declares this graph id."""
    try:
        spec = find_spec(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):  # its package does not exist
            return False
        raise
    if spec is None or spec.origin is None:
        return False
    if caller.__name__ == own and not _shares_folder(spec, caller, own):
        return False  # top-level modules in different folders do not belong together
    if not isinstance(spec.loader, (SourceLoader, zipimporter)):
        return False
    from graphwright_runtime.trust.limits import graph_id_of

    return graph_id_of(spec.loader.get_data(spec.origin)) == graph_id


def _shares_folder(spec: ModuleSpec, caller: ModuleType, own: str) -> bool:
    if caller.__file__ is None or spec.origin is None:
        return False
    top = _without_suffix(caller.__file__).parents[own.count(".")]
    return _without_suffix(spec.origin) == top.joinpath(*spec.name.split("."))


def _without_suffix(file: str) -> Path:
    """The path of a module without suffix; for an `__init__.py`, its package."""
    path = Path(file)
    return path.parent if path.name == "__init__.py" else path.with_suffix("")
