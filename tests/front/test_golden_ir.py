"""Golden files of the IR: `tests/golden/ir/<name>.yaml` and what it is lowered to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphwright.facts import Facts
from graphwright.ir.printer import print_graph
from graphwright.ir.verify import verify
from graphwright.source.reader import read_file

GOLDEN = Path(__file__).parents[1] / "golden" / "ir"
GRAPHS = sorted(GOLDEN.glob("*.yaml"))


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_golden_ir(path: Path) -> None:
    graph = Facts(read_file(path, path.name), graph_id=f"golden/{path.stem}", path=path.name).graph
    assert graph is not None
    verify(graph)
    text, golden = print_graph(graph), path.with_suffix(".txt")
    if os.environ.get("GRAPHWRIGHT_GOLDEN"):
        golden.write_text(text, encoding="utf-8")
    expected = golden.read_text(encoding="utf-8") if golden.exists() else ""
    assert text == expected, f"the IR of {path.name} has changed; if that is meant: make golden"
