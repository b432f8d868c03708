"""Repositories in which the real pre-commit runs our hooks, as users do: installed from a clone of this repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONFIG = """\
repos:
  - repo: {repository}
    rev: {revision}
    hooks:
      - id: graphwright-check
      - id: graphwright-build-check
"""


def git(folder: Path, *arguments: str) -> str:
    """Run git with a user name and an email address."""
    identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def clone_of_this(folder: Path) -> Path:
    """This checkout, as it is now, as a repository of its own."""
    listed = git(ROOT, "-c", "core.quotePath=false", "ls-files", "-co", "--exclude-standard", "-z")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "as it is")
    return folder


class Repository:
    """A repository whose hooks come from `hooks`; what pre-commit installs goes to `home`."""

    def __init__(self, folder: Path, hooks: Path, home: Path) -> None:
        self.folder = folder
        self.hooks = hooks
        self._environment = {
            **os.environ,
            "PRE_COMMIT_HOME": str(home),
            "PYTHONPATH": "",
            "GRAPHWRIGHT_CACHE_DIR": str(folder.parent / f"{folder.name}.cache"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }

    def write(self, name: str, text: str) -> Path:
        """A file of the repository."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def configure(self, text: str = CONFIG) -> None:
        """Use the hooks, by default as every test does."""
        revision = git(self.hooks, "rev-parse", "HEAD")
        self.write(".pre-commit-config.yaml", text.format(repository=self.hooks, revision=revision))

    def git(self, *arguments: str) -> str:
        """Run git here."""
        return git(self.folder, *arguments)

    def graphwright(self, *arguments: str) -> None:
        """What the developer does before committing."""
        command = [sys.executable, "-m", "graphwright", *arguments]
        subprocess.run(command, cwd=self.folder, env=self._environment | {"PYTHONPATH": os.pathsep.join(sys.path)},
                       check=True, capture_output=True, timeout=300)  # fmt: skip

    def run(self, *arguments: str, folder: str = ".", **variables: str) -> tuple[int, str]:
        """The exit code of `pre-commit run`, and everything that was said."""
        return self.command(
            sys.executable, "-m", "pre_commit", "run", "--verbose", *arguments, folder=folder, **variables
        )

    def command(self, *words: str, folder: str = ".", **variables: str) -> tuple[int, str]:
        """The exit code of a command, and everything that was said."""
        done = subprocess.run(
            words, cwd=self.folder / folder, env=self._environment | variables, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False, timeout=900,
        )  # fmt: skip
        assert "Traceback" not in done.stdout
        assert "GW901" not in done.stdout
        return done.returncode, done.stdout


def counted(said: str) -> list[int]:
    """How many graphs each process checked."""
    return [int(number) for number in re.findall(r"(\d+) graphs? checked", said)]
