"""GW2xx, GW3xx, GW402, GW404, GW501, GW605, GW608: unknown, reserved or conflicting names."""

from __future__ import annotations

from graphwright.diagnostic import Span
from graphwright.fault import Fault, OwnedFault


class UnknownNode(OwnedFault):
    """A `target` that is not a node; `others` are the other targets with the same name.

    `odd`: nothing leads to the suggested node, so its name may be the misspelled one.
    """

    target: str
    suggestion: str | None
    others: tuple[Span, ...] = ()
    odd: bool = False


class UnknownStart(UnknownNode):
    """`start`; `forgotten` is the node to begin with, if it is the only one that no edge leads to."""

    code = "GW201"
    forgotten: str | None = None


class UnknownTarget(UnknownNode):
    """`next` or `to`."""

    code = "GW202"


class UnknownErrorTarget(UnknownNode):
    """`on_error`."""

    code = "GW203"


class EdgeAfterDefault(OwnedFault):
    """An edge, and `rest` edges from it on, after the `default` edge; `bare`: it has no condition either.

    `conditional`: the default edge has a condition, which is always true by its form.
    """

    code = "GW205"
    target: str
    default_target: str
    rest: int
    bare: bool
    default: Span
    conditional: bool = False


class LoopVariable(OwnedFault):
    """The `variable` of a foreach that is used outside, or hides another name."""

    code = "GW305"
    variable: str


class OutsideLoop(LoopVariable):
    """A `path` in a `place` outside of the `loops` with its variable.

    `suggestion` is the list that they collect; `instead` the path with the variable that exists `here`.
    """

    path: str
    place: str
    loops: tuple[str, ...]
    suggestion: str | None
    here: str | None
    instead: str | None


class HidesNamespace(LoopVariable):
    """A variable named like a namespace."""


class HidesKey(LoopVariable):
    """A variable named like a key of the state, which is assigned `first`."""

    first: Span


class ReservedKey(OwnedFault):
    """A key that belongs to the runtime."""

    code = "GW306"
    key: str


class ParallelAssign(OwnedFault):
    """`assign` in a parallel foreach."""

    code = "GW310"


class UnknownName(OwnedFault):
    """A `path` whose `name` is none of the `namespaces` here.

    `shell`: the variable of a shell that it may mean, `environment`: that of the environment, outside of commands;
    `in_action`: whether a tool could read it. `returned_by`: the node whose result it may be.
    """

    code = "GW402"
    name: str
    path: str
    suggestion: str | None
    shell: str | None
    environment: str | None
    in_action: bool
    returned_by: str | None
    namespaces: tuple[str, ...]


class NoResult(OwnedFault):
    """A `path` to a result, in a `place` without one; `collect` is the key that the node's loop collects into."""

    code = "GW404"
    path: str
    place: str
    field: str | None
    collect: str | None
    suggestion: str | None


class InvalidVariable(OwnedFault):
    """An invalid `name` of an environment variable; `several` names that it seems to contain."""

    code = "GW501"
    name: str
    suggestion: str | None
    several: tuple[str, ...] = ()


class InvalidPattern(Fault):
    """An invalid capability `pattern`, and the `reason`; `legal` are the valid words for one of its parts."""

    code = "GW605"
    pattern: str
    reason: str
    suggestion: str | None
    legal: tuple[str, ...] = ()


class RuntimeParam(OwnedFault):
    """A param that only the runtime sets."""

    code = "GW608"
    key: str
