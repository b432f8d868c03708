"""The example of docs/items.md does what the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from commands import graphwright

PAGE = (Path(__file__).parents[2] / "docs" / "items.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("knowledge", "rules"), [("style/commits.md", "Commit messages are short."), ("other.md", "none")]
)
def test_the_documented_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, knowledge: str, rules: str) -> None:
    monkeypatch.chdir(tmp_path)
    [graph] = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    [directive] = re.findall(r"````markdown\n(.*?)````", PAGE, re.DOTALL)
    text = "Commit messages are short." if rules != "none" else "Nothing."
    files = {"tools/review.yaml": graph, "directives/team/review.md": directive, f"knowledge/{knowledge}": text}
    for name, content in files.items():
        file = tmp_path / ".ai" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
    checked = graphwright("check")
    assert (checked.code, checked.stdout) == (0, "")
    done = graphwright("run", "-q", "review", "--durability", "off")
    assert json.loads(done.stdout)["output"] == f"# Review\n\n\nRead +1 -1. Rules: {rules}.", done.stderr
