"""The testkit is apart: nothing of a normal run imports it, and it needs no library of tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RUNTIME = Path(__file__).parents[2] / "runtime" / "graphwright_runtime"


def test_the_runtime_does_not_import_it() -> None:
    for path in RUNTIME.rglob("*.py"):
        if path.parent.name != "testing":
            assert "graphwright_runtime.testing" not in path.read_text("utf-8"), path


def test_it_needs_no_pytest() -> None:
    said = subprocess.run(
        [sys.executable, "-c", "import sys, graphwright_runtime.testing; print('pytest' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=RUNTIME.parent,
    )
    assert said.stdout == "False\n"
