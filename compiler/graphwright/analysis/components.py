"""Strongly connected components: Tarjan's algorithm without recursion."""

from __future__ import annotations

from collections.abc import Sequence


def strong_components(after: Sequence[Sequence[int]]) -> list[list[int]]:
    """The strongly connected components of a graph given as successor lists, successors before predecessors. Linear."""
    count = len(after)
    found = [0] * count  # when a node was first visited, from 1
    low = [0] * count  # the earliest node on the stack that is reachable from it
    on_stack = [False] * count
    stack: list[int] = []
    components: list[list[int]] = []
    clock = 0
    for root in range(count):
        if found[root]:
            continue
        work = [(root, 0)]
        while work:
            node, position = work.pop()
            if position == 0:
                clock += 1
                found[node] = low[node] = clock
                stack.append(node)
                on_stack[node] = True
            for index in range(position, len(after[node])):
                target = after[node][index]
                if not found[target]:
                    work += ((node, index + 1), (target, 0))
                    break
                if on_stack[target]:
                    low[node] = min(low[node], found[target])
            else:
                if low[node] == found[node]:
                    components.append(_pop_through(stack, node))
                    for member in components[-1]:
                        on_stack[member] = False
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
    return components


def _pop_through(stack: list[int], node: int) -> list[int]:
    """Pop `node` and everything above it off the stack."""
    members = [stack.pop()]
    while members[-1] != node:
        members.append(stack.pop())
    return members
