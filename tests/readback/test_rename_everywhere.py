"""Every key of many graphs can be renamed, and the graph then means the same, under the new name."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphwright.checking.fix import apply_fixes
from graphwright.diagnostic import Fix
from graphwright.facts import Facts
from graphwright.ir.printer import print_graph
from graphwright.refactor.graph import own_occurrences
from graphwright.refactor.key import Key
from graphwright.source.reader import read_bytes
from readback.test_diff import GRAPHS

NEW = "renamed_key_1"


@pytest.mark.parametrize("file", GRAPHS, ids=lambda file: file.stem)
def test_only_the_name_changes(file: Path) -> None:
    text = file.read_text("utf-8")
    facts = Facts(read_bytes(text.encode(), "graph.yaml"))
    graph = facts.graph
    assert graph is not None
    printed = print_graph(graph)
    keys = [Key("state", name) for name in facts.assignment.all_keys if not name.startswith("_")]
    keys += [Key("inputs", name) for name in graph.inputs_at]
    simple = [key for key in keys if key.invalid() is None]
    for key in simple:
        found = own_occurrences(facts, key, NEW, returns_state=False)
        if not found.edits:  # it is in the state for another reason, such as an input that a condition reads
            assert f"{key}" not in printed
            continue
        after = apply_fixes(text, [Fix((edit,)) for edit in found.edits]).text
        renamed = Facts(read_bytes(after.encode(), "graph.yaml")).graph
        assert renamed is not None
        assert print_graph(renamed).replace(NEW, key.name) == printed, key
        assert after.count("\n") == text.count("\n")
        assert {line for line in after.split("\n") if NEW not in line} <= set(text.split("\n"))
