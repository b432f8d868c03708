"""Compiles the outdated graphs of one output folder, and runs the gates on the resulting modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from graphwright.building.crew import Crew
from graphwright.building.publish import locked
from graphwright.building.targets import Target, Unit
from graphwright.checking.cache import cache_folder
from graphwright.diagnostic import Diagnostic
from graphwright.emit.errors import BuildError, GateError
from graphwright.internal import internal_error

#: Is called with a phase of the build, and how many of how many are done; 0 of 0 where that is not known.
Progress: TypeAlias = Callable[[str, int, int], None]
#: The phase in which the type checker runs.
TYPES: Final = "checking types"


def make(
    target: Target, units: Sequence[Unit], crew: Crew, progress: Progress
) -> tuple[dict[PurePosixPath, str], list[Diagnostic]]:
    """The text of each unit's module; or no texts, and the internal errors that occurred (GW901).

    Modules that the crew has compiled are not compiled again. Raises `BuildError` for problems of the environment, such
    as a missing type checker or a broken template.
    """
    texts: dict[PurePosixPath, str] = {}
    faults: list[Diagnostic] = []
    for number, unit in enumerate(units):
        progress("compiling", number, len(units))
        made = crew.module(unit.checked)
        if made is not None and made.templates == target.templates:
            texts[unit.path] = made.text
            continue
        try:
            texts[unit.path] = target.backend.draft(unit.checked.facts(), target.templates, unit.path).finish()
        except BuildError:
            raise
        except Exception as error:  # an internal error in one graph must not hide those in others
            faults.append(internal_error(error, unit.checked.shown))
    if faults or not texts:
        return {}, faults
    if not target.typecheck:
        return texts, []
    return texts, _gate_faults(target, texts, {unit.path: unit for unit in units}, progress)


def _gate_faults(
    target: Target, texts: dict[PurePosixPath, str], units: dict[PurePosixPath, Unit], progress: Progress
) -> list[Diagnostic]:
    """Run the gates on all texts together. Whatever they report is an internal error (GW901)."""
    progress(TYPES, 0, 0)
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
