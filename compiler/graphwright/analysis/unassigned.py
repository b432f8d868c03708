"""Where a key of the state may be read before it is assigned, with a path on which it is not."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import pairwise

from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.declared_inputs import declared_inputs
from graphwright.analysis.flow import TransitionKind
from graphwright.analysis.reads import Use, input_name, state_uses
from graphwright.analysis.symbols import resolve
from graphwright.analysis.too_early import TooEarly
from graphwright.ir.visit import Role
from graphwright.record import Record


class Skipped(Enum):
    """Why a node did not assign the key."""

    NO_LIST = "it collects into it, but has no list to go through"
    FAILED = "it failed, and was left by its error edge"
    EMPTY = "it is a loop without items"
    SUPPRESSED = "it failed, and the run went on"


class Unsure(Record):
    """A use of a key that is null on `route`, a path whose last node uses it.

    `skips`: the nodes on it that would assign the key. `possible`: some path to the node assigns it. `failing`:
    the first node that is left by its error edge alone. `suppressed`: the first that would assign the key, had it not
    failed under `on_error: continue`. `is_too_early`: no path to the node assigns the key, nor fails to; `is_own`: the
    node itself would, had it not failed.
    """

    use: Use
    key: str
    route: tuple[str, ...]
    skips: tuple[tuple[str, Skipped], ...]
    possible: bool
    failing: str | None
    suppressed: str | None
    is_too_early: bool
    is_own: bool


def unsure_reads(assignment: Assignment) -> Iterator[Unsure]:
    """The uses of keys that may be unassigned, each key once in a scalar or a list of edges."""
    too_early = TooEarly(assignment)
    for name, usage in assignment.usage.items():
        unsure = assignment.assigned_anywhere & ~assignment.definite(name)
        if not usage.read & unsure:
            continue
        seen: set[tuple[object, str]] = set()
        for use, key, bit in state_uses(assignment, name):
            where = use.role if use.role is Role.CONDITION else id(use.at)  # a list of edges is one place
            if not assignment.graph.doubt.trusts(use.read) or key in assignment.misspelled:
                seen.add((where, assignment.misspelled.get(key, key)))
            place = (where, key)
            if not bit & unsure & ~use.known or use.provided or place in seen:
                continue
            path = _witness(assignment, use, name, bit)
            if path and not too_early.is_cut_off(name, key):
                seen.add(place)
                yield _unsure(assignment, use, key, path, too_early)


def _witness(assignment: Assignment, use: Use, name: str, bit: int) -> tuple[str, ...]:
    """A path to the use on which neither its key nor what stands before it in the `||` chain is there."""
    mask = bit
    for read in use.instead:
        declared = declared_inputs(assignment.graph)
        if input_name(read) in declared.names - declared.optional:
            return ()
        if resolve(read)[0] in (ir.Root.STATE, ir.Root.INPUTS):
            mask |= assignment.symbols.read(read)
    return () if mask & use.known else assignment.skipping(name, mask)


def _unsure(assignment: Assignment, use: Use, key: str, path: tuple[str, ...], too_early: TooEarly) -> Unsure:
    bit, name = assignment.symbols.key(key), path[-1]
    steps = [(here, _kinds(assignment, here, following)) for here, following in pairwise(path)]
    assigning = [here for here, kinds in steps if here in assignment.usage and assignment.usage[here].assigned & bit]
    skips = [(here, how) for here, kinds in steps if (how := _skipped(assignment, here, kinds, bit)) is not None]
    is_own = use.failed and bool(bit & assignment.usage[name].assigned)
    if is_own:
        skips = [(name, Skipped.SUPPRESSED)]
    return Unsure(
        use,
        key,
        path,
        tuple(skips),
        bool(assignment.possible(name) & bit),
        next((here for here, kinds in steps if kinds == {TransitionKind.ERROR}), None),
        next((here for here, kinds in steps if TransitionKind.CONTINUE in kinds and here in assigning), None),
        not is_own and too_early.holds(name, key),
        is_own,
    )


def _kinds(assignment: Assignment, here: str, following: str) -> set[TransitionKind]:
    """How one node of a path leads to the next; none where the path is shortened there."""
    known = here in assignment.usage
    return {way.kind for way in assignment.flow.transitions(here) if way.target == following} if known else set()


def _skipped(assignment: Assignment, here: str, kinds: set[TransitionKind], bit: int) -> Skipped | None:
    """How a run leaves a node by a way of these kinds without the key that it would assign."""
    usage = assignment.usage.get(here)
    if usage is not None and bit & usage.collect & ~usage.kept:
        return Skipped.NO_LIST
    if usage is None or not bit & usage.assigned:
        return None
    if TransitionKind.ERROR in kinds:
        return Skipped.FAILED
    if isinstance(assignment.graph.nodes[here], ir.ForeachNode):
        return Skipped.EMPTY
    return Skipped.SUPPRESSED if TransitionKind.CONTINUE in kinds else None
