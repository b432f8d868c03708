"""Lists every read of the state or inputs, with what is known there.

The masks of `symbols.py` tell that a node reads a key. For the few nodes in messages, this module adds the details: the
scalar, the role, whether a fallback handles null, and what the node itself has assigned or proved before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import yaml

from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.flow import TransitionKind
from graphwright.analysis.narrowing import is_null_check, of_null, outcome, proves
from graphwright.analysis.steps import has_over
from graphwright.analysis.symbols import Symbols, Usage, resolve
from graphwright.ir import visit
from graphwright.ir.visit import Role
from graphwright.language.events import RUNTIME_KEYS
from graphwright.language.operators import ORDERS
from graphwright.record import Record, replace


class Use(Record):
    """One read of a path.

    `at`: the scalar that its offsets refer to. `entry`: it is the whole value of an entry of a mapping. `provided`:
    null is handled, by a fallback or because the read asks about null. `instead`: the paths before it in the same `||`
    chain, which are all null when it is read. `known`: the mask of what the node assigned or proved before. `failed`:
    the node's action did not succeed. `defaulted`: a comparison that null does not match, before a default edge.
    `in_text`: it is a part of a string; `needed`: what it is an operand of fails on null.
    """

    read: ir.Read
    at: yaml.ScalarNode
    role: Role
    entry: bool = False
    provided: bool = False
    instead: tuple[ir.Read, ...] = ()
    known: int = 0
    failed: bool = False
    defaulted: bool = False
    in_text: bool = False
    needed: bool = False


def uses_of(node: ir.Node, usage: Usage, symbols: Symbols, *, goes_on: bool) -> Iterator[Use]:
    """The uses in a node, in the order of evaluation; `goes_on`: including those after it failed."""
    for role, value, _ in visit.operands(node):
        yield from value_uses(value, role)
    known = 0
    for entry, (_, bit) in zip(node.assigns, usage.assigns, strict=True):
        yield from value_uses(entry.value, Role.ASSIGN, known)
        known |= bit
    certain = usage.collect if isinstance(node, ir.ForeachNode) and has_over(node) else usage.collect | known
    yield from edge_uses(node, symbols, certain, failed=False)
    if goes_on:
        yield from edge_uses(node, symbols, usage.kept, failed=True)


def hook_uses(graph: ir.Graph, symbols: Symbols) -> Iterator[Use]:
    """The uses in the hooks."""
    for hook in graph.hooks:
        yield from uses_of_hook(hook, symbols)


def uses_of_hook(hook: ir.Hook, symbols: Symbols) -> Iterator[Use]:
    """The uses in one hook, in the order of evaluation."""
    known = 0
    if hook.when is not None:
        yield from _condition(hook.when, symbols, known, failed=False)
        known = proves(hook.when, True, symbols)
    if isinstance(hook.action, ir.Action):
        for role, value, _ in visit.action_operands(hook.action):
            yield from value_uses(value, role, known)


def state_uses(assignment: Assignment, name: str) -> Iterator[tuple[Use, str, int]]:
    """The uses of state keys in a node, each place once, with the key and its bit."""
    symbols = assignment.symbols
    for use in node_uses(assignment, name):
        key = state_key(use.read)
        if key is not None and key not in RUNTIME_KEYS:
            yield use, key, symbols.key(key)


def node_uses(assignment: Assignment, name: str) -> Iterator[Use]:
    """Every use of a path in a node, in the order in which it runs."""
    goes_on = any(way.kind is TransitionKind.CONTINUE for way in assignment.flow.transitions(name))
    yield from uses_of(assignment.graph.nodes[name], assignment.usage[name], assignment.symbols, goes_on=goes_on)


def input_uses(
    assignment: Assignment, wanted: Callable[[str], bool], *, everywhere: bool = False
) -> Iterator[tuple[Use, str]]:
    """The uses of the given inputs that are not proved present, in nodes and hooks.

    Nothing is known about nodes that no run reaches; they are omitted by default.
    """
    symbols = assignment.symbols
    bits = {name: bit for name, bit in symbols.inputs.items() if wanted(name)}
    mask = 0
    for bit in bits.values():
        mask |= bit
    reached = frozenset(assignment.flow.order)
    for name, usage in assignment.usage.items():
        proved = 0 if everywhere and name not in reached else assignment.definite(name)
        for use in node_uses(assignment, name) if usage.read & mask else ():
            found = input_name(use.read)
            if found is None or found not in bits or bits[found] & (proved | use.known):
                continue
            yield use, found
    for use in hook_uses(assignment.graph, symbols) if assignment.hook_reads & mask else ():
        found = input_name(use.read)
        if found is not None and found in bits and not bits[found] & use.known:
            yield use, found


def state_key(read: ir.Read) -> str | None:
    """The key of the state that a path reads; None for other namespaces and for the whole of it."""
    root, path = resolve(read)
    return str(path[0]) if root is ir.Root.STATE and path else None


def input_name(read: ir.Read) -> str | None:
    """The input that a path reads; None for other namespaces and for the whole of them."""
    root, path = resolve(read)
    return str(path[0]) if root is ir.Root.INPUTS and path else None


def edge_uses(node: ir.Node, symbols: Symbols, known: int, *, failed: bool) -> Iterator[Use]:
    """The uses in the conditions of a node's edges, each with what earlier conditions prove."""
    has_default = bool(node.edges) and node.edges[-1].when is None
    for edge in node.edges:
        if edge.when is None:
            return
        for use in _condition(edge.when, symbols, known, failed=failed):
            yield use if has_default or not use.defaulted else replace(use, defaulted=False)
        if outcome(edge.when, failed) is True:
            return
        known |= 0 if failed else proves(edge.when, False, symbols)


def _condition(
    condition: ir.Condition, symbols: Symbols, known: int, *, failed: bool, wanted: bool = True
) -> Iterator[Use]:
    """Uses in a condition; its parts are evaluated in order, each only if the earlier ones left it open.

    The edge is taken if it evaluates to `wanted`.
    """
    match condition:
        case ir.Compare(left=left, right=right, left_at=at):
            no_match = of_null(condition) is (not wanted)
            yield Use(left, at, Role.CONDITION, False, is_null_check(condition), (), known, failed, no_match)
            for use in value_uses(right, Role.CONDITION, known):
                yield replace(use, failed=failed, needed=use.needed or (use.entry and condition.op in ORDERS))
        case ir.Not(inner):
            yield from _condition(inner, symbols, known, failed=failed, wanted=not wanted)
        case ir.AllOf(parts) | ir.AnyOf(parts):
            goes_on = isinstance(condition, ir.AllOf)
            for part in parts:
                yield from _condition(part, symbols, known, failed=failed, wanted=wanted)
                if outcome(part, failed) is not None and outcome(part, failed) is not goes_on:
                    return
                known |= proves(part, goes_on, symbols)


def value_uses(value: ir.Value, role: Role, known: int = 0) -> Iterator[Use]:
    """The uses in one value."""
    match value:
        case ir.Template(at=at, value=inner):
            entry = isinstance(inner, ir.Read)
            yield from _expression(inner, Use(_NOTHING, at, role, entry, known=known))
        case ir.ListOf(items):
            for item in items:
                for use in value_uses(item, role, known):
                    yield replace(use, entry=use.entry and not isinstance(item, ir.Template))  # null stays in a list
        case _:
            for child in visit.children(value):
                yield from value_uses(child, role, known)


def _expression(value: ir.Value, use: Use) -> Iterator[Use]:
    """The paths in an expression; `use` says how a path in its position is used."""
    match value:
        case ir.Read():
            yield replace(use, read=value)
        case ir.FirstOf(operands):
            before: tuple[ir.Read, ...] = ()
            for operand in operands:
                last = operand is operands[-1]
                yield from _expression(
                    operand, replace(use, provided=use.provided or not last, instead=(*use.instead, *before))
                )
                before += (operand,) if isinstance(operand, ir.Read) else ()
        case ir.Pipe(name=name, operand=operand, arguments=arguments):
            yield from _expression(operand, replace(use, provided=use.provided or name == "default"))
            for argument in arguments:
                yield from _expression(argument, use)
        case _:  # arithmetic fails on null, a list or a string contains it: what is outside does not handle it
            fails, text = isinstance(value, ir.Arithmetic | ir.Negative), isinstance(value, ir.Text)
            for child in visit.children(value):
                yield from _expression(
                    child, replace(use, provided=False, instead=(), needed=fails, in_text=text or use.in_text)
                )


_NOTHING = ir.Read(ir.Root.UNKNOWN, (), "", 0, 0)
