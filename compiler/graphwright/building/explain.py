"""`build --explain`: what a build does to each module, and why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final, Literal, TypeAlias

from graphwright.building import publish
from graphwright.building.cause import Cause, Kind, Suspects, cause_of
from graphwright.building.ledger import Changes
from graphwright.building.plan import Plan, Sealer
from graphwright.building.targets import Unit
from graphwright.faults.files import UntrustedModule
from graphwright.project.projects import HOOKS, shown
from graphwright.record import Record

#: What a build does to a module; `kept` is a module without a graph that was edited.
Status: TypeAlias = Literal["written", "unchanged", "removed", "kept"]

#: Returns what has changed since the last build of a graph; None if unknown.
Memory: TypeAlias = Callable[[Unit], Changes | None]

_CURRENT: Final = Cause((), "the source, everything that it uses, the configuration and the compiler are unchanged")
_UNPROVEN: Final = Cause(("signature",), "compiled again to verify it, because a trusted signature does not cover it")
_UNKNOWN: Final = Cause(("not cached",), "compiled again, because the cache has no build of it; the text is the same")
_GONE: Final = Cause(("left over",), "its graph is gone or excluded")
_EDITED: Final = Cause(("left over", "edited"), "its graph is gone or excluded, but it was edited after it was built")

#: Maximum number of files to name.
_NAMED: Final = 3


class Explained(Record):
    """A module (absolute path) and its graph as messages show it, what a build does to it, and the cause.

    `source` is None for a module without a graph.
    """

    module: Path
    source: str | None
    status: Status
    cause: Cause


def explain(
    plan: Plan, made: Collection[Unit], sealer: Sealer | None, memory: Memory, suspects: Suspects
) -> Iterator[Explained]:
    """Explain a plan before it is carried out, sorted by module. `made` are the graphs that were compiled."""
    output = plan.target.output
    found = [
        Explained(unit.file, unit.checked.shown, status, cause)
        for unit in plan.target.units
        for status, cause in [_of(plan, unit, made, sealer, memory, suspects)]
    ]
    found += [Explained(output / path, None, "removed", _GONE) for path in plan.removed]
    found += [Explained(output / path, None, "kept", _EDITED) for path in plan.kept]
    yield from sorted(found, key=lambda each: each.module)


def _of(
    plan: Plan, unit: Unit, made: Collection[Unit], sealer: Sealer | None, memory: Memory, suspects: Suspects
) -> tuple[Status, Cause]:
    if unit not in made:
        return "unchanged", _CURRENT
    changes = memory(unit)
    remembered = None if changes is None else _remembered(changes, unit.checked.source_file.project.hooks)
    if unit.path not in plan.contents:
        if changes is None:
            return "unchanged", _UNKNOWN
        if remembered is None:
            return "unchanged", _UNPROVEN
        return "unchanged", Cause(remembered.kinds, f"{remembered.text}, but it compiles to the same module")
    if unit.present is not None and publish.body(unit.present, plan.target.backend) == plan.texts[unit.path]:
        return "written", _signature(unit, sealer)
    if changes is not None and remembered is not None and unit.signature[1] == changes.body:
        return "written", remembered
    return "written", cause_of(plan, unit.path, sealer, suspects)


def _remembered(changes: Changes, hooks: Path | None) -> Cause | None:
    """What has changed since the last build; None if nothing has. `hooks` is the file with those of the project."""
    reasons: dict[Kind, str] = {}
    if changes.source:
        reasons["source"] = "its source has changed"
    if files := [file for file in changes.files if file != hooks]:
        names = ", ".join(f"`{shown(file)}`" for file in files[:_NAMED])
        reasons["contract"] = f"it uses {names}{', …' * (len(files) > _NAMED)}, which has changed"
    elif changes.folders:
        reasons["contract"] = f"what declares its tools was added to or removed from `{shown(changes.folders[0])}`"
    if changes.setting:
        reasons["configuration"] = "the configuration or a template has changed"
    elif hooks in changes.files:
        reasons["configuration"] = f"the hooks of the project (`{HOOKS}`) have changed"
    return Cause(tuple(reasons), ", and ".join(reasons.values())) if reasons else None


def _signature(unit: Unit, sealer: Sealer | None) -> Cause:
    """Why a module with the right text is signed again."""
    graph_id, present = unit.checked.graph_id, unit.present or b""
    fault = None if sealer is None else sealer.signature_fault(str(unit.path), present, graph_id, shown(unit.file))
    if not isinstance(fault, UntrustedModule):
        return Cause(("signature",), "its signature is replaced")
    return Cause(("signature",), f"{fault.text} (key {fault.key})" if fault.key else fault.text)
