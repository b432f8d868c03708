"""Whether a text that is not a template reads what this graph has, so that it was likely meant as one."""

from __future__ import annotations

from graphwright import ir
from graphwright.expr import nodes
from graphwright.expr.parser import parse_template
from graphwright.expr.paths import written_path
from graphwright.lower.context import Lowering, Scope
from graphwright.lower.paths import adopt_path, is_known
from graphwright.record import Record

#: What the events of hooks show that has fields of its own.
_FIELDS = ("error", "classification", "result")


class LikelyTemplate(Record):
    """An expression as it should be written, and what it reads, as namespaces and first keys.

    `exact`: it is written so, rather than with a name that is nearly that of a key or input.
    """

    expression: str
    names: tuple[tuple[str, str], ...]
    exact: bool = True


def likely_template(lowering: Lowering, written: str, scope: Scope) -> LikelyTemplate | None:
    """What `written` would be between `${` and `}`; None if it is not an expression, or reads what does not exist."""
    parsed = parse_template(f"${{{written}}}")
    expression = parsed.template.whole
    if parsed.faults or expression is None:
        return None
    names: list[tuple[str, str]] = []
    corrected = written
    for path in sorted(nodes.paths(expression), key=lambda path: -path.start):
        start, end = path.start - 2, path.end - 2
        read = adopt_path(lowering, written[start:end], scope)
        if read is not None and read.root is ir.Root.ITEM and not read.path:  # the item of the loop
            names.append((read.root.value, ""))
            continue
        if read is None or not read.path:
            return None
        read = _without_event(read)
        if not _is_known(lowering, read):
            near = _nearest(lowering, read)
            if near is None:
                return None
            prefix, key = written_path(read.root.value, str(read.path[0])), written_path(read.root.value, near)
            if not written.startswith(prefix, start):
                return None
            corrected = corrected[:start] + key + corrected[start + len(prefix) :]
            names.append((read.root.value, near))
        else:
            names.append((read.root.value, str(read.path[0])))
    return LikelyTemplate(corrected, tuple(names), corrected == written) if names else None


def _without_event(read: ir.Read) -> ir.Read:
    """A path in a hook as one of a node: `state.x` and `inputs.x` mean the same in both."""
    if read.root is not ir.Root.EVENT or len(read.path) < 2:
        return read
    name, *steps = read.path
    if name == "state" and steps[0] == "inputs" and len(steps) > 1:
        name, *steps = steps
    root = {"state": ir.Root.STATE, "inputs": ir.Root.INPUTS}.get(str(name))
    return read if root is None else ir.Read(root, tuple(steps), read.written, read.start, read.end)


def _is_known(lowering: Lowering, read: ir.Read) -> bool:
    if read.root is ir.Root.EVENT:
        return len(read.path) > 1 and read.path[0] in _FIELDS
    return is_known(lowering, read)


def _nearest(lowering: Lowering, read: ir.Read) -> str | None:
    """The key of the state or the input that a misspelled name means."""
    key = str(read.path[0])
    if read.root is ir.Root.STATE:
        return lowering.names.nearest_state_key(key)
    return lowering.names.nearest_input(key) if read.root is ir.Root.INPUTS else None
