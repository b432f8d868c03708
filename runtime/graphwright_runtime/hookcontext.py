"""The values that a hook can read (language.md §8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from graphwright_runtime.branch import Branch

ValueT = TypeVar("ValueT")


class EventContext(dict[str, Json]):
    """The values of an event by name, for the hook with the name `hook`."""

    def __init__(self, values: Mapping[str, Json], branch: Branch, hook: str) -> None:
        super().__init__(values)
        self._branch = branch
        self._hook = hook

    def note(self, written: str, value: ValueT) -> ValueT:
        """Return `value`; if it is null, log a warning (once per run, hook and expression).

        `written` is the expression in the template.
        """
        if value is None:
            from graphwright_runtime.nulls import warn_hook

            warn_hook(self._branch, self._hook, written, self)
        return value
