"""Whatever the graph: type checkers in their strictest mode accept its module."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings

from property.strategies import Plan, plans
from running import RejectedError, compile_text

pytestmark = pytest.mark.slow

MYPY = "[mypy]\nstrict = true\ndisallow_any_explicit = true\nwarn_unreachable = true\n"
PYRIGHT = {"typeCheckingMode": "strict", "reportUnnecessaryTypeIgnoreComment": "error"}


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the modules of forty generated graphs."""
    folder = tmp_path_factory.mktemp("modules")

    @settings(
        max_examples=40,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(plans())
    def generate(plan: Plan) -> None:
        try:
            code = compile_text(plan.text)
        except RejectedError:
            assume(False)
        number = len(list(folder.iterdir()))
        (folder / f"module_{number}.py").write_text(code, encoding="utf-8")

    generate()
    (folder / "mypy.ini").write_text(MYPY, encoding="utf-8")
    (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), encoding="utf-8")
    return folder


def test_mypy(modules: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "."]
    done = subprocess.run(command, cwd=modules, capture_output=True, text=True, check=False, timeout=400)
    assert done.returncode == 0, done.stdout


def test_pyright(modules: Path) -> None:
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=modules, capture_output=True, text=True, check=False, timeout=400)
    found = json.loads(done.stdout)["generalDiagnostics"]
    assert [f"{entry['file']}:{entry['range']['start']['line'] + 1} {entry['message']}" for entry in found] == []
