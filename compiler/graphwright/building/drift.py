"""The findings of `build --check`: files in an output folder that a build would change (GW802 to GW805)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from graphwright import __version__
from graphwright.building import publish
from graphwright.building.cause import FOREIGN, MISSING, Cause, Suspects, cause_of
from graphwright.building.listing import LISTING
from graphwright.building.plan import MANIFEST, Plan, Sealer
from graphwright.checking.inspection import phrase
from graphwright.diagnostic import Diagnostic, Span
from graphwright.fault import Fault
from graphwright.faults.files import LeftOverModule, OtherVersion, StaleModule
from graphwright.project.projects import shown

_HEAD_BYTES: Final = 2_000
_UNLISTED: Final = Cause(("unlisted",), "it does not list the current modules in order")
_ORPHANED: Final = Cause(("left over",), "its package no longer has a module")
_OTHER_MODULE: Final = Cause(("outdated",), "it does not match the current module")


def differences(plan: Plan, sealer: Sealer | None, suspects: Suspects) -> Iterator[Diagnostic]:
    """The findings about an output folder, given the plan of a build."""
    for path in plan.texts:
        if path in plan.foreign:
            yield from _fault(plan, path, FOREIGN)
        elif path in plan.contents and not _never_built(plan, path):
            yield from _module(plan, path, sealer, suspects)
    for path in plan.removed:
        yield from phrase(_left_over(plan, path, ""))
    for path in plan.orphaned:
        yield from _fault(plan, path, _ORPHANED)
    yield from edited_leftovers(plan)
    if plan.target.folder.there:
        yield from _other_files(plan, sealer)


def _never_built(plan: Plan, path: PurePosixPath) -> bool:
    """Whether this file accompanies only modules that do not exist: then only the modules are reported as missing."""
    if any(unit.path == path for unit in plan.target.units):
        return False
    package = f"{path.parent}/".removeprefix("./")
    return not any(each.startswith(package) for each in plan.target.folder.there)


def edited_leftovers(plan: Plan) -> Iterator[Diagnostic]:
    """The findings about modules without a source that a build keeps because they were edited."""
    for path in plan.kept:
        yield from phrase(_left_over(plan, path, "it was edited after it was built, so it is kept"))


def _module(plan: Plan, path: PurePosixPath, sealer: Sealer | None, suspects: Suspects) -> Iterator[Diagnostic]:
    """The findings about a module, or a companion of modules, that a build would change."""
    present, text, backend = plan.target.folder.content(path), plan.texts[path], plan.target.backend
    unit = next((unit for unit in plan.target.units if unit.path == path), None)
    body = None if present is None else publish.body(present, backend)
    found = None if body is None or unit is None else backend.header(body[:_HEAD_BYTES])
    if body is not None and found is not None and found.version != __version__:
        name = shown(plan.target.output / path)
        yield from phrase(OtherVersion(_top(name), name, found.version, __version__))
        body = body.replace(found.version.encode(), __version__.encode(), 1)
    if body == text:
        yield from _signature(plan, sealer, path, unit.checked.graph_id if unit else "")
    else:
        yield from _fault(plan, path, cause_of(plan, path, sealer, suspects))


def _signature(plan: Plan, sealer: Sealer | None, path: PurePosixPath, graph_id: str) -> Iterator[Diagnostic]:
    """The finding about a module with the right text whose signature a build would replace."""
    present, name = plan.target.folder.content(path), shown(plan.target.output / path)
    fault = None if sealer is None or present is None else sealer.signature_fault(str(path), present, graph_id, name)
    yield from phrase(fault) if fault is not None else ()


def _other_files(plan: Plan, sealer: Sealer | None) -> Iterator[Diagnostic]:
    """The findings about files other than modules, except those that only follow from a reported module."""
    reported = any(path in plan.contents for path in plan.texts) or bool(plan.removed or plan.orphaned)
    if MANIFEST in plan.contents and sealer is not None:
        fault = sealer.manifest_fault(shown(plan.target.output / MANIFEST))
        if fault is not None:
            yield from phrase(fault)
        elif not reported:
            yield from _fault(plan, MANIFEST, _UNLISTED)
    for path in plan.contents:
        if path in plan.texts or path == MANIFEST or _described_module(path) in plan.contents:
            continue
        if path == LISTING:
            if not reported:
                yield from _fault(plan, path, _UNLISTED)
            continue
        missing = plan.target.folder.content(path) is None
        yield from _fault(plan, path, MISSING if missing else _OTHER_MODULE)
    for path in plan.outdated:
        if not reported:
            reason = "the modules are signed now" if path == LISTING else "it describes another module"
            yield from _fault(plan, path, Cause(("outdated",), reason))


def _described_module(path: PurePosixPath) -> PurePosixPath | None:
    """The module that a provenance file describes; None for other files."""
    return (
        path.with_name(path.name.removesuffix(publish.PROVENANCE)) if path.name.endswith(publish.PROVENANCE) else None
    )


def _left_over(plan: Plan, path: PurePosixPath, reason: str) -> Fault:
    name = shown(plan.target.output / path)
    return LeftOverModule(_top(name), name, reason)


def _fault(plan: Plan, path: PurePosixPath, cause: Cause) -> Iterator[Diagnostic]:
    name = shown(plan.target.output / path)
    is_graph = any(unit.path == path for unit in plan.target.units)
    return phrase(StaleModule(_top(name), name, cause.text, not is_graph, cause.kinds, cause.diff))


def _top(file: str) -> Span:
    return Span(file, 1, 1, 1, 1)
