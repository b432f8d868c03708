"""What each node reads and assigns, in the order in which it does so: the common ground of the dataflow analyses."""

from __future__ import annotations

from graphwright import ir
from graphwright.analysis.symbols import Symbols
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
    early = action_reads(node.action, symbols) if node.action else 0
    collect = 0
    if node.foreach is not None:
        early |= symbols.reads(node.foreach.over)
        collect = symbols.key(node.foreach.collect) if node.foreach.collect is not None else 0
    if node.output is not None:
        early |= symbols.reads(node.output)
    assigns = tuple([(symbols.reads(entry.value), symbols.key(entry.key)) for entry in node.assigns])
    routing = assigned = 0
    for edge in node.edges:
        if edge.when is not None:
            routing |= symbols.condition_reads(edge.when)
    read = early | routing
    for reads, bit in assigns:
        read |= reads
        assigned |= bit
    return Usage(early, assigns, collect, collect if has_list else 0, routing, assigned, read)


def action_reads(action: ir.Action, symbols: Symbols) -> int:
    """What an action reads to find its item and fill its parameters."""
    return symbols.reads(action.item_id) | symbols.reads(action.params)


def hook_reads(graph: ir.Graph, symbols: Symbols) -> int:
    """What hooks read, at times that no path tells, and what is left of faulty parts; it counts as read everywhere."""
    mask = 0
    for read in graph.doubt.reads:
        mask |= symbols.read(read)
    for hook in graph.hooks:
        mask |= symbols.condition_reads(hook.when) if hook.when is not None else 0
        if isinstance(hook.action, ir.Action):
            mask |= action_reads(hook.action, symbols)
    return mask
