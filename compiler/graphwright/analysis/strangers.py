"""Finds reads of state keys that nothing assigns, and assignments that were probably meant to set such a key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import yaml

from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.declared_inputs import declared_inputs
from graphwright.analysis.reads import Use, state_key, state_uses, uses_of_hook
from graphwright.ir import visit
from graphwright.record import Record
from graphwright.suggest import nearest

#: Names that `state` contains in hooks, in addition to its keys.
_IN_HOOKS = ("step_count",)


class Stranger(Record):
    """A read of a key that nothing assigns; `event` is that of the hook that reads it."""

    use: Use
    key: str
    event: str | None = None


class Misnamed(Record):
    """The only assignment of a key that nothing reads, while several reads use `meant`, a similar name."""

    key: str
    at: yaml.Node
    meant: str
    uses: tuple[Use, ...]


def strangers(assignment: Assignment) -> Iterator[Stranger]:
    """Each read of a key that nothing assigns, without duplicates."""
    if not assignment.never_assigned:
        return
    for name, usage in assignment.usage.items():
        seen: set[tuple[int, int]] = set()  # a read after a failure would be listed twice
        for use, key, bit in state_uses(assignment, name) if usage.read & assignment.never_assigned else ():
            place = (id(use.at), use.read.start)
            if bit & assignment.never_assigned and place not in seen:
                seen.add(place)
                yield Stranger(use, key)
    if assignment.hook_reads & assignment.never_assigned:
        for hook in assignment.graph.hooks:
            for use in uses_of_hook(hook, assignment.symbols):
                found = state_key(use.read)
                if found is None or found in _IN_HOOKS:
                    continue
                if assignment.symbols.key(found) & assignment.never_assigned:
                    yield Stranger(use, found, hook.event)


def misnamed(assignment: Assignment, found: Sequence[Stranger]) -> Iterator[Misnamed]:
    """The likely misspelled assignments: the reads agree on another name, and no other key or name is similar."""
    uses: dict[str, list[Use]] = {}
    for stranger in found:
        uses.setdefault(stranger.key, []).append(stranger.use)
    rivals = list(assignment.misspelled.values())
    for meant, reads in uses.items():
        key = assignment.misspelled.get(meant)
        if key is None or len(reads) < 2 or rivals.count(key) > 1 or meant in declared_inputs(assignment.graph).names:
            continue
        unread = _unread(assignment)
        places = places_of(assignment, key)
        if key in unread and len(places) == 1 and nearest(meant, unread - {key}) is None:
            yield Misnamed(key, places[0], meant, tuple(reads))


def places_of(assignment: Assignment, key: str) -> list[yaml.Node]:
    """Where a key is set: in `config.state`, and by nodes."""
    nodes = assignment.writers.get(key, ())
    initial = (assignment.graph.state_at[key],) if key in assignment.graph.state_at else ()
    return [*initial, *(at for node in nodes for name, at in visit.keys_set(node) if name == key)]


def _unread(assignment: Assignment) -> frozenset[str]:
    """The keys that nodes assign and nothing reads, as far as that is known."""
    read = assignment.hook_reads | assignment.unknown_key
    for usage in assignment.usage.values():
        read |= usage.read
    doubt = assignment.graph.doubt
    plain = doubt.plainly_read(ir.Root.STATE)
    unread = (key for key in assignment.writers if not assignment.symbols.key(key) & read)
    return frozenset(
        key for key in unread if key not in plain and key not in assignment.graph.state and not doubt.mentions(key)
    )
