"""graphwright: compiles declarative YAML state graphs to typed Python modules.

`check` finds mistakes, `build` writes modules, `compile_source` compiles a string in memory. They are imported when
first used, so that `import graphwright` is fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphwright.building.builder import build as build
    from graphwright.building.compile import compile_source as compile_source
    from graphwright.checking.checker import check as check

__version__ = "0.1.0"
__all__ = ["__version__", "build", "check", "compile_source"]

#: The modules of the public functions. None of them has the name of a function, because importing it would hide that.
_MODULES = {
    "build": "graphwright.building.builder",
    "check": "graphwright.checking.checker",
    "compile_source": "graphwright.building.compile",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module `graphwright` has no attribute `{name}`")
    import importlib

    return getattr(importlib.import_module(_MODULES[name]), name)
