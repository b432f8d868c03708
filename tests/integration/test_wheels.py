"""The two distributions as people get them: built, installed into an empty environment, used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow

GRAPH = """\
version: "1.0.0"
tool_type: graph
description: "Say hello with a shell"
permissions: [rye.execute.tool.rye.bash]
config_schema:
  type: object
  properties: {name: {type: string, default: world}}
config:
  start: greet
  nodes:
    greet:
      action: {item_id: "tool:rye/bash", params: {command: "echo hello ${inputs.name | quote}"}}
      assign: {line: "${result.stdout}"}
      next: done
    done: {type: return, output: "${state.line}"}
"""


def run(*command: str | Path, cwd: Path) -> str:
    """Standard output of a command that succeeds."""
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False, timeout=500
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("wheels")
    for project in (ROOT / "runtime", ROOT):
        run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, project, cwd=folder)
    return sorted(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheels: list[Path]) -> Path:
    """The folder of programs of an environment that holds both wheels."""
    environment = tmp_path_factory.mktemp("empty") / "venv"
    run(sys.executable, "-m", "venv", environment, cwd=environment.parent)
    run(
        environment / "bin" / "python",
        "-m",
        "pip",
        "install",
        "-qq",
        "--disable-pip-version-check",
        *wheels,
        cwd=environment,
    )
    return environment / "bin"


def test_what_is_in_them(wheels: list[Path]) -> None:
    compiler, runtime = (set(ZipFile(wheel).namelist()) for wheel in wheels)
    assert any(name.startswith("graphwright/templates/") for name in compiler)
    assert {"graphwright/py.typed", "graphwright/cli/__init__.py"} <= compiler
    assert {"graphwright_runtime/py.typed", "graphwright_runtime/abi.py"} <= runtime
    for names in (compiler, runtime):
        assert not [name for name in names if "test" in name.split("/")[0]]
        assert [name for name in names if name.endswith("licenses/LICENSE")]


@pytest.mark.parametrize("which", [0, 1], ids=["compiler", "runtime"])
def test_what_they_say_of_themselves(wheels: list[Path], which: int) -> None:
    wheel = ZipFile(wheels[which])
    [metadata] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    said = wheel.read(metadata).decode()
    for line in ("License-Expression: Apache-2.0", "License-File: LICENSE", "Requires-Python: >=3.11"):
        assert f"\n{line}\n" in said
    assert "Classifier: Typing :: Typed" in said
    assert "\n# graphwright" in said, "the README is the page on the index"
    [own] = [name for name in wheel.namelist() if name.endswith("licenses/LICENSE")]
    assert wheel.read(own) == (ROOT / "LICENSE").read_bytes()


def test_what_they_ask_for(wheels: list[Path], installed: Path) -> None:
    compiler = ZipFile(wheels[0])
    [metadata] = [name for name in compiler.namelist() if name.endswith(".dist-info/METADATA")]
    lines = compiler.read(metadata).decode().splitlines()
    needed = [line for line in lines if line.startswith("Requires-Dist: ") and "extra ==" not in line]
    assert "Requires-Dist: mypy>=1.11" in needed
    assert not [line for line in needed if "ruff" in line or "black" in line]
    assert not (installed / "ruff").exists()


def test_check_build_run_and_import(installed: Path, tmp_path: Path) -> None:
    source = tmp_path / ".ai" / "tools" / "demo" / "hello.yaml"
    source.parent.mkdir(parents=True)
    source.write_text(GRAPH, encoding="utf-8")
    run(installed / "graphwright", "check", "--strict", ".", cwd=tmp_path)
    result = json.loads(
        run(installed / "graphwright", "run", "--quiet", "demo/hello", "-i", "name=you & me", cwd=tmp_path)
    )
    assert (result["status"], result["output"]) == ("completed", "hello you & me")
    run(installed / "graphwright", "build", ".", cwd=tmp_path)
    code = "from generated.demo import hello; print(hello.run_sync({'name': 'x'}).output)"
    assert run(installed / "python", "-c", code, cwd=tmp_path) == "hello x\n"


def test_a_schema_that_needs_the_library_jsonschema(installed: Path, tmp_path: Path) -> None:
    source = tmp_path / ".ai" / "tools" / "strict.yaml"
    source.parent.mkdir(parents=True)
    source.write_text(GRAPH.replace("type: object\n", "type: object\n  unevaluatedProperties: false\n"), "utf-8")
    run(installed / "graphwright", "check", ".", cwd=tmp_path)
    run(installed / "graphwright", "build", ".", cwd=tmp_path)
    code = """
from generated import strict
print(strict.run_sync({}).output)
print(strict.run_sync({"nane": "x"}).error)
"""
    assert run(installed / "python", "-c", code, cwd=tmp_path) == "hello world\ninput 'nane': is not a known property\n"


def test_the_runtime_alone_runs_a_module(wheels: list[Path], installed: Path, tmp_path: Path) -> None:
    source = tmp_path / ".ai" / "tools" / "hello.yaml"
    source.parent.mkdir(parents=True)
    source.write_text(GRAPH, encoding="utf-8")
    run(installed / "graphwright", "build", "--no-typecheck", ".", cwd=tmp_path)
    run(sys.executable, "-m", "venv", tmp_path / "thin", cwd=tmp_path)
    thin = tmp_path / "thin" / "bin" / "python"
    runtime = next(wheel for wheel in wheels if wheel.name.startswith("graphwright_runtime"))
    run(thin, "-m", "pip", "install", "-qq", "--disable-pip-version-check", runtime, cwd=tmp_path)
    code = "from generated import hello; print(hello.run_sync({}).output)"
    assert run(thin, "-c", code, cwd=tmp_path) == "hello world\n"
