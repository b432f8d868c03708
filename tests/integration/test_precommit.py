"""The hooks with the real pre-commit: a local clone of this repository as the hook repository, installed as usual."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GRAPH = """\
tool_type: graph
description: "g{number}"
permissions: [rye.execute.tool.shop.list]
config:
  start: list
  nodes:
    list: {{action: {{item_id: "tool:shop/list"}}, next: done}}
    done: {{type: return}}
"""
CONFIG = """\
repos:
  - repo: {repository}
    rev: {revision}
    hooks:
      - id: graphwright-check
      - id: graphwright-build-check
"""
ODD = ("with space.yaml", "-dash.yaml", "naïve.yaml", "数据.yaml", "sub dir/-inner.yaml")

pytestmark = pytest.mark.slow


def git(folder: Path, *arguments: str) -> str:
    """Run git as somebody."""
    identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This checkout, as it is now, as a repository of its own."""
    folder = tmp_path_factory.mktemp("hooks") / "graphwright"
    folder.mkdir()
    for name in git(ROOT, "ls-files", "-co", "--exclude-standard").splitlines():
        source = ROOT / name.strip('"')
        if source.is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "as it is")
    return folder


@pytest.fixture(scope="module")
def client(hooks: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that uses the hooks, with enough files for several batches."""
    folder = tmp_path_factory.mktemp("client")
    names = [f"g{number}.yaml" for number in range(120)] + list(ODD)
    for number, name in enumerate(names):
        path = folder / "graphs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(GRAPH.format(number=number), "utf-8")
    (folder / "graphs/settings.yaml").write_text("a: 1\n", "utf-8")
    (folder / "-top.yaml").write_text(GRAPH.format(number=0), "utf-8")
    (folder / "graphwright.toml").write_text('roots = ["graphs"]\nsign = false\ntypecheck = false\n', "utf-8")
    config = CONFIG.format(repository=hooks, revision=git(hooks, "rev-parse", "HEAD"))
    (folder / ".pre-commit-config.yaml").write_text(config, "utf-8")
    git(folder, "init", "-q")
    build(folder)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "graphs")
    return folder


def build(folder: Path) -> None:
    """What the developer does before committing."""
    command = [sys.executable, "-m", "graphwright", "build", "-q", "graphs"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)


@pytest.fixture
def hook(client: Path, tmp_path_factory: pytest.TempPathFactory) -> Hook:
    """pre-commit in the client; what it installs is kept for the whole session."""
    return Hook(client, tmp_path_factory.getbasetemp() / "pre-commit-home")


class Hook:
    """Runs pre-commit in the client."""

    def __init__(self, client: Path, home: Path) -> None:
        self.client = client
        self.home = home

    def __call__(self, hook: str, *arguments: str, folder: str = ".") -> tuple[int, str]:
        """The exit code, and everything that was said."""
        command = [sys.executable, "-m", "pre_commit", "run", hook, "--verbose", *arguments]
        environment = {**os.environ, "PRE_COMMIT_HOME": str(self.home), "PYTHONPATH": ""}
        done = subprocess.run(
            command,
            cwd=self.client / folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=900,
        )
        assert "Traceback" not in done.stdout
        return done.returncode, done.stdout


def test_all_files_in_parallel_batches(hook: Hook) -> None:
    code, said = hook("graphwright-check", "--all-files")
    assert code == 0, said
    assert said.count(" graphs checked, no faults") >= 1


def test_a_fault_fails_the_commit_and_says_where(hook: Hook) -> None:
    file = hook.client / "graphs/with space.yaml"
    text = file.read_text("utf-8")
    try:
        file.write_text(text.replace("next: done", "next: dnoe"), "utf-8")
        git(hook.client, "add", "-A")
        code, said = hook("graphwright-check")
        assert code == 1
        assert "--> graphs/with space.yaml:7:" in said
        assert "did you mean `done`?" in said
    finally:
        file.write_text(text, "utf-8")
        git(hook.client, "add", "-A")


def test_from_a_folder_below(hook: Hook) -> None:
    code, said = hook("graphwright-check", "--all-files", folder="graphs/sub dir")
    assert code == 0, said


def test_deleted_and_renamed_files(hook: Hook) -> None:
    git(hook.client, "rm", "-q", "graphs/g0.yaml")
    git(hook.client, "mv", "graphs/g1.yaml", "graphs/renamed ü.yaml")
    try:
        code, said = hook("graphwright-check")
        assert code == 0, said
    finally:
        git(hook.client, "reset", "-q", "--hard")


def test_no_files_to_look_at(hook: Hook) -> None:
    code, said = hook("graphwright-check", "--files", "graphwright.toml")
    assert (code, "Skipped" in said) == (0, True)


def test_generated_modules_are_compared(hook: Hook) -> None:
    code, said = hook("graphwright-build-check", "--all-files")
    assert code == 0, said
    module = hook.client / "generated/g2.py"
    module.write_text(module.read_text("utf-8").replace("done", "gone"), "utf-8")
    git(hook.client, "add", "-A")
    try:
        code, said = hook("graphwright-build-check")
        assert (code, "GW802" in said) == (1, True)
    finally:
        git(hook.client, "reset", "-q", "--hard")
