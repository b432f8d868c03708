"""Compiles the outdated graphs of one output folder, and runs the gates on the resulting modules."""

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
    target: Target, units: Sequence[Unit], progress: Callable[[str], None]
) -> tuple[dict[PurePosixPath, str], list[Diagnostic]]:
    """The text of each unit's module; or no texts, and the internal errors that occurred (GW901).

    Raises `BuildError` for problems of the environment, such as a missing type checker or a broken template.
    """
    texts: dict[PurePosixPath, str] = {}
    faults: list[Diagnostic] = []
    for number, unit in enumerate(units):
        if number % 100 == 0:
            progress(f"compiling {number + 1} of {len(units)}")
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
    target: Target, texts: dict[PurePosixPath, str], units: dict[PurePosixPath, Unit], progress: Callable[[str], None]
) -> list[Diagnostic]:
    """Run the gates on all texts together. Whatever they report is an internal error (GW901)."""
    progress(f"checking the types of {len(texts)}")
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
