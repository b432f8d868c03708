"""Graphs as records that can be run: compiled from YAML on the way, in memory, or imported from generated modules.

Nothing is written, and mypy has no say.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Literal, Never, TypeAlias, Union, get_args, get_origin, get_type_hints, is_typeddict

from graphwright.emit.python import PYTHON
from graphwright.facts import Facts
from graphwright.names import module_name
from graphwright_runtime.execute import Graph
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.siblings import sibling

#: A graph that can be run, of whatever types.
CompiledGraph: TypeAlias = Graph[Never, object, object]

_JSON_TYPES: Mapping[object, str] = {
    bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object",
    NoneType: "null", None: "null",
}  # fmt: skip


class NoGraphError(Exception):
    """A module that holds no graph; the text is for the user."""


def compiled(facts: Facts) -> CompiledGraph:
    """A graph in which no error was found."""
    text = PYTHON.draft(facts).finish()
    module = ModuleType(f"graphwright_run.{module_name(facts.graph_id)}")
    module.__file__ = f"<compiled from {facts.source.path}>"
    # Dataclasses, type hints and pickling look a module up by its name.
    sys.modules[module.__name__] = module
    exec(compile(text, module.__file__, "exec", dont_inherit=True), module.__dict__)
    return graph_of(module)


def imported(target: str) -> ModuleType:
    """A generated module by its file or dotted name; raises `NoGraphError`."""
    from graphwright.cli.locating import locate, place
    from graphwright.cli.protection import protect

    location = locate(target)
    place(location.name, location.folder)
    if not all(part.isidentifier() for part in location.name.split(".")):
        raise NoGraphError(f"{target} cannot be imported: `{location.name}` is not the name of a module")
    try:
        protect(location)
    except ImportError as error:
        raise NoGraphError(f"{target} cannot be imported: {error}") from error
    try:
        return importlib.import_module(location.name)
    except Exception as error:  # what is no Python, or raises anything: the module is not ours
        said = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}".splitlines()[0]
        raise NoGraphError(f"{target} cannot be imported: {said}") from error


def graph_of(module: ModuleType) -> CompiledGraph:
    """The graph of a generated module; raises `NoGraphError`."""
    graph = getattr(module, "GRAPH", None)
    if not isinstance(graph, Graph):
        raise NoGraphError(f"{module.__name__} is no module that graphwright generated")
    return graph


def beside(module: ModuleType, graph: AnyGraph) -> Callable[[str], AnyGraph | None] | None:
    """Finds graphs next to a module that lies in no package; None for one that does, where the runtime finds them."""
    from graphwright.cli.locating import place

    if module.__name__ != module_name(graph.id) or module.__file__ is None:
        return None
    folder = Path(module.__file__).parent

    def find(wanted: str) -> AnyGraph | None:
        name = module_name(wanted)
        if (folder / f"{name}.py").exists() or (folder / name / "__init__.py").exists():
            place(name, folder)  # the search path does not lead there
        return sibling(graph, wanted)

    return find


def input_types(module: ModuleType) -> dict[str, tuple[str, ...]]:
    """The JSON types of each input of a generated module, empty where any will do, by the hints of its `Inputs`."""
    inputs = getattr(module, "Inputs", None)
    if not isinstance(inputs, type):
        return {}
    return {name: tuple(dict.fromkeys(_json_types(hint))) for name, hint in get_type_hints(inputs).items()}


def _json_types(hint: object) -> Iterator[str]:
    """The JSON types of a type hint; nothing for a hint that says nothing."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        for option in get_args(hint):
            yield from _json_types(option)
    elif origin is Literal:
        for value in get_args(hint):
            yield from _json_types(type(value))
    elif is_typeddict(hint):
        yield "object"
    else:
        found = _JSON_TYPES.get(hint if origin is None else origin)
        if found is not None:
            yield found
