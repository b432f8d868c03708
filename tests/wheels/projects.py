"""Packages with graphs, as users would write them, for each build system."""

from __future__ import annotations

import os
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

from graphwright.trust.trustfile import add_key
from graphwright_runtime.trust.signing import Signer, to_text
from graphwright_runtime.trust.truststore import PROJECT_FILE
from signing.packages import ALICE
from wheels.environments import run
from wheels.page import block

GRAPH = """\
version: "1.0.0"
tool_type: graph
description: "Greet somebody"
permissions: [rye.execute.tool.texts.greet]
config_schema:
  type: object
  properties: {name: {type: string, default: world}}
config:
  start: greet
  nodes:
    greet:
      action: {item_id: "tool:texts/greet", params: {name: "${inputs.name}"}}
      assign: {line: "${result.line}"}
      next: done
    done: {type: return, output: "${state.line}"}
"""
TOOL = """\
from typing import TypedDict


class Greeting(TypedDict):
    line: str


def execute(params: dict[str, str], project_path: str) -> Greeting:
    return {"line": f"hello {params['name']}"}
"""

#: What the graph is, run from Python.
CODE = """
from acme.graphs.texts import hello
print(hello.run_sync({}, tools={"texts/greet": lambda params: {"line": "hello " + params["name"]}}).output)
"""

#: The pyproject.toml of each build system.
PYPROJECT = {
    "hatch": block("toml", 'requires = ["hatchling"'),
    "setuptools": block("toml", 'requires = ["setuptools"'),
}
#: The settings of graphwright in it.
TABLE = '[tool.graphwright]\noutput = "src/acme/graphs"\n'
SETTINGS = f"{TABLE}typecheck = false\n"
#: What a wheel of the package has in the folder of the graphs, but for what says who signed.
MODULES = {"__init__.py", "py.typed", "texts/__init__.py", "texts/hello.py"}


@dataclass
class Package:
    """A source tree of the package `acme`, and the environment that builds it."""

    folder: Path
    system: str
    builder: Path

    @property
    def modules(self) -> Path:
        """The output folder."""
        return self.folder / "src" / "acme" / "graphs"

    @property
    def graph(self) -> Path:
        """The file of its graph."""
        return self.folder / ".ai" / "tools" / "texts" / "hello.yaml"

    def write(self, name: str, text: str) -> Path:
        """A file of the source tree."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def configure(self, settings: str = SETTINGS) -> None:
        """The pyproject.toml with these settings of graphwright."""
        assert TABLE in PYPROJECT[self.system]
        self.write("pyproject.toml", PYPROJECT[self.system].replace(TABLE, settings))

    def run(self, *command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment here."""
        program, *arguments = command
        cache = {"GRAPHWRIGHT_CACHE_DIR": str(self.folder.parent / "cache"), "NO_COLOR": "1"}
        return run(self.builder / "bin" / program, *arguments, cwd=self.folder, **cache, **variables)

    def build(self, kind: str, **variables: str) -> tuple[Path, str]:
        """A new `wheel` or `sdist` of the package, and what the build said."""
        folder = self.folder.parent / f"{self.folder.name}-{kind}"
        done = self.run("python", "-m", "build", "--no-isolation", f"--{kind}", "--outdir", folder, **variables)
        assert done.returncode == 0, done.stdout
        return next(folder.glob("acme-1.0*.whl" if kind == "wheel" else "acme-1.0.tar.gz")), done.stdout


def make_package(folder: Path, system: str, builder: Path) -> Package:
    """A package with one graph and its tool, whose project trusts ALICE; its output is not in version control."""
    package = Package(folder, system, builder)
    package.write("src/acme/__init__.py", '"""A package."""\n')
    package.write(".ai/tools/texts/hello.yaml", GRAPH)
    package.write(".ai/tools/texts/greet.py", TOOL)
    package.write(".gitignore", "src/acme/graphs/\n")
    package.configure()
    add_key(folder / PROJECT_FILE, ALICE.key, "alice")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return package


def key_of(signer: Signer) -> dict[str, str]:
    """The variable by which CI signs."""
    return {"GRAPHWRIGHT_SIGNING_KEY": to_text(signer.seed)}


def members(archive: Path, below: str) -> dict[str, bytes]:
    """The files of a wheel or source distribution below a folder, by their path relative to it."""
    if archive.suffix == ".whl":
        with ZipFile(archive) as wheel:
            contents = {name: wheel.read(name) for name in wheel.namelist()}
    else:
        with tarfile.open(archive) as tar:
            contents = {each.name: _read(tar, each) for each in tar.getmembers() if each.isfile()}
    return {name.removeprefix(f"{below}/"): data for name, data in contents.items() if name.startswith(f"{below}/")}


def _read(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    assert file is not None
    return file.read()


def unpacked(wheel: Path, folder: Path) -> Path:
    """A folder with what a wheel installs."""
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def python_path(*folders: Path) -> dict[str, str]:
    """The variable that adds folders to Python's search path."""
    return {"PYTHONPATH": os.pathsep.join(map(str, folders))}
