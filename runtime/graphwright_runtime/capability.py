"""Who may do what: the granted sets of a run (language.md §10).

Fail-closed: an action must be matched in every set, and a run to which nobody granted anything has one empty set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import Action

#: Tools with ids below this are the runtime's own and always allowed; another file or graph of such an id is not.
INTERNAL: Final = "rye/agent/threads/internal/"

#: Names the run that started this process; its signed context decides, nothing else.
PARENT_VARIABLE: Final = "RYE_PARENT_THREAD_ID"


class Grants:
    """The sets of patterns that all must match; `reason` says why they are empty where that is not plain."""

    __slots__ = ("_sets", "reason")

    def __init__(self, sets: Sequence[Sequence[str]], reason: str = "") -> None:
        self._sets = tuple(tuple(map(modern, patterns)) for patterns in sets)
        self.reason = reason

    def narrowed(self, permissions: Sequence[str] | None) -> Grants:
        """What a nested graph gets: all of this, and of that only what it declares itself."""
        return self if permissions is None else Grants((*self._sets, permissions), self.reason)

    def allow(self, action: Action, *, built_in: bool = True) -> bool:
        """Whether the action may be performed; not `built_in`: an internal id is like any other."""
        free = built_in and is_internal(action)
        return free or all(_matched(action.capability, patterns) for patterns in self._sets)

    def patterns(self) -> list[str]:
        """What holds in every set, as the one list that a child is told."""
        return sorted(
            {each for patterns in self._sets for each in patterns if all(_matched(each, other) for other in self._sets)}
        )

    def check(self, action: Action, *, built_in: bool = True) -> None:
        """Raise a NodeError of category `denied` where the action may not be performed; see `allow`."""
        if not self.allow(action, built_in=built_in):
            reason = f" ({self.reason})" if self.reason else ""
            raise NodeError(
                f"permission denied: `{action.capability}` is not among the capabilities{reason}", category="denied"
            )


def granted(permissions: Sequence[str] | None, capabilities: Sequence[str] | None, env: Mapping[str, str]) -> Grants:
    """The sets for a run: what the caller holds, narrowed by what the graph declares.

    `capabilities` None: the graph's own `permissions` decide. A process that a run started (RYE_PARENT_THREAD_ID) has
    what that run's signed context grants: nothing, as long as no such context can be verified.
    """
    if isinstance(capabilities, str):
        raise TypeError("capabilities must be a sequence of patterns, not a single string")
    parent = env.get(PARENT_VARIABLE)
    if parent is not None:
        return Grants([()], f"the context of the parent run `{parent}` cannot be verified")
    given = [each for each in (capabilities, permissions) if each is not None]
    return Grants(given or [()])


def modern(pattern: str) -> str:
    """A pattern with today's words for `ryeos.` and `fetch`."""
    if pattern.startswith("ryeos."):
        pattern = "rye." + pattern.removeprefix("ryeos.")
    if pattern.startswith("rye.fetch."):
        pattern = "rye.load." + pattern.removeprefix("rye.fetch.")
    return pattern


def _matched(capability: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(capability, each) for each in patterns)


def is_internal(action: Action) -> bool:
    """Whether an action calls a tool with an id of the runtime's own."""
    if action.primary != "execute" or action.kind != "tool" or action.item_id is None:
        return False
    return action.item_id.startswith(INTERNAL) and ".." not in action.item_id.split("/")
