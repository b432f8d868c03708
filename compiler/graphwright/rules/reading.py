"""The places where a graph reads its state and inputs, as rules go through them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graphwright import ir
from graphwright.analysis.flow import WayKind
from graphwright.analysis.reads import Use, hook_uses, uses_of
from graphwright.analysis.symbols import RUNTIME_KEYS, resolve
from graphwright.diagnostic import Label, Span
from graphwright.facts import Facts
from graphwright.ir import visit


def state_uses(facts: Facts, name: str) -> Iterator[tuple[Use, str, int]]:
    """The uses of state keys in a node, each place once, with the key and its bit."""
    symbols = facts.assignment.symbols
    for use in node_uses(facts, name):
        key = state_key(use.read)
        if key is not None and key not in RUNTIME_KEYS:
            yield use, key, symbols.key(key)


def node_uses(facts: Facts, name: str) -> Iterator[Use]:
    """Every use of a path in a node, in the order in which it runs."""
    assignment = facts.assignment
    goes_on = any(way.kind is WayKind.CONTINUE for way in facts.flow.ways(name))
    yield from uses_of(facts.nodes[name], assignment.usage[name], assignment.symbols, goes_on=goes_on)


def input_uses(facts: Facts, wanted: Callable[[str], bool], *, everywhere: bool = False) -> Iterator[tuple[Use, str]]:
    """The uses of wanted inputs that are not proved present, each scalar once, in nodes and hooks.

    Nobody knows what is proved in nodes that no run comes to; they are left out, unless asked for.
    """
    assignment = facts.assignment
    symbols = assignment.symbols
    bits = {name: bit for name, bit in symbols.inputs.items() if wanted(name)}
    mask = 0
    for bit in bits.values():
        mask |= bit
    seen: set[tuple[int, str]] = set()
    reached = frozenset(facts.flow.order)
    for name, usage in assignment.usage.items():
        proved = 0 if everywhere and name not in reached else assignment.definite(name)
        for use in node_uses(facts, name) if usage.read & mask else ():
            found = input_name(use.read)
            if found is None or found not in bits or bits[found] & (proved | use.known):
                continue
            if (id(use.at), found) not in seen:
                seen.add((id(use.at), found))
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


def use_span(facts: Facts, use: Use) -> Span:
    """Where a path stands in the file."""
    return facts.source.span_in(use.at, use.read.start, use.read.end)


def with_fallback(use: Use) -> str:
    """The expression around a use, with a value to take in place of null: `${state.total || …}`."""
    text, written = use.at.value, use.read.written
    start, end = text.rfind("${", 0, use.read.start + 1), text.find("}", use.read.end)
    inside = "" if start < 0 or end < 0 else text[start + 2 : end].strip()
    before, after = text[start + 2 : use.read.start].rstrip()[-1:], text[use.read.end : end].lstrip()[:1]
    arithmetic = before in ("+", "-", "*", "/", "%", "(") or after in ("+", "-", "*", "/", "%")
    fallback = f"({written} || …)" if arithmetic and inside else f"{written} || …"
    if not inside or len(inside) > _REPEATED or "'" in inside.replace(written, "") or '"' in inside:
        return f"`{fallback}`" if arithmetic else f"`${{{fallback}}}`"
    return f"`${{{text[start + 2 : use.read.start]}{fallback}{text[use.read.end : end]}}}`"


#: Characters of an expression that a message repeats at most.
_REPEATED = 60


def asked_first(use: Use) -> str:
    """How a condition asks whether a path is there before it compares it."""
    return f"`all: [{{path: {use.read.written}, op: exists}}, {{path: {use.read.written}, …}}]`"


def assigned_here(facts: Facts, node: ir.Node, key: str) -> Label:
    """The place where a node assigns a key."""
    place = next((at for name, at in visit.keys_set(node) if name == key), node.name_at)
    return Label(facts.source.span(place), f"`{key}` is assigned here")
