"""Finds reads of state keys that may be unassigned, with a path on which they are."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from enum import Enum

from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.declared_inputs import declared_inputs
from graphwright.analysis.flow import TransitionKind
from graphwright.analysis.reads import Use, input_name, state_uses
from graphwright.analysis.symbols import resolve
from graphwright.analysis.too_early import TooEarly
from graphwright.analysis.witness import Hop, shortened
from graphwright.ir.visit import Role
from graphwright.record import Record, replace


class Skipped(Enum):
    """Why a node of a path does not assign the key."""

    NO_LIST = "it collects into it, but has no list to go through"
    FAILED = "it failed, and was left by its error edge"
    EMPTY = "it is a loop without items"
    SUPPRESSED = "it failed, and the run went on"
    OTHER = "it failed, which led to another node; it would not assign the key itself"


class Unsure(Record):
    """Uses of a key that is null on `route`, a path to `use`, the first of them; `others` are null for the same cause.

    The middle of a long route is omitted, except for the nodes that `skips` explains; `visited` are all its nodes.
    `possible`: some path to the node assigns the key. `handled`: nodes that would always assign the key before these
    uses if each had an error edge to elsewhere. `is_too_early`: no path to the node assigns the key, even if nothing
    fails; `is_own`: the node of `use` itself would, had it not failed. `is_defaulted`: null matches none of the uses,
    and a default edge follows.
    """

    use: Use
    others: tuple[Use, ...]
    key: str
    route: tuple[str, ...]
    visited: frozenset[str]
    skips: tuple[tuple[str, Skipped], ...]
    possible: bool
    handled: tuple[str, ...]
    is_too_early: bool
    is_own: bool
    is_defaulted: bool

    @property
    def uses(self) -> tuple[Use, ...]:
        """All uses."""
        return (self.use, *self.others)


def prefixed(graph: ir.Graph, unsure: Iterable[Unsure]) -> Mapping[str, list[Unsure]]:
    """The reads of keys that `config.state` sets with their namespace, `state.x`."""
    found: dict[str, list[Unsure]] = {}
    for each in unsure:
        if f"state.{each.key}" in graph.state:
            found.setdefault(each.key, []).append(each)
    return found


class _Lack(Record):
    """One use in node `name`, with a path on which its key is not assigned."""

    use: Use
    name: str
    key: str
    hops: tuple[Hop, ...]
    skips: tuple[tuple[str, Skipped], ...]
    is_own: bool
    is_defaulted: bool
    is_too_early: bool

    @property
    def cause(self) -> object:
        """A value that is equal for all uses whose key is unassigned for the same reason."""
        return (
            self.key,
            self.is_too_early,
            tuple(each for each in self.skips if each[1] is not Skipped.OTHER) or self.skips,
        )

    @property
    def place(self) -> tuple[int, int]:
        """The location in the file, for sorting."""
        return self.use.at.start_mark.index, self.use.read.start


#: Maximum number of nodes for which a message suggests an error edge.
_MAX_HANDLED = 3

#: Maximum number of other uses for which error edges are checked to be sufficient.
_MAX_USES = 10


def unsure_reads(assignment: Assignment, seeds: Container[str] | None = None) -> Iterator[Unsure]:
    """The uses of keys that may be unassigned, grouped by cause.

    `seeds`: only of these keys, which begin as null instead, and only if null is an error or leaves a gap.
    """
    causes: dict[object, list[_Lack]] = {}
    for lack in _lacks(assignment):
        if seeds is not None and not (lack.key in seeds and _shows_null(assignment, lack)):
            continue
        causes.setdefault(lack.cause, []).append(lack)
    for found in causes.values():
        lacks = sorted((each for each in found if not each.is_defaulted), key=lambda each: each.place)
        yield _unsure(assignment, lacks or sorted(found, key=lambda each: each.place))


def without_nulls(graph: ir.Graph) -> tuple[ir.Graph, frozenset[str]]:
    """The graph without the keys that begin as null in `config.state`, and those keys."""
    trusts = graph.doubt.trusts
    nulls = frozenset(key for key, value in graph.state.items() if value is None and trusts(graph.state_at.get(key)))
    state = {key: value for key, value in graph.state.items() if key not in nulls}
    return replace(graph, state=state) if nulls else graph, nulls


def _shows_null(assignment: Assignment, lack: _Lack) -> bool:
    """Whether null is noticeable: in a string, as the list of a loop, or in an operation (GW407 if it always is)."""
    use = lack.use
    if use.needed:
        return bool(assignment.possible(lack.name) & assignment.symbols.key(lack.key))
    return use.in_text or (use.entry and use.role is Role.OVER)


def _lacks(assignment: Assignment) -> Iterator[_Lack]:
    """These uses, without repeating a key in a scalar or a list of edges."""
    too_early = TooEarly(assignment)
    for name, usage in assignment.usage.items():
        unsure = assignment.assigned_anywhere & ~assignment.definite(name)
        if not usage.read & unsure:
            continue
        seen: set[tuple[object, str, bool]] = set()
        for use, key, bit in state_uses(assignment, name):
            is_own = use.failed and bool(bit & usage.assigned)
            is_defaulted = use.defaulted and not is_own  # a default edge is not meant for a failure (GW214)
            where = use.role if use.role is Role.CONDITION else id(use.at)  # a list of edges is one location
            if not assignment.graph.doubt.trusts(use.read) or key in assignment.misspelled:
                seen |= {(where, assignment.misspelled.get(key, key), each) for each in (True, False)}
            place = (where, key, is_defaulted)
            if not bit & unsure & ~use.known or use.provided or place in seen:
                continue
            hops = _route(assignment, use, name, bit)
            if hops and not too_early.is_cut_off(name, key):
                seen.add(place)
                skips = ((name, Skipped.SUPPRESSED),) if is_own else tuple(_skips(assignment, hops, bit))
                is_too_early = not is_own and too_early.holds(name, key)
                yield _Lack(use, name, key, hops, skips, is_own, is_defaulted, is_too_early)


def _route(
    assignment: Assignment, use: Use, name: str, bit: int, handled: frozenset[str] = frozenset()
) -> tuple[Hop, ...]:
    """A path to the use on which neither its key nor the operands before it in the `||` chain are assigned."""
    mask = bit
    for read in use.instead:
        declared = declared_inputs(assignment.graph)
        if input_name(read) in declared.names - declared.optional:
            return ()
        if resolve(read)[0] in (ir.Root.STATE, ir.Root.INPUTS):
            mask |= assignment.symbols.read(read)
    return () if mask & use.known else assignment.route(name, mask, handled)


def _unsure(assignment: Assignment, lacks: Sequence[_Lack]) -> Unsure:
    first = lacks[0]
    bit = assignment.symbols.key(first.key)
    return Unsure(
        first.use,
        tuple(each.use for each in lacks[1:]),
        first.key,
        shortened([hop.node for hop in first.hops], _decisive(assignment, first)),
        frozenset(hop.node for hop in first.hops),
        first.skips,
        bool(assignment.possible(first.name) & bit),
        _handled(assignment, lacks, bit),
        first.is_too_early,
        first.is_own,
        all(each.is_defaulted for each in lacks),
    )


def _decisive(assignment: Assignment, lack: _Lack) -> set[int]:
    """The positions on its path of the nodes in `skips`, and of their successors.

    If there are none, that of the last node from which another edge leads to an assignment.
    """
    hops = lack.hops
    named = {node for node, _ in lack.skips}
    found = {position for position, hop in enumerate(hops) if hop.node in named}
    if not found and len(shortened([hop.node for hop in hops], ())) < len(hops):
        towards = assignment.leading_to(lack.key)
        for position in reversed(range(len(hops) - 1)):
            others = set(assignment.flow.successors(hops[position].node)) - {hops[position + 1].node}
            if others & towards:
                found.add(position)
                break
    return found | {position + 1 for position in found if position + 1 < len(hops)}


def _handled(assignment: Assignment, lacks: Sequence[_Lack], bit: int) -> tuple[str, ...]:
    """The nodes that need an error edge so that the key is assigned for all of these uses; empty if none suffice."""
    handled: dict[str, None] = {}
    for lack in lacks[:_MAX_USES]:
        if lack.is_own:
            handled[lack.name] = None
        while not lack.is_own and (hops := _route(assignment, lack.use, lack.name, bit, frozenset(handled))):
            skips = [node for node, how in _skips(assignment, hops, bit) if how is Skipped.SUPPRESSED]
            if not skips or len(handled) == _MAX_HANDLED:
                return ()
            handled[skips[0]] = None
    return tuple(handled)


def _skips(assignment: Assignment, hops: Sequence[Hop], bit: int) -> Iterator[tuple[str, Skipped]]:
    """Why nodes of a path that could assign the key do not, and which other nodes fail on it."""
    for hop in hops:
        how = _skipped(assignment, hop, bit)
        if how is not None:
            yield hop.node, how


def _skipped(assignment: Assignment, hop: Hop, bit: int) -> Skipped | None:
    if hop.kind is None:
        return None
    usage = assignment.usage[hop.node]
    failed = hop.kind in (TransitionKind.ERROR, TransitionKind.CONTINUE)
    if bit & usage.collect & ~usage.kept:
        return Skipped.NO_LIST
    if not bit & usage.assigned:
        return Skipped.OTHER if failed else None
    if hop.kind is TransitionKind.ERROR:
        return Skipped.FAILED
    return Skipped.SUPPRESSED if failed else Skipped.EMPTY
