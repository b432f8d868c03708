"""Compiles the pending modules of one output folder and takes them through every gate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from graphwright.building.compile import draft, finished
from graphwright.building.targets import Target, Unit
from graphwright.checking.cache import cache_folder
from graphwright.diagnostic import Diagnostic
from graphwright.emit.errors import BuildError
from graphwright.emit.gates import GateError
from graphwright.internal import internal_error


def make(
    target: Target, units: Sequence[Unit], say: Callable[[str], None]
) -> tuple[dict[PurePosixPath, str], list[Diagnostic]]:
    """The text of each unit's module, or what went wrong inside graphwright (GW901): then there are no texts.

    Raises `BuildError` for what is missing around it or wrong with it: mypy, templates.
    """
    texts: dict[PurePosixPath, str] = {}
    faults: list[Diagnostic] = []
    for number, unit in enumerate(units):
        if number % 100 == 0:
            say(f"compiling {number + 1} of {len(units)}")
        try:
            texts[unit.path] = finished(draft(unit.checked.facts(), target.templates, unit.path))
        except BuildError:
            raise
        except Exception as error:  # our own fault in one graph must not hide what is wrong with the others
            faults.append(internal_error(error, unit.checked.shown))
    if faults or not texts:
        return {}, faults
    if not target.typecheck:
        return texts, []
    shown = {unit.path: unit.checked.shown for unit in units}
    return texts, _type_faults(target, texts, shown, say)


def _type_faults(
    target: Target, texts: dict[PurePosixPath, str], shown: dict[PurePosixPath, str], say: Callable[[str], None]
) -> list[Diagnostic]:
    """What mypy says: modules have no type errors, so each is a fault of graphwright."""
    from graphwright.building.publish import locked
    from graphwright.building.typecheck import type_errors

    say(f"checking the types of {len(texts)}")
    folder = cache_folder()
    with locked("typecheck", folder):
        lines = type_errors(texts, package=target.package, cache=None if folder is None else folder / "mypy")
    faults: list[Diagnostic] = []
    for line in lines:
        path = PurePosixPath(Path(line.partition(":")[0]).as_posix())
        faults.append(internal_error(GateError(f"type check: {line}"), shown.get(path, str(path))))
    return faults
