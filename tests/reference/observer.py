"""Looking on while the reference walks a graph: every hook says nothing here; a test overrides what it wants to see."""

from __future__ import annotations

from collections.abc import Mapping

Place = tuple[str, int, int]
"""A stretch of a text: the whole text, and where the stretch begins and ends."""

Path = tuple[str, tuple[str | int, ...]]
"""The name that a path begins with, and its steps."""


class Observer:
    """What can be seen of a run; values must not be changed."""

    def enters(self, node: str, state: Mapping[str, object]) -> None:
        """A node begins, with this state."""

    def resolving(self, what: str) -> None:
        """A value is worked out: `over`, `item_id`, `params`, `output` or `assign KEY`."""

    def resolves(self, what: str, value: object) -> None:
        """A value came out; that of `params` still has its nulls."""

    def routes(self, *, failed: bool) -> None:
        """The edges of the node are looked at, after its failure too."""

    def reads(self, path: Path, value: object, scope: Watched) -> None:
        """A path was read, in this scope."""

    def operates(self, sign: str, left: object, right: object, place: Place) -> None:
        """An operation of arithmetic is about to be done."""

    def compares(self, condition: Mapping[str, object], left: object, right: object) -> None:
        """A comparison is about to be decided."""

    def held(self, condition: Mapping[str, object], outcome: bool) -> None:
        """A condition, or a part of one, came out."""

    def shows(self, text: str, start: int, value: object) -> None:
        """What the expression at `start` of a text came to becomes a part of that text."""

    def tries(self) -> None:
        """A node, or an item of a loop, is tried, not for the first time maybe."""

    def commits(self, key: str, *, collected: bool) -> None:
        """What was last worked out for a key, or collected, is now in the state."""

    def decides(self, edge: int, outcome: bool | None) -> None:
        """The condition of an edge came out, None when it failed."""

    def calls(self, item_id: str, item: object, result: object) -> None:
        """A tool has answered, with `result` as the node sees it; `item` is the foreach variable's value."""

    def needs(self, capability: str) -> None:
        """An action is about to be done that has to be permitted."""

    def hook(self, number: int | None) -> None:
        """What follows is done by a hook, by its number in the file from 0; None: by the node again."""

    def fails(self, node: str, target: str | None) -> None:
        """A node failed; `target` is where its error edge leads."""

    def leaves(self, node: str, target: str | None, *, failed: bool) -> None:
        """The edges of a node led to `target`, None when no edge matched."""

    def ends(self, state: Mapping[str, object]) -> None:
        """The run is completed."""


class Watched(dict[str, object]):
    """A scope that tells an observer what is read of it.

    `provided`: null is expected where a path is read; `instead`: the paths before it in a `||` chain, all null.
    """

    def __init__(
        self,
        content: Mapping[str, object],
        observer: Observer,
        *,
        provided: bool = False,
        instead: tuple[Path, ...] = (),
    ) -> None:
        super().__init__(content)
        self.observer = observer
        self.provided = provided
        self.instead = instead


def under(scope: Mapping[str, object], *, provided: bool, instead: tuple[Path, ...] = ()) -> Mapping[str, object]:
    """The same scope, where null is provided for, or is not, by what stands around a path."""
    if not isinstance(scope, Watched):
        return scope
    return Watched(scope, scope.observer, provided=provided, instead=instead)


def is_provided(scope: Mapping[str, object]) -> bool:
    """Whether null is provided for."""
    return isinstance(scope, Watched) and scope.provided
