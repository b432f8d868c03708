"""The top of a module: nothing in it changes how Python reads the file, whatever the source is called."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from commands import graphwright

GRAPH = """\
tool_type: graph
description: |
  A harmless graph \"\"\"
  print("at import", __name__)
  q='''
permissions: []
config:
  start: z
  nodes:
    z: {type: return, output: "café '''#"}
"""

#: Where Python looks for the name of an encoding (PEP 263), and what it takes for one.
COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)")

FOLDERS = [
    "coding=latin-1",
    "coding: unicode_escape",
    "coding:utf-16",
    "my coding=utf_8_sig's folder",
    "-*- coding: no-such-codec -*-",
    "vim: set fileencoding=latin-1 :",
    "coding=coding=latin-1",
]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of graphs of a project, which is the current folder."""
    (tmp_path / "graphwright.toml").write_text('roots = ["graphs"]\n', "utf-8")
    (tmp_path / "graphs").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "graphs"


def module() -> Path:
    """The one module that was built."""
    (found,) = [file for file in Path("generated").rglob("*.py") if file.name != "__init__.py"]
    return found


def built(*options: str) -> Path:
    outcome = graphwright("build", "--no-typecheck", *options)
    assert outcome.code == 0, outcome.stderr
    return module()


def printed(code: str) -> str:
    """What a process of its own prints."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUTF8": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("options", [(), ("--no-sign",)], ids=["signed", "unsigned"])
@pytest.mark.parametrize("folder", FOLDERS)
def test_no_path_changes_how_python_reads_a_module(project: Path, folder: str, options: tuple[str, ...]) -> None:
    (project / folder).mkdir()
    (project / folder / "x.yaml").write_text(GRAPH, "utf-8")
    file = built(*options)
    lines = file.read_text("utf-8").splitlines()
    header = lines[: next(number for number, line in enumerate(lines) if not line.startswith("#"))]
    assert not [line for line in header if COOKIE.match(line)]
    assert not [line for line in lines[:2] if "x.yaml" in line]
    name = ".".join(file.with_suffix("").parts)
    assert printed(f"import {name} as x; print(x.run_sync({{}}).output)") == "café '''#\n"
    if not options:
        assert graphwright("verify").code == 0
    assert graphwright("build", "--check", "--no-typecheck", *options).code == 0


@pytest.mark.parametrize("folder", ["plain", *FOLDERS])
def test_the_header_says_how_to_make_it_again(project: Path, folder: str) -> None:
    (project / folder).mkdir()
    (project / folder / "x.yaml").write_text(GRAPH, "utf-8")
    [line] = [line for line in built().read_text("utf-8").splitlines() if line.startswith("# regenerate with: ")]
    assert shlex.split(line.removeprefix("# regenerate with: ")) == ["graphwright", "build", f"graphs/{folder}/x.yaml"]


@pytest.mark.parametrize("folder", ["plain", *FOLDERS])
def test_a_module_whose_source_is_gone_is_known_by_its_header(project: Path, folder: str) -> None:
    (project / folder).mkdir()
    (project / "other.yaml").write_text(GRAPH, "utf-8")
    source = project / folder / "x.yaml"
    source.write_text(GRAPH, "utf-8")
    assert graphwright("build", "--no-typecheck").code == 0
    source.unlink()
    assert "GW803" in graphwright("build", "--check", "--no-typecheck").stderr
    assert graphwright("build", "--no-typecheck").code == 0
    assert module() == Path("generated/other.py")


def test_a_module_with_the_header_of_earlier_versions_is_ours(project: Path) -> None:
    (project / "x.yaml").write_text(GRAPH, "utf-8")
    file = built("--no-sign")
    new = file.read_text("utf-8")
    old = new.replace(" — do not edit\n", " from graphs/x.yaml — do not edit\n", 1).replace(
        "# from graphs/x.yaml\n", ""
    )
    assert old != new
    file.write_text(old, "utf-8")
    assert built("--no-sign").read_text("utf-8") == new


@pytest.mark.parametrize(
    "twin",
    [
        pytest.param(GRAPH.encode().replace(b"\n", b"\r\n"), id="crlf"),
        pytest.param(b"\xef\xbb\xbf" + GRAPH.encode(), id="bom"),
        pytest.param(b"\xef\xbb\xbf" + GRAPH.encode().replace(b"\n", b"\r\n"), id="both"),
    ],
)
def test_twins_with_other_line_ends_give_the_same_module(project: Path, twin: bytes) -> None:
    source = project / "x.yaml"
    source.write_bytes(GRAPH.encode())
    before = built().read_bytes()
    source.write_bytes(twin)
    assert graphwright("build", "--check", "--no-typecheck").code == 0
    assert built().read_bytes() == before
    source.write_bytes(GRAPH.replace("café", "tea").encode())
    said = " ".join(graphwright("build", "--check", "--no-typecheck").stderr.split())
    assert "its source has changed since it was built" in said
