"""The capabilities of a run (language.md §10).

An action must be matched in every set of patterns. A run without any grants has one empty set, so it may do nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import Action

#: The prefix of internal tools of the runtime, which are always allowed. Files and graphs with such ids are not.
INTERNAL: Final = "rye/agent/threads/internal/"

#: The environment variable with the run that started this process; only its signed context grants capabilities.
PARENT_VARIABLE: Final = "RYE_PARENT_THREAD_ID"


class Grants:
    """The sets of patterns that must all match. `reason` explains for messages why nothing is granted."""

    __slots__ = ("_sets", "reason")

    def __init__(self, sets: Sequence[Sequence[str]], reason: str = "") -> None:
        self._sets = tuple(tuple(map(modern, patterns)) for patterns in sets)
        self.reason = reason

    def narrowed(self, permissions: Sequence[str] | None) -> Grants:
        """The grants of a nested graph: these, restricted to its own `permissions` if it declares any."""
        return self if permissions is None else Grants((*self._sets, permissions), self.reason)

    def allow(self, action: Action, *, built_in: bool = True) -> bool:
        """Whether the action may be performed. Without `built_in`, internal ids are not exempt."""
        free = built_in and is_internal(action)
        return free or all(_matched(action.capability, patterns) for patterns in self._sets)

    def patterns(self) -> list[str]:
        """The patterns that every set matches, as a single sorted list for child threads."""
        return sorted(
            {each for patterns in self._sets for each in patterns if all(_matched(each, other) for other in self._sets)}
        )

    def check(self, action: Action, *, built_in: bool = True) -> None:
        """Raise a NodeError of category `denied` unless the action may be performed; see `allow`."""
        if not self.allow(action, built_in=built_in):
            reason = f" ({self.reason})" if self.reason else ""
            raise NodeError(
                f"permission denied: `{action.capability}` is not among the capabilities{reason}", category="denied"
            )


def granted(
    permissions: Sequence[str] | None,
    capabilities: Sequence[str] | None,
    env: Mapping[str, str],
    inherited: Sequence[str] | None = None,
    reason: str = "",
) -> Grants:
    """The grants of a run: the caller's `capabilities`, restricted by the graph's `permissions`.

    If `capabilities` is None, only the `permissions` of the graph apply. In a process that was started by a run
    (RYE_PARENT_THREAD_ID), both restrict the `inherited` capabilities, those in the verified context of that run; if
    they are None, for this `reason`, nothing is granted.
    """
    if isinstance(capabilities, str):
        raise TypeError("capabilities must be a sequence of patterns, not a single string")
    parent = env.get(PARENT_VARIABLE)
    if parent is not None and inherited is None:
        return Grants([()], f"the context of the parent run `{parent}` cannot be verified{reason and ': '}{reason}")
    given = [each for each in (inherited, capabilities, permissions) if each is not None]
    return Grants(given or [()])


def modern(pattern: str) -> str:
    """A pattern in its modern spelling, without `ryeos.` and `fetch`."""
    if pattern.startswith("ryeos."):
        pattern = "rye." + pattern.removeprefix("ryeos.")
    if pattern.startswith("rye.fetch."):
        pattern = "rye.load." + pattern.removeprefix("rye.fetch.")
    return pattern


def _matched(capability: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(capability, each) for each in patterns)


def is_internal(action: Action) -> bool:
    """Whether an action calls a tool with an internal id."""
    if action.primary != "execute" or action.kind != "tool" or action.item_id is None:
        return False
    return action.item_id.startswith(INTERNAL) and ".." not in action.item_id.split("/")
