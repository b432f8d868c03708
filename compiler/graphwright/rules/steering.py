"""GW113, as far as it is about params: what steers the run of a nested graph, and is not built yet."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright import ir
from graphwright.analysis.capability import Caller, called_id, callers
from graphwright.contract.graphs import BACKGROUND, FLAGS, REFUSED, Signature, signature
from graphwright.facts import Facts
from graphwright.rules.calls import given, places
from graphwright.rules.registry import Finding


def steering(facts: Facts) -> Iterator[Finding]:
    """The params of calls that ask for what no run does yet, where that is certain; else the node fails at run time."""
    if facts.graph is None:
        return
    signatures: dict[str, Signature | None] = {}
    for caller in callers(facts.graph):
        item_id = called_id(caller.action)
        passed = given(caller.action)
        if item_id is None or not passed or REFUSED.keys().isdisjoint(passed):
            continue
        if item_id not in signatures:
            other = facts.project.graph(item_id) if facts.project is not None else None
            signatures[item_id] = signature(other) if other is not None else None
        called = signatures[item_id]
        if called is not None:
            refused = [name for name in passed if name in REFUSED and called.steers(name)]
            what = f"graph `{item_id}`"
        elif facts.contract(item_id) is not None:
            refused = [name for name in passed if name in BACKGROUND]
            what = f"tool `{item_id}`"
        else:  # a tool that may take a param of the name
            continue
        written = places(facts, caller.action)
        for name in refused:
            if name in written and _asks(facts, caller, name, passed[name]):
                yield Finding(
                    facts.source.span(written[name][0]),
                    f"{caller.owner}: {what} cannot be called with `{name}` yet: {REFUSED[name]}",
                    note="not here",
                    help="remove it, and let the node wait for the result" if name in BACKGROUND else "remove it",
                )


def _asks(facts: Facts, caller: Caller, name: str, value: ir.Value) -> bool:
    """Whether a param asks for something in every run: null never does, and false is a flag that is not set."""
    found = facts.types.of(value, caller.node)
    if not found.kinds or "null" in found.kinds:
        return False
    may_be_false = "boolean" in found.kinds and (found.values is None or False in found.values)
    return not (name in FLAGS and may_be_false)
