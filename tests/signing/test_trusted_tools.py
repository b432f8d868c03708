"""`trust.tools`: which tool files a run calls, and that what was verified is what runs."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from graphwright.trust.trustfile import add_key
from graphwright_runtime.trust.header import seal
from graphwright_runtime.trust.truststore import PROJECT_FILE
from signing.packages import ALICE, ROOT

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.say]
config:
  start: say
  nodes:
    say: {action: {item_id: "tool:say"}, assign: {said: "${result.said}"}, next: done}
    done: {type: return, output: "${state.said}"}
"""
PYTHON = b"def execute(params: dict, project_path: str) -> dict:\n    return {'said': 'genuine'}\n"
SHELL = b'#!/bin/sh\necho \'{"said": "genuine"}\'\n'


@pytest.fixture(params=["say.py", "say"])
def tool(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tool in Python or in shell, of a project whose policy for tools is `require`."""
    file = tmp_path / "project" / ".ai" / "tools" / str(request.param)
    file.parent.mkdir(parents=True)
    file.write_bytes(PYTHON if file.suffix else SHELL)
    file.chmod(0o755)
    (file.parent / "graph.yaml").write_text(GRAPH)
    monkeypatch.chdir(tmp_path / "project")
    Path("graphwright.toml").write_text('[trust]\ntools = "require"\n')
    add_key(Path(PROJECT_FILE), ALICE.key, "alice")
    return file


def run(**variables: str) -> tuple[dict[str, object], str]:
    """The result of a run in a fresh process, and what it said."""
    environment = {
        **os.environ,
        **variables,
        "PYTHONPATH": os.pathsep.join((str(ROOT / "compiler"), str(ROOT / "runtime"))),
    }
    command = [sys.executable, "-m", "graphwright", "run", "-q", "graph"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout, done.stderr
    return json.loads(done.stdout), done.stderr


def test_an_unsigned_tool_is_not_called(tool: Path) -> None:
    result, _ = run()
    assert result["status"] == "error"
    assert "the tool `say` is not trusted: it is not signed" in str(result["error"])


def test_a_signed_tool_is_called_and_an_altered_one_is_not(tool: Path) -> None:
    tool.write_bytes(seal("tool", tool.read_bytes(), ALICE))
    assert run()[0]["output"] == "genuine"
    tool.write_bytes(tool.read_bytes().replace(b"genuine", b"planted"))
    result, _ = run()
    assert "changed after it was signed" in str(result["error"])


@pytest.mark.parametrize("tool", ["say.py"], indirect=True)
@pytest.mark.usefixtures("tool")
def test_what_a_signed_tool_imports_is_signed_too() -> None:
    """An imported file must be trusted like a tool; unsigned code of the project is not imported."""
    folder = Path(".ai/tools")
    helper = b"SAID = 'genuine'\n"
    code = b"from word import SAID\ndef execute(params: dict) -> dict:\n    return {'said': SAID}\n"
    (folder / "say.py").write_bytes(seal("tool", code, ALICE))
    (folder / "word.py").write_bytes(helper)
    assert "the tool `word` is not trusted: it is not signed" in str(run()[0]["error"])
    (folder / "word.py").write_bytes(seal("tool", helper, ALICE))
    assert run()[0]["output"] == "genuine"
    (folder / "word.py").rename("word.py")
    assert "No module named 'word'" in str(run()[0]["error"])


def test_warn_calls_it_and_says_so(tool: Path) -> None:
    Path("graphwright.toml").write_text('[trust]\ntools = "warn"\n')
    result, said = run()
    assert result["output"] == "genuine"
    assert "it is not signed" in said


def test_the_environment_asks_for_it_where_no_configuration_does(tool: Path) -> None:
    Path("graphwright.toml").write_text("")
    assert run()[0]["output"] == "genuine"
    code = """
import sys
from graphwright.cli.loading import compiled
from graphwright.checking.checker import check
from graphwright_runtime.execute import execute_sync
graph = compiled(check([".ai/tools/graph.yaml"]).graphs[0].facts())
print(execute_sync(graph, {}).to_dict()["status"])
"""
    environment = {
        **os.environ, "GRAPHWRIGHT_TRUST_TOOLS": "require",
        "PYTHONPATH": os.pathsep.join((str(ROOT / "compiler"), str(ROOT / "runtime"))),
    }  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout == "error\n", done.stderr


@pytest.mark.parametrize("tool", ["say.py"], indirect=True)
def test_a_pin_of_the_verified_package_is_enough(tool: Path) -> None:
    """The build that signed the package saw this file; the manifest says so."""
    code = f"""
from graphwright_runtime import loader
loader.install("generated")
import generated.graph
assert loader.pinned("say") == {hashlib.sha256(tool.read_bytes()).hexdigest()!r}
print(generated.graph.run_sync({{}}).output)
"""
    environment = {
        **os.environ, "GRAPHWRIGHT_TRUST_TOOLS": "require",
        "PYTHONPATH": os.pathsep.join((str(ROOT / "compiler"), str(ROOT / "runtime"))),
    }  # fmt: skip
    build = [sys.executable, "-m", "graphwright", "build", "--no-typecheck", "-q"]
    subprocess.run(build, env=environment, check=True, capture_output=True, timeout=60)
    run_it = [sys.executable, "-c", code]
    done = subprocess.run(run_it, env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout == "genuine\n", done.stderr
    tool.write_bytes(tool.read_bytes().replace(b"genuine", b"planted"))
    done = subprocess.run(run_it, env=environment, capture_output=True, text=True, timeout=60)
    assert "planted" not in done.stdout


LOADING = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.load.knowledge.rules, rye.execute.directive.greet]
config:
  start: load
  nodes:
    load: {action: {primary: load, item_id: "knowledge:rules"}, assign: {rules: "${result.content}"}, next: greet}
    greet:
      action: {item_id: "directive:greet", params: {name: you}}
      assign: {greeting: "${result.content}"}
      next: done
    done: {type: return, output: "${state.rules + state.greeting}"}
"""


def test_directives_and_knowledge_are_pinned_by_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path, text in {
        ".ai/tools/graph.yaml": LOADING,
        ".ai/knowledge/rules.md": "Be kind.",
        ".ai/directives/greet.md": "Greet {input:name}.",
        "graphwright.toml": '[trust]\ntools = "require"\n',
    }.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)
    environment = {
        **os.environ, "GRAPHWRIGHT_TRUST_TOOLS": "require", "GRAPHWRIGHT_VERIFY": "require:generated",
        "PYTHONPATH": os.pathsep.join((str(ROOT / "compiler"), str(ROOT / "runtime"))),
    }  # fmt: skip

    def python(*arguments: str) -> str:
        command = [sys.executable, *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
        return done.stdout

    build = ("-m", "graphwright", "build", "--no-typecheck", "-q")
    run_it = ("-c", "import generated.graph; r = generated.graph.run_sync({}); print(r.output or r.error)")
    python(*build)
    assert python(*run_it) == "Be kind.Greet you.\n"
    Path(".ai/knowledge/rules.md").write_text("Be rude.")
    assert "the knowledge `rules` is not trusted: it is not signed" in python(*run_it)
    python(*build)
    assert python(*run_it) == "Be rude.Greet you.\n", "whoever builds has seen the change"
