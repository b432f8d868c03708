"""GW701 for ids that misspell a tool of the project, and for nothing that may be a tool of the application."""

from __future__ import annotations

import pytest

from checking import check_files

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.*]
config:
  start: call
  nodes:
    call: {action: {item_id: "tool:ID", params: {n: 1}}, next: done}
    done: {type: return}
"""
TOOL = "def execute(params, project_path):\n    return {}\n"
FILES = {
    ".ai/tools/team/fetch_rows.py": TOOL,
    ".ai/tools/team/step_a.py": TOOL,
    ".ai/tools/team/part_1.py": TOOL,
    ".ai/tools/team/user.py": TOOL,
    ".ai/tools/team/get.py": TOOL,
    ".ai/tools/team/fetch_invoices.py": TOOL,
    ".ai/tools/team/assign_message.py": TOOL,
    ".ai/tools/team/created.py": TOOL,
    ".ai/tools/team/partii.py": TOOL,
    ".ai/tools/team/stage12a.py": TOOL,
    ".ai/tools/team/fileread.py": TOOL,
    ".ai/tools/team/getMessageById.py": TOOL,
    ".ai/tools/team/parse_json.py": TOOL,
    ".ai/tools/team/find.py": TOOL,
    ".ai/tools/team/reindex.py": TOOL,
    ".ai/tools/team/formatting.py": "def formatted(text):\n    return text\n",
    ".ai/tools/team/settings.yaml": "x: 1\n",
    ".ai/tools/team/invoicing.yaml": GRAPH.replace("ID", "team/user"),
    ".ai/tools/summarize.py": TOOL,
    "contracts/team/declared.yaml": "params: {type: object}\n",
}


def said(item_id: str, *, permissions: str = "rye.execute.tool.*") -> list[tuple[str, str | None]]:
    """What GW701 says of a call."""
    text = GRAPH.replace("ID", item_id).replace("rye.execute.tool.*", permissions)
    found = check_files({**FILES, ".ai/tools/g.yaml": text}, ".ai/tools/g.yaml")
    return [(each.message, each.help) for each in found if each.code == "GW701"]


@pytest.mark.parametrize(
    ("item_id", "meant"),
    [
        ("team/fetch_row", None),
        ("team/fetch_inovices", "team/fetch_invoices"),
        ("team/fetch_invoicces", "team/fetch_invoices"),
        ("team/assign_mesage", "team/assign_message"),
        ("team/getMesageById", "team/getMessageById"),
        ("team/getMessagesById", None),
        ("team/fetch_invoice", None),
        ("team/fetch_rwos", None),
        ("team/creates", None),
        ("team/create", None),
        ("team/partiii", None),
        ("team/stage12b", None),
        ("team/filesread", None),
        ("team/parse_jsonl", None),
        ("team/bind", None),
        ("team/index", None),
        ("team/formating", None),
        ("team/setings", None),
        ("team.fetch_rows", "team/fetch_rows"),
        ("team.invoicing", "team/invoicing"),
        ("team.settings", None),
        ("team.other", None),
        ("team/fetchrows", "team/fetch_rows"),
        ("team/fetch-rows", "team/fetch_rows"),
        ("team/declard", "team/declared"),
        ("sumarize", "summarize"),
        ("team/step_b", None),
        ("team/part_2", None),
        ("team/users", None),
        ("team/set", None),
        ("team/fetch_cows_now", None),
        ("other/fetch_inovices", None),
        ("team/fetch_rows", None),
        ("rye/team/fetch_inovices", None),
    ],
)
def test_an_id_that_is_nearly_one_of_the_project(item_id: str, meant: str | None) -> None:
    message = f"node `call` calls tool `{item_id}`, which is neither built in nor in the project"
    assert said(item_id) == ([] if meant is None else [(message, f"did you mean `{meant}`?")])


def test_an_id_that_is_not_permitted_is_one_finding() -> None:
    assert said("team/fetch_inovices", permissions="rye.execute.tool.team.fetch_invoices") == []
