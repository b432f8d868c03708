"""The examples of docs/runtime.md do what the page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from graphwright_runtime.errortable import read_rules
from graphwright_runtime.host import Durability, Host
from graphwright_runtime.values import Json
from running import compile_text, loaded

PAGE = (Path(__file__).parents[2] / "docs" / "runtime.md").read_text("utf-8")
GRAPH = """\
version: 1.0.0
tool_type: graph
permissions: [rye.execute.tool.platform.post, rye.execute.tool.rye.bash]
config:
  start: post
  nodes:
    post:
      action: {item_id: tool:platform/post, params: {n: 1}}
      next: say
    say:
      action: {item_id: tool:rye/bash, params: {command: "printf hello"}}
      assign: {said: "${result.stdout}"}
      next: done
    done: {type: return, output: {said: "${state.said}"}}
"""


class Platform:
    """What the host of the page talks to."""

    def __init__(self) -> None:
        self.is_deploying = False
        self.calls: list[tuple[str, Any]] = []

    async def call(self, item_id: str, params: Any, *, key: str) -> dict[str, object]:
        assert key
        self.calls.append((item_id, params))
        return {}


def block(language: str, holding: str) -> str:
    """The block of a language on the page that has a text in it."""
    blocks: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return next(text for text in blocks if holding in text)


@pytest.mark.parametrize("durability", ["off", "process"])
def test_the_host_of_the_page(durability: Durability, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    names: dict[str, Any] = {}
    exec(compile(block("python", "class PlatformHost"), "runtime.md", "exec"), names)
    platform = Platform()
    host: Host = names["PlatformHost"](platform)
    with loaded(compile_text(GRAPH)) as module:
        result = module.run_sync({}, host=host, project=tmp_path, durability=durability)
        platform.is_deploying = True
        refused = module.run_sync({}, host=host, project=tmp_path, durability=durability)
    assert result.output == {"said": "hello"}
    assert platform.calls == [("platform/post", {"n": 1})]
    assert (refused.status, refused.path) == ("cancelled", ())
    assert (tmp_path / ".ai/state/threads").exists() is (durability == "process")


def test_the_error_table_of_the_page(tmp_path: Path) -> None:
    table = tmp_path / ".graphwright" / "errors.toml"
    table.parent.mkdir()
    table.write_text(block("toml", "[[errors]]"), "utf-8")
    rules = read_rules(tmp_path)

    def category(message: str, code: int, node: str) -> str | None:
        seen: dict[str, Json] = {"error": {"message": message, "code": code}, "node": node}
        return next((found for found, condition in rules if condition(seen)), None)

    assert category("deadlock detected", 500, "post") == "transient"
    assert category("no", 500, "post") == "permanent"
    assert category("no", 503, "post") is None
    assert category("no", 500, "fetch") is None
