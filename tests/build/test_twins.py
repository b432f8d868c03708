"""One commit, checked out with other line ends: the same modules, and nothing to say."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import graphwright
from graphwright_runtime.trust.signing import to_text
from signing.packages import ALICE

GRAPH = """\
tool_type: graph
description: |
  Every way to write a text over several lines.

  After a blank line.
permissions: [rye.execute.tool.shop.count, rye.execute.tool.parts]
config_schema:
  type: object
  properties:
    greeting: {type: string, default: "double

      quoted"}
config:
  start: count
  hooks:
    - {event: graph_completed, action: {item_id: shop/count, params: {note: "after
        all"}}}
  state:
    folded: >
      one
      paragraph

      and another
    plain: words that
      go on
    single: 'with

      quotes'
  nodes:
    # graphwright: ignore[GW306] the comment counts as it stands
    count:
      action: {item_id: shop/count, params: {items: [1, 2]}}
      assign: {_n: "${result.n}"}
      next: part
    part: {action: {item_id: parts}, next: done}
    done:
      type: return
      output: |
        ${inputs.greeting}
        ${state.folded}${state.plain}${state.single}
"""
PART = "tool_type: graph\npermissions: []\nconfig:\n  start: done\n  nodes:\n    done: {type: return}\n"
TOOL = 'def execute(params: dict, project_path: str) -> dict:\n    """Count."""\n    return {"n": 1}\n'
FILES = {
    ".ai/tools/shop.yaml": GRAPH,
    ".ai/tools/parts.yaml": PART,
    ".ai/tools/shop/count.py": TOOL,
    ".graphwright/errors.toml": "# none\n",
    "pyproject.toml": '[tool.graphwright]\nrules.GW306 = "note"\n',
}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a cache, keys and git settings of its own."""
    folder = tmp_path / "here"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    monkeypatch.chdir(folder)
    for name in ("HOME", "XDG_CONFIG_HOME", "GRAPHWRIGHT_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(ALICE.seed))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return folder


def package() -> dict[str, bytes]:
    """Every file that a build wrote."""
    return {str(each): each.read_bytes() for each in sorted(Path("generated").rglob("*")) if each.is_file()}


def build(*options: str) -> None:
    outcome = graphwright("build", "--no-typecheck", *options)
    assert outcome.code == 0, outcome.stderr


def git(*words: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    subprocess.run(("git", *identity, *words), check=True, capture_output=True)


TWINS: dict[str, Callable[[bytes], bytes]] = {
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "both": lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("fresh", [False, True], ids=["with what the last build knew", "afresh"])
@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS)
def test_twins_become_the_same_bytes(twin: Callable[[bytes], bytes], fresh: bool) -> None:
    build()
    first = package()
    for graph in (".ai/tools/shop.yaml", ".ai/tools/parts.yaml"):
        Path(graph).write_bytes(twin(Path(graph).read_bytes()))
    build("--check", *(["--no-cache"] if fresh else []))
    build(*(["--no-cache"] if fresh else []))
    assert package() == first
    build("--check")


def test_one_commit_says_the_same_with_autocrlf() -> None:
    build()
    Path(".gitattributes").write_text("generated/** -text\n")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "as it is")
    first = package()
    git("config", "core.autocrlf", "true")
    git("rm", "-rq", "--cached", ".")
    for name in FILES:
        Path(name).unlink()
    git("reset", "-q", "--hard")
    assert all(b"\r\n" in Path(name).read_bytes() for name in FILES), "git changed the line ends"
    assert package() == first
    build("--check")
    build("--check", "--no-cache")
    build("--no-cache")
    assert package() == first
