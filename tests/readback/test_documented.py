"""The commands in docs/reading-back.md print what the page shows."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from commands import graphwright

PAGE = Path(__file__).parents[2] / "docs" / "reading-back.md"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_golden_commands_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / ".cache"))
    page = PAGE.read_text("utf-8")
    printed = _BLOCK.sub(lambda block: _followed(block[1], block[2]), page)
    if os.environ.get("GRAPHWRIGHT_GOLDEN"):
        PAGE.write_text(printed, "utf-8")
    assert PAGE.read_text("utf-8") == printed, "docs/reading-back.md is stale: run `make golden`"


def _followed(kind: str, body: str) -> str:
    """A block of the page, after doing what it says: writing a file, running a command and showing its output."""
    if kind == "toml":
        Path("graphwright.toml").write_text(body, "utf-8")
    elif kind == "yaml":
        file = Path(body.partition("\n")[0].removeprefix("# "))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(body, "utf-8")
        assert graphwright("build", "--no-typecheck", file).code == 0
    elif kind == "console":
        command = body.partition("\n")[0]
        done = graphwright(*shlex.split(command.removeprefix("$ graphwright ")))
        assert done.code == 0, done.stderr
        body = f"{command}\n{done.stdout}"
    return f"```{kind}\n{body}```"
