"""Compiles the graphs of one output folder that are out of date, and takes what comes out through every gate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from graphwright.building.publish import locked
from graphwright.building.targets import Target, Unit
from graphwright.checking.cache import cache_folder
from graphwright.diagnostic import Diagnostic
from graphwright.emit.errors import BuildError, GateError
from graphwright.internal import internal_error


def make(
    target: Target, units: Sequence[Unit], say: Callable[[str], None]
) -> tuple[dict[PurePosixPath, str], list[Diagnostic]]:
    """The text of each unit's module, or what went wrong inside graphwright (GW901): then there are no texts.

    Raises `BuildError` for what is missing around it or wrong with it: a checker, templates.
    """
    texts: dict[PurePosixPath, str] = {}
    faults: list[Diagnostic] = []
    for number, unit in enumerate(units):
        if number % 100 == 0:
            say(f"compiling {number + 1} of {len(units)}")
        try:
            texts[unit.path] = target.backend.draft(unit.checked.facts(), target.templates, unit.path).finish()
        except BuildError:
            raise
        except Exception as error:  # our own fault in one graph must not hide what is wrong with the others
            faults.append(internal_error(error, unit.checked.shown))
    if faults or not texts:
        return {}, faults
    if not target.typecheck:
        return texts, []
    return texts, _refused(target, texts, {unit.path: unit for unit in units}, say)


def _refused(
    target: Target, texts: dict[PurePosixPath, str], units: dict[PurePosixPath, Unit], say: Callable[[str], None]
) -> list[Diagnostic]:
    """What the gates say of all texts together: each complaint is a fault of graphwright."""
    say(f"checking the types of {len(texts)}")
    folder = cache_folder()
    with locked("gates", folder):
        complaints = target.backend.gates(
            texts,
            facts=lambda path: units[path].checked.facts(),
            templates=target.templates,
            package=target.package,
            cache=folder,
        )
    return [
        internal_error(GateError(each.text), units[each.path].checked.shown if each.path in units else str(each.path))
        for each in complaints
    ]
