"""What ruff says of emitted modules: the only place where the project asks it, for its tests."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

#: What users' ruff looks at by default, and more that emitted modules are clean under.
RULES = "B,C4,E4,E7,E9,F,I,PIE"

_COMMON = ("--isolated", "--no-cache", "--target-version", "py311", "--line-length", "88")


def remarks(texts: Mapping[str, str], *, check: bool = True) -> str:
    """What `ruff format` would change in modules, by file name, and with `check` what `ruff check` finds in them.

    Empty where it is nothing.
    """
    with tempfile.TemporaryDirectory(prefix="graphwright-") as name:
        folder = Path(name)
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, "utf-8", newline="\n")
        changes = _ruff("format", *_COMMON, "--quiet", "--diff", name)
        options = ("--select", RULES, "--output-format", "concise", "--quiet")
        found = _ruff("check", *_COMMON, *options, name) if check else ""
    return f"{changes}{found}".replace(f"{name}/", "")[:5_000]


def _ruff(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *arguments], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout + done.stderr if done.returncode else ""
