"""Which capabilities a graph's actions need, including those of its nested graphs, and which patterns cover them.

There are three kinds of needs: an exact capability; one that is partly known, because the item's id is a template; and
*open* ones, of a thread, a directive or a tool that may do whatever the graph itself may do.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import product, takewhile
from math import prod
from typing import Final

from graphwright import ir
from graphwright.analysis.globs import GAP, Known, can_match, proves
from graphwright.ir.visit import Caller, callers, calling_nodes
from graphwright.language.words import KINDS, PRIMARIES
from graphwright.pattern import pattern
from graphwright.record import Record
from graphwright.suggest import nearest

#: Granted to every graph.
_FREE: Final = pattern(r"rye\.execute\.tool\.rye\.agent\.threads\.internal\.")

#: Words in patterns that do not identify an item.
_GENERAL: Final = frozenset({"rye", "ryeos", "fetch", *PRIMARIES, *KINDS})

#: Characters that make a pattern match more than one capability.
_WILD: Final = frozenset("*?[")

#: The most pairs of a pattern and a need that are compared to find what misspelled patterns mean.
_MAX_COMPARED: Final = 100_000

#: The most ids that a template is expanded to.
_MAX_CHOICES: Final = 64

Lookup = Callable[[str], "ir.Graph | None"]
Is = Callable[[str], bool]
Texts = Callable[["ir.Value", "ir.Node | None"], "tuple[str, ...] | None"]


class RequiredCapability(Record):
    """A capability that an action needs. `via`: the nested graphs that need it, outermost first."""

    capability: str
    caller: Caller
    via: tuple[str, ...] = ()


class NearMiss(Record):
    """An unused pattern, and what it was probably meant to be."""

    pattern: str
    meant: str


class Capability:
    """The needs and the permissions of one graph.

    `own` are its actions. `lookup` finds nested graphs by id; a tool may have a file, and may call others. `texts`
    returns the strings that a value at a caller can have; None if they are not a known, finite set.
    """

    def __init__(
        self, graph: ir.Graph, own: Sequence[Caller], lookup: Lookup, texts: Texts, has_file: Is, calls_others: Is
    ) -> None:
        self.graph = graph
        self._callers = own
        self._lookup = lookup
        self._texts = texts
        self._has_file = has_file
        self._calls_others = calls_others
        self._nested_needs: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {}

    @cached_property
    def patterns(self) -> tuple[str, ...]:
        """The declared patterns, each once."""
        return tuple(dict.fromkeys(permission.pattern for permission in self.graph.permissions or ()))

    @cached_property
    def needs(self) -> tuple[RequiredCapability, ...]:
        """Every exact need: of each action, and, at each call of a nested graph, of all graphs below it."""
        return tuple(self._all_needs())

    @cached_property
    def partly_known(self) -> tuple[tuple[tuple[Known, ...], Caller], ...]:
        """Each action of this graph with a template as its id, with the known parts of the capabilities it can need."""
        return tuple(
            (known_parts(caller, self._texts), caller)
            for caller in self._callers
            if caller.action.capability is None and not isinstance(caller.action.item_id, ir.Const)
        )

    @cached_property
    def uncovered(self) -> frozenset[str]:
        """The needed capabilities that no pattern covers."""
        return frozenset(
            capability
            for capability in {need.capability for need in self.needs}
            if not (is_free(capability) and capability not in self._taken) and not self._covered(capability)
        )

    @cached_property
    def _taken(self) -> frozenset[str]:
        """The capabilities of internal tools that an item of the project replaces."""
        return frozenset(
            caller.action.capability
            for caller in self._everything
            if caller.action.capability is not None and is_free(caller.action.capability)
            if (item_id := called_id(caller.action)) is not None
            if self._lookup(item_id) is not None or self._has_file(item_id)
        )

    def _covered(self, capability: str) -> bool:
        return capability in self._plain or any(fnmatchcase(capability, pattern) for pattern in self._globs)

    @cached_property
    def _globs(self) -> tuple[str, ...]:
        """The patterns that match more than one capability."""
        return tuple(pattern for pattern in self.patterns if not _WILD.isdisjoint(pattern))

    @cached_property
    def _plain(self) -> frozenset[str]:
        return frozenset(self.patterns) - frozenset(self._globs)

    @cached_property
    def used(self) -> Mapping[str, tuple[str, ...]]:
        """For each pattern, the needed capabilities that it covers, sorted."""
        needed = {need.capability for need in self.needs}
        capabilities = sorted(needed)
        plain = {pattern: (pattern,) if pattern in needed else () for pattern in self.patterns}
        return plain | {
            pattern: tuple(capability for capability in capabilities if fnmatchcase(capability, pattern))
            for pattern in self._globs
        }

    @cached_property
    def near_misses(self) -> Mapping[str, NearMiss]:
        """For each uncovered need, the unused pattern with a similar spelling: both are one mistake."""
        idle = [pattern for pattern, needed in self.used.items() if not needed]
        if len(idle) * len(self.uncovered) > _MAX_COMPARED:
            return {}
        found = {need: next(filter(None, (_near_miss(each, need) for each in idle)), None) for need in self.uncovered}
        return {need: near for need, near in found.items() if near is not None}

    def like(self, capability: str) -> str | None:
        """A permitted and used capability without wildcards whose spelling is similar to a needed one."""
        return next((each for each in self.patterns if each in self._plain and _near_miss(each, capability)), None)

    def may_use(self, pattern: str) -> bool:
        """Whether something that is only known at run time may use a pattern."""
        if self._is_open or self._unclear or self.graph.doubt.lacks_node:
            return True
        return any(can_match(pattern, known) for known in self._all_partly_known)

    def may_be_permitted(self, capability: str) -> bool:
        """Whether a pattern that was left out may permit a capability: one in a part of the file that could not be
        read, or an invalid one of `permissions` that contains a part of the capability.
        """
        if any(fnmatchcase(capability, word) for word in self.graph.doubt.words if word.startswith("rye")):
            return True
        parts = capability.split(".")[3:]
        patterns = (frozenset(re.findall(r"\w+", pattern)) - _GENERAL for pattern in self.graph.doubt.unreadable)
        return any(not words or not words.isdisjoint(parts) for words in patterns)

    def covers(self, known: Known) -> bool:
        """Whether a partly known capability is covered, whatever it turns out to be."""
        begins = "".join(letter for letter in takewhile(bool, known) if letter is not None)
        return is_free(begins) or any(proves(pattern, known) for pattern in self.patterns)

    # --- through nested graphs -------------------------------------------------------------------------------

    def _all_needs(self) -> Iterator[RequiredCapability]:
        for caller in self._callers:
            if caller.action.capability is not None:
                yield RequiredCapability(caller.action.capability, caller)
            nested = self._nested(caller.action)
            if nested is not None:
                yield from (RequiredCapability(capability, caller, via) for capability, via in self._below(nested))

    def _below(self, graph: ir.Graph) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What a nested graph and those below it need, with the graphs that lead there; each graph once."""
        known = self._nested_needs.get(graph.graph_id)
        if known is None:
            needs = {
                caller.action.capability: via
                for nested, via in reversed(tuple(self._descend(graph)))
                for caller in callers(nested)
                if caller.action.capability is not None
            }
            known = self._nested_needs[graph.graph_id] = tuple(sorted(needs.items()))
        return known

    def _descend(self, graph: ir.Graph) -> Iterator[tuple[ir.Graph, tuple[str, ...]]]:
        """A graph and all graphs that it calls, directly or not, each with the ids that lead to it."""
        waiting: deque[tuple[ir.Graph, tuple[str, ...]]] = deque([(graph, (graph.graph_id,))])
        seen = {graph.graph_id}
        while waiting:
            current, via = waiting.popleft()
            yield current, via
            for caller in callers(current):
                nested = self._nested(caller.action)
                if nested is not None and nested.graph_id not in seen:
                    seen.add(nested.graph_id)
                    waiting.append((nested, (*via, nested.graph_id)))

    def _nested(self, action: ir.Action) -> ir.Graph | None:
        item_id = called_id(action)
        return self._lookup(item_id) if item_id is not None else None

    @cached_property
    def _everything(self) -> tuple[Caller, ...]:
        """The actions of this graph and of all graphs that it calls."""
        return tuple(caller for graph, _ in self._descend(self.graph) for caller in callers(graph))

    @cached_property
    def _all_partly_known(self) -> tuple[Known, ...]:
        own = tuple(known for parts, _ in self.partly_known for known in parts)
        below = self._everything[len(self._callers) :]
        return own + tuple(
            known_parts(caller, lambda _value, _node: None)[0]
            for caller in below
            if caller.action.capability is None and not isinstance(caller.action.item_id, ir.Const)
        )

    @cached_property
    def _unclear(self) -> bool:
        """Whether an action is missing, or so faulty that it could mean anything."""
        return any(node.action is None for node in calling_nodes(self.graph)) or any(
            caller.action.capability is None and isinstance(caller.action.item_id, ir.Const) for caller in self._callers
        )

    @cached_property
    def _is_open(self) -> bool:
        actions = [caller.action for caller in self._everything]
        called = {item_id for item_id in map(called_id, actions) if item_id is not None}
        return any(map(_spawns, actions)) or any(map(self._calls_others, called))


def called_id(action: ir.Action) -> str | None:
    """The id of the tool or nested graph that an action executes, if it is a literal."""
    if action.primary != "execute" or action.kind != "tool" or not isinstance(action.item_id, ir.Const):
        return None
    return action.item_id.value if isinstance(action.item_id.value, str) else None


def is_free(capability: str) -> bool:
    """Whether a capability is granted to every graph, like ids below `rye/agent/threads/internal/`."""
    return _FREE.match(capability) is not None


def _near_miss(pattern: str, capability: str) -> NearMiss | None:
    """The correction with which a pattern would cover a capability: one part respelled, or a `*` at its end."""
    parts, needed = pattern.split("."), capability.split(".")
    if needed[: len(parts)] == parts and len(parts) < len(needed):
        return NearMiss(pattern, f"{pattern}.*")
    wild = parts[-1] == "*"
    if wild:
        parts, needed = parts[:-1], needed[: len(parts) - 1]
    different = [(left, right) for left, right in zip(parts, needed, strict=False) if left != right]
    if len(parts) != len(needed) or len(different) != 1 or nearest(different[0][0], different[0][1:]) is None:
        return None
    return NearMiss(pattern, ".".join([*needed, "*"] if wild else needed))


def _spawns(action: ir.Action) -> bool:
    """Whether an action starts a thread or directive, which then acts with this graph's permissions."""
    capability = action.capability or ""
    below = capability.startswith("rye.execute.tool.rye.agent.threads.") and not is_free(capability)
    return action.primary == "execute" and (action.kind == "directive" or below)


def known_parts(caller: Caller, texts: Texts) -> tuple[Known, ...]:
    """The known parts of the capability of an action whose id is a template: one entry for each possible string."""
    action = caller.action
    value = action.item_id.value if isinstance(action.item_id, ir.Template) else action.item_id
    parts = value.parts if isinstance(value, ir.Text) else (value,)
    choices: list[tuple[str, ...] | None] = [
        (part,) if isinstance(part, str) else texts(part, caller.node) for part in parts
    ]
    if prod(len(choice) for choice in choices if choice is not None) > _MAX_CHOICES:
        choices = [choice if isinstance(part, str) else None for choice, part in zip(choices, parts, strict=True)]
    found = product(*((None,) if choice is None else choice for choice in choices))
    return tuple(_capability_of(action, chosen) for chosen in found)


def _capability_of(action: ir.Action, parts: Sequence[str | None]) -> Known:
    kind = action.kind
    if kind is None and parts[0] is not None:  # the string may include the kind of item
        prefix, colon, rest = parts[0].partition(":")
        kind, parts = (prefix, (rest, *parts[1:])) if colon else ("tool", parts)
    known: list[str | None] = [*f"rye.{action.primary}."]
    known += [*f"{kind}."] if kind is not None else [GAP]
    for part in parts:
        known += [GAP] if part is None else part.replace("/", ".")
    return known
