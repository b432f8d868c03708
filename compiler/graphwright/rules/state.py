"""GW3xx, state: where keys are set and where they are read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from graphwright import ir
from graphwright.analysis.declared_inputs import declared_inputs
from graphwright.analysis.flow import WayKind
from graphwright.analysis.reads import Use, uses_of_hook
from graphwright.analysis.symbols import resolve
from graphwright.diagnostic import Label, Severity
from graphwright.expr.paths import written_path
from graphwright.facts import Facts
from graphwright.ir.visit import Role
from graphwright.language.events import EVENTS
from graphwright.rules.reading import (
    asked_first,
    assigned_here,
    input_name,
    state_key,
    state_uses,
    use_span,
    with_fallback,
)
from graphwright.rules.registry import Finding, graph_rule
from graphwright.rules.wording import chain, listed, scalar


@graph_rule("GW301", Severity.ERROR, "state key that is never assigned")
def unassigned_key(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A state key is read but never assigned: not by `assign` or `collect`, nor in `config.state`. It is always null.

    The name is usually misspelled. If there is a suggestion, the rest of the file is checked as if the suggested
    key were read here.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.count]
        config:
          start: count
          nodes:
            count:
              action: {item_id: tool:tickets/count}
              assign: {total: "${result.total}"}
              next: done
            done: {type: return, output: {total: "${state.totl}"}}

    Passes:
        -    done: {type: return, output: {total: "${state.totl}"}}
        +    done: {type: return, output: {total: "${state.total}"}}
    """
    assignment = facts.assignment
    if not assignment.strangers:
        return
    for name, usage in assignment.usage.items():
        seen: set[tuple[int, int]] = set()  # what is read after a failure, too, is met twice
        for use, key, bit in state_uses(facts, name) if usage.read & assignment.strangers else ():
            place = (id(use.at), use.read.start)
            if bit & assignment.strangers and place not in seen:
                seen.add(place)
                yield _no_such_key(facts, use, key)
    if assignment.hook_reads & assignment.strangers:
        for hook in graph.hooks:
            for use in uses_of_hook(hook, assignment.symbols):
                found = state_key(use.read)
                strange = found is not None and assignment.symbols.key(found) & assignment.strangers
                if found is not None and strange and found not in _IN_HOOKS:
                    yield _no_such_key(facts, use, found, hook.event)


#: What hooks find in `state` in addition to its keys.
_IN_HOOKS = ("step_count",)


def _no_such_key(facts: Facts, use: Use, key: str, event: str | None = None) -> Finding:
    assignment = facts.assignment
    suggestion = assignment.misspelt.get(key)
    beside = key.rpartition("_")[2] if event is not None else ""
    keys = assignment.sorted_keys
    known = f", or read one of the existing keys: {listed(keys)}" if keys else ""
    mend = f"assign it first, `assign: {{{scalar(key)}: …}}`{known}"
    if key in declared_inputs(assignment.graph).names:
        mend = f"did you mean `{written_path('inputs', key)}`?"
    elif suggestion == f"state.{key}":
        mend = f"keys are assigned without `state.`: write `{key}` instead of `{suggestion}`"
    elif suggestion:
        mend = f"did you mean `{_respelt(use.read, key, suggestion)}`?"
    elif event is not None and beside in EVENTS[event].shows:
        mend = f"did you mean `{beside}`? `{event}` hooks have it in addition to the state"
    return Finding(
        use_span(facts, use),
        f"`{use.read.written}` is read, but `{key}` is never assigned",
        note="never assigned",
        help=mend,
        related=_assignments(facts, suggestion) if suggestion and not _is_read(facts, suggestion) else (),
    )


def _is_read(facts: Facts, key: str) -> bool:
    """Whether anything reads a key as it is spelled: else it may be the misspelled one of the two."""
    assignment = facts.assignment
    bit = assignment.symbols.key(key)
    return bool(assignment.hook_reads & bit) or any(usage.read & bit for usage in assignment.usage.values())


def _assignments(facts: Facts, key: str) -> tuple[Label, ...]:
    """The first places at which nodes assign a key."""
    return tuple(assigned_here(facts, node, key) for node in facts.assignment.writers.get(key, ())[:3])


def _respelt(read: ir.Read, key: str, suggestion: str) -> str:
    """The path as it is written, with another key."""
    plain = written_path("state", suggestion)
    return plain if plain[5:6] == "[" or key not in read.written else read.written.replace(key, suggestion, 1)


@graph_rule("GW302", Severity.WARNING, "state key that may be unassigned")
def maybe_unassigned(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A path from `start` to this location skips every assignment of the key. On that path, which the message shows,
    the key is null.

    Conditions are taken into account: after `exists`, or a comparison that only holds for a value, the key is known
    to be set. A fallback (`||`, `default`) handles a missing key. Note that an `on_error` edge leaves a node before
    its `assign`, and that `on_error: continue` skips the `assign` of a node that failed.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.*]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:tickets/list}
              assign: {url: "${result.url}"}
              on_error: save
              next: save
            save:
              action: {item_id: tool:tickets/save, params: {url: "${state.url}"}}

    Passes:
        -      action: {item_id: tool:tickets/save, params: {url: "${state.url}"}}
        +      action: {item_id: tool:tickets/save, params: {url: "${state.url || 'none'}"}}
    """
    assignment = facts.assignment
    for name, usage in assignment.usage.items():
        unsure = assignment.assigned_anywhere & ~assignment.definite(name)
        if not usage.read & unsure:
            continue
        seen: set[tuple[object, str]] = set()
        for use, key, bit in state_uses(facts, name):
            where = use.role if use.role is Role.CONDITION else id(use.at)  # a list of edges is one place
            if not graph.doubt.trusts(use.read) or key in assignment.misspelt:
                seen.add((where, assignment.misspelt.get(key, key)))
            place = (where, key)
            if not bit & unsure & ~use.known or use.provided or place in seen:
                continue
            path = _witness(facts, use, name, bit)
            if path:
                seen.add(place)
                yield _may_be_unassigned(facts, use, name, key, path)


def _witness(facts: Facts, use: Use, name: str, bit: int) -> tuple[str, ...]:
    """A path to the use on which neither its key nor what stands before it in the `||` chain is there."""
    assignment = facts.assignment
    mask = bit
    for read in use.instead:
        declared = declared_inputs(assignment.graph)
        if input_name(read) in declared.names - declared.optional:
            return ()
        if resolve(read)[0] in (ir.Root.STATE, ir.Root.INPUTS):
            mask |= assignment.symbols.read(read)
    return () if mask & use.known else assignment.skipping(name, mask)


def _may_be_unassigned(facts: Facts, use: Use, name: str, key: str, path: tuple[str, ...]) -> Finding:
    writers = facts.assignment.writers.get(key, ())
    mend = (
        f", or test it first: {asked_first(use)}" if _in_path(use) else f", or write a fallback: {with_fallback(use)}"
    )
    return Finding(
        use_span(facts, use),
        f"`{use.read.written}` may be unassigned here: {_where_skipped(facts, use, name, key, path)}",
        note="may be null",
        help=f"{_mended_failure(facts, path, key)}give `{key}` a value in `config.state`{mend}",
        related=tuple(assigned_here(facts, writer, key) for writer in writers[:3]),
    )


def _mended_failure(facts: Facts, path: tuple[str, ...], key: str) -> str:
    """A word on a node of the path that would assign the key, and whose failure `on_error: continue` skips."""
    bit = facts.assignment.symbols.key(key)
    for here, following in pairwise(path):
        usage = facts.assignment.usage.get(here)
        if WayKind.CONTINUE in _kinds(facts, here, following) and usage is not None and usage.assigned & bit:
            return f"add `on_error` to node `{here}`, or "
    return ""


def _in_path(use: Use) -> bool:
    """Whether a use is the left side of a condition, where no template can stand."""
    return use.role is Role.CONDITION and use.at.value.strip() == use.read.written


def _where_skipped(facts: Facts, use: Use, name: str, key: str, path: tuple[str, ...]) -> str:
    """The path in words."""
    why = _why_skipped(facts, path, key, use)
    if why:
        return why if len(path) == 1 else f"the path `{chain(path)}` skips it ({why})"
    if not facts.assignment.possible(name) & facts.assignment.symbols.key(key):
        writers = [writer.name for writer in facts.assignment.writers.get(key, ())]
        return f"no path to `{name}` assigns it; only {listed(writers)} does"
    if len(path) == 1:
        return f"a run starts at `{name}`, before it is assigned"
    failing = _failing(facts, path)
    return f"the path `{chain(path)}` skips it" + (f" (when `{failing}` fails)" if failing else "")


def _kinds(facts: Facts, here: str, following: str) -> set[WayKind]:
    """How one node of a path leads to the next; none where the path is shortened there."""
    known = here in facts.nodes
    return {way.kind for way in facts.flow.ways(here) if way.target == following} if known else set()


def _failing(facts: Facts, path: tuple[str, ...]) -> str | None:
    """The first node of a path that the run leaves because it failed."""
    return next(
        (here for here, following in pairwise(path) if _kinds(facts, here, following) == {WayKind.ERROR}),
        None,
    )


def _why_skipped(facts: Facts, path: tuple[str, ...], key: str, use: Use) -> str:
    """What happens on the path at the nodes that would assign the key."""
    assignment = facts.assignment
    bit = assignment.symbols.key(key)
    if use.failed and bit & assignment.usage[path[-1]].assigned:
        return f"when `{path[-1]}` fails, `on_error: continue` skips its `assign`"
    reasons = [_why_not_at(facts, here, following, bit) for here, following in pairwise(path)]
    return ", and ".join([reason for reason in reasons if reason][-2:])


def _why_not_at(facts: Facts, here: str, following: str, bit: int) -> str:
    """How a run comes from one node to the following one without the key that it would assign."""
    usage = facts.assignment.usage.get(here)
    if usage is not None and bit & usage.collect & ~usage.kept:
        return f"`{here}` collects nothing if its `over` is not a list"
    if usage is None or not bit & usage.assigned:
        return ""
    ways = {way.kind for way in facts.flow.ways(here) if way.target == following}
    if WayKind.ERROR in ways:
        return f"when `{here}` fails, its `assign` is not reached"
    if isinstance(facts.nodes[here], ir.ForeachNode):
        return f"`{here}` assigns nothing if its list is empty"
    if WayKind.CONTINUE in ways:
        return f"when `{here}` fails, `on_error: continue` skips its `assign`"
    return ""
