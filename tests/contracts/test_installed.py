"""Manifests of installed packages, which entry points in the group `graphwright.contracts` name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from commands import graphwright
from contracts.test_manifests import TEXT
from contracts.test_python_tools import graph


class Site:
    """A project, and a folder of installed packages that are not imported."""

    def __init__(self, folder: Path) -> None:
        self.project, self.packages = folder / "project", folder / "site"
        (self.project / ".ai" / "tools").mkdir(parents=True)
        self.packages.mkdir()
        self.write(graph("{taem: a}"))

    def write(self, text: str) -> None:
        (self.project / ".ai" / "tools" / "g.yaml").write_text(text, "utf-8")

    def install(self, version: str, value: str, group: str = "graphwright.contracts", name: str = "acme") -> None:
        """Install a package, which fails if it is imported."""
        package = self.packages / "acme_tools"
        (package / "contracts" / "team").mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").write_text("raise SystemExit('imported')\n", "utf-8")
        (package / "contracts" / "team" / "fetch.yaml").write_text(TEXT, "utf-8")
        metadata = self.packages / f"acme_tools-{version}.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: acme-tools\nVersion: {version}\n", "utf-8")
        (metadata / "entry_points.txt").write_text(f"[{group}]\n# ours\n{name} = {value}\n", "utf-8")

    def check(self) -> str:
        return graphwright("check", ".ai/tools/g.yaml").stderr


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    made = Site(tmp_path)
    monkeypatch.chdir(made.project)
    monkeypatch.setattr(sys, "path", [*sys.path, str(made.packages)])
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    return made


def test_an_installed_package_supplies_contracts(site: Site) -> None:
    assert "GW702" not in site.check()
    site.install("1.0", "acme_tools.contracts")
    assert "GW702" in site.check()
    assert "acme_tools" not in sys.modules
    assert "contract    acme_tools.contracts: team/fetch" in graphwright("contracts", "team/fetch").stdout
    manifest = site.packages / "acme_tools" / "contracts" / "team" / "fetch.yaml"
    manifest.write_text(TEXT.replace("team", "taem"), "utf-8")
    assert "GW702" not in site.check()


TOOL = """\
'''Not about the tool.'''
from acme_tools.shapes import Params

CONFIG_SCHEMA = {"type": "object"}


def fetch(params: Params) -> dict[str, int]:
    "Rows of a team."


class Tools:
    pass


tools = Tools()
"""
SHAPES = "from typing import TypedDict\nclass Params(TypedDict):\n    team: str\n"


@pytest.mark.parametrize(
    ("value", "codes"), [("acme_tools.rows:fetch", 1), ("acme_tools.rows:tools.fetch", 0), ("acme_tools.gone:fetch", 0)]
)
def test_an_installed_tool_declares_what_its_function_takes(site: Site, value: str, codes: int) -> None:
    site.install("1.0", value, "graphwright.tools", "team/fetch")
    package = site.packages / "acme_tools"
    (package / "rows.py").write_text(TOOL, "utf-8")
    (package / "shapes.py").write_text(SHAPES, "utf-8")
    assert site.check().count("GW702") == codes
    if codes:
        shown = graphwright("contracts", "team/fetch").stdout
        assert "contract    acme_tools.rows:fetch\n" in shown
        assert "about       Rows of a team.\n" in shown
        (package / "shapes.py").write_text(SHAPES.replace("team", "taem"), "utf-8")
        assert "GW702" not in site.check()
        shadow = site.project / ".ai" / "tools" / "team" / "fetch.py"
        shadow.parent.mkdir()
        shadow.write_text(SHAPES + "def execute(params: Params): ...\n", "utf-8")
        assert "GW702" in site.check()


def written() -> bool:
    """Whether a build writes the module."""
    done = graphwright("build", "--no-typecheck", "--no-sign")
    assert done.code == 0, done.stderr
    return "wrote generated/g.py" in done.stderr


def test_a_lock_file_stands_for_a_package_that_is_not_installed(site: Site) -> None:
    site.write(graph("{team: a}"))
    site.install("1.0", "acme_tools.rows:fetch", "graphwright.tools", "team/fetch")
    (site.packages / "acme_tools" / "rows.py").write_text(TOOL, "utf-8")
    (site.packages / "acme_tools" / "shapes.py").write_text(SHAPES, "utf-8")
    assert written()
    assert graphwright("contracts", "lock").code == 0
    assert not written()
    (site.packages / "acme_tools-1.0.dist-info").rename(site.packages / "gone")
    assert not written()
    Path("contracts.lock.json").unlink()
    assert written()


def test_a_build_notices_that_a_package_was_installed(site: Site) -> None:
    site.write(graph("{team: a}"))
    assert (written(), written()) == (True, False)
    site.install("1.0", "acme_tools.contracts")
    assert graphwright("build", "--check", "--no-typecheck", "--no-sign").code == 1
    assert (written(), written()) == (True, False)


def test_a_manifest_replaces_the_hints_of_an_installed_tool(site: Site) -> None:
    site.install("1.0", "acme_tools.rows:fetch", "graphwright.tools", "team/fetch")
    (site.packages / "acme_tools" / "rows.py").write_text("def fetch(params: dict[str, int]): ...\n", "utf-8")
    assert "GW702" not in site.check()
    site.install("1.1", "acme_tools.contracts")
    assert "GW702" in site.check()


def test_a_contract_of_the_project_takes_precedence(site: Site) -> None:
    site.install("1.0", "acme_tools.contracts")
    own = site.project / "contracts" / "team" / "fetch.yaml"
    own.parent.mkdir(parents=True)
    own.write_text(TEXT.replace("team", "taem"), "utf-8")
    assert "GW702" not in site.check()
    own.unlink()
    assert "GW702" in site.check()


def test_an_installed_contract_makes_a_tool_known(site: Site) -> None:
    (site.project / "pyproject.toml").write_text('[tool.graphwright]\ncontracts = "complete"\n', "utf-8")
    site.write(graph())
    assert "GW701" in site.check()
    site.install("1.0", "acme_tools.contracts")
    assert "GW701" not in site.check()
    site.write(graph().replace("tool:team/fetch", "tool:team/fetsh"))
    assert "did you mean `team/fetch`?" in site.check()


@pytest.mark.parametrize(
    ("value", "group"),
    [
        ("acme_tools.contracts", "console_scripts"),
        ("acme_tools.elsewhere", "graphwright.contracts"),
        ("not_there.contracts", "graphwright.contracts"),
        ("../../project", "graphwright.contracts"),
        ("acme_tools:contracts", "graphwright.contracts"),
    ],
)
def test_entry_points_that_name_no_folder_of_a_package(site: Site, value: str, group: str) -> None:
    site.install("1.0", value, group)
    done = graphwright("check", ".ai/tools/g.yaml")
    assert (done.code, "GW702" in done.stderr) == (0, False)
