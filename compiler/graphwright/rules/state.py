"""GW3xx about the state: where keys are set and where they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import yaml

from graphwright import ir
from graphwright.analysis.declared_inputs import declared_inputs
from graphwright.analysis.liveness import Unread
from graphwright.analysis.reads import Use, state_key, uses_of_hook
from graphwright.analysis.strangers import Stranger, misnamed, places_of, strangers
from graphwright.analysis.unassigned import Skipped, Unsure, prefixed, unsure_reads
from graphwright.diagnostic import Severity
from graphwright.expr.paths import subtraction, written_path
from graphwright.facts import Facts
from graphwright.language.events import EVENTS
from graphwright.rules.reading import also_in, also_read, assigned_here, provide, use_span
from graphwright.rules.registry import Finding, graph_rule
from graphwright.rules.wording import listed, scalar


@graph_rule("GW301", Severity.ERROR, "state key that is never assigned")
def unassigned_key(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A state key is read but never assigned: not by `assign` or `collect`, nor in `config.state`. It is always null.
    The same holds if only nodes assign it that no path to this location leads through.

    The name is usually misspelled. If there is a suggestion, the rest of the file is checked as if the suggested
    key were read here. If several reads agree on a name, and a single assignment that nothing reads has a similar one,
    the assignment is reported instead of the reads.

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
    yield from _strangers(facts)
    unsure = list(unsure_reads(facts.assignment))
    with_prefix = prefixed(graph, unsure)
    for key, reads in with_prefix.items():
        if any(found.is_too_early for found in reads):
            yield _with_prefix(
                facts, graph.state_at[f"state.{key}"], key, [use for found in reads for use in found.uses]
            )
    for found in unsure:
        if found.is_too_early and found.key not in with_prefix:
            yield _too_early(facts, found)
    for hook in graph.hooks:
        if hook.event == "graph_started":
            yield from _before_the_first_node(facts, graph, hook)


def _too_early(facts: Facts, found: Unsure) -> Finding:
    use, key, name = found.use, found.key, found.route[-1]
    writers = facts.assignment.writers.get(key, ())
    names = [writer.name for writer in writers]
    assigns = "assigns it" if len(names) == 1 else "assign it"
    if names == [name]:
        assigns = "itself assigns it, afterwards"
    return Finding(
        use_span(facts, use),
        f"`{use.read.written}` is read, but no path to `{name}` assigns `{key}`; only {listed(names)} {assigns}",
        note="not assigned yet",
        about=found,
        help=f"assign it on the way to `{name}`, or give `{key}` a value in `config.state`",
        related=(*(assigned_here(facts, writer, key) for writer in writers[:3]), *also_read(facts, found.others)),
    )


def _before_the_first_node(facts: Facts, graph: ir.Graph, hook: ir.Hook) -> Iterator[Finding]:
    """The keys, other than those in `config.state`, that a hook reads when a run starts."""
    assignment = facts.assignment
    for use in uses_of_hook(hook, assignment.symbols):
        key = state_key(use.read)
        if key is None or key in graph.state or key not in assignment.all_keys or use.provided:
            continue
        if not assignment.symbols.key(key) & use.known and not assignment.unknown_key:
            yield Finding(
                use_span(facts, use),
                f"`{use.read.written}` is read, but a `graph_started` hook runs before anything assigns `{key}`",
                note="not assigned yet",
                help=f"give `{key}` a value in `config.state`, or listen to a later event, such as `graph_completed`",
                related=tuple(assigned_here(facts, node, key) for node in assignment.writers.get(key, ())[:3]),
            )


def _with_prefix(facts: Facts, at: yaml.Node, key: str, uses: Sequence[Use]) -> Finding:
    """A key that is written with its namespace where it is set; the reads lack it."""
    return Finding(
        facts.source.span(at),
        f"this sets the key `state.{key}`, with a dot in its name, but `{key}` is read",
        note="sets another key",
        help=f"keys are written without `state.`: write `{key}`",
        related=tuple(also_read(facts, uses)),
    )


def _strangers(facts: Facts) -> Iterator[Finding]:
    """The reads of keys that nothing assigns, or the misspelled assignment."""
    assignment = facts.assignment
    found = list(strangers(assignment))
    explained: set[str] = set()
    for each in misnamed(assignment, found):
        explained.add(each.meant)
        yield Finding(
            facts.source.span(each.at),
            f"`{each.key}` is assigned and never read, but `state.{each.meant}` is read in {len(each.uses)} places and "
            "never assigned",
            note="never read under this name",
            about=each,
            suggestion=each.meant,
            related=tuple(also_read(facts, each.uses)),
        )
    alike: dict[str, list[Stranger]] = {}
    for stranger in found:
        if stranger.key not in explained:
            alike.setdefault(stranger.key, []).append(stranger)
    for first, *others in alike.values():
        if assignment.misspelled.get(first.key) == f"state.{first.key}":
            place = places_of(assignment, f"state.{first.key}")[0]
            yield _with_prefix(facts, place, first.key, [first.use, *(each.use for each in others)])
            continue
        yield _no_such_key(facts, first, [each.use for each in others])


def _no_such_key(facts: Facts, first: Stranger, others: list[Use]) -> Finding:
    use, key, event = first.use, first.key, first.event
    assignment = facts.assignment
    suggestion = assignment.misspelled.get(key)
    odd = assignment.writers.get(suggestion, ()) if suggestion and not _is_read(facts, suggestion) else ()
    where = f" {also_in(others)}" if others else ""
    beside = key.rpartition("_")[2] if event is not None else ""
    keys = assignment.sorted_keys
    known = f", or read one of the existing keys: {listed(keys)}" if keys else ""
    advice = f"assign it first, `assign: {{{scalar(key)}: …}}`{known}"
    likely = None
    if key in declared_inputs(assignment.graph).names:
        likely = written_path("inputs", key)
    elif (difference := subtraction(use.read.written, assignment.all_keys)) is not None:
        advice = f"a minus needs a space before it: `{difference}`"
    elif suggestion:
        likely = _corrected(use.read, key, suggestion)
    elif event is not None and beside in EVENTS[event].shows:
        advice = f"did you mean `{beside}`? `{event}` hooks have it in addition to the state"
    return Finding(
        use_span(facts, use),
        f"`{use.read.written}` is read{where}, but `{key}` is never assigned",
        note="never assigned",
        about=use,
        suggestion=likely,
        help=advice,
        related=(*(assigned_here(facts, node, suggestion or "") for node in odd[:3]), *also_read(facts, others)),
    )


def _is_read(facts: Facts, key: str) -> bool:
    """Whether anything reads a key with this spelling; otherwise it may be the misspelled one."""
    assignment = facts.assignment
    bit = assignment.symbols.key(key)
    return bool(assignment.hook_reads & bit) or any(usage.read & bit for usage in assignment.usage.values())


def _corrected(read: ir.Read, key: str, suggestion: str) -> str:
    """The path as in the file, with another key."""
    plain = written_path("state", suggestion)
    return plain if plain[5:6] == "[" or key not in read.written else read.written.replace(key, suggestion, 1)


@graph_rule("GW302", Severity.WARNING, "state key that may be unassigned")
def maybe_unassigned(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A path from `start` to this location skips every assignment of the key. On that path, which the message shows,
    the key is null.

    Conditions are taken into account: after `exists`, or a comparison that only holds for a value, the key is known
    to be set. A fallback (`||`, `default`) handles a missing key. Note that an `on_error` edge leaves a node before
    its `assign`, and that `on_error: continue` skips the `assign` of a node that failed.

    All reads that lack the key for the same reason are one finding. Of all paths, the message shows one with as few
    failures as possible. A comparison that is false for null is only a note if a default edge follows.

    A key that begins as null in `config.state` is treated as unassigned if null is an error or leaves a gap: in
    arithmetic, in a longer string, and as the list of a foreach.

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
    unsure = list(unsure_reads(facts.assignment))
    explained = {found.key for found in unsure if found.is_too_early}
    for key, reads in prefixed(graph, unsure).items():
        if key not in explained:
            explained.add(key)
            yield _with_prefix(
                facts, graph.state_at[f"state.{key}"], key, [use for found in reads for use in found.uses]
            )
    for found in unsure:
        if found.key in explained or misspelled_on_the_way(facts, found) is not None or _has_no_list(facts, found):
            continue
        yield _may_be_unassigned(facts, found)
    assignment, nulls = facts.filled
    for found in unsure_reads(assignment, nulls) if nulls else ():
        yield _may_be_unassigned(facts, found, begins_null=True)


def _has_no_list(facts: Facts, found: Unsure) -> bool:
    """Whether the key lacks because a loop surely has no list to go through, which is GW412."""
    loops = [facts.nodes[name] for name, how in found.skips if how is Skipped.NO_LIST]
    kinds = [facts.types.of(loop.over, loop).present.kinds for loop in loops if isinstance(loop, ir.ForeachNode)]
    return any(each and each.isdisjoint(("array", "string")) for each in kinds)


def misspelled_on_the_way(facts: Facts, found: Unsure) -> Unread | None:
    """An assignment on the path that was meant to set the key: nothing reads its own, similar name (GW303)."""
    for unread in facts.liveness.unread:
        if unread.node.name in found.visited and facts.liveness.meant(unread.key) == found.key:
            return unread
    return None


def _may_be_unassigned(facts: Facts, found: Unsure, *, begins_null: bool = False) -> Finding:
    use, key, lacking = found.use, found.key, "still be null" if begins_null else "be unassigned"
    then = "; the condition does not match then, and the next edge is tried" if found.is_defaulted else ""
    writers = facts.assignment.writers.get(key, ())
    return Finding(
        use_span(facts, use),
        f"`{use.read.written}` may {lacking} {also_in(found.others)}: {_where_skipped(facts, found)}{then}",
        note="may be null",
        about=found,
        help=_advice(facts, found, "a value other than null" if begins_null else "a value"),
        related=(*(assigned_here(facts, writer, key) for writer in writers[:3]), *also_read(facts, found.others)),
        severity=Severity.NOTE if found.is_defaulted else None,
    )


def _advice(facts: Facts, found: Unsure, value: str) -> str:
    each = ", each time" if found.others else ""
    fallback = f"{provide(found.use)}{each}"
    if found.is_own:
        own = _own_failure(facts.nodes[found.route[-1]])
        return own if found.handled or not found.others else f"{own}; elsewhere, {fallback}"
    nodes = f"node{'s' if len(found.handled) > 1 else ''} {listed(found.handled)}"
    handled = f"add `on_error` to {nodes}, or " if found.handled else ""
    return f"{handled}give `{found.key}` {value} in `config.state`, or {fallback}"


def _own_failure(node: ir.Node) -> str:
    """The advice if a node's own failure leaves its edges without a key; with an old value, that is GW216."""
    condition = "{path: state._last_error, op: exists}"
    if isinstance(node, ir.ActionNode):
        condition = "{path: result.status, value: error}"
    return f"add an edge for the failure first, `- {{to: …, when: {condition}}}`, or add `on_error` to the node"


#: Why a node of the path does not assign the key.
_SKIPPED: Final = {
    Skipped.NO_LIST: "`{}` collects nothing if its `over` is not a list",
    Skipped.FAILED: "when `{}` fails, its `assign` is not reached",
    Skipped.EMPTY: "`{}` assigns nothing if its list is empty",
    Skipped.SUPPRESSED: "when `{}` fails, `on_error: continue` skips its `assign`",
    Skipped.OTHER: "when `{}` fails",
}


def _where_skipped(facts: Facts, found: Unsure) -> str:
    """The path as text."""
    path, along = found.route, f"the path `{' → '.join(found.route)}` skips it"
    if found.skips:
        why = ", and ".join(_SKIPPED[how].format(node) for node, how in found.skips)
        return why if len(path) == 1 else f"{along} ({why})"
    if not found.possible:
        writers = [writer.name for writer in facts.assignment.writers.get(found.key, ())]
        return f"no path to `{path[-1]}` assigns it; only {listed(writers)} does"
    if len(path) == 1:
        return f"a run starts at `{path[-1]}`, before it is assigned"
    return along
