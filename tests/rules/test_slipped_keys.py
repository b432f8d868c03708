"""Lines that slipped a level, lost their header or were pasted twice: one complaint, and no other for what follows."""

from __future__ import annotations

import pytest

from checking import check_text, loud, only
from rules.finding import edit

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.*]
config:
  start: fetch
  nodes:
    fetch:
      action:
        item_id: tool:tickets/list
      assign:
        tickets: "${result.tickets}"
        team: core
      next: route
    route:
      action:
        item_id: tool:tickets/route
        params:
          tickets: "${state.tickets}"
      next:
        - to: each
          when: {path: state.team, value: core}
        - to: done
    each:
      type: foreach
      over: "${state.tickets}"
      action:
        item_id: tool:tickets/close
        params:
          ticket: "${item}"
      collect: closed
      next: done
    done:
      type: return
      output: {closed: "${state.closed || 0}"}
"""


def test_the_graph_itself_is_clean() -> None:
    assert loud(check_text(GRAPH)) == []


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("      assign:\n", "        assign:\n", ["GW101:9"]),
        ("      assign:\n", "", ["GW101:9"]),
        ("      next: route\n", "        next: route\n", ["GW101:12"]),
        ("      next:\n        - to: each\n", "        next:\n        - to: each\n", ["GW101:18"]),
        ("      collect: closed\n", "        collect: closed\n", ["GW101:29"]),
        ("        team: core\n      next: route\n", "        team: core\n        next: route\n", ["GW101:12"]),
        ("      next: route\n", "        next:\n          - to: route\n", ["GW101:12"]),
    ],
)
def test_a_key_of_a_node_that_slipped_inwards(old: str, new: str, found: list[str]) -> None:
    assert loud(check_text(edit(GRAPH, (old, new)))) == found


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("        params:\n          ticket:", "      params:\n          ticket:", ["GW101:27"]),
        ("          command: ls\n", "        command: ls\n", ["GW101:35"]),
        ("      type: return\n", "    type: return\n", ["GW101:38"]),
    ],
)
def test_a_key_that_slipped_outwards(old: str, new: str, found: list[str]) -> None:
    action = "      action:\n        item_id: tool:rye/bash\n        params:\n          command: ls\n"
    shell = f"    show:\n{action}      next: done\n"
    graph = edit(
        GRAPH,
        ("next: done\n    done:", f"next: show\n{shell}    done:"),
        ("tickets.*]", "tickets.*, rye.execute.tool.rye.bash]"),
        ('\n      output: {closed: "${state.closed || 0}"}', ""),
    )
    assert loud(check_text(graph)) == []
    assert loud(check_text(edit(graph, (old, new)))) == found


def test_the_type_of_another_node_is_one_complaint() -> None:
    moved = edit(
        GRAPH,
        ("      next: done\n    done:\n      type: return\n", "      next: done\n      type: return\n    done:\n"),
    )
    moved = edit(moved, ("      type: foreach\n", ""), ('      over: "${state.tickets}"\n', ""))
    found = only(check_text(moved), "GW104")
    assert found.message == "node `each`: a `return` node does not take `action`, `collect` or `next`"
    assert found.help == "is `type: return` wrong here?"


def test_what_slipped_inwards_is_told_where_it_belongs() -> None:
    raised = only(check_text(edit(GRAPH, ("      assign:\n", "        assign:\n"))), "GW101")
    assert raised.help == "`assign` belongs on a node, next to `action`"
    headless = only(check_text(edit(GRAPH, ("      assign:\n", ""))), "GW101")
    assert headless.help == "`tickets` belongs under `assign:`, a line that is missing above it"


def test_a_state_key_may_be_called_like_an_edge() -> None:
    kept = edit(
        GRAPH,
        ("        team: core\n", "        team: core\n        on_error: done\n"),
        ("state.closed", "state.on_error"),
    )
    assert [one.code for one in check_text(kept) if one.code == "GW101"] == []
    own = edit(
        GRAPH, ("        team: core\n", "        team: core\n        next: done\n"), ("state.closed", "state.next")
    )
    assert [one.code for one in check_text(own) if one.code == "GW101"] == []


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("      assign:\n", "      assign:\n      assign:\n", ["GW002:10"]),
        ("        params:\n          tickets", "        params:\n        params:\n          tickets", ["GW002:17"]),
        ("      next:\n        - to: each\n", "      next:\n      next:\n        - to: each\n", ["GW002:19"]),
        ("      next: route\n    route:\n", "    route:\n      next: route\n", ["GW002:18"]),
        ("        - to: done\n", "          to: done\n", ["GW002:21"]),
        ("    each:\n", "    fetch:\n", ["GW002:22", "GW202:19"]),
        ("        - to: done\n", "          to: done\n          when: {path: state.team, value: all}\n", ["GW002:21"]),
    ],
)
def test_what_stands_there_twice_is_one_mistake(old: str, new: str, found: list[str]) -> None:
    assert sorted(loud(check_text(edit(GRAPH, (old, new))))) == found


def test_a_whole_config_that_was_not_indented_is_reported_key_by_key() -> None:
    head, body = GRAPH.split("config:\n")
    lines = [line.removeprefix("  ") for line in body.splitlines(keepends=True)]
    assert loud(check_text(f"{head}config:\n{''.join(lines)}")) == ["GW101:4", "GW101:5"]


ROUTED = """\
      action:
        item_id: tool:tickets/route
        params:
          tickets: "${state.tickets}"
"""
PARAMS = 'params: {tickets: "${state.tickets}"}'


@pytest.mark.parametrize(
    ("keys", "line", "said"),
    [
        (("item_id: tool:tickets/route", PARAMS), 14, "`item_id` belongs under `action`, and so does `params`"),
        (
            ("action:", "item_id: tool:tickets/route", PARAMS),
            15,
            "`item_id` belongs under `action`, and so does `params`",
        ),
        (
            ("primary: execute", PARAMS, "item_id: tool:tickets/route"),
            14,
            "`primary` belongs under `action`, and so do `params` and `item_id`",
        ),
        (("item_id: tool:tickets/route", f"action: {{{PARAMS}}}"), 14, "`item_id` belongs under `action`"),
        (
            ("action: tool:tickets/route", PARAMS),
            15,
            "`params` belongs under `action`, next to `item_id: tool:tickets/route`",
        ),
        (
            ("uses: tickets/route", PARAMS.replace("params", "with")),
            14,
            "`uses` belongs under `action`, as `item_id`, and so does `with`, as `params`",
        ),
    ],
)
def test_an_action_without_its_header(keys: tuple[str, ...], line: int, said: str) -> None:
    graph = edit(GRAPH, (ROUTED, "".join(f"      {key}\n" for key in keys)))
    assert loud(check_text(graph)) == [f"GW101:{line}"]
    assert only(check_text(graph), "GW101").help == said


@pytest.mark.parametrize("key", ["run: ls", "label: urgent", "prompt: which team"])
def test_an_unknown_key_may_be_the_action_that_is_missing(key: str) -> None:
    assert loud(check_text(edit(GRAPH, (ROUTED, f"      {key}\n")))) == ["GW101:14"]


@pytest.mark.parametrize(
    ("hook", "said"),
    [
        ("{event: error, retry: true}", "`retry` belongs under `action`"),
        ("{event: error, retry: true, max_retries: 2}", "`retry` belongs under `action`, and so does `max_retries`"),
        ("{event: error, action: {retry: true}, max_retries: 2}", "`max_retries` belongs under `action`"),
        ("{event: error, item_id: tool:tickets/close}", "`item_id` belongs under `action`"),
    ],
)
def test_a_hook_without_the_header_of_its_action(hook: str, said: str) -> None:
    graph = edit(GRAPH, ("  start: fetch\n", f"  start: fetch\n  hooks: [{hook}]\n"))
    assert loud(check_text(graph)) == ["GW101:5"]
    assert only(check_text(graph), "GW101").help == said
