"""mypy and pyright on emitted modules and on code that imports them: nothing to say of `ok/`, every marked line of
`negative/` and no other."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commands import graphwright

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
    """The golden modules as a package, what `project/` compiles to, and the importers next to them."""
    folder = tmp_path_factory.mktemp("importers")
    (folder / "modules").mkdir()
    (folder / "modules" / "__init__.py").touch()
    for module in MODULES.glob("*.py"):
        shutil.copy(module, folder / "modules")
    done = graphwright("build", "-q", "--no-sign", "--no-typecheck", "-o", folder / "built", HERE / "project")
    assert done.code == 0, done.stderr
    for kind in ("ok", "negative"):
        shutil.copytree(HERE / kind, folder / kind, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "mypy.ini").write_text(MYPY, "utf-8")
    (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), "utf-8")
    return folder


def pinned(project: Path) -> dict[tuple[str, int], tuple[set[str], set[str]]]:
    """The codes of both checkers for a line, by the comment above it: `# wrong [of mypy | of pyright]: why`."""
    found: dict[tuple[str, int], tuple[set[str], set[str]]] = {}
    for file in (project / "negative").glob("*.py"):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if "# wrong" in line:
                match = re.search(r"# wrong \[([^|\]]*)\|([^]]*)\]: \w", line)
                assert match is not None, f"{file.name}:{number} does not pin its errors"
                found[f"negative/{file.name}", number + 1] = (set(match[1].split()), set(match[2].split()))
    return found


def test_mypy(project: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--no-pretty", "--explicit-package-bases", "."]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=300)
    found: dict[tuple[str, int], set[str]] = {}
    for line in done.stdout.splitlines():
        if match := re.match(r"(.+?):(\d+): error: .*\[([\w-]+)\]$", line):
            found.setdefault((match[1], int(match[2])), set()).add(match[3])
        else:
            assert ": note:" in line, done.stdout
    assert found == {place: codes for place, (codes, _) in pinned(project).items() if codes}, done.stdout


def test_pyright(project: Path) -> None:
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=300)
    diagnostics = json.loads(done.stdout)["generalDiagnostics"]
    found: dict[tuple[str, int], set[str]] = {}
    for each in diagnostics:
        place = Path(each["file"]).relative_to(project.resolve()).as_posix(), each["range"]["start"]["line"] + 1
        found.setdefault(place, set()).add(each.get("rule", "?"))
    assert found == {place: rules for place, (_, rules) in pinned(project).items() if rules}, json.dumps(
        diagnostics, indent=1
    )
