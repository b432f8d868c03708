"""Keys that begin as null in `config.state`: where a run still finds null, and where that does no harm."""

from __future__ import annotations

import pytest

from checking import check_text, loud, only

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.x.*, rye.execute.tool.rye.bash]
config:
  start: ask
  state: {n: null}
  nodes:
    ask:
      action: {item_id: tool:x/ask}
      next:
        - {to: count, when: {path: result.more, value: true}}
        - {to: use}
    count:
      action: {item_id: tool:x/count}
      assign: {n: "${result.n}"}
      next: use
    use:
      USE
      next: done
    done: {type: return, output: "${state.n}"}
"""


def graph(use: str) -> str:
    return GRAPH.replace("USE", use)


@pytest.mark.parametrize(
    "use",
    [
        'action: {item_id: tool:x/use, params: {text: "there are ${state.n}"}}',
        'action: {item_id: tool:rye/bash, params: {command: "echo ${state.n | quote}"}}',
        '{type: gate, assign: {m: "${state.n + 1}"}, x-a: {}}'.strip("{}").replace(", assign", "\n      assign"),
        'type: gate\n      assign: {m: "${-state.n}"}',
        'type: foreach\n      over: "${state.n}"\n      action: {item_id: tool:x/use, params: {n: "${item}"}}',
    ],
)
def test_null_is_noticed(use: str) -> None:
    found = only(check_text(graph(use.split(", x-a")[0])), "GW302")
    assert found.message == "`state.n` may still be null here: the path `ask → use` skips it"
    assert "give `n` a value other than null in `config.state`, or write a fallback" in str(found.help)


@pytest.mark.parametrize(
    "use",
    [
        'action: {item_id: tool:x/use, params: {n: "${state.n}", ns: ["${state.n}"]}}',
        'action: {item_id: tool:x/use, params: {text: "there are ${state.n || 0}"}}',
        'action: {item_id: tool:x/use, params: {n: "${state.n | length}"}}',
        'action: {item_id: tool:rye/bash, params: {command: ls, timeout: "${state.n}"}}',
        'type: gate\n      assign: {m: "${(state.n || 0) + 1}"}',
        'type: gate\n      assign: {m: "${state.n}"}',
    ],
)
def test_null_does_no_harm(use: str) -> None:
    assert "GW302" not in str(loud(check_text(graph(use))))


def test_a_comparison_with_null_is_meant() -> None:
    text = graph('action: {item_id: tool:x/use, params: {n: "${state.n}"}}').replace(
        "      next: done\n", "      next: [{to: done, when: {path: state.n, op: gt, value: 3}}, {to: ask}]\n"
    )
    assert loud(check_text(text.replace(", rye.execute.tool.rye.bash", ""))) == []


def test_a_test_before_is_enough() -> None:
    text = graph('action: {item_id: tool:x/use, params: {text: "there are ${state.n}"}}').replace(
        "        - {to: use}\n", "        - {to: use, when: {path: state.n, op: exists}}\n        - {to: done}\n"
    )
    assert loud(check_text(text.replace(", rye.execute.tool.rye.bash", ""))) == []


def test_what_is_certain_is_said_once() -> None:
    text = graph('type: gate\n      assign: {m: "${state.n + 1}"}').replace("start: ask", "start: use")
    text = (
        text.replace("next: done", "next: ask")
        .replace("- {to: use}", "- {to: done}")
        .replace("next: use", "next: done")
    )
    assert [one for one in loud(check_text(text)) if one[:5] in ("GW302", "GW407")] == ["GW407:18"]
