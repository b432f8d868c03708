"""The line map: every statement of a node leads back to its line of the YAML, signed or not."""

from __future__ import annotations

from bisect import bisect_right

import pytest

from graphwright.emit.errors import TemplateError
from graphwright.emit.layout.text import laid_out
from graphwright.emit.linemap import PLACEHOLDER
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
        params: {text: "a text that is long enough that its line is broken in two, ${state.n}", more: "${state.n}"}
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
    assert mapped(compile_text(GRAPH))["run = GRAPH.run"] == 0


def test_a_line_in_front_changes_nothing() -> None:
    code = compile_text(GRAPH)
    assert mapped(f"# graphwright:signed:0:0:0\n{code}") == mapped(code)


def test_lines_that_were_broken_are_followed() -> None:
    argument = f'"{"x" * 90}"'
    raw = "\n".join(
        [
            '"""Lines',
            '"""',
            "async def a(c):",
            f"    {marked(f'x = f({argument}, 2)', 7)}",
            f"    {marked('y = 2', 8)}",
            "",
            "",
            f'GRAPH = Graph(lines="{PLACEHOLDER}")',
            "",
        ]
    )
    text = laid_out(raw)
    assert "\x1e" not in text
    assert f"    x = f(\n        {argument},\n        2,\n    )\n    y = 2\n" in text
    assert text.endswith('GRAPH = Graph(lines="1:7 5:8 8:0")\n')


def test_functions_before_the_first_node_are_above_it() -> None:
    raw = "\n".join(
        [
            "def edges():",
            f"    {marked('return 1', 7)}",
            "async def a(c):",
            f"    {marked('return edges()', 5)}",
            f'GRAPH = Graph(lines="{PLACEHOLDER}")',
        ]
    )
    assert 'lines="-3:7 1:5 4:0"' in laid_out(raw)


def test_a_record_without_a_place_for_the_map_is_noticed() -> None:
    with pytest.raises(TemplateError, match="no place for the line map"):
        laid_out("GRAPH = Graph()\n")
