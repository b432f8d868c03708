"""Which nodes only got another name: those that do the same and lead to the same nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from graphwright.compare.outline import NodeOutline

#: Stands for a node itself, and for any node that the other side does not have; no node has such a name.
_SELF, _OTHER = "\0self", "\0other"


def renamed(old: Mapping[str, NodeOutline], new: Mapping[str, NodeOutline]) -> dict[str, str]:
    """The new name of each node that only got another one.

    Candidates are alike if all names that the other side lacks count as equal. They are renamed if they are still the
    same once the new names are known; the others are not.
    """
    gone = {name: node for name, node in old.items() if name not in new}
    come = {name: node for name, node in new.items() if name not in old}
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, node in come.items():
        alike.setdefault(_masked(name, node, come), []).append(name)
    found: dict[str, str] = {}
    for name, node in gone.items():
        candidates = alike.get(_masked(name, node, gone), [])
        if candidates:
            found[name] = candidates.pop(0)
    while wrong := [name for name, other in found.items() if not same(old[name], name, new[other], other, found)]:
        for name in wrong:
            del found[name]
    return found


def same(old: NodeOutline, name: str, new: NodeOutline, other: str, names: Mapping[str, str]) -> bool:
    """Whether two nodes do the same, with `names` saying what nodes are called on the new side."""
    if old.kind != new.kind:
        return False
    return old.text(_called(name, names)) == new.text(lambda target: _SELF if target == other else target)


def _called(name: str, names: Mapping[str, str]) -> Callable[[str], str]:
    return lambda target: _SELF if target == name else names.get(target, target)


def _masked(name: str, node: NodeOutline, others: Iterable[str]) -> tuple[str, ...]:
    """What a node does, with one name for all nodes that the other side does not have."""
    hidden = set(others)

    def called(target: str) -> str:
        if target == name:
            return _SELF
        return _OTHER if target in hidden else target

    return (node.kind, *node.text(called))
