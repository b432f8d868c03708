"""The example of docs/tools.md does what the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from commands import graphwright
from graphwright_runtime.graph import dynamic
from runtime.small import AnyCursor, graph, ran

PAGE = (Path(__file__).parents[2] / "docs" / "tools.md").read_text("utf-8")
SUMMARIZE = """\
tool_type: graph
config_schema: {type: object, properties: {tickets: {type: array}}, required: [tickets]}
config:
  start: done
  nodes:
    done: {type: return, output: {text: "${inputs.tickets | length} open"}}
"""


def block(language: str, path: str) -> str:
    """The block on the page that begins with the name of this file."""
    [found] = re.findall(rf"```{language}\n(# {re.escape(path)}.*?)```", PAGE, re.DOTALL)
    return str(found)


@pytest.mark.parametrize("sent", [True, False])
def test_the_documented_tool_calls_tools_and_a_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {
        "team/digest.py": block("python", ".ai/tools/team/digest.py"),
        "team/weekly.yaml": block("yaml", ".ai/tools/team/weekly.yaml"),
        "tickets/list.py": "def execute(params):\n    return {'tickets': [{'open': True}, {'open': False}]}\n",
        "reports/summarize.yaml": SUMMARIZE,
        "mail/send.py": "def execute(params):\n    assert params['text'] == '2 open'\n    return {}\n",
    }
    if not sent:
        files["team/weekly.yaml"] = files["team/weekly.yaml"].replace("  - rye.execute.tool.mail.send\n", "")
    for name, text in files.items():
        file = tmp_path / ".ai" / "tools" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    checked = graphwright("check")
    assert (checked.code, checked.stdout) == (0, ""), checked.stderr
    done = graphwright("run", "-q", "team/weekly", "--durability", "off")
    assert json.loads(done.stdout)["output"] == {"sent": sent}, done.stderr


def test_the_documented_tool_waits_in_its_thread() -> None:
    space: dict[str, Any] = {}
    exec(block("python", ".ai/tools/team/lists.py"), space)

    async def tickets(params: dict[str, Any]) -> object:
        return {"tickets": [params["team"]]}

    async def node(c: AnyCursor) -> str | None:
        c.commit({"result": await c.call_with(dynamic("execute", None, "lists"), {"teams": ["blue", "red"]})})
        return "done"

    run = ran(graph(node, permissions=["*"]), tools={"lists": space["execute"], "tickets/list": tickets})
    assert run.result.state["result"] == {"blue": ["blue"], "red": ["red"]}
