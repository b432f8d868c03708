"""`graphwright run` under `trust.modules` and `trust.sources`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import graphwright
from graphwright.trust.trustfile import add_key
from graphwright_runtime.trust.header import seal
from graphwright_runtime.trust.manifest import MANIFEST, Entry, signed_manifest
from graphwright_runtime.trust.truststore import PROJECT_FILE
from signing.packages import ALICE, MALLORY, ROOT

CALLER = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.inner]
config:
  start: call
  nodes:
    call: {action: {item_id: "tool:inner"}, assign: {said: "${result.output}"}, next: done}
    done: {type: return, output: "${state.said}"}
"""
INNER = """\
version: "1.0.0"
tool_type: graph
permissions: []
config:
  start: done
  nodes:
    done: {type: return, output: "from inside"}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a graph that calls another one, built and signed."""
    tools = tmp_path / "project" / ".ai" / "tools"
    tools.mkdir(parents=True)
    (tools / "outer.yaml").write_text(CALLER)
    (tools / "inner.yaml").write_text(INNER)
    monkeypatch.chdir(tmp_path / "project")
    configure()
    outcome = graphwright("build", "--no-typecheck")
    assert outcome.code == 0, outcome.stderr
    return tmp_path / "project"


def configure(**trust: str) -> None:
    """Write the project's trust policies."""
    lines = [f'{name} = "{policy}"' for name, policy in trust.items()]
    Path("graphwright.toml").write_text("\n".join(["[trust]", *lines]))


def run(target: str) -> subprocess.CompletedProcess[str]:
    """Run a graph in a fresh process."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "compiler"), str(ROOT / "runtime")))}
    command = [sys.executable, "-m", "graphwright", "run", "-q", target]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("target", ["generated.outer", "generated/outer.py"])
def test_a_signed_module_runs_with_the_graph_that_it_calls(folder: Path, target: str) -> None:
    configure(modules="require")
    done = run(target)
    assert json.loads(done.stdout)["output"] == "from inside", done.stderr
    assert done.stderr == ""


@pytest.mark.parametrize("name", ["outer", "inner"])
def test_an_altered_module_does_not(folder: Path, name: str) -> None:
    configure(modules="require")
    module = folder / "generated" / f"{name}.py"
    module.write_text(module.read_text().replace("from inside", "from elsewhere") + "# more\n")
    done = run("generated/outer.py")
    assert done.returncode in (1, 2)
    assert "from elsewhere" not in done.stdout
    assert "changed after it was signed" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_by_default_it_runs_with_a_warning(folder: Path) -> None:
    configure()
    module = folder / "generated" / "inner.py"
    module.write_text(module.read_text().replace("from inside", "from elsewhere"))
    done = run("generated/outer.py")
    assert json.loads(done.stdout)["output"] == "from elsewhere"
    assert "VerificationWarning" in done.stderr
    configure(modules="off")
    assert run("generated/outer.py").stderr == ""


def test_a_module_outside_of_any_package(folder: Path) -> None:
    lone = folder / "lone.py"
    lone.write_bytes((folder / "generated" / "inner.py").read_bytes())
    assert json.loads(run("lone.py").stdout)["output"] == "from inside"
    configure(modules="require")
    refused = run("lone.py")
    assert refused.returncode == 2
    assert "not in a signed package" in refused.stderr


def planted(folder: Path) -> Path:
    """The module `inner`, changed by someone who can write to the whole package."""
    module = folder / "generated" / "inner.py"
    module.write_text(module.read_text().replace("from inside", "from elsewhere"))
    return module


@pytest.mark.parametrize("target", ["generated.outer", "generated/outer.py", "generated/inner.py"])
@pytest.mark.parametrize("bare", [False, True])
def test_a_configuration_inside_the_package_counts_for_nothing(folder: Path, target: str, bare: bool) -> None:
    configure(modules="require")
    planted(folder)
    (folder / "generated" / "graphwright.toml").write_text('[trust]\nmodules = "off"\n')
    if bare:
        (folder / "generated" / MANIFEST).unlink()
        (folder / "generated" / "__init__.py").unlink()
    assert "from elsewhere" not in run(target).stdout


def test_a_trust_file_inside_the_package_counts_for_nothing(folder: Path) -> None:
    configure(modules="require")
    planted(folder)
    package = folder / "generated"
    (package / "graphwright.toml").write_text("")
    add_key(package / PROJECT_FILE, MALLORY.key, "mallory")
    entries = {}
    for name in ("__init__", "outer", "inner"):
        file = package / f"{name}.py"
        file.write_bytes(seal("module", file.read_bytes(), MALLORY))
        entries[file.name] = Entry.of(file.read_bytes(), "" if name == "__init__" else name)
    (package / MANIFEST).write_bytes(signed_manifest(entries, {}, MALLORY))
    done = run("generated.outer")
    assert "from elsewhere" not in done.stdout
    assert "a key that is not trusted here" in done.stderr


def test_sources_are_looked_at_on_the_way_too(folder: Path) -> None:
    """A signed graph that calls an unsigned one."""
    configure(sources="require")
    add_key(folder / PROJECT_FILE, ALICE.key, "alice")
    outer, inner = (folder / ".ai" / "tools" / f"{name}.yaml" for name in ("outer", "inner"))
    assert "GW801" in run("outer").stderr
    outer.write_bytes(seal("source", outer.read_bytes(), ALICE))
    result = json.loads(run("outer").stdout)
    assert result["status"] == "error"
    assert "GW801" in result["error"]
    inner.write_bytes(seal("source", inner.read_bytes(), ALICE))
    assert json.loads(run("outer").stdout)["output"] == "from inside"


@pytest.mark.parametrize("place", ["home", "nested"])
def test_a_graph_of_another_project_answers_to_the_trust_of_its_caller(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """The user's own tools ask for no signatures, nor does a project that somebody puts below the tools."""
    configure(sources="require")
    add_key(folder / PROJECT_FILE, ALICE.key, "alice")
    tools = folder / ".ai" / "tools"
    (tools / "inner.yaml").unlink()
    if place == "home":
        monkeypatch.setenv("HOME", str(tmp_path))
        inner, caller = tmp_path / ".ai" / "tools" / "inner.yaml", CALLER
    else:
        inner, caller = tools / "deep" / "inner.yaml", CALLER.replace("tool:inner", "tool:deep/inner")
        caller = caller.replace("tool.inner", "tool.deep.inner")
    inner.parent.mkdir(parents=True)
    if place == "nested":
        (inner.parent / "graphwright.toml").write_text("")
    inner.write_text(INNER)
    (tools / "outer.yaml").write_bytes(seal("source", caller.encode(), ALICE))
    assert "GW801" in json.loads(run("outer").stdout)["error"]
    inner.write_bytes(seal("source", INNER.encode(), ALICE))
    assert json.loads(run("outer").stdout)["output"] == "from inside"
