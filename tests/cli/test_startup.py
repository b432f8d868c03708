"""What a check imports decides how fast it starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.samples import CLEAN

HEAVY = {
    "click", "dataclasses", "fractions", "graphwright_runtime", "inspect", "jinja2", "jsonschema", "libcst", "mypy",
    "pathspec", "platformdirs", "rich", "ruff", "shutil", "tempfile", "watchfiles", "yaml",
}  # fmt: skip
CODE = """
import sys
from graphwright.cli import main
code = main(["check", "-q", *sys.argv[1:]])
light = {"graphwright_runtime", "graphwright_runtime.content"}  # the one reader of files
print(code, *sorted({name.partition(".")[0] for name in sys.modules.keys() - light}))
"""


def imported(folder: Path, *arguments: str) -> set[str]:
    """The heavy packages that a clean check imports."""
    environment = {**os.environ, "GRAPHWRIGHT_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-c", CODE, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True, timeout=60)
    code, *names = done.stdout.split()
    assert code == "0", done.stderr
    return HEAVY & set(names)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "graph.yaml").write_text(CLEAN, "utf-8")
    return tmp_path


def test_an_unchanged_file_needs_next_to_nothing(folder: Path) -> None:
    imported(folder, "graph.yaml")
    assert imported(folder, "graph.yaml") == set()


def test_a_new_file_needs_the_front_end_and_no_more(folder: Path) -> None:
    assert imported(folder, "--no-cache", "graph.yaml") == {"yaml"}


def test_ignore_files_bring_their_matcher(folder: Path) -> None:
    (folder / ".gitignore").write_text("old/\n", "utf-8")
    imported(folder, ".")
    assert "pathspec" in imported(folder, ".")
    assert "yaml" not in imported(folder, ".")


def test_importing_the_package_costs_nothing(folder: Path) -> None:
    code = "import sys, graphwright; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    names = done.stdout.split()
    assert not HEAVY.intersection(names)
    assert [name for name in names if name.startswith("graphwright.")] == []
