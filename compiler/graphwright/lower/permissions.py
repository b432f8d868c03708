"""Capability patterns to IR."""

from __future__ import annotations

from graphwright import ir
from graphwright.fault import Owner
from graphwright.lower.context import Lowering
from graphwright.model import Name
from graphwright.recover.capabilities import joined, malformed, modern

_GRAPH = Owner("the graph")


def lower_permissions(lowering: Lowering, names: tuple[Name, ...]) -> tuple[ir.Permission, ...]:
    """The patterns of `permissions`; a malformed one (GW605) is read as what it was meant to be, or left out."""
    found: list[ir.Permission] = []
    for name in names:
        pattern = name.text
        if not name.plain:
            continue
        if "${" in pattern:
            lowering.fault("GW411", name.at, _GRAPH, place="permissions", text=pattern, key="permissions")
            continue
        problem = malformed(pattern)
        if problem is not None:
            reason, suggestion = problem
            lowering.recovery.guessed.append(name.at)
            found += [ir.Permission(modern(word), name.text, name.at) for word in joined(pattern)]
            lowering.fault("GW605", name.at, _GRAPH, pattern=pattern, suggestion=suggestion, reason=reason)
            if suggestion is None:
                continue
            pattern = suggestion
        found.append(ir.Permission(modern(pattern), name.text, name.at))
    return tuple(found)
