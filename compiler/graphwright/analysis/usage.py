"""What each node reads and assigns, in the order in which it does so: the common ground of the dataflow analyses."""

from __future__ import annotations

from graphwright import ir
from graphwright.analysis.symbols import Symbols
from graphwright.ir import visit
from graphwright.record import Record


class Usage(Record):
    """One node's accesses as masks.

    `early`: read by the action, by `over` or by a return's output, before anything is assigned.
    `assigns`: what each entry reads and the key it sets, in order. `collect`: the key that a foreach collects into,
    `kept`: the same where it is set even when the node fails, which it is once there is a list to go through.
    `routing`: read by the conditions of its edges. `assigned`: the keys that `assign` sets; `read`: all that is read.
    """

    early: int
    assigns: tuple[tuple[int, int], ...]
    collect: int
    kept: int
    routing: int
    assigned: int
    read: int


def usage_of(node: ir.Node, symbols: Symbols, *, has_list: bool) -> Usage:
    """The accesses of one node; `has_list`: what it goes through, if it is a foreach, is surely a list."""
    early = routing = assigned = collect = 0
    for _, value, _ in visit.operands(node):
        early |= symbols.reads(value)
    if isinstance(node, ir.ForeachNode) and node.collect is not None:
        collect = symbols.key(node.collect)
    assigns = tuple([(symbols.reads(entry.value), symbols.key(entry.key)) for entry in node.assigns])
    for condition in visit.conditions(node):
        routing |= symbols.condition_reads(condition)
    read = early | routing
    for reads, bit in assigns:
        read |= reads
        assigned |= bit
    return Usage(early, assigns, collect, collect if has_list else 0, routing, assigned, read)


def hook_reads(graph: ir.Graph, symbols: Symbols) -> int:
    """What hooks read, at times that no path tells, and what is left of faulty parts; it counts as read everywhere."""
    mask = 0
    for read in graph.doubt.reads:
        mask |= symbols.read(read)
    for hook in graph.hooks:
        mask |= symbols.condition_reads(hook.when) if hook.when is not None else 0
        if isinstance(hook.action, ir.Action):
            mask |= symbols.reads(hook.action.item_id) | symbols.reads(hook.action.params)
    return mask
