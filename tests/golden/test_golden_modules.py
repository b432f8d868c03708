"""Emitted modules as they are: a change of the emitter shows here line by line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphwright.building.compile import compile_source

MODULES = Path(__file__).parent / "modules"


@pytest.mark.parametrize("graph", sorted(MODULES.glob("*.yaml")), ids=lambda graph: graph.stem)
def test_golden_module(graph: Path) -> None:
    compiled = compile_source(graph.read_text("utf-8"), graph_id=f"golden/{graph.stem}", path=f"golden/{graph.name}")
    assert compiled.text is not None, [(each.code, each.message) for each in compiled.diagnostics]
    golden = graph.with_suffix(".py")
    if os.environ.get("GRAPHWRIGHT_GOLDEN"):
        golden.write_text(compiled.text, "utf-8", newline="\n")
    assert golden.is_file(), "`make golden` writes it"
    assert compiled.text == golden.read_text("utf-8"), f"{golden.name} differs: `make golden` rewrites it"
