"""GW110 and GW6xx: the permissions of a graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

import yaml

from graphwright import ir
from graphwright.analysis.capability import NearMiss, RequiredCapability, called_id
from graphwright.analysis.globs import Known, can_match
from graphwright.contract.cycles import cycles
from graphwright.contract.graphs import near_graph
from graphwright.diagnostic import Label, Severity, Span
from graphwright.facts import Facts
from graphwright.faults.names import InvalidPattern, RuntimeParam
from graphwright.ir import visit
from graphwright.ir.visit import Caller
from graphwright.language.words import KINDS
from graphwright.recover.capabilities import joined
from graphwright.rules.calls import calls_directives, misspelled_graph
from graphwright.rules.registry import Finding, fault_rule, graph_rule
from graphwright.rules.wording import everything_of, listed, meant, number


@graph_rule("GW110", Severity.WARNING, "`permissions` not declared")
def no_permissions(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """The graph calls something but does not declare what it may call. Every run then depends on the capabilities of
    its caller, and readers cannot see what the graph needs.

    Fails:
        tool_type: graph
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list}, next: done}
            done: {type: return}

    Passes:
         tool_type: graph
        +permissions: [rye.execute.tool.tickets.list]
    """
    if graph.permissions is not None or not facts.all_callers:
        return
    written = facts.source.get(facts.source.root, "permissions")
    message = "`permissions` is not declared: every run depends on the capabilities of its caller"
    if written is not None:
        message = "`permissions` has no value: every run depends on the capabilities of its caller"
    verb = "add" if written is None else "write"
    yield Finding(
        facts.source.top,
        message,
        help=f"{verb} `permissions: [{', '.join(_needed(facts))}]`",
        related=() if written is None else (Label(facts.source.span(written), "empty"),),
    )


def _needed(facts: Facts) -> list[str]:
    """Every capability that the graph needs, including those of nested graphs and directives; if there are many, those
    of one folder are combined to a pattern."""
    needed = {need.capability for need in facts.capability.needs}
    if calls_directives(facts):
        from graphwright.rules.directives import directive_calls

        needed.update(each for call in directive_calls(facts) if call.starts for each in call.declared.permissions)
    for choices, _ in facts.capability.partly_known:
        needed.update(map(_as_pattern, choices))
    if len(needed) > 8:
        folders = [each.rpartition(".")[0] for each in needed]
        needed = {
            f"{folder}.*" if folders.count(folder) > 1 else each for folder, each in zip(folders, needed, strict=True)
        }
    return sorted(needed)


@graph_rule("GW601", Severity.ERROR, "action not covered by `permissions`")
def not_covered(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """An action needs a capability that no pattern in `permissions` matches, so it is denied in every run.

    The graph that calls a nested graph must cover the actions of the nested graph, too, and the graph that starts a
    thread must cover the permissions that its directive declares. Every graph must cover the actions of the hooks of
    its project. Ids below `rye/agent/threads/internal/` need no
    permission.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.*]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list}, next: send}
            send: {action: {item_id: tool:mail/send}}

    Passes:
        -permissions: [rye.execute.tool.tickets.*]
        +permissions: [rye.execute.tool.tickets.*, rye.execute.tool.mail.send]
    """
    if graph.permissions is None:
        return
    nested: dict[int, tuple[Caller, dict[str, tuple[str, ...]]]] = {}
    lacking: dict[NearMiss | str, list[RequiredCapability]] = {}
    for need in facts.capability.needs:
        if need.capability not in facts.capability.uncovered:
            continue
        if facts.capability.may_be_permitted(need.capability):
            continue
        if misspelled_graph(facts, need.caller) is not None:
            continue  # reported by GW704
        if need.via:
            nested.setdefault(id(need.caller.action), (need.caller, {}))[1][need.capability] = need.via
        else:
            cause = facts.capability.near_misses.get(need.capability, need.capability)
            lacking.setdefault(cause, []).append(need)
    for cause, (first, *others) in lacking.items():
        what = f"needs `{first.capability}`, which `permissions` does not cover"
        callers = [first.caller, *(each.caller for each in others)]
        advice = _permit(facts, first) if isinstance(cause, str) else _corrected(cause, first, bool(others))
        yield _denied(facts, callers, what, advice, first)
    circular = {id(action) for action, _ in cycles(facts)} if nested else set()  # reported by GW704
    alike: dict[tuple[object, ...], list[Caller]] = {}
    for caller, missing in nested.values():
        if id(caller.action) not in circular:
            alike.setdefault(tuple(missing.items()), []).append(caller)
    for callers in alike.values():
        _, missing = nested[id(callers[0].action)]
        what = f"calls graph {_needing(missing)}, but `permissions` does not cover that here"
        yield _denied(facts, callers, what, _add(missing))
    if calls_directives(facts):
        yield from _started(facts, graph)


def _denied(
    facts: Facts, callers: list[Caller], what: str, advice: str, about: RequiredCapability | None = None
) -> Finding:
    """All actions that are denied for one reason; `what` is true for each of them."""
    first, *others = callers
    also = f"; the same holds for {number(len(others), 'other action')}" if others else ""
    span, related = _call(facts, first)
    return Finding(
        span,
        f"{first.owner} {what}{also}",
        note="will be denied",
        help=advice,
        about=about,
        related=(*related, *(Label(_called(facts, each), "will be denied, too") for each in others[:_LABELS])),
    )


def _corrected(near: NearMiss, need: RequiredCapability, permits_more: bool) -> str:
    """The advice for a misspelled pattern."""
    if permits_more or near.meant.endswith("*"):
        return f"write `{near.meant}` instead of `{near.pattern}` in `permissions`"
    return f"change the id to match `{near.pattern}` in `permissions`, or write `{need.capability}` there instead"


def _started(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """Threads whose directives permit more than the graph does."""
    from graphwright.rules.directives import not_permitted

    for call, missing in not_permitted(facts, graph):
        yield Finding(
            facts.source.span(call.at),
            f"{call.caller.owner} starts a thread with directive `{call.meant}`, which declares {listed(missing)}, but "
            "`permissions` does not cover that here",
            note="will be denied",
            help=_add(missing),
        )


def _needing(missing: Mapping[str, tuple[str, ...]]) -> str:
    """The called graph and its need, with the graphs below it that have the need."""
    called = next(iter(missing.values()))[0]
    below = [via[-1] for via in missing.values() if len(via) > 1]
    return f"`{called}`, which needs {listed(missing)}" + (f" for {listed(dict.fromkeys(below))}" if below else "")


def _permit(facts: Facts, need: RequiredCapability) -> str:
    """The advice for permitting a capability, or the pattern that was probably meant."""
    like = facts.capability.like(need.capability)
    if like is not None and called_id(need.caller.action) is not None:
        return f"did you mean `{_as_id(like)}`? Otherwise, {_add([need.capability])}"
    if (other := _of_another_kind(facts, need)) is not None:
        return other
    graph = near_graph(facts, called_id(need.caller.action))
    hint = f"; or did you mean graph `{graph}`?" if graph is not None else ""
    return f"{_add([need.capability])}{hint}"


def _of_another_kind(facts: Facts, need: RequiredCapability) -> str | None:
    """The advice for an action that lacks its `primary` or `item_type`, and would be permitted with it."""
    _, primary, kind, *parts = need.capability.split(".")
    if (primary, kind) == ("execute", "knowledge"):
        return "knowledge is only read: write `primary: load`"
    for other in KINDS if kind == "tool" else ():
        wanted = ".".join(("rye", primary, other, *parts))
        if any(fnmatchcase(wanted, pattern) for pattern in facts.capability.patterns):
            return f"did you mean `item_type: {other}`? Otherwise, {_add([need.capability])}"
    return None


def _as_id(capability: str) -> str:
    """The id of the item for which a capability is."""
    _, _, kind, *parts = capability.split(".")
    return f"{kind}:{'/'.join(parts)}"


def _add(capabilities: Iterable[str]) -> str:
    """The advice for adding to `permissions`."""
    return f"add {everything_of([f'`- {each}`' for each in capabilities])} to `permissions`"


def _call(facts: Facts, caller: Caller) -> tuple[Span, tuple[Label, ...]]:
    """The location of a finding about a call: for a hook of the project, the permissions, with a label at the hook."""
    if not caller.is_shared:
        return _called(facts, caller), ()
    source = facts.source
    entries = source.entries(source.root) if isinstance(source.root, yaml.MappingNode) else []
    key = next((key for key, _ in entries if key.value == "permissions"), None)
    return source.top if key is None else source.span(key), (Label(_called(facts, caller), "called here"),)


def _called(facts: Facts, caller: Caller) -> Span:
    """The id of the item that an action calls."""
    source = facts.hooks.source if caller.is_shared and facts.hooks is not None else facts.source
    at = caller.action.item_id_at
    return source.first_token(caller.action.at) if at is None else source.span(at)


@graph_rule("GW604", Severity.WARNING, "dynamic id that may not be covered")
def not_proved(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """The id of an action is a template, and its literal part does not prove that `permissions` covers it. Whether the
    action is allowed is decided at run time, for each value.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config_schema: {type: object, properties: {tool: {type: string}}, required: [tool]}
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: "tool:tickets/${inputs.tool}"}}

    Passes:
        -permissions: [rye.execute.tool.tickets.list]
        +permissions: [rye.execute.tool.tickets.*]
    """
    if graph.permissions is None or not all(map(joined, graph.doubt.unreadable)):
        return  # the permissions are unknown
    for choices, caller in facts.capability.partly_known:
        if any(read.root is ir.Root.UNKNOWN for read in visit.reads(caller.action.item_id)):
            continue
        unproved = [known for known in choices if not facts.capability.covers(known)]
        if not unproved:
            continue
        needed = list(map(_as_pattern, unproved))
        possible = any(can_match(pattern, known) for pattern in facts.capability.patterns for known in choices)
        at = caller.action.item_id_at
        written = f"`{at.value}`" if isinstance(at, yaml.ScalarNode) else "a dynamic id"
        span, related = _call(facts, caller)
        needing = f"{'needs' if len(choices) == 1 else 'can need'} {listed(needed, 'or')}"
        unsure = "`permissions` may not cover its value"
        yield Finding(
            span,
            f"{caller.owner} calls {written}, which {needing}: "
            f"{unsure if possible else '`permissions` does not cover it'}",
            note="decided at run time",
            about=caller,
            related=related,
            help=f"{_add(needed)}, or write the start of the id literally"
            if len(choices) == 1
            else _add(needed if len(needed) <= _EXPANDED else [_common(needed)]),
        )


@fault_rule(InvalidPattern, Severity.ERROR, "invalid capability pattern")
def malformed_pattern(_: Facts, fault: InvalidPattern) -> Iterator[Finding]:
    """A capability is written `rye.<primary>.<kind>.<id with dots>`, with `*` as a wildcard.

    A pattern of another form matches nothing, so whatever it was meant to allow would be denied at run time.

    Fails:
        tool_type: graph
        permissions: [tool:tickets/list]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list}}

    Passes:
        -permissions: [tool:tickets/list]
        +permissions: [rye.execute.tool.tickets.list]
    """
    yield Finding(
        fault.span,
        f"`{fault.pattern}` is not a valid capability pattern: {fault.reason}",
        note="malformed",
        help=meant(fault.suggestion)
        or ("start every `- ` of the list in the same column" if joined(fault.pattern) else None)
        or _well_formed(fault),
    )


def _as_pattern(known: Known) -> str:
    """The known parts of a capability, with `*` for the rest."""
    return re.sub(r"\*+", "*", "".join(letter or "*" for letter in known))


def _common(capabilities: list[str]) -> str:
    """One pattern that matches all of these."""
    first, last = min(capabilities), max(capabilities)
    alike = next((place for place, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return f"{first[:alike]}*"


#: Maximum number of capabilities that a message lists individually.
_EXPANDED = 6
#: Maximum number of other actions in a finding.
_LABELS = 5


def _well_formed(fault: InvalidPattern) -> str:
    """The form of a capability, with the valid words for an invalid part."""
    if fault.legal:
        return f"write {everything_of([f'`{word}`' for word in fault.legal], 'or')} instead"
    return "write it like `rye.execute.tool.mail.send` or `rye.execute.tool.*`"


@fault_rule(RuntimeParam, Severity.ERROR, "param reserved for the runtime")
def runtime_param(_: Facts, fault: RuntimeParam) -> Iterator[Finding]:
    """`parent_thread_id`, `parent_depth`, `parent_limits` and `parent_capabilities` are set by the runtime.

    They define what a child thread may do, so a graph cannot set them. They are overwritten at run time.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.rye.agent.threads.thread_directive]
        config:
          start: spawn
          nodes:
            spawn:
              action:
                item_id: tool:rye/agent/threads/thread_directive
                params: {directive_name: review, parent_depth: 9}

    Passes:
        -        params: {directive_name: review, parent_depth: 9}
        +        params: {directive_name: review}
    """
    yield Finding(
        fault.span,
        f"{fault.owner.phrase} sets `{fault.key}`, which only the runtime may set",
        note="set by the runtime",
        help="remove it",
    )
