"""However many actions ask about the project, each of its files is read, and each id looked for, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphwright.checking.checker import check
from graphwright.project.projects import SourceFile
from graphwright.source import reader
from graphwright.source.compose import Composed, compose

HEAD = """\
tool_type: graph
permissions: [rye.execute.tool.*]
config_schema: {type: object, properties: {deep: {type: boolean}}, required: [deep]}
config:
  start: n0
  nodes:
"""
NODE = "    n{at}: {{action: {{item_id: tool:{called}, params: {{deep: false}}}}, next: n{after}}}\n"
#: Only some paths call: none of these graphs calls itself without end.
LAST = """\
    n{at}:
      type: gate
      next: [{{to: done, when: {{path: inputs.deep, op: eq, value: true}}}}, {{to: again}}]
"""
END = """\
    again: {{action: {{item_id: tool:{called}, params: {{deep: true}}}}, next: done}}
    done: {{type: return}}
"""


def calling(called: str, nodes: int = 20) -> str:
    """A graph whose nodes all call the same item."""
    body = "".join(NODE.format(at=at, after=at + 1, called="elsewhere/unknown") for at in range(nodes))
    return HEAD + body + LAST.format(at=nodes) + END.format(called=called)


@pytest.mark.parametrize("called", ["elsewhere/unknown", "one", "two"])
def test_each_file_is_composed_once(called: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tmp_path / ".ai" / "tools"
    tools.mkdir(parents=True)
    (tools / "one.yaml").write_text(calling(called), "utf-8")
    (tools / "two.yaml").write_text(calling("one"), "utf-8")
    composed: list[str] = []

    def counted(text: str) -> Composed:
        composed.append(text)
        return compose(text)

    monkeypatch.setattr(reader, "compose", counted)
    report = check([tools / "one.yaml"])
    assert not report.failed, report.diagnostics
    assert len(composed) == (2 if called == "two" else 1)


def test_each_id_is_looked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from graphwright.checking.neighbours import Siblings

    (tmp_path / "one.yaml").write_text(calling("elsewhere/unknown"), "utf-8")
    looked_for: list[str] = []
    search = Siblings._search

    def counted(self: Siblings, item_id: str) -> SourceFile | None:
        looked_for.append(item_id)
        return search(self, item_id)

    monkeypatch.setattr(Siblings, "_search", counted)
    check([tmp_path / "one.yaml"])
    assert sorted(looked_for) == sorted(set(looked_for))
    assert "elsewhere/unknown" in looked_for
