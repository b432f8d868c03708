"""`typing.get_type_hints` resolves everything public in a module."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import get_type_hints

import pytest

from running import loaded

MODULES = Path(__file__).parent.parent / "golden" / "modules"


@pytest.mark.parametrize("with_extras", [False, True])
@pytest.mark.parametrize("path", sorted(MODULES.glob("*.py")), ids=lambda path: path.stem)
def test_everything_public(path: Path, *, with_extras: bool) -> None:
    with loaded(path.read_text("utf-8")) as module:
        hints = get_type_hints(module, include_extras=with_extras)
        assert {"GRAPH_HASH", "GRAPH_ID", "MAX_STEPS", "PERMISSIONS", "REQUIRED_ENV", "START"} <= set(hints)
        for name in module.__all__:
            public = getattr(module, name)
            if isinstance(public, type):
                get_type_hints(public, include_extras=with_extras)
                for method in vars(public).values():
                    if inspect.isfunction(method):
                        get_type_hints(method, include_extras=with_extras)
            elif inspect.ismethod(public):
                assert "inputs" in get_type_hints(public, include_extras=with_extras)
