"""A package to verify that does not exist is an error when a graph is used, before anything runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import graphwright
from graphwright_runtime.trust.manifest import MANIFEST

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: []
config:
  start: done
  nodes:
    done: {type: return, output: "it ran"}
"""
IMPORT = "import generated.inner as inner; print(inner.run_sync({}).output)"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the signed package `generated`, and an ordinary package `plain`."""
    folder = tmp_path / "project"
    (folder / ".ai" / "tools").mkdir(parents=True)
    (folder / ".ai" / "tools" / "inner.yaml").write_text(GRAPH)
    (folder / "graphwright.toml").touch()
    (folder / "plain").mkdir()
    (folder / "plain" / "__init__.py").touch()
    monkeypatch.chdir(folder)
    assert graphwright("build", "--no-typecheck").code == 0
    return folder


def python(*arguments: str, verify: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run Python with a value of GRAPHWRIGHT_VERIFY."""
    environment = {**os.environ, "GRAPHWRIGHT_VERIFY": verify}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def command(*arguments: str, verify: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command as its script starts it: the working directory is not on the search path."""
    return python("-P", "-m", "graphwright", *arguments, verify=verify, folder=folder)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (
            "nosuchpkg",
            "there is no such package in the working directory or on the search path; signed there: generated",
        ),
        ("generated.deeper", "there is no such package"),
        ("nosuchpkg.generated", "there is no such package"),
        ("plain", f"that package has no {MANIFEST}"),
        ("generated,nosuchpkg", "there is no such package"),
    ],
)
def test_an_import_is_refused(project: Path, name: str, reason: str) -> None:
    done = python("-c", IMPORT, verify=f"require:{name}")
    assert (done.stdout, done.returncode) == ("", 1)
    assert f"names `{name.rpartition(',')[2]}`, which cannot be verified: {reason}" in done.stderr


@pytest.mark.parametrize("target", [".ai/tools/inner.yaml", "inner", "generated/inner.py", "generated.inner"])
def test_a_run_is_refused(project: Path, target: str) -> None:
    done = command("run", "-q", target, verify="require:nosuchpkg")
    assert (done.stdout, done.returncode) == ("", 2)
    assert "names `nosuchpkg`, which cannot be verified: there is no such package" in done.stderr
    assert done.stderr.count("\n") == 1


def test_warn_warns_once_and_runs(project: Path) -> None:
    done = python("-c", IMPORT, verify="warn:nosuchpkg")
    assert (done.stdout, done.returncode) == ("it ran\n", 0)
    assert done.stderr.count("VerificationWarning") == 1
    assert "inner.py" in done.stderr


def test_what_uses_no_graph_is_not_concerned(project: Path) -> None:
    """The variable applies to a whole tree of processes, of which most know nothing of the package."""
    assert python("-c", "print('ran')", verify="require:nosuchpkg").stdout == "ran\n"
    assert command("check", verify="require:nosuchpkg").returncode == 0


def test_a_package_may_appear_before_it_is_used(project: Path) -> None:
    (project / "lib").mkdir()
    (project / "generated").rename(project / "lib" / "generated")
    done = python("-c", f"import sys; sys.path.append('lib'); {IMPORT}", verify="require:generated")
    assert (done.stdout, done.returncode) == ("it ran\n", 0), done.stderr


def test_a_program_that_names_a_missing_package(project: Path) -> None:
    code = f"from graphwright_runtime import loader; loader.install('nosuchpkg'); {IMPORT}"
    done = python("-c", code, verify="")
    assert (done.stdout, done.returncode) == ("", 1)
    assert "names `nosuchpkg`, which cannot be verified" in done.stderr


@pytest.mark.parametrize("target", ["generated/inner.py", "generated.inner"])
def test_a_command_finds_the_package_of_its_target(project: Path, target: str) -> None:
    done = command("run", "-q", target, verify="require:generated")
    assert done.returncode == 0, done.stderr
    (project / "generated" / "inner.py").write_text("print('planted')\n")
    done = command("run", "-q", target, verify="require:generated")
    assert "planted" not in done.stdout
    assert "it is not signed" in done.stderr


def test_a_command_that_starts_elsewhere(project: Path) -> None:
    target = str(project / "generated" / "inner.py")
    assert command("run", "-q", target, verify="require:generated", folder=project.parent).returncode == 0
