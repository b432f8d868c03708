"""What the two acceptance harnesses share: finding case folders, and telling how they came out.

A case is any folder below the one given that holds the marker file. A case that cannot be read, compiled or run
is a failing line like any other; nothing stops the rest.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Judge = Callable[[Path], "str | None"]
"""Runs the case in a folder; returns the first difference, or None when there is none."""


def discover(top: Path, marker: str) -> list[Path]:
    """Every folder at or below `top` with a `marker` file, by name; links followed, hidden folders included."""
    return sorted(_walk(top, marker, set()))


def _walk(top: Path, marker: str, seen: set[Path]) -> Iterator[Path]:
    real = top.resolve()
    if real in seen:
        return
    seen.add(real)
    for folder, names, files in os.walk(top):
        if marker in files:
            yield Path(folder)
        for name in names:
            below = Path(folder, name)
            if below.is_symlink():
                yield from _walk(below, marker, seen)


def outcome(judge: Judge, folder: Path) -> str | None:
    """The first difference of a case in one line; whatever it raises is a difference too."""
    try:
        difference = judge(folder)
    except Exception as error:
        difference = f"{type(error).__name__}: {error}"
    return None if difference is None else " ".join(difference.split())


def main(arguments: list[str], marker: str, judge: Judge) -> int:
    """`python -m <harness> FOLDER…`: a line per failing case, the tally last; 1 when one fails, 2 on wrong usage."""
    tops = [Path(argument) for argument in arguments]
    wrong = [str(top) for top in tops if not top.is_dir()]
    if wrong or not tops:
        print(f"no such folder: {', '.join(wrong)}" if wrong else "which folder of cases?", file=sys.stderr)
        return 2
    passed = failed = 0
    for top in tops:
        for folder in discover(top, marker):
            difference = outcome(judge, folder)
            if difference is None:
                passed += 1
            else:
                failed += 1
                print(f"FAIL {os.path.relpath(folder, top)}: {difference}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def shared(name: str) -> Path:
    """A folder next to the checkout that only some machines have; a test module that needs it is skipped without."""
    folder = Path(__file__).parents[2] / "shared" / name
    if not folder.is_dir():
        pytest.skip(f"no ../shared/{name} beside the checkout", allow_module_level=True)
    return folder
