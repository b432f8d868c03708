"""graphwright: compiles declarative YAML state graphs to typed Python modules.

`check` finds faults, `build` writes modules, `compile_source` compiles a text in memory. Everything is imported with
its first use, so that `import graphwright` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphwright.building.builder import build as build
    from graphwright.building.compile import compile_source as compile_source
    from graphwright.checking.checker import check as check

__version__ = "0.1.0"
__all__ = ["__version__", "build", "check", "compile_source"]

#: Where each function of the interface lives. No module has the name of one: importing it would hide the function.
_HOMES = {
    "build": "graphwright.building.builder",
    "check": "graphwright.checking.checker",
    "compile_source": "graphwright.building.compile",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module `graphwright` has no attribute `{name}`")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
