"""Finds renamed nodes: those that do the same and have the same successors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from graphwright.compare.outline import NodeOutline

#: Replace the name of the node itself, and of nodes that exist only on one side; no node has such a name.
_SELF, _OTHER = "\0self", "\0other"


def renamed(old: Mapping[str, NodeOutline], new: Mapping[str, NodeOutline]) -> dict[str, str]:
    """The new names of the renamed nodes.

    Candidates are equal if all names that exist only on one side are considered equal. They are renamed if they are
    still equal after applying the new names.
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
    """Whether two nodes do the same; `names` maps old names of nodes to new ones."""
    if old.kind != new.kind:
        return False
    return old.text(_called(name, names)) == new.text(lambda target: _SELF if target == other else target)


def _called(name: str, names: Mapping[str, str]) -> Callable[[str], str]:
    return lambda target: _SELF if target == name else names.get(target, target)


def _masked(name: str, node: NodeOutline, others: Iterable[str]) -> tuple[str, ...]:
    """The lines of a node, with the same replacement for all nodes that the other side does not have."""
    hidden = set(others)

    def called(target: str) -> str:
        if target == name:
            return _SELF
        return _OTHER if target in hidden else target

    return (node.kind, *node.text(called))
