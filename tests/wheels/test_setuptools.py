"""What the setuptools plug-in decides without a build: where modules are imported from, and whom it leaves alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest
from setuptools.dist import Distribution

from graphwright.packaging.setuptools_plugin import COMMAND, finalize, imported_name


@pytest.mark.parametrize(
    ("folder", "package_dir", "name"),
    [
        ("acme/graphs", {}, "acme.graphs"),
        ("acme/graphs", {"": "."}, "acme.graphs"),
        ("src/acme/graphs", {"": "src"}, "acme.graphs"),
        ("generated", {"": "src"}, "generated"),
        ("lib/graphs", {"acme": "lib"}, "acme.graphs"),
        ("lib", {"acme": "lib"}, "acme"),
        ("src/special/graphs", {"": "src", "acme.deep": "src/special"}, "acme.deep.graphs"),
    ],
)
def test_the_name_that_a_folder_is_imported_by(folder: str, package_dir: Mapping[str, str], name: str) -> None:
    assert ".".join(imported_name(PurePosixPath(folder), package_dir)) == name


@pytest.mark.parametrize(
    ("pyproject", "wanted"),
    [
        ('[build-system]\nrequires = ["setuptools", "graphwright==0.1.0"]\n', True),
        ("[build-system]\nrequires = [\"GraphWright ; python_version > '3'\"]\n", True),
        ('[build-system]\nrequires = ["setuptools", "graphwright-runtime"]\n', False),
        ("[build-system]\nrequires = [1]\n", False),
        ('build-system = "setuptools"\n', False),
        ("[build-system", False),
        ("[tool.graphwright]\n", False),
        (None, False),
    ],
)
def test_only_projects_that_require_graphwright_compile_graphs(
    pyproject: str | None, wanted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if pyproject is not None:
        Path("pyproject.toml").write_text(pyproject, "utf-8")
    dist = Distribution({"name": "acme"})
    finalize(dist)
    finalize(dist)
    steps = [name for name, _ in dist.get_command_class("build").sub_commands]
    assert steps.count(COMMAND) == wanted
    assert ("sdist" in dist.cmdclass) == wanted
    Path("pyproject.toml").unlink(missing_ok=True)  # which an installed plug-in reads, too
    assert COMMAND not in [name for name, _ in Distribution().get_command_class("build").sub_commands]
