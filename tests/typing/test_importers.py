"""mypy and pyright on emitted modules and on code that imports them: nothing to say of `ok/`, every marked line of
`negative/` and no other."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
MODULES = HERE.parent / "golden" / "modules"
MYPY = """\
[mypy]
strict = true
disallow_any_explicit = true
warn_unused_ignores = true
warn_unreachable = true
"""
PYRIGHT = {
    "typeCheckingMode": "strict",
    "reportPrivateUsage": "error",
    "reportUnnecessaryComparison": "error",
    "reportUnnecessaryTypeIgnoreComment": "error",
    "reportUnusedFunction": "error",
    "reportUnusedVariable": "error",
    "reportUnusedExpression": "none",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The golden modules as a package, and the importers next to it."""
    folder = tmp_path_factory.mktemp("importers")
    (folder / "modules").mkdir()
    (folder / "modules" / "__init__.py").touch()
    for module in MODULES.glob("*.py"):
        shutil.copy(module, folder / "modules")
    for kind in ("ok", "negative"):
        shutil.copytree(HERE / kind, folder / kind, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "mypy.ini").write_text(MYPY, "utf-8")
    (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), "utf-8")
    return folder


def marked(project: Path) -> set[tuple[str, int]]:
    """The lines that say that they are wrong."""
    return {
        (f"negative/{file.name}", number)
        for file in (project / "negative").glob("*.py")
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if "# wrong" in line
    }


def test_mypy(project: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--no-pretty", "modules", "ok", "negative"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=300)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert {(line.split(":")[0], int(line.split(":")[1])) for line in errors} == marked(project), done.stdout


def test_pyright(project: Path) -> None:
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=300)
    found = json.loads(done.stdout)["generalDiagnostics"]
    places = {
        (Path(each["file"]).relative_to(project.resolve()).as_posix(), each["range"]["start"]["line"] + 1)
        for each in found
    }
    assert places == marked(project), json.dumps(found, indent=1)
