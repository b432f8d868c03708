"""The line map: every statement of a node leads back to its line of the YAML, signed or not."""

from __future__ import annotations

from bisect import bisect_right

import pytest

from graphwright.emit.linemap import PLACEHOLDER, NotAligned, with_line_map, without_marks
from graphwright.emit.model import marked
from running import compile_text, loaded

GRAPH = """\
version: "1.0.0"
tool_type: graph
description: lines
permissions: [rye.execute.tool.a.*]
config:
  start: work
  state: {n: 1}
  nodes:
    work:
      action:
        item_id: a/b
        params: {text: "a text that is long enough to be broken by the formatter, ${state.n}", more: "${state.n}"}
      assign:
        head: "${result.head}"
        second:
          - "${state.n}"
          - "and another text that is long enough to be broken: ${state.n} ${state.n}"
      next:
        - {to: work, when: {path: state.head, value: again}}
        - to: check
    check:
      type: gate
      next:
        - to: done
          when: {path: state.head, op: regex, value: "^x"}
    done:
      type: return
      output: "${state.second}"
"""


def mapped(code: str) -> dict[str, int]:
    """The line of the YAML for each line of code, by its text."""
    with loaded(code) as module:
        first = next(iter(module.GRAPH.nodes.values())).__code__.co_firstlineno
        pairs = [tuple(map(int, word.split(":"))) for word in module.GRAPH.lines.split()]
    lines = code.split("\n")
    starts = [start for start, _ in pairs]
    found: dict[str, int] = {}
    for number in range(first + 1, len(lines)):
        position = bisect_right(starts, number - first)
        if position:
            found.setdefault(lines[number - 1].strip(), pairs[position - 1][1])
    return found


def test_statements_lead_to_their_lines() -> None:
    found = mapped(compile_text(GRAPH))
    lines = GRAPH.splitlines()
    expected = {
        "result = await c.call(": "      action:",
        "head = result.get(": '        head: "${result.head}"',
        "second: list[object] = [": "        second:",
        "return target": "    work:",
        'return "done" if matches(': "        - to: done",
        'c.finish(state["second"])': '      output: "${state.second}"',
    }
    for code, source in expected.items():
        line = next((line for text, line in found.items() if text.startswith(code)), None)
        accepted = [number for number, text in enumerate(lines, 1) if text == source]
        assert line is not None, f"{code} is not in {list(found)}"
        assert line in (accepted[0], accepted[0] + 1), code


def test_lines_behind_the_nodes_lead_nowhere() -> None:
    assert mapped(compile_text(GRAPH))["async def run("] == 0


def test_a_line_in_front_changes_nothing() -> None:
    code = compile_text(GRAPH)
    assert mapped(f"# graphwright:signed:0:0:0\n{code}") == mapped(code)


def test_lines_that_the_formatter_broke_are_followed() -> None:
    raw = "\n".join(
        [
            '"""',
            '"""',
            "async def a(c):",
            f"    {marked('x = f(1, 2)', 7)}",
            f"    {marked('y = 2', 8)}",
            'GRAPH: Final = Graph(lines="line map", )',
            "",
        ]
    )
    record = f'GRAPH: Final = Graph(\n    lines="{PLACEHOLDER}",\n)\n'
    formatted = '"""\n"""\n\n\nasync def a(c):\n    x = f(\n        1,\n        2,\n    )\n    y = 2\n\n\n' + record
    assert "\x1e" not in without_marks(raw)
    assert '    lines="1:7 5:8 8:0",\n' in with_line_map(raw, formatted)


def test_joined_lines_are_noticed() -> None:
    raw = f'"""\n"""\n{marked("x = (", 1)}\n1)\nGRAPH: Final = 1\n'
    with pytest.raises(NotAligned):
        with_line_map(raw, f'"""\n"""\nx = 1\nGRAPH: Final = Graph(\n    lines="{PLACEHOLDER}",\n)\n')
