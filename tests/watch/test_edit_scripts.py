"""Whatever happens to a project while it is watched, the output ends as that of a build from scratch."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import graphwright
from watch.watcher import PATIENCE_S, Watcher

SCRIPTS, STEPS = 50, 12
GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.*]
config:
  start: first
  state: {{n: {number}}}
  nodes:
    first:
      action: {{item_id: {tool}, params: {{}}}}
      assign: {{n: "${{result.amount || 0}}"}}
      next: done
    done: {{type: return, output: {{n: "${{state.n}}"}}}}
"""
TOOL = """\
from typing import TypedDict


class Result(TypedDict):
    amount: {kind}


def execute(params: dict[str, object]) -> Result:
    raise NotImplementedError
"""
MANIFEST = "result: {{type: object, properties: {{amount: {{type: {kind}}}}}, required: [amount]}}\n"
ROOT, TOOLS = Path("graphs"), Path(".ai/tools")
SETTINGS = (
    'roots = ["graphs"]\n',
    'roots = ["graphs"]\ncontracts = "complete"\n',
    'roots = ["graphs"]\nexclude = ["c/"]\n',
)


class Project:
    """A project in the working directory, and the ways in which its files change."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._past: dict[Path, bytes] = {}
        TOOLS.mkdir(parents=True)
        for number in range(3):
            (TOOLS / f"t{number}.py").write_text(TOOL.format(kind="int"), "utf-8")
        Path("graphwright.toml").write_text(SETTINGS[0], "utf-8")
        for name in ("a", "b/one", "b/two", "c/deep/three", "d"):
            self._write(ROOT / f"{name}.yaml")

    def change(self) -> None:
        """Do something, at random."""
        ways: list[Callable[[], None]] = [
            self.edit, self.edit, self.rename, self.delete, self.create, self.revert, self.move_folder, self.break_it,
            self.change_contract, self.declare, self.configure, self.damage_output, self.replace_folder,
        ]  # fmt: skip
        self._chance.choice(ways)()

    def edit(self) -> None:
        for file in self._some():
            self._write(file)

    def rename(self) -> None:
        for file in self._some():
            target = file.with_name(f"{self._chance.choice('efgh')}{self._chance.randrange(3)}.yaml")
            file.rename(target)

    def delete(self) -> None:
        for file in self._some():
            self._past[file] = file.read_bytes()
            file.unlink()

    def create(self) -> None:
        folder = self._chance.choice(["", "b/", "c/deep/", "new/", "new/er/"])
        self._write(ROOT / f"{folder}{self._chance.choice('xyz')}.yaml")

    def revert(self) -> None:
        for file, data in self._past.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)

    def move_folder(self) -> None:
        folders = [each for each in sorted(ROOT.rglob("*")) if each.is_dir()]
        if folders:
            target = ROOT / f"moved{self._chance.randrange(4)}"
            if not target.exists():
                self._chance.choice(folders).rename(target)

    def break_it(self) -> None:
        for file in self._some():
            self._past.setdefault(file, file.read_bytes())
            file.write_text("tool_type: graph\nconfig: {start: nowhere\n", "utf-8")

    def change_contract(self) -> None:
        file = TOOLS / f"t{self._chance.randrange(3)}.py"
        file.write_text(TOOL.format(kind=self._chance.choice(["int", "str", "float"])), "utf-8")

    def declare(self) -> None:
        tool = f"t{self._chance.randrange(3)}"
        file = self._chance.choice([Path(f"contracts/{tool}.yaml"), TOOLS / f"{tool}.contract.yaml"])
        if file.exists():
            file.unlink()
        else:
            file.parent.mkdir(exist_ok=True)
            file.write_text(MANIFEST.format(kind=self._chance.choice(["integer", "string"])), "utf-8")

    def configure(self) -> None:
        Path("graphwright.toml").write_text(self._chance.choice(SETTINGS), "utf-8")

    def damage_output(self) -> None:
        modules = sorted(Path("generated").rglob("*.py"))
        if modules:
            self._chance.choice(modules).unlink(missing_ok=True)

    def replace_folder(self) -> None:
        kept = Path("kept")
        if ROOT.exists() and not kept.exists():
            shutil.copytree(ROOT, kept)
            shutil.rmtree(ROOT)
            kept.rename(ROOT)

    def repair(self) -> None:
        """Give every broken graph a valid text, so that there is something to build."""
        for file in sorted(ROOT.rglob("*.yaml")):
            if b"nowhere" in file.read_bytes():
                self._write(file)
        self._write(ROOT / "last.yaml")

    def _some(self) -> list[Path]:
        files = sorted(ROOT.rglob("*.yaml"))
        return self._chance.sample(files, min(len(files), self._chance.choice([1, 1, 3])))

    def _write(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        tool = f"t{self._chance.randrange(3)}"
        draft = Path("draft")
        draft.write_text(GRAPH.format(number=self._chance.randrange(10), tool=tool), "utf-8")
        draft.replace(file)


def contents(output: Path) -> dict[str, bytes]:
    """Every file of an output folder."""
    return {str(file.relative_to(output)): file.read_bytes() for file in sorted(output.rglob("*")) if file.is_file()}


def settled() -> dict[str, bytes]:
    """The same of the watched output; nothing while a build moves it."""
    try:
        return contents(Path("generated"))
    except FileNotFoundError:
        return {}


def fresh(folder: Path) -> dict[str, bytes]:
    """What a build from scratch, in a copy of the project, writes."""
    shutil.copytree(".", folder, ignore=shutil.ignore_patterns("generated"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("GRAPHWRIGHT_CACHE_DIR", str(folder / "cache"))
        done = graphwright("build", "--no-typecheck")
        assert done.code == 0, done.stderr
        return contents(folder / "generated")


@pytest.fixture(autouse=True)
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, folder in {"HOME": "home", "XDG_CONFIG_HOME": "home/.config", "GRAPHWRIGHT_CACHE_DIR": "cache"}.items():
        monkeypatch.setenv(name, str(tmp_path / folder))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(0, SCRIPTS, 10))
def test_edits_end_as_a_fresh_build(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(seed, seed + 10):
        chance = random.Random(number)
        folder = tmp_path / f"project{number}"
        folder.mkdir()
        monkeypatch.chdir(folder)
        project = Project(chance)
        with Watcher("build", "--no-typecheck") as watcher:
            watcher.round()
            for _ in range(STEPS):
                project.change()
                time.sleep(chance.choice([0, 0, 0.01, 0.1, 0.4]))
            project.repair()
            expected = fresh(tmp_path / f"fresh{number}")
            deadline = time.monotonic() + PATIENCE_S
            while (found := settled()) != expected and time.monotonic() < deadline:
                time.sleep(0.1)
            assert found.keys() == expected.keys(), (number, watcher.stderr)
            assert found == expected, (number, watcher.stderr)
