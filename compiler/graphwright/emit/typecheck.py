"""The type gate: runs mypy once on all modules of a build, with a separate cache.

Modules are checked in a temporary folder, under the name of their package. Apart from them, only the runtime of the
current environment is visible to mypy, so the result does not depend on the user's configuration.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from graphwright.emit.errors import TypecheckError

#: Options in addition to `--strict` that users may have for their own code.
_OPTIONS: Final = (
    *("--strict", "--disallow-any-explicit"),
    *("--follow-imports", "silent", "--config-file", os.devnull, "--no-color-output", "--no-error-summary"),
    *("--hide-error-context", "--no-pretty", "--show-column-numbers"),
)


class TypeFault(NamedTuple):
    """One error; `text` is the line that mypy prints: `reports/count.py:31:5: error: …`."""

    path: PurePosixPath
    line: int | None
    text: str

    @classmethod
    def read(cls, text: str) -> TypeFault:
        """Parse a line of mypy's output."""
        path, _, rest = text.partition(":")
        line = rest.partition(":")[0]
        return cls(PurePosixPath(Path(path).as_posix()), int(line) if line.isdecimal() else None, text)


def type_errors(texts: Mapping[PurePosixPath, str], *, package: str, cache: Path | None) -> list[TypeFault]:
    """The errors that mypy reports for the modules.

    `texts` are modules by their path below the package. `cache` is a folder that makes later runs faster.
    """
    with tempfile.TemporaryDirectory(prefix="graphwright-") as folder:
        root = Path(folder) / package
        for path, text in texts.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8", newline="\n")
        for directory in {root, *(root / parent for path in texts for parent in path.parents)}:
            (directory / "__init__.py").touch()
        done = _mypy(Path(folder), package, cache)
        if done.returncode not in (0, 1) and cache is not None:  # a cache that is damaged or cannot be written
            done = _mypy(Path(folder), package, None)
    prefix = f"{package}{os.sep}"
    lines = [line.removeprefix(prefix) for line in done.stdout.splitlines() if line.strip()]
    if done.returncode not in (0, 1) or (done.returncode and not lines):
        raise TypecheckError(f"mypy failed: {(done.stderr or done.stdout).strip()[-2000:]}")
    return [TypeFault.read(line) for line in lines] if done.returncode else []


def _mypy(folder: Path, package: str, cache: Path | None) -> subprocess.CompletedProcess[str]:
    if importlib.util.find_spec("mypy") is None:
        raise TypecheckError("mypy is not installed; `--no-typecheck` builds without it")
    store = str(cache) if cache is not None else os.devnull
    command = [sys.executable, "-m", "mypy", *_OPTIONS, "--cache-dir", store, package]
    environment = {key: value for key, value in os.environ.items() if key not in ("MYPYPATH", "MYPY_CACHE_DIR")}
    environment |= {"PYTHONUTF8": "1", **_runtime_path()}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)


def _runtime_path() -> dict[str, str]:
    """The environment with which mypy finds the runtime in a checkout, where it is not installed."""
    spec = importlib.util.find_spec("graphwright_runtime")
    if spec is None or not spec.submodule_search_locations:
        raise TypecheckError("graphwright-runtime is not installed in this environment")
    parent = Path(next(iter(spec.submodule_search_locations))).parent
    installed = any(part in ("site-packages", "dist-packages") for part in parent.parts)
    return {} if installed else {"MYPYPATH": str(parent)}
