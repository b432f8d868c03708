"""Phrases for messages about reads and assignments of state and inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphwright import ir
from graphwright.analysis.reads import Use
from graphwright.diagnostic import Label, Span
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.ir.visit import Role
from graphwright.rules.wording import number


def use_span(facts: Facts, use: Use) -> Span:
    """The span of a path in the file."""
    return facts.source.span_in(use.at, use.read.start, use.read.end)


def provide(use: Use) -> str:
    """The advice for handling null: a test in a condition, which cannot contain a template, otherwise a fallback."""
    written = use.read.written
    if use.role is Role.CONDITION and use.at.value.strip() == written:
        return f"test it first: `all: [{{path: {written}, op: exists}}, {{path: {written}, …}}]`"
    return f"write a fallback: {_with_fallback(use)}"


def _with_fallback(use: Use) -> str:
    """The expression around a use, with a fallback for null: `${state.total || …}`."""
    text, written = use.at.value, use.read.written
    start, end = text.rfind("${", 0, use.read.start + 1), text.find("}", use.read.end)
    inside = "" if start < 0 or end < 0 else text[start + 2 : end].strip()
    before, after = text[start + 2 : use.read.start].rstrip()[-1:], text[use.read.end : end].lstrip()[:1]
    arithmetic = before in ("+", "-", "*", "/", "%", "(") or after in ("+", "-", "*", "/", "%")
    fallback = f"({written} || …)" if arithmetic and inside else f"{written} || …"
    is_cut = any(inside.count(quote) % 2 for quote in "'\"")  # at a brace within a string
    if not inside or len(inside) > _REPEATED or is_cut or use.at.style in tuple(inside):
        return f"`{fallback}`" if arithmetic else f"`${{{fallback}}}`"
    return f"`${{{text[start + 2 : use.read.start]}{fallback}{text[use.read.end : end]}}}`"


def named_by_loops(facts: Facts, namespace: str) -> frozenset[str]:
    """The keys of a namespace that `over` names without `${…}` (GW412): `over: state.rows`, or only `over: rows`."""
    loops = (node.over for node in facts.nodes.values() if isinstance(node, ir.ForeachNode))
    texts = (over.value.strip() for over in loops if isinstance(over, ir.Const) and isinstance(over.value, str))
    return frozenset(text.removeprefix(f"{namespace}.").partition(".")[0] for text in texts)


#: Maximum length of an expression in a message.
_REPEATED = 60


def assigned_here(facts: Facts, node: ir.Node, key: str) -> Label:
    """The location where a node assigns a key."""
    place = next((at for name, at in visit.keys_set(node) if name == key), node.name_at)
    return Label(facts.source.span(place), f"`{key}` is assigned here")


def also_read(facts: Facts, uses: Sequence[Use]) -> Iterator[Label]:
    """Labels for the first few of these locations."""
    for use in uses[:_LABELS]:
        yield Label(use_span(facts, use), f"`{use.read.written}` is read here")


def also_in(others: Sequence[Use]) -> str:
    """ "here and in 2 other places", or only "here"."""
    return f"here and in {number(len(others), 'other place')}" if others else "here"


#: Maximum number of other locations in a finding.
_LABELS = 5
