"""The result of a comparison: differences, and whether they affect callers or need a review."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from graphwright.ir import Json
from graphwright.record import Record


class Area(StrEnum):
    """The part of a graph that differs, in the order of a report."""

    PERMISSIONS = "permissions"
    TOOLS = "tools"
    ENVIRONMENT = "environment"
    INPUTS = "inputs"
    OUTPUT = "output"
    STATE = "state"
    SETTINGS = "settings"
    HOOKS = "hooks"
    NODES = "nodes"


class Kind(StrEnum):
    """The kind of a difference. Only permissions and types become broader, narrower or wider."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    CHANGED = "changed"
    BROADER = "broader"
    NARROWER = "narrower"


class Difference(Record):
    """One difference. `review`: it permits more. `breaking`: callers of the graph, readers of its result, or objects
    that implement its `Tools` may fail.

    `lines` are the changed lines inside, prefixed with `-` or `+`. `old` and `new` are the values, for programs.
    """

    area: Area
    name: str
    kind: Kind
    text: str
    breaking: bool = False
    review: bool = False
    lines: tuple[str, ...] = ()
    old: Json = None
    new: Json = None


class Comparison(Record):
    """All differences of two graphs, in order, and what could not be compared."""

    differences: tuple[Difference, ...]
    limits: tuple[str, ...] = ()

    @property
    def breaking(self) -> tuple[Difference, ...]:
        """The differences that may break callers."""
        return tuple(each for each in self.differences if each.breaking)


#: What cannot be compared for two modules.
OF_MODULES: Final = (
    "what nodes do is compared as Python code: `graphwright diff` of the YAML files shows params and conditions",
    "`max_concurrency` of the graph and constraints of inputs beyond their types are part of that code",
)
