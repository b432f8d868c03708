"""The ways out of a node that can really be taken, and what state keys are assigned on each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from graphwright import ir
from graphwright.analysis.fallible import condition_can_fail
from graphwright.analysis.flow import Way, WayKind
from graphwright.analysis.narrowing import outcome, proves
from graphwright.analysis.symbols import EVERYTHING, Symbols, Usage
from graphwright.record import Record


class Step(Record):
    """Where a way leads (None: an end), the mask of what it surely assigns or proves, and of what it may assign.

    `replaced`: what the node surely sets on it, `touched`: what it may set.
    """

    target: str | None
    surely: int
    possibly: int
    replaced: int
    touched: int


def steps_of(node: ir.Node, usage: Usage, ways: Sequence[Way], symbols: Symbols) -> Iterator[Step]:
    """The steps of a node: after success, over its error edge, and after a failure that goes on."""
    succeeded = [way for way in ways if way.kind not in (WayKind.ERROR, WayKind.CONTINUE)]
    yield from _along(succeeded, lambda way, proved: _succeed(node, way, usage, proved), symbols, failed=False)
    if len(succeeded) == len(ways):
        return
    error = symbols.key("_last_error")
    rescued = [way for way in ways if way.kind is WayKind.ERROR and way.known]
    yield from (_fail(node, way, usage, error) for way in rescued)
    going_on = [way for way in ways if way.kind is WayKind.CONTINUE]
    yield from _along(going_on, lambda way, proved: _fail(node, way, usage, error | proved), symbols, failed=True)


def _along(ways: Sequence[Way], step: Callable[[Way, int], Step], symbols: Symbols, *, failed: bool) -> Iterator[Step]:
    """The edges of a node in order, as far as they can be taken; each knows what those before it did not match."""
    proved = 0
    for way in ways:
        condition = way.edge.when if way.edge is not None else None
        decided = True if condition is None else outcome(condition, failed)
        if decided is not False and (way.known or way.ends):
            yield step(way, proved if condition is None else proved | proves(condition, True, symbols))
        if decided is True or condition is None:
            return
        if not (failed and condition_can_fail(condition)):
            proved |= proves(condition, False, symbols)


def _succeed(node: ir.Node, way: Way, usage: Usage, proved: int) -> Step:
    """A node that succeeded assigned its keys, but for a loop over nothing."""
    assigned = usage.collect | usage.assigned
    may_be_empty = (
        isinstance(node, ir.ForeachNode)
        and not node.parallel  # `assign` in a parallel one is GW310
        and says_over(node)
        and not _has_items(node.over)
    )
    replaced = usage.collect if may_be_empty else assigned
    return Step(way.target, EVERYTHING if way.guessed else proved | replaced, assigned, replaced, assigned)


def says_over(node: ir.ForeachNode) -> bool:
    """Whether a loop says what it goes through; it is reported where not."""
    return not (isinstance(node.over, ir.Read) and node.over.root is ir.Root.UNKNOWN and not node.over.path)


def _has_items(over: ir.Value) -> bool:
    """Whether a loop goes through a list that is written out, with something in it."""
    if isinstance(over, ir.ListOf):
        return bool(over.items)
    return isinstance(over, ir.Const) and isinstance(over.value, list) and bool(over.value)


def _fail(node: ir.Node, way: Way, usage: Usage, proved: int) -> Step:
    """A node that failed assigned nothing, but for the items of a loop that came through."""
    surely = usage.kept | proved
    touched = usage.kept | (usage.assigned | usage.collect if isinstance(node, ir.ForeachNode) else 0)
    return Step(way.target, EVERYTHING if way.guessed else surely, surely | touched, usage.kept, touched)
