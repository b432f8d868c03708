"""The same input gives the same bytes: whatever the hash seed, the locale, the time zone, the working directory, the
order of the files, and whether other graphs are built with it."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from graphwright.building.builder import build

ROOT = Path(__file__).parents[2]
GRAPHS = sorted((ROOT / "tests" / "golden" / "modules").glob("*.yaml"))

_BUILD = """
import sys
from graphwright.building.builder import build
sys.exit(build(sys.argv[2:], output=sys.argv[1], typecheck=False).failed)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The golden graphs as a project of their own."""
    folder = tmp_path / "project"
    (folder / "graphs").mkdir(parents=True)
    (folder / "graphwright.toml").write_text('roots = ["graphs"]\n', "utf-8")
    for graph in GRAPHS:
        (folder / "graphs" / graph.name).write_bytes(graph.read_bytes())
    return folder


def digests(output: Path) -> dict[str, str]:
    """The sha256 of every file that was written."""
    files = [file for file in output.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    return {file.relative_to(output).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def built(project: Path, output: Path, *paths: str, cwd: Path | None = None, **environment: str) -> dict[str, str]:
    """What a build in a process of its own writes."""
    command = [sys.executable, "-c", _BUILD, str(output), *paths]
    inherited = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(
        command,
        cwd=cwd or project,
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return digests(output)


def test_every_module_says_the_same_everywhere(project: Path, tmp_path: Path) -> None:
    """Another seed, locale, time zone, working directory and order of files, all at once."""
    expected = built(project, tmp_path / "a", "graphs", PYTHONHASHSEED="0")
    assert len(expected) == len(GRAPHS) + 3, "modules, `__init__.py`, `py.typed` and the list of modules"
    reversed_paths = [str(project / "graphs" / graph.name) for graph in reversed(GRAPHS)]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    found = built(
        project, tmp_path / "b", *reversed_paths, cwd=elsewhere, PYTHONHASHSEED="7", LC_ALL="C", TZ="Asia/Tokyo"
    )
    assert found == expected


@pytest.mark.slow
def test_ten_hash_seeds_and_two_locales(project: Path, tmp_path: Path) -> None:
    expected = built(project, tmp_path / "first", "graphs", PYTHONHASHSEED="0", LC_ALL="C.UTF-8")
    for seed in range(1, 10):
        locale = "C.UTF-8" if seed % 2 else "POSIX"
        assert built(project, tmp_path / f"seed_{seed}", "graphs", PYTHONHASHSEED=str(seed), LC_ALL=locale) == expected


def test_one_graph_alone_gives_the_same_module(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert not build(["graphs"], output=tmp_path / "all", typecheck=False).failed
    assert not build(["graphs/names.yaml"], output=tmp_path / "one", typecheck=False).failed
    assert (tmp_path / "all" / "names.py").read_bytes() == (tmp_path / "one" / "names.py").read_bytes()


def test_modules_name_no_place_and_no_time(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert not build(["graphs"], output=tmp_path / "out", typecheck=False).failed
    for module in (tmp_path / "out").rglob("*.py"):
        text = module.read_text("utf-8")
        assert str(tmp_path) not in text
        assert not re.search(r"\b20\d\d-\d\d-\d\d\b", text)


def test_a_report_does_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    """Not even that of a file with so many mistakes that only some are compared with what they could mean."""
    assigned = ", ".join(f"k{number}: '${{state.x{number}'" for number in range(600))
    read = ", ".join(f"o{number}: '${{state.k{number}}}'" for number in range(0, 600, 2))
    graph = tmp_path / "a.yaml"
    graph.write_text(
        "tool_type: graph\npermissions: []\nconfig:\n  start: a\n  nodes:\n"
        f"    a: {{type: gate, next: b, assign: {{{assigned}}}}}\n    b: {{type: return, output: {{{read}}}}}\n",
        "utf-8",
    )
    reports = {
        subprocess.run(
            [sys.executable, "-m", "graphwright", "check", "--notes", "--format", "concise", str(graph)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=False,
            timeout=120,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(reports) == 1
    assert b"GW303" in reports.pop()
