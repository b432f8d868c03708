"""The recipes of docs/packaging.md do what the page says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from graphwright_runtime.trust.signing import to_text
from signing.packages import ALICE
from wheels.environments import ROOT, run, succeed
from wheels.page import block
from wheels.projects import GRAPH, Package, make_package

MODULE = "generated/reports/tickets.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that has two graphs and does not sign."""
    folder = tmp_path / "project"
    for name in ("tickets", "other"):
        graph(folder, name).parent.mkdir(parents=True, exist_ok=True)
        graph(folder, name).write_text(GRAPH, "utf-8")
    (folder / "pyproject.toml").write_text("[tool.graphwright]\nsign = false\ntypecheck = false\n", "utf-8")
    return folder


def graph(folder: Path, name: str) -> Path:
    """The file of a graph."""
    return folder / ".ai" / "tools" / "reports" / f"{name}.yaml"


def here(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in an environment where these sources are installed."""
    variables = {
        "PYTHONPATH": os.pathsep.join((str(ROOT / "compiler"), str(ROOT / "runtime"))),
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "GRAPHWRIGHT_CACHE_DIR": str(folder.parent / "cache"),
    }
    return run(*command, cwd=folder, **variables)


def break_(file: Path) -> None:
    """Put a mistake into a graph."""
    file.write_text(GRAPH.replace("next: done", "next: dnoe"), "utf-8")


def test_shell(project: Path) -> None:
    (project / "build.sh").write_text(block("sh", "set -eu"), "utf-8")
    assert here("sh", "build.sh", folder=project).returncode == 0
    assert (project / MODULE).exists()
    break_(graph(project, "other"))
    done = here("sh", "build.sh", folder=project)
    assert (done.returncode, "GW202" in done.stdout) == (1, True)


def test_make_makes_again_only_what_depends_on_a_changed_module(project: Path) -> None:
    (project / "Makefile").write_text(block("make"), "utf-8")

    def make() -> set[str]:
        """What `make` did."""
        for file in project.rglob("*"):
            os.utime(file, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns - 10_000_000_000))  # long ago
        before = {file: file.stat().st_mtime_ns for file in project.rglob("*")}
        done = here("make", "tickets.txt", folder=project)
        assert done.returncode == 0, done.stdout
        after = {file: file.stat().st_mtime_ns for file in project.rglob("*") if file.is_file()}
        return {str(file.relative_to(project)) for file, time in after.items() if before.get(file) != time}

    first = make()
    assert {"graphs.stamp", MODULE, "tickets.txt"} <= first
    assert make() == set(), "nothing has changed"
    graph(project, "tickets").touch()
    assert make() == {"graphs.stamp"}, "a graph has a new time, and its module the same text"
    other = graph(project, "other")
    other.write_text(GRAPH.replace("world", "moon"), "utf-8")
    assert make() == {"graphs.stamp", "generated/reports/other.py"}
    tickets = graph(project, "tickets")
    tickets.write_text(GRAPH.replace("world", "moon"), "utf-8")
    assert make() == {"graphs.stamp", MODULE, "tickets.txt"}
    other.unlink()
    assert "graphs.stamp" in make(), "a graph is gone"
    assert not (project / "generated/reports/other.py").exists()


def test_make_stops_at_a_mistake_and_goes_on_when_it_is_fixed(project: Path) -> None:
    (project / "Makefile").write_text(block("make"), "utf-8")
    break_(graph(project, "tickets"))
    for _ in range(2):
        done = here("make", "tickets.txt", folder=project)
        assert done.returncode == 2
        assert "GW202" in done.stdout
    graph(project, "tickets").write_text(GRAPH, "utf-8")
    assert here("make", "tickets.txt", folder=project).returncode == 0


def test_just(project: Path) -> None:
    (project / "justfile").write_text(block("just"), "utf-8")
    done = here("just", "report", folder=project)
    assert done.returncode == 0, done.stdout
    assert "reports/tickets" in done.stdout
    module = (project / MODULE).stat().st_mtime_ns
    assert here("just", folder=project).returncode == 0
    assert (project / MODULE).stat().st_mtime_ns == module
    break_(graph(project, "tickets"))
    done = here("just", "report", folder=project)
    assert (done.returncode, "GW202" in done.stdout) == (1, True)


# --- recipes that install packages ---------------------------------------------------------------------------------


@pytest.fixture
def package(builder: Path, tmp_path: Path) -> Package:
    """The package of the page, with the graph `reports/tickets` and with its modules committed."""
    made = make_package(tmp_path / "acme", "hatch", builder)
    made.graph.unlink()
    made.write(".ai/tools/reports/tickets.yaml", GRAPH)
    made.write(".gitignore", "")
    assert made.run("graphwright", "build", GRAPHWRIGHT_SIGNING_KEY=to_text(ALICE.seed)).returncode == 0
    return made


def online(wheels: Path) -> dict[str, str]:
    """The variables by which pip also finds the wheels of this project."""
    return {"PIP_FIND_LINKS": " ".join((os.environ.get("PIP_FIND_LINKS", ""), str(wheels)))}


@pytest.mark.slow
@pytest.mark.parametrize(("file", "language", "tool"), [("tox.toml", "toml", "tox"), ("noxfile.py", "python", "nox")])
def test_tox_and_nox(package: Package, wheels: Path, file: str, language: str, tool: str) -> None:
    package.write(file, block(language, f"# {file}"))
    done = run(sys.executable, "-m", tool, cwd=package.folder, **online(wheels))
    assert done.returncode == 0, done.stdout
    assert "1 graph checked, no problems found" in done.stdout
    assert "reports/tickets\n" in done.stdout
    break_(package.folder / ".ai/tools/reports/tickets.yaml")
    only = ("-e", "graphs") if tool == "tox" else ("-s", "graphs", "-R")
    done = run(sys.executable, "-m", tool, *only, cwd=package.folder, **online(wheels))
    assert done.returncode != 0
    assert "GW202" in done.stdout


@pytest.mark.skipif(shutil.which("hadolint") is None, reason="hadolint has no wheel for this platform")
def test_the_dockerfile_is_clean(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text(block("dockerfile"), "utf-8")
    assert succeed("hadolint", "Dockerfile", cwd=tmp_path) == ""


@pytest.mark.slow
def test_the_dockerfile_builds(package: Package, wheels: Path) -> None:
    if shutil.which("docker") is None or run("docker", "info", cwd=ROOT).returncode != 0:
        pytest.skip("there is no Docker daemon")
    shutil.copytree(wheels, package.folder / "wheels")
    local = "COPY wheels /wheels\nENV PIP_FIND_LINKS=/wheels\n"  # the distributions of this checkout, in each stage
    package.write("Dockerfile", re.sub(r"(?m)^FROM .*\n", lambda start: start[0] + local, block("dockerfile")))
    succeed(*block("sh", "docker build").split(), cwd=package.folder, GRAPHWRIGHT_SIGNING_KEY=to_text(ALICE.seed))


@pytest.mark.slow
def test_ci_signs_in_one_job_and_verifies_in_another(builder: Path, wheels: Path, tmp_path: Path) -> None:
    package = make_package(tmp_path / "acme", "hatch", builder)
    (package.folder / ".graphwright" / "trust.toml").unlink()
    package.write("keys.sh", f"set -eu\n{block('sh', 'graphwright keys new')}")
    path = f"{builder}/bin:{os.environ['PATH']}"
    done = run("sh", "keys.sh", cwd=package.folder, PATH=path, XDG_CONFIG_HOME=str(tmp_path / "configuration"))
    assert done.returncode == 0, done.stdout
    secret = next(line for line in done.stdout.splitlines() if len(line) == 43)
    assert not list((tmp_path / "configuration").rglob("*.key"))

    jobs = yaml.safe_load(block("yaml", "jobs:"))["jobs"]
    folders = {name: tmp_path / f"job-{name}" for name in jobs}

    def steps(name: str) -> str:
        """Run the steps of a job in a checkout of its own, and return what they said."""
        folder, said = folders[name], ""
        for step in jobs[name]["steps"]:
            action = step.get("uses", "").partition("@")[0]
            if action == "actions/checkout":
                shutil.copytree(package.folder, folder)
                succeed(sys.executable, "-m", "venv", tmp_path / f"environment-{name}", cwd=folder)
            elif action == "actions/download-artifact":
                shutil.copytree(folders["build"] / "dist", folder / "dist")
            variables = {**jobs[name].get("env", {}), **step.get("env", {})}
            variables = {
                key: value.replace("${{ secrets.GRAPHWRIGHT_SIGNING_KEY }}", secret) for key, value in variables.items()
            }
            variables["PATH"] = f"{tmp_path}/environment-{name}/bin:{os.environ['PATH']}"
            if "run" in step:
                said = succeed("sh", "-euc", step["run"], cwd=folder, **variables, **online(wheels))
        return said

    assert "not signed" not in steps("build")
    said = steps("verify")
    assert "verified, signed by" in said
    assert "(release)" in said
    assert "0 rejected" in said
