"""Paths to reads: which namespace a name means here, and what was likely meant when it means none."""

from __future__ import annotations

from yaml.nodes import ScalarNode

from graphwright import ir
from graphwright.expr import nodes
from graphwright.expr.parser import BROKEN, parse_path
from graphwright.lower.context import EVENT_KEYS, NAMESPACES, RUN_FIELDS, Lowering, Scope
from graphwright.model import UNREADABLE
from graphwright.pattern import pattern
from graphwright.record import Record
from graphwright.suggest import nearest

_SHELL = pattern(r"[A-Z][A-Z0-9_]*\Z")
_NAMESPACE_SYNONYMS = {
    "input": "inputs",
    "params": "inputs",
    "results": "result",
    "output": "result",
    "response": "result",
    "vars": "state",
    "ctx": "state",
    "context": "state",
    "now": "_now",
    "timestamp": "_timestamp",
    "run": "_run",
}
_BUILT_IN = {"_now": ir.Root.NOW, "_timestamp": ir.Root.TIMESTAMP, "_run": ir.Root.RUN}


class _Failure(Record):
    """A path that means nothing here: the code, its facts, and the read that was likely meant."""

    code: str
    facts: dict[str, object]
    meant: ir.Read | None = None


def lower_path(
    lowering: Lowering, path: nodes.Path, at: ScalarNode, scope: Scope, *, condition: bool = False
) -> ir.Read:
    """The read that `path` is; `at` is the scalar that it stands in. Unknown names are reported."""
    written = at.value[path.start : path.end]
    if path.name == BROKEN:  # it reads what its words seem to mean; without one, anything
        lowering.blank = lowering.blank or not any(map(str.isalpha, written))
        return ir.Read(ir.Root.UNKNOWN, (), written, path.start, path.end)
    found = _resolve(lowering, path, written, scope)
    if isinstance(found, ir.Read):
        return found
    if condition and found.code == "GW402":
        found.facts["place"] = "condition" if scope.event is None else "hook condition"
    lowering.fault_in(found.code, at, path.start, path.end, scope.owner, **found.facts)
    if found.meant is not None:
        return found.meant
    return ir.Read(ir.Root.UNKNOWN, path.segments, written, path.start, path.end)


def adopt_path(lowering: Lowering, text: str, scope: Scope) -> ir.Read | None:
    """The read that a text would be, were it written as a path; None where it means nothing. Reports nothing."""
    path = parse_path(text)
    if not isinstance(path, nodes.Path):
        return None
    found = _resolve(lowering, path, text, scope)
    return found if isinstance(found, ir.Read) else None


def _resolve(lowering: Lowering, path: nodes.Path, written: str, scope: Scope) -> ir.Read | _Failure:
    name, steps, start, end = path.name, path.segments, path.start, path.end
    if name in _BUILT_IN:
        if name == "_run" and not (steps and steps[0] in RUN_FIELDS):
            return _unknown(lowering, path, written, scope)
        return ir.Read(_BUILT_IN[name], steps, written, start, end)
    if scope.event is not None:
        if name in EVENT_KEYS[scope.event]:
            return ir.Read(ir.Root.EVENT, (name, *steps), written, start, end)
        return _unknown(lowering, path, written, scope)
    if name == "state":
        if steps and steps[0] == "inputs":
            return ir.Read(ir.Root.INPUTS, steps[1:], written, start, end)
        return ir.Read(ir.Root.STATE, steps, written, start, end)
    if name == "inputs":
        return ir.Read(ir.Root.INPUTS, steps, written, start, end)
    if name == "result":
        if scope.result:
            return ir.Read(ir.Root.RESULT, steps, written, start, end)
        return _Failure("GW404", {"path": written, "place": scope.place})
    if name == scope.variable:
        return ir.Read(ir.Root.ITEM, steps, written, start, end)
    if name in lowering.loops:
        return _outside(lowering, path, written)
    return _unknown(lowering, path, written, scope)


def _outside(lowering: Lowering, path: nodes.Path, written: str) -> _Failure:
    """A foreach variable outside of its node."""
    loops = lowering.loops[path.name]
    kept = [lowering.collected[loop] for loop in loops if loop in lowering.collected]
    suggestion = f"state.{kept[0]}" if kept else None
    facts: dict[str, object] = {
        "kind": "outside",
        "variable": path.name,
        "path": written,
        "loops": loops,
        "suggestion": suggestion,
    }
    return _Failure("GW305", facts)


def _unknown(lowering: Lowering, path: nodes.Path, written: str, scope: Scope) -> ir.Read | _Failure:
    """GW402, read on as the suggestion; silence where the name of an item is not known."""
    if scope.variable == UNREADABLE:
        return ir.Read(ir.Root.UNKNOWN, path.segments, written, path.start, path.end)
    suggestion = _suggest(lowering, path, written, scope)
    shell = scope.event is None and not path.segments and bool(_SHELL.match(path.name))
    place = scope.place if scope.event is None else f"hook {scope.place}"
    facts: dict[str, object] = {
        "name": path.name,
        "path": written,
        "suggestion": suggestion,
        "shell": shell,
        "place": place,
        "namespaces": scope.namespaces,
    }
    meant: ir.Read | None = None
    if suggestion is not None:
        corrected = parse_path(suggestion)
        if isinstance(corrected, nodes.Path):
            moved = nodes.Path(corrected.name, corrected.segments, path.start, path.end)
            found = _resolve(lowering, moved, written, scope)
            meant = found if isinstance(found, ir.Read) and _exists(lowering, found) else None
    return _Failure("GW402", facts, meant)


def _exists(lowering: Lowering, read: ir.Read) -> bool:
    """Whether what was likely meant is there: a guess is no reason for a second complaint."""
    known = {ir.Root.STATE: lowering.state_keys, ir.Root.INPUTS: lowering.inputs}.get(read.root)
    return not known or not read.path or read.path[0] in known


def _suggest(lowering: Lowering, path: nodes.Path, written: str, scope: Scope) -> str | None:
    """The whole path that was likely meant."""
    name, rest = path.name, written[len(path.name) :]
    namespaces = scope.namespaces
    if name == "_run":
        field = nearest(str(path.segments[0]), RUN_FIELDS) if path.segments else None
        return None if field is None else f"_run.{field}"
    prefix = "state."
    if scope.event is not None:
        if name == "inputs":
            return f"state.inputs{rest}"
        near = nearest(name, namespaces)
        if near is not None:
            return near + rest
        return f"{prefix}{name}{rest}" if name in lowering.state_keys else None
    if name in lowering.state_keys:
        return f"{prefix}{name}{rest}"
    if name in lowering.inputs:
        return f"inputs.{name}{rest}"
    synonym = _NAMESPACE_SYNONYMS.get(name)
    if synonym in namespaces and (rest or synonym in ("_now", "_timestamp")):
        return f"{synonym}{rest}"
    near = nearest(name, namespaces)
    if near is not None and (rest or near not in NAMESPACES[:3]):
        return near + rest
    key = lowering.guesses.nearest(name, lowering.state_keys)
    if key is not None:
        return f"{prefix}{key}{rest}"
    declared = lowering.guesses.nearest(name, lowering.inputs)
    return None if declared is None else f"inputs.{declared}{rest}"
