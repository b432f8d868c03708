"""An edge leads to a node that is missing: what that node may read, set or lead to is not reported as well."""

from __future__ import annotations

import pytest

from checking import check_text, loud, only
from rules.finding import edit

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.*, rye.execute.tool.mail.send]
config_schema:
  type: object
  properties: {team: {type: string}, to: {type: string}}
  required: [team, to]
config:
  start: fetch
  nodes:
    fetch:
      action: {item_id: tool:tickets/list, params: {team: "${inputs.team}"}}
      assign: {tickets: "${result.tickets}"}
      on_error: sorry
      next: mail_report
    mail_report:
      action: {item_id: tool:mail/send, params: {to: "${inputs.to}", text: "${state.tickets | json}"}}
      assign: {mail: "${result.id}"}
      on_error: sorry
      next: keep
    keep:
      action: {item_id: tool:tickets/keep, params: {mail: "${state.mail}"}}
      next:
        - {to: done, when: {path: state.mail, op: exists}}
        - {to: sorry}
    sorry: {type: return, output: {sent: false}}
    done: {type: return, output: {mail: "${state.mail}"}}
"""

NODES = {
    "mail_report": GRAPH[GRAPH.index("    mail_report:") : GRAPH.index("    keep:")],
    "fetch": GRAPH[GRAPH.index("    fetch:") : GRAPH.index("    mail_report:")],
    "keep": GRAPH[GRAPH.index("    keep:") : GRAPH.index("    sorry:")],
    "done": GRAPH[GRAPH.index("    done:") :],
}


@pytest.mark.parametrize(
    ("name", "said"), [("mail_report", "GW202:14"), ("fetch", "GW201:8"), ("keep", "GW202:19"), ("done", "GW202:23")]
)
def test_a_node_that_was_left_out(name: str, said: str) -> None:
    assert loud(check_text(GRAPH)) == []
    assert loud(check_text(edit(GRAPH, (NODES[name], "")))) == [said]


def test_what_no_node_could_explain_is_reported() -> None:
    text = edit(GRAPH, (NODES["mail_report"], ""), ("${inputs.team}", "${inputs.taem}"))
    assert loud(check_text(text)) == ["GW307:11", "GW202:14"]
    text = edit(GRAPH, (NODES["mail_report"], ""), ("op: exists", "op: exist"))
    assert loud(check_text(text)) == ["GW202:14", "GW405:18"]


def test_a_misspelled_key_is_found_next_to_a_missing_node() -> None:
    text = edit(GRAPH, (NODES["done"], ""), ('{mail: "${state.mail}"}', '{mail: "${state.mial}"}'))
    assert loud(check_text(text)) == ["GW301:21", "GW202:23"]


def test_all_edges_to_one_missing_node_are_one_finding() -> None:
    text = edit(GRAPH, ("    sorry: {", "    sory: {"))
    found = only(check_text(text), "GW203")
    assert loud(check_text(text)) == ["GW203:13"]
    assert [label.span.line for label in found.related] == [18, 24]
    assert found.help == "rename node `sory` to `sorry`, or write `sory` each time"


def test_a_longer_name_that_nothing_leads_to_is_meant() -> None:
    text = edit(GRAPH, ("    keep:", "    keep_all:"), ("next: mail_report", "next: keep"), (NODES["mail_report"], ""))
    text = edit(
        text, ("    sorry: {", "    keeq: {type: gate, next: keeq}\n    sorry: {"), ("- {to: sorry}", "- {to: keeq}")
    )
    assert only(check_text(text), "GW202").help == "did you mean `keep_all`?"


def test_a_node_that_edges_lead_to_is_not_a_distant_guess() -> None:
    text = edit(GRAPH, ("- {to: sorry}", "- {to: worried}"))
    assert str(only(check_text(text), "GW202").help).startswith("the nodes are ")
    assert only(check_text(edit(GRAPH, ("- {to: sorry}", "- {to: sorrow}"))), "GW202").help == "did you mean `sorry`?"
