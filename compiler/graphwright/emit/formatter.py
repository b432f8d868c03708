"""Formatting and linting by ruff, whose version is pinned: the bytes of a module depend on it.

Both work on many texts in one process, and look at no configuration but their own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from graphwright.emit.errors import FormatterError

#: The version that the distribution requires.
RUFF_VERSION: Final = "0.17.6"

#: Rules that an emitted module is clean under.
LINT_RULES: Final = "B,C4,E4,E7,E9,F,I,PIE"

_COMMON: Final = ("--isolated", "--no-cache", "--target-version", "py311", "--line-length", "88")


def formatted(texts: Mapping[str, str]) -> dict[str, str]:
    """The texts, by file name, as `ruff format` writes them."""
    with tempfile.TemporaryDirectory(prefix="graphwright-") as folder:
        files = _written(Path(folder), texts)
        done = _ruff("format", *_COMMON, folder)
        if done.returncode:
            raise FormatterError(_first_lines(done.stderr or done.stdout, folder))
        return {name: file.read_text("utf-8") for name, file in files.items()}


@contextmanager
def complaints(texts: Mapping[str, str]) -> Iterator[Callable[[], str]]:
    """Has ruff look at the texts while the block does something else.

    What is given says what `ruff check` finds in them and what `ruff format` would change; empty where there is
    nothing. It waits for the answer.
    """
    with tempfile.TemporaryDirectory(prefix="graphwright-") as folder:
        _written(Path(folder), texts)
        options = ("--select", LINT_RULES, "--output-format", "concise", "--quiet")
        with (
            _started("check", *_COMMON, *options, folder) as lint,
            _started("format", *_COMMON, "--check", folder) as layout,
        ):

            def answer() -> str:
                found = [each.communicate()[0] for each in (lint, layout)]
                wrong = [text or "format" for each, text in zip((lint, layout), found, strict=True) if each.returncode]
                return _first_lines(wrong[0], folder) if wrong else ""

            yield answer


def _written(folder: Path, texts: Mapping[str, str]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for name, text in texts.items():
        files[name] = folder / name
        files[name].parent.mkdir(parents=True, exist_ok=True)
        files[name].write_text(text, "utf-8", newline="\n")
    return files


def _ruff(*arguments: str) -> subprocess.CompletedProcess[str]:
    return _run([_binary(), *arguments])


def _started(*arguments: str) -> subprocess.Popen[str]:
    """ruff at work, its remarks in its output."""
    command = [_binary(), *arguments]
    try:
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    except OSError as error:
        raise FormatterError(f"ruff cannot be run: {error}") from error


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    except OSError as error:
        raise FormatterError(f"ruff cannot be run: {error}") from error


@cache
def _binary() -> str:
    """The ruff of this environment, or else one on the search path, if it is of the right version."""
    folders = (str(Path(sys.executable).parent), sysconfig.get_path("scripts"), os.environ.get("PATH", ""))
    found = shutil.which("ruff", path=os.pathsep.join(folders))
    if found is None:
        raise FormatterError(f"ruff {RUFF_VERSION} is not installed: pip install ruff=={RUFF_VERSION}")
    return _checked(found)


def _checked(binary: str) -> str:
    found = _run([binary, "--version"]).stdout.split()[-1:]
    if found != [RUFF_VERSION]:
        raise FormatterError(
            f"{binary} is version {' '.join(found) or 'unknown'}, but modules are formatted by ruff {RUFF_VERSION}: "
            f"pip install ruff=={RUFF_VERSION}"
        )
    return binary


def _first_lines(output: str, folder: str) -> str:
    return "\n".join(output.replace(f"{folder}/", "").strip().splitlines()[:10])
