"""The runtime as people install it: what arms verification when Python starts is in the wheel and works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import nacl
import pytest

from signing.packages import RUNTIME, Project, make_project

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runtime's wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(RUNTIME)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return next(folder.glob("*.whl"))


@pytest.fixture
def python(wheel: Path, tmp_path: Path) -> Path:
    """The Python of a new environment that holds the wheel."""
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True, timeout=120)
    packages = next(environment.glob("lib/python*/site-packages"))
    with ZipFile(wheel) as zipped:
        zipped.extractall(packages)
    # What the runtime depends on comes from the environment of the tests.
    (packages / "dependencies.pth").write_text(str(Path(nacl.__file__).parents[1]) + "\n")
    return environment / "bin" / "python"


def test_what_the_wheel_holds(wheel: Path) -> None:
    with ZipFile(wheel) as zipped:
        assert "graphwright_verify.pth" in zipped.namelist()
        entry_points = next(name for name in zipped.namelist() if name.endswith("entry_points.txt"))
        assert b"[pytest11]" in zipped.read(entry_points)


def test_the_variable_works_without_anything_else(python: Path, tmp_path: Path) -> None:
    project: Project = make_project(tmp_path / "project")

    def imported(**environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(python), "-c", "import generated.billing.invoices"],
            cwd=project.folder, env=environment, capture_output=True, text=True, timeout=60,
        )  # fmt: skip

    assert imported(GRAPHWRIGHT_VERIFY="require:generated").stdout == "clean\n"
    project.module.write_text("print('planted')\n")
    assert imported().stdout == "planted\n"
    refused = imported(GRAPHWRIGHT_VERIFY="require:generated")
    assert refused.stdout == ""
    assert "VerificationError" in refused.stderr
    ended = imported(GRAPHWRIGHT_VERIFY="require")
    assert ended.returncode == 1
    assert "needs a package" in ended.stderr
