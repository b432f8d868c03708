"""GW2xx: targets, reachability, cycles, limits."""

from __future__ import annotations

import pytest

from rules.finding import CLEAN, edit, findings, loud, one, places


def test_the_clean_graph_is_clean() -> None:
    assert loud(CLEAN) == set()


@pytest.mark.parametrize(
    ("code", "old", "new", "suggestion"),
    [
        ("GW201", "start: fetch", "start: fecth", "`fetch`"),
        ("GW202", "next: count", "next: cuont", "`count`"),
        ("GW203", "next: done", "on_error: dnoe\n      next: done", "`done`"),
        ("GW202", "next: count", "next: elsewhere", "`fetch`, `count` and `done`"),
    ],
)
def test_an_unknown_target_is_one_fault(code: str, old: str, new: str, suggestion: str) -> None:
    text = edit(CLEAN, (old, new))
    assert suggestion in str(one(code, text).help)
    assert loud(text) == {code}


def test_an_unreachable_part_is_reported_at_its_root() -> None:
    lost = "    archive: {action: {item_id: tool:tickets/a}, next: purge}\n"
    lost += "    purge: {action: {item_id: tool:tickets/b}, next: done}\n"
    found = one("GW204", edit(CLEAN, ("    done:\n", lost + "    done:\n")))
    assert found.message == "no path leads from `fetch` to node `archive`, nor to `purge` after it"
    assert found.help == "add `next: archive` or `on_error: archive` to a node, or remove it"


def test_the_edge_that_could_have_meant_an_unreachable_node() -> None:
    lost = "    dona: {type: return}\n"
    found = one("GW204", edit(CLEAN, ("    done:\n", lost + "    done:\n")))
    assert "`count` leads to `done`; should it lead to `dona`?" in str(found.help)
    assert found.related[0].span.line == 25


def test_an_unreachable_cycle_has_one_root() -> None:
    lost = "    a: {type: gate, next: [{to: done, when: {path: state.total, op: exists}}, {to: b}]}\n"
    assert places("GW204", CLEAN + lost + "    b: {type: gate, next: a}\n") == ["29: a"]


def test_what_only_error_edges_lead_to_is_reachable() -> None:
    rescue = "    rescue: {type: return, output: {}}\n"
    assert (
        findings("GW204", edit(CLEAN, ("      next: count\n", "      next: count\n      on_error: rescue\n")) + rescue)
        == []
    )


def test_an_unknown_way_may_lead_anywhere() -> None:
    text = edit(CLEAN, ("next: count", "next: elsewhere"))
    assert findings("GW204", text) == []


def test_dead_edges() -> None:
    text = edit(CLEAN, ("next: done", "next: [{to: done}, {to: big}, {to: fetch}]")) + "    big: {type: return}\n"
    found = one("GW205", text)
    assert found.message == (
        "the edge of node `count` to `big` is never taken, nor 1 edge after it: "
        "the edge to `done` before it has no condition"
    )
    assert loud(text) == {"GW205"}


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("{}", "no condition"),
        ("null", "no condition"),
        ("{all: []}", "a condition that is always true"),
        ("{not: {any: []}}", "a condition that is always true"),
        ("{all: [{all: []}, {not: {any: []}}]}", "a condition that is always true"),
        ("{any: [{path: state.total, value: 1}, {all: []}]}", "a condition that is always true"),
    ],
)
def test_edges_after_an_empty_condition(condition: str, said: str) -> None:
    second = "{to: fetch, when: {path: state.total, value: 2}}"
    edges = f"next:\n        - {{to: done, when: {condition}}}\n        - {second}"
    text = edit(CLEAN, ("next: done", edges))
    assert one("GW205", text).message.endswith(f"the edge to `done` before it has {said}")
    assert loud(text) == {"GW205"}
    assert "GW205" not in loud(edit(CLEAN, ("next: done", edges.rpartition("\n")[0])))


@pytest.mark.parametrize("condition", ["{any: []}", "{not: {all: []}}", "{all: [{all: []}, {any: []}]}"])
def test_an_edge_that_never_matches_hides_no_other(condition: str) -> None:
    edges = f"next:\n        - {{to: done, when: {condition}}}\n        - to: done"
    assert "GW205" not in loud(edit(CLEAN, ("next: done", edges)))


ENDLESS = edit(CLEAN, ("next: done", "next: fetch"))


def test_a_cycle_without_a_way_out_is_spelled_out() -> None:
    found = one("GW208", ENDLESS)
    assert "`fetch → count → fetch`" in found.message
    assert found.span.line == 12


def test_a_cycle_without_a_way_out_names_the_node_that_nothing_leads_to() -> None:
    assert loud(ENDLESS) == {"GW208"}, "`done` is not reported as unreachable as well"
    assert "`next: [{to: done, when: {path: …, value: …}}, {to: fetch}]`" in str(one("GW208", ENDLESS).help)
    back = edit(ENDLESS, ("    done:\n", "    spare: {type: gate, next: fetch}\n    done:\n"))
    assert loud(back) == {"GW208", "GW204"}, "two nodes could be meant"
    into = ENDLESS[: ENDLESS.index("      type: return")] + "      type: gate\n      next: fetch\n"
    assert loud(into) >= {"GW208", "GW204"}, "`done` leads back into the cycle"


@pytest.mark.parametrize(
    "way_out",
    [
        "on_error: done\n      next: fetch",
        "next: [{to: done, when: {path: result.total, op: exists}}, {to: fetch}]",
        "next: [{to: fetch, when: {path: result.total, op: exists}}]",
    ],
)
def test_edges_error_edges_and_ends_are_ways_out(way_out: str) -> None:
    assert findings("GW208", edit(ENDLESS, ("next: fetch", way_out))) == []


def test_a_graph_that_completes_at_the_limit_means_it() -> None:
    assert findings("GW208", edit(ENDLESS, ("  start: fetch", "  start: fetch\n  on_max_steps: return"))) == []


def test_going_on_after_errors_is_no_way_out() -> None:
    assert len(findings("GW208", edit(ENDLESS, ("  start: fetch", "  start: fetch\n  on_error: continue")))) == 1


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ((), "until 100 steps are used up"),
        (("max_visits: 3",), "until `max_visits` of `fetch` is used up"),
        (("max_visits: 80",), "until 100 steps are used up"),
    ],
)
def test_a_cycle_says_what_ends_it(limits: tuple[str, ...], said: str) -> None:
    limited = "".join(f"    fetch:\n      {limit}\n" for limit in limits) or "    fetch:\n"
    assert said in one("GW208", edit(ENDLESS, ("    fetch:\n", limited))).message


def test_max_steps() -> None:
    two = edit(CLEAN, ("start: fetch", "start: fetch\n  max_steps: 2"))
    found = one("GW210", two)
    assert "takes 3: `fetch → count → done`" in found.message
    assert places("GW210", two) == ["11: 2"]
    assert findings("GW210", edit(CLEAN, ("start: fetch", "start: fetch\n  max_steps: 3"))) == []
    hook = "\n  hooks: [{event: limit, action: {continue: true, additional_steps: 5}}]"
    assert findings("GW210", edit(two, ("max_steps: 2", "max_steps: 2" + hook))) == []


def test_no_return_node() -> None:
    text = CLEAN[: CLEAN.index("    done:")].replace("      next: done\n", "")
    assert "a run ends after `count`" in one("GW211", text).message
    assert findings("GW211", CLEAN) == []


def test_error_cycles() -> None:
    itself = edit(CLEAN, ("next: done", "on_error: count\n      next: done"))
    assert "`count`" in one("GW212", itself).message
    both = edit(itself, ("on_error: count", "on_error: fetch"), ("next: count", "on_error: count\n      next: count"))
    assert "`fetch → count → fetch`" in one("GW212", both).message
    assert findings("GW212", edit(itself, ("on_error: count", "on_error: done"))) == []
