"""GW2xx about paths between nodes: targets, reachability, cycles, limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import yaml

from graphwright import ir
from graphwright.analysis.flow import Flow
from graphwright.analysis.reachability import (
    UnreachablePart,
    doubtful_targets,
    edges_by_target,
    endless_cycles,
    error_cycles,
    likely_exit,
    unreachable_parts,
)
from graphwright.diagnostic import Label, Severity
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.rules.registry import Finding, graph_rule, rule
from graphwright.rules.wording import chain, listed, scalar


@rule("GW204", Severity.WARNING, "unreachable node")
def unreachable(facts: Facts) -> Iterator[Finding]:
    """No path leads from `start` to this node, through `next` or through `on_error`. Either an edge is missing or
    leads to the wrong node, or the node is no longer needed.

    If several nodes are reachable only from each other, the first one is reported and the others are listed.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.*]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:tickets/list}
              next: done
            archive:
              action: {item_id: tool:tickets/archive}
              next: done
            done: {type: return}

    Passes:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.*]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:tickets/list}
              next: archive
            archive:
              action: {item_id: tool:tickets/archive}
              next: done
            done: {type: return}
    """
    elsewhere = facts.graph is not None and facts.forgotten is not None and _is_named_elsewhere(facts, facts.graph)
    for flow in facts.flows:
        nodes = flow.region.nodes
        edges = edges_by_target(flow) if len(flow.reachable) < len(nodes) else {}
        for part in unreachable_parts(flow, doubtful_targets(flow)) if len(flow.reachable) < len(nodes) else ():
            if elsewhere and part.root == facts.forgotten:
                continue
            also = f", nor to {listed(part.rest)} after it" if part.rest else ""
            edge = edges.get(facts.guesses.nearest(part.root, edges) or "")  # whose target has the most similar name
            yield Finding(
                facts.source.span(nodes[part.root].name_at),
                f"no path leads from `{flow.region.start}` to node `{part.root}`{also}",
                note="unreachable",
                about=part,
                help=_lead_there(part, edge, nodes),
                related=()
                if edge is None
                else (Label(facts.source.span(edge[1].target_at), "was this edge meant to lead there?"),),
            )


def _is_named_elsewhere(facts: Facts, graph: ir.Graph) -> bool:
    """Whether another finding (GW207, GW208, GW212) advises an edge to the unreachable part."""
    return (
        bool(facts.open_ends)
        or any(likely_exit(flow, cycle) is not None for flow, cycle in _endless(facts, graph))
        or any(len(cycle) == 1 for region in facts.flows for cycle in _error_cycles(facts, region.region))
    )


def _error_cycles(facts: Facts, region: ir.Region) -> Iterator[Sequence[str]]:
    """The cycles of error edges in a region whose targets are not guesses."""
    for cycle in error_cycles(region):
        edges = [edge for name in cycle if (edge := facts.nodes[name].on_error) is not None]
        if facts.graph is not None and all(facts.graph.doubt.trusts(edge.target_at) for edge in edges):
            yield cycle


def _lead_there(part: UnreachablePart, edge: tuple[str, ir.Edge] | None, nodes: Iterable[str]) -> str:
    if edge is not None:
        return (
            f"`{edge[0]}` leads to `{edge[1].target}`; should it lead to `{part.root}`? Otherwise, remove `{part.root}`"
        )
    name = scalar(part.root)
    first = next(iter(nodes)) == part.root
    begin = f", start with it (`start: {name}`)" if first else ""
    return f"add `next: {name}` or `on_error: {name}` to a node{begin}, or remove it"


@graph_rule("GW208", Severity.ERROR, "cycle without an exit")
def endless_cycle(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A run that enters this cycle can only repeat it until `max_steps`, or the `max_visits` of a node, is used up. An
    exit is an edge to a node outside the cycle, an `on_error` edge to one, or an end of the run.

    Graphs whose `on_max_steps` lets a run complete at the limit are assumed to do this intentionally.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.jobs.*]
        config:
          start: poll
          nodes:
            poll:
              action: {item_id: tool:jobs/status}
              next: wait
            wait:
              action: {item_id: tool:jobs/wait}
              next: poll

    Passes:
        -      next: wait
        +      next:
        +        - {to: done, when: {path: result.ready, value: true}}
        +        - to: wait

               next: poll
        +    done: {type: return}
    """
    for flow, component in _endless(facts, graph):
        nodes = flow.region.nodes
        cycle = flow.shortest(component[0], component[0], frozenset(component))
        ends = _limit([nodes[name] for name in cycle[1:]], graph.settings.max_steps)
        yield Finding(
            facts.source.span(nodes[component[0]].name_at),
            f"the cycle `{chain(cycle)}` has no exit: it repeats until {ends}",
            note="never ends",
            help=_way_out(nodes[cycle[-2]], cycle[-1], likely_exit(flow, component)),
            related=tuple(
                dict.fromkeys(
                    Label(facts.source.span(each.edge.target_at), f"back to `{each.target}`")
                    for name in cycle[:-1]
                    for each in flow.transitions(name)
                    if each.edge is not None and each.target == cycle[0]
                )
            ),
        )


def _endless(facts: Facts, graph: ir.Graph) -> Iterator[tuple[Flow, tuple[str, ...]]]:
    """The cycles without an exit that a run can enter, unless it completes at `max_steps`."""
    for flow in facts.flows if graph.settings.on_max_steps == "fail" else ():
        for component in endless_cycles(flow):
            if component[0] in flow.reachable:
                yield flow, component


def _limit(cycle: Sequence[ir.Node], max_steps: int) -> str:
    """What ends a cycle: `max_steps`, or a `max_visits` that is reached before."""
    visits = [(node.max_visits, node.name) for node in cycle if node.max_visits is not None]
    most, name = min(visits, default=(max_steps, ""))
    if most * len(cycle) >= max_steps:
        return f"{max_steps} steps are used up"
    return f"`max_visits` of `{name}` is used up"


def _way_out(last: ir.Node, back: str, leave: str | None) -> str:
    """The advice for the last node of a cycle, which leads back to the first one; `leave` is a likely exit."""
    out = f"{{to: {'…' if leave is None else scalar(leave)}, when: {{path: …, value: …}}}}"
    if last.edges and last.edges[0].when is None and last.edges[0].target == back:
        return f"add an exit before the edge back, in `{last.name}`: `next: [{out}, {{to: {scalar(back)}}}]`"
    return f"add an exit to one of its nodes, such as `- {out}` before the other edges of `{last.name}`"


@graph_rule("GW210", Severity.ERROR, "`max_steps` too low to reach an end")
def too_few_steps(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """`max_steps` counts every executed node, including the return node, and even the shortest path to an end needs
    more steps.

    Graphs with a `limit` hook are not reported, because the hook can grant more steps.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          max_steps: 1
          nodes:
            fetch:
              action: {item_id: tool:tickets/list}
              next: done
            done: {type: return}

    Passes:
        -  max_steps: 1
        +  max_steps: 2
    """
    if graph.settings.max_steps >= len(graph.nodes):  # a shortest path visits no node twice
        return
    flow = facts.flow
    if flow.uncertain or any(hook.event == "limit" for hook in graph.all_hooks):
        return
    ends = [(flow.depth[name] + 1, name) for name in flow.order if flow.may_end(name)]
    steps, end = min(ends, key=lambda found: found[0], default=(0, ""))
    if steps <= graph.settings.max_steps:
        return
    place: yaml.Node | None = graph.settings.max_steps_at or graph.config_at or graph.body.start_at
    given = (
        f"is {graph.settings.max_steps}"
        if graph.settings.max_steps_at is not None
        else f"is {graph.settings.max_steps} by default"
    )
    yield Finding(
        facts.source.span(place) if place is not None else facts.source.top,
        f"`max_steps` {given}, but the shortest path to an end takes {steps}: `{chain(flow.path_to(end))}`",
        note="too low",
        help=f"write `max_steps: {steps}` or more under `config`",
    )


@graph_rule("GW211", Severity.NOTE, "no return node")
def no_return(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A run of this graph ends when no edge is taken, and its output is the whole state without the inputs. This is
    allowed, but a return node makes the output explicit.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list}, assign: {tickets: "${result.tickets}"}}

    Passes:
        -    fetch: {action: {item_id: tool:tickets/list}, assign: {tickets: "${result.tickets}"}}
        +    fetch: {action: {item_id: tool:tickets/list}, assign: {tickets: "${result.tickets}"}, next: done}
        +    done: {type: return, output: {tickets: "${state.tickets}"}}
    """
    if any(isinstance(node, ir.ReturnNode) for node in facts.nodes.values()):
        return
    ends = [name for name in facts.flow.order if facts.flow.may_end(name)]
    if ends:
        yield Finding(
            facts.source.span(graph.nodes[ends[0]].name_at),
            f"no return node: a run ends after {listed(ends, 'or')}, and its output is the whole state",
            note="ends here",
            help=f"add a node such as `done: {{type: return, output: …}}`, and `next: done` to {listed(ends)}",
        )


@graph_rule("GW212", Severity.WARNING, "cycle of error edges")
def error_cycle(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A node's `on_error` leads back to the node itself, or error edges form a cycle. As long as the error persists,
    so does the loop.

    To retry a node a limited number of times with pauses in between, use `retry: {attempts: 3}`.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:tickets/list}
              on_error: fetch
              next: done
            done: {type: return}

    Passes:
        -      on_error: fetch
        +      retry: {attempts: 3}
    """
    for cycle in (each for region in visit.regions_in(graph.body) for each in _error_cycles(facts, region)):
        transitions = [each for name in cycle if (each := facts.nodes[name].on_error) is not None]
        handler = "" if facts.forgotten is None or len(cycle) > 1 else f", such as `{facts.forgotten}`"
        itself = f"`on_error` of node `{cycle[0]}` is the node itself: a persistent error loops until `max_steps`"
        round_trip = (
            f"the error edges `{chain((*cycle, cycle[0]))}` form a cycle: a persistent error loops until `max_steps`"
        )
        yield Finding(
            facts.source.span(transitions[0].target_at),
            itself if len(cycle) == 1 else round_trip,
            note="loops on an error",
            help="write `retry: {attempts: 3}` to try again, and make `on_error` lead to a node that handles the error"
            + handler,
            related=tuple(
                Label(facts.source.span(each.target_at), f"leads to `{each.target}`") for each in transitions[1:4]
            ),
        )
