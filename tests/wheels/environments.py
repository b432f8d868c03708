"""The environments that packages are built and used in: real ones, made once for a run of the tests."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: What builds packages when no environment is made for each build, as `--no-isolation` asks for.
BUILD_SYSTEMS = ("build", "hatchling", "editables", "setuptools>=77")


def run(*command: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a user does who has nothing but this project's wheels; output and errors are one text."""
    environment = {**os.environ, "PYTHONPATH": "", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **variables}
    environment["PIP_NO_COMPILE"] = "0"  # pip's way to ask for `--no-compile`: most modules are never imported
    return subprocess.run(
        [str(each) for each in command], cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False, timeout=900,
    )  # fmt: skip


def succeed(*command: str | Path, cwd: Path, **variables: str) -> str:
    """What a command says that succeeds."""
    done = run(*command, cwd=cwd, **variables)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that `make` fills once, however many processes run the tests."""
    basis = factory.getbasetemp()
    basis = basis.parent if "PYTEST_XDIST_WORKER" in os.environ else basis
    folder = basis / f"wheels-{name}"
    with (basis / f"wheels-{name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            folder.mkdir()
            make(folder)
    return folder


def make_wheels(folder: Path) -> None:
    """The wheels of the runtime and of the compiler."""
    for project in (ROOT / "runtime", ROOT):
        succeed(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, project, cwd=folder)


def make_environment(folder: Path, requirements: Sequence[str | Path]) -> None:
    """An environment with these requirements."""
    succeed(sys.executable, "-m", "venv", folder, cwd=folder)
    succeed(folder / "bin" / "python", "-m", "pip", "install", "-q", *requirements, cwd=folder)


def make_empty(folder: Path, base: Path) -> Path:
    """The Python of a new environment that sees what is installed in another one."""
    succeed(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder.parent)
    packages = next(folder.glob("lib/python*/site-packages"))
    inherited = next(base.glob("lib/python*/site-packages"))
    (packages / "base.pth").write_text(f"import site; site.addsitedir({str(inherited)!r})\n")
    return folder / "bin" / "python"
