"""The fixpoint over the types of state keys: a worklist over assignments, with widening."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, MutableMapping, Sequence
from typing import Final

from graphwright.analysis.jsontype import ANY, Type, join, limited

#: Changes of one key after which its finite values are let go, only its kinds are kept, and nothing is.
_FORGET_VALUES: Final = 6
_FORGET_SHAPE: Final = 12
_FORGET_ALL: Final = 24


def settle(
    known: MutableMapping[str, Type], keys: Sequence[str], assigned: Callable[[int], tuple[Type, set[str]]]
) -> None:
    """Raise the types in `known` until they hold whatever the assignments assign.

    `keys`: the key that each assignment sets. `assigned`: the type that assignment number n gives under `known`,
    and the keys that it read on the way. An assignment is looked at again when a key that it reads has changed;
    a key that keeps changing loses its details, so every key changes a bounded number of times.
    """
    readers: dict[str, set[int]] = {}
    changes: dict[str, int] = {}
    waiting = deque(range(len(keys)))
    queued = set(waiting)
    while waiting:
        number = waiting.popleft()
        queued.discard(number)
        key = keys[number]
        if known[key] is ANY:
            continue
        found, read = assigned(number)
        for name in read:
            readers.setdefault(name, set()).add(number)
        joined = join(known[key], limited(found))
        if joined == known[key]:
            continue
        changes[key] = changes.get(key, 0) + 1
        known[key] = _widened(joined, changes[key])
        again = sorted(readers.get(key, set()) - queued)
        waiting.extend(again)
        queued.update(again)


def _widened(found: Type, changes: int) -> Type:
    if changes >= _FORGET_ALL:
        return ANY
    if changes >= _FORGET_SHAPE:
        return Type(found.kinds)
    if changes >= _FORGET_VALUES:
        return limited(Type(found.kinds, found.items, found.fields, found.closed, found.rest), 1)
    return found
