"""From paths to reads: the namespace that a name means in its scope, and what was likely meant if it means none."""

from __future__ import annotations

from collections.abc import Callable

from yaml.nodes import ScalarNode

from graphwright import ir
from graphwright.diagnostic import Span
from graphwright.expr import nodes
from graphwright.expr.parser import BROKEN, parse_path
from graphwright.expr.paths import written_path
from graphwright.fault import Fault
from graphwright.faults.names import NoResult, OutsideLoop, UnknownName
from graphwright.language.events import EVENTS, NAMESPACES, RUN_FIELDS, RUNTIME_KEYS
from graphwright.lower.context import Lowering, Scope
from graphwright.model import UNKNOWN_NAME
from graphwright.record import Record

_BUILT_IN = {"_now": ir.Root.NOW, "_timestamp": ir.Root.TIMESTAMP, "_run": ir.Root.RUN}


class _Failure(Record):
    """A path that means nothing in its scope: the fault to record, and the read that was likely meant."""

    fault: Callable[[Span], Fault]
    meant: ir.Read | None = None


def lower_path(lowering: Lowering, path: nodes.Path, at: ScalarNode, scope: Scope) -> ir.Read:
    """The read of `path`, which is part of the scalar `at`. Unknown names are reported."""
    written = at.value[path.start : path.end]
    if path.name == BROKEN:  # it reads what its words seem to mean; without one, anything
        if not any(map(str.isalpha, written)):
            lowering.recovery.anything = True
        return ir.Read(ir.Root.UNKNOWN, (), written, path.start, path.end)
    found = _resolve(lowering, path, written, scope, at)
    if isinstance(found, ir.Read):
        return found
    lowering.report(found.fault(lowering.source.span_in(at, path.start, path.end)))
    if found.meant is not None:
        lowering.recovery.guessed.append(found.meant)
        return found.meant
    return ir.Read(ir.Root.UNKNOWN, path.segments, written, path.start, path.end)


def adopt_path(lowering: Lowering, text: str, scope: Scope) -> ir.Read | None:
    """The read that a string would be if it were written as a path, or None. Reports nothing."""
    path = parse_path(text)
    if not isinstance(path, nodes.Path):
        return None
    found = _resolve(lowering, path, text, scope, None)
    return found if isinstance(found, ir.Read) else None


def _resolve(
    lowering: Lowering, path: nodes.Path, written: str, scope: Scope, at: ScalarNode | None
) -> ir.Read | _Failure:
    name, steps, start, end = path.name, path.segments, path.start, path.end
    if name == scope.variable and name in NAMESPACES and not (steps and steps[0] in lowering.names.under(name)):
        return ir.Read(ir.Root.UNKNOWN, steps, written, start, end)  # GW305 reports that the variable hides it
    if name in _BUILT_IN:
        if name == "_run" and not (steps and steps[0] in RUN_FIELDS):
            return _unknown(lowering, path, written, scope, at)
        return ir.Read(_BUILT_IN[name], steps, written, start, end)
    if scope.event is not None:
        if name in EVENTS[scope.event].shows:
            return ir.Read(ir.Root.EVENT, (name, *steps), written, start, end)
        return _unknown(lowering, path, written, scope, at)
    if name == "state":
        if steps and steps[0] == "inputs":
            return ir.Read(ir.Root.INPUTS, steps[1:], written, start, end)
        return ir.Read(ir.Root.STATE, steps, written, start, end)
    if name == "inputs":
        return ir.Read(ir.Root.INPUTS, steps, written, start, end)
    if name == "result":
        if scope.result:
            return ir.Read(ir.Root.RESULT, steps, written, start, end)
        return _no_result(lowering, path, written, scope)
    if name == scope.variable:
        return ir.Read(ir.Root.ITEM, steps, written, start, end)
    if name in lowering.names.loops and scope.variable != UNKNOWN_NAME:
        return _outside(lowering, path, written, scope)
    return _unknown(lowering, path, written, scope, at)


def _outside(lowering: Lowering, path: nodes.Path, written: str, scope: Scope) -> _Failure:
    """A foreach variable outside its node."""
    loops = lowering.names.loops[path.name]
    kept = [lowering.names.collected[loop] for loop in loops if loop in lowering.names.collected]
    own = lowering.names.collected.get(scope.owner.node or "")
    suggestion = written_path("state", own or kept[0]) if own or kept else None
    instead = f"{scope.variable}{written[len(path.name) :]}" if scope.variable else None
    names = (path.name, written, scope.context, loops, suggestion, scope.variable, instead)
    return _Failure(lambda span: OutsideLoop(span, scope.owner, *names))


def _no_result(lowering: Lowering, path: nodes.Path, written: str, scope: Scope) -> _Failure:
    """`result` where it does not exist; a state key with the name of the field was probably meant."""
    field = str(path.segments[0]) if path.segments else None
    kept = lowering.names.collected.get(scope.owner.node or "")
    suggestion = None
    if field is not None and field in lowering.names.state_keys and scope.context != "foreach next":
        suggestion = written_path("state", *(str(step) for step in path.segments))
    return _Failure(lambda span: NoResult(span, scope.owner, written, scope.context, field, kept, suggestion))


def _unknown(
    lowering: Lowering, path: nodes.Path, written: str, scope: Scope, at: ScalarNode | None
) -> ir.Read | _Failure:
    """GW402, read as the suggestion; no fault if the name of a loop variable is unknown."""
    if scope.variable == UNKNOWN_NAME or scope.variable in NAMESPACES:  # GW305 reports the latter
        return ir.Read(ir.Root.UNKNOWN, path.segments, written, path.start, path.end)
    from graphwright.recover.paths import environment_variable, likely_path, returned_by, set_by_the_shell

    suggestion = likely_path(lowering.names, path, written, scope)
    variable = environment_variable(path)
    shell = path.name if set_by_the_shell(path, at) else variable if id(at) in lowering.commands else None
    outside = None if shell else variable
    by = returned_by(lowering.names, path)
    known = (path.name, written, suggestion, shell, outside, scope.context == "action", by, scope.namespaces)
    meant: ir.Read | None = None
    if suggestion is not None:
        corrected = parse_path(suggestion)
        if isinstance(corrected, nodes.Path):
            moved = nodes.Path(corrected.name, corrected.segments, path.start, path.end)
            found = _resolve(lowering, moved, written, scope, at)
            meant = found if isinstance(found, ir.Read) and _may_exist(lowering, found) else None
    return _Failure(lambda span: UnknownName(span, scope.owner, *known), meant)


def is_known(lowering: Lowering, read: ir.Read) -> bool:
    """Whether a path reads an existing state key or input, or a result or an item."""
    if read.root not in (ir.Root.STATE, ir.Root.INPUTS):
        return read.root in (ir.Root.RESULT, ir.Root.ITEM)
    if not read.path:
        return False
    return read.path[0] in lowering.names.under(read.root.value) or (
        read.root is ir.Root.STATE and read.path[0] in RUNTIME_KEYS
    )


def _may_exist(lowering: Lowering, read: ir.Read) -> bool:
    """Whether a suggested path does not read an unknown key, which would cause a second diagnostic."""
    known = lowering.names.under(read.root.value)
    return not known or not read.path or read.path[0] in known
