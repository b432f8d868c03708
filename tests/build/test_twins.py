"""One commit, checked out with other line ends: the same modules, and nothing to say."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import graphwright
from graphwright_runtime.trust.signing import to_text
from signing.packages import ALICE

ROOT = Path(__file__).parents[2]
EXAMPLES, TEMPLATES = ROOT / "examples", ROOT / "templates"

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


def commit_and_check_out_with_autocrlf() -> None:
    """Commit everything, and check it out again as git for Windows does by default."""
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "as it is")
    git("config", "core.autocrlf", "true")
    listed = subprocess.run(("git", "ls-files", "-z"), check=True, capture_output=True).stdout
    git("rm", "-rq", "--cached", ".")
    for name in filter(None, listed.decode().split("\0")):
        Path(name).unlink()
    git("reset", "-q", "--hard")
    assert all(b"\r\n" in Path(name).read_bytes() for name in FILES), "git changed the line ends"


def test_one_commit_says_the_same_with_autocrlf() -> None:
    build()
    Path(".gitattributes").write_text("generated/** -text\n")
    first = package()
    commit_and_check_out_with_autocrlf()
    assert package() == first
    build("--check")
    build("--check", "--no-cache")
    build("--no-cache")
    assert package() == first


@pytest.mark.parametrize("signed", [True, False], ids=["signed", "unsigned"])
def test_without_the_attribute_a_check_names_it_and_a_build_repairs_the_files(signed: bool) -> None:
    options = () if signed else ("--no-sign",)
    build(*options)
    first = package()
    commit_and_check_out_with_autocrlf()
    assert package() == {name: data.replace(b"\n", b"\r\n") for name, data in first.items()}
    outcome = graphwright("build", "--check", "--no-typecheck", *options)
    said = " ".join(outcome.stderr.split())
    assert outcome.code == 1
    texts = [name for name in first if name.endswith(".py")]
    assert said.count("only its line endings or trailing whitespace were changed") == len(texts)
    assert said.count("`<folder>/** -text` in .gitattributes") == len(texts)
    build(*options)
    assert package() == first
    build("--check", *options)
    changed = subprocess.run(("git", "diff", "--name-only"), check=True, capture_output=True).stdout
    assert changed == b"", "what is committed stays as it is"


def test_templates_of_a_project_with_other_line_ends_give_the_same_modules(tmp_path: Path) -> None:
    shutil.copytree(TEMPLATES, "layout")
    Path("pyproject.toml").write_text('[tool.graphwright]\ntemplates = "layout"\nrules.GW306 = "note"\n')
    build()
    first = package()
    for template in Path("layout").glob("*.j2"):
        template.write_bytes(template.read_bytes().replace(b"\n", b"\r\n"))
    build("--check")
    build()
    assert package() == first


def test_the_examples_with_other_line_ends_give_the_same_modules() -> None:
    built: list[dict[str, bytes]] = []
    for twin in (lambda data: data, TWINS["CRLF"]):
        shutil.copytree(EXAMPLES, "examples", dirs_exist_ok=True)
        for file in Path("examples").glob("*/.ai/**/*"):
            if file.is_file():
                file.write_bytes(twin(file.read_bytes()))
        build("examples", "--no-cache", "--output", "generated")
        built.append(package())
    assert built[0] == built[1]
