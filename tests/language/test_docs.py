"""The tables of docs/language.md say what the language's own tables say."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest

from graphwright.language import keys
from graphwright.language.events import EVENTS
from graphwright.language.nodes import NODES
from graphwright.language.operators import OPERATORS
from graphwright.language.pipes import PIPES
from graphwright.language.sections import Key, Section

PAGE: Final = Path(__file__).parents[2] / "docs" / "language.md"


def _rows(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    columns = head.count("|") + 1
    lines = [f"| {head} |", "|" + " --- |" * columns]
    return "\n".join([*lines, *("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)])


def _keys(section: Section) -> str:
    return _rows("key | default | meaning", [(f"`{key.name}`", _default(key), key.doc) for key in _modern(section)])


def _modern(section: Section) -> Iterator[Key]:
    return (key for key in section.table.values() if not key.modern)


def _default(key: Key) -> str:
    if key.required:
        return "required"
    return "" if key.default is None else f"`{json.dumps(key.default)}`".replace('"', "")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


TABLES: Final = {
    "graph": _keys(keys.TOP),
    "config": _keys(keys.CONFIG),
    "limits": _keys(keys.LIMITS),
    "retry": _keys(keys.RETRY),
    "nodes": _rows(
        "type | keys | meaning",
        [(f"`{name}`", _listed(key for key in each.keys if key != "type"), each.doc) for name, each in NODES.items()],
    ),
    "pipes": _rows(
        "pipe | gives | fails on",
        [(f"`{name}(x)`" if each.arguments else f"`{name}`", each.doc, each.fails_on) for name, each in PIPES.items()],
    ),
    "operators": _rows("op | holds when", [(f"`{name}`", each.doc) for name, each in OPERATORS.items()]),
    "events": _rows(
        "event | when | shows | honors",
        [(f"`{name}`", each.doc, _listed(each.shows), _listed(each.controls)) for name, each in EVENTS.items()],
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_golden_tables(name: str) -> None:
    text = PAGE.read_text("utf-8")
    found = re.search(rf"<!-- table: {name} -->\n(.*?)\n<!-- end -->", text, re.DOTALL)
    assert found, f"docs/language.md has no place for the table `{name}`"
    if os.environ.get("GRAPHWRIGHT_GOLDEN"):
        PAGE.write_text(f"{text[: found.start(1)]}{TABLES[name]}{text[found.end(1) :]}", "utf-8")
        return
    assert found[1] == TABLES[name], "docs/language.md is stale: run `make golden`"
