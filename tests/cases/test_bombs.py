"""Files that are small and grow: one clear error each, at once, and no traceback."""

from __future__ import annotations

import time

import pytest

from cases.graphs import graph
from checking import check_files

DONE = "start: done\nnodes:\n  done: {type: return}\n"


def alias_bomb() -> str:
    levels = ["x-0: &a0 [z, z, z, z, z, z, z, z, z, z]"]
    levels += [f"x-{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 8)]
    return graph(DONE, top="\n".join(levels) + "\n")


def deep_condition(depth: int) -> str:
    condition = "{not: " * depth + "{path: state.x, op: exists}" + "}" * depth
    nodes = f"  a: {{type: gate, next: [{{to: d, when: {condition}}}, {{to: d}}]}}\n  d: {{type: return}}\n"
    return graph(f"start: a\nstate: {{x: 1}}\nnodes:\n{nodes}")


RECURSIVE = """\
start: a
nodes:
  a: &a
    action: {item_id: shop/a, params: {self: *a}}
    next: done
  done: {type: return}
"""


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (alias_bomb(), {"GW005"}),
        (deep_condition(3000), {"GW005"}),
        (graph(f"start: done\nstate: {{x: {'[' * 3000 + ']' * 3000}}}\nnodes:\n  done: {{type: return}}\n"), {"GW005"}),
        (graph(RECURSIVE), {"GW005"}),
        ("---\ntool_type: graph\n---\ntool_type: graph\n", {"GW005"}),
        ("", {"GW006"}),
        ("# nothing but a comment\n", {"GW006"}),
        ("- a\n- list\n", {"GW006"}),
        (graph("start: done\nstate: {x: !!python/object:os.system {}}\nnodes:\n  done: {type: return}\n"), {"GW003"}),
        ("[" * 10_000_000, {"GW001", "GW005"}),
        ("\x00\x01\x02", {"GW001", "GW005"}),
    ],
    ids=[
        "aliases",
        "conditions",
        "lists",
        "recursive",
        "documents",
        "empty",
        "comment",
        "list",
        "tag",
        "brackets",
        "binary",
    ],
)
def test_one_clear_error(text: str, codes: set[str]) -> None:
    began = time.monotonic()
    found = [one for one in check_files({"graph.yaml": text}, "graph.yaml") if one.severity.value == "error"]
    assert len(found) == 1
    assert found[0].code in codes
    assert time.monotonic() - began < 2


def test_nesting_within_the_limits_is_compiled() -> None:
    assert not [one for one in check_files({"graph.yaml": deep_condition(80)}) if one.severity.value == "error"]
