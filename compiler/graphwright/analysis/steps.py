"""The transitions out of a node that can be taken, and the state keys that are assigned on each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from graphwright import ir
from graphwright.analysis.fallible import condition_can_fail
from graphwright.analysis.flow import Transition, TransitionKind
from graphwright.analysis.narrowing import outcome, proves
from graphwright.analysis.symbols import EVERYTHING, Symbols, Usage
from graphwright.record import Record


class Step(Record):
    """A step to a target (None: an end), with masks of the keys that it surely, and may, assign or prove.

    `replaced` are the keys that the node surely sets on it, `touched` those that it may set. `kind`: how control leaves
    the node.
    """

    target: str | None
    surely: int
    possibly: int
    replaced: int
    touched: int
    kind: TransitionKind


def steps_of(node: ir.Node, usage: Usage, transitions: Sequence[Transition], symbols: Symbols) -> Iterator[Step]:
    """The steps of a node: after success, along its error edge, and after a failure that is suppressed."""
    succeeded = [each for each in transitions if each.kind not in (TransitionKind.ERROR, TransitionKind.CONTINUE)]
    yield from _along(succeeded, lambda each, proved: _succeed(node, each, usage, proved), symbols, failed=False)
    if len(succeeded) == len(transitions):
        return
    error = symbols.key("_last_error")
    rescued = [each for each in transitions if each.kind is TransitionKind.ERROR and each.known]
    yield from (_fail(node, each, usage, error) for each in rescued)
    going_on = [each for each in transitions if each.kind is TransitionKind.CONTINUE]
    yield from _along(going_on, lambda each, proved: _fail(node, each, usage, error | proved), symbols, failed=True)


def _along(
    transitions: Sequence[Transition], step: Callable[[Transition, int], Step], symbols: Symbols, *, failed: bool
) -> Iterator[Step]:
    """The edges of a node in order, as far as they can be taken; each knows which earlier ones did not match."""
    proved = 0
    for each in transitions:
        condition = each.edge.when if each.edge is not None else None
        decided = True if condition is None else outcome(condition, failed)
        if decided is not False and (each.known or each.ends):
            yield step(each, proved if condition is None else proved | proves(condition, True, symbols))
        if decided is True or condition is None:
            return
        if not (failed and condition_can_fail(condition)):
            proved |= proves(condition, False, symbols)


def _succeed(node: ir.Node, each: Transition, usage: Usage, proved: int) -> Step:
    """A node that succeeded assigned its keys, except a loop over an empty list."""
    assigned = usage.collect | usage.assigned
    may_be_empty = (
        isinstance(node, ir.ForeachNode)
        and not node.parallel  # `assign` in a parallel one is GW310
        and has_over(node)
        and not _has_items(node.over)
    )
    replaced = usage.collect if may_be_empty else assigned
    return Step(each.target, EVERYTHING if each.guessed else proved | replaced, assigned, replaced, assigned, each.kind)


def has_over(node: ir.ForeachNode) -> bool:
    """Whether a loop has an `over`; a missing one is reported."""
    return not (isinstance(node.over, ir.Read) and node.over.root is ir.Root.UNKNOWN and not node.over.path)


def _has_items(over: ir.Value) -> bool:
    """Whether a loop iterates over a literal list that is not empty."""
    if isinstance(over, ir.ListOf):
        return bool(over.items)
    return isinstance(over, ir.Const) and isinstance(over.value, list) and bool(over.value)


def _fail(node: ir.Node, each: Transition, usage: Usage, proved: int) -> Step:
    """A node that failed assigned nothing, except the items of a loop that succeeded."""
    surely = usage.kept | proved
    touched = usage.kept | (usage.assigned | usage.collect if isinstance(node, ir.ForeachNode) else 0)
    known = EVERYTHING if each.guessed else surely
    return Step(each.target, known, surely | touched, usage.kept, touched, each.kind)
