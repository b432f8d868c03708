"""Finds the contracts of the items that a graph calls: those that the project declares, and built-in ones.

A tool of the project replaces a built-in one with the same id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from graphwright import ir
from graphwright.analysis.capability import Lookup, called_id
from graphwright.analysis.jsontype import Type
from graphwright.analysis.tools import Contract
from graphwright.contract.items import item_contract
from graphwright.neighbours import has_file, nothing
from graphwright.pattern import pattern

if TYPE_CHECKING:
    from graphwright.contract.manifest import Declaration
    from graphwright.neighbours import Neighbours


class ToolContracts:
    """The contracts of the tools that a graph calls.

    `nested` finds graphs by id. `runs` and `output` keep what runs of the called graphs and of the graph itself return
    (`contract.outputs`).
    """

    def __init__(self, project: Neighbours | None, nested: Lookup) -> None:
        self._project = project
        self._declare = nothing if project is None else project.declaration
        self._directive = nothing if project is None else project.directive
        self._nested = nested
        self._declared: dict[str, Contract | None] = {}
        self.runs: dict[str, Contract | None] = {}
        self.output: Type | None = None
        self._near: dict[str, str | None] = {}

    def contract(self, action: ir.Action) -> Contract | None:
        """The contract of what is called; None if unknown. Equal calls share one object."""
        item_id = called_id(action)
        if item_id is None:
            return item_contract(action)
        if self._nested(item_id) is not None:
            return None
        if item_id not in self._declared:
            declaration = self._declare(item_id)
            self._declared[item_id] = None if declaration is None else declaration.contract
        declared = self._declared[item_id]
        if (declared is not None or has_file(self._project, item_id)) and not self._runs_threads(item_id):
            return declared
        from graphwright.contract.builtin import builtin_contract

        return builtin_contract(item_id, action, self._directive)

    def _runs_threads(self, item_id: str) -> bool:
        """Whether a tool of the project only says which runner `thread_directive` has: it declares nothing itself."""
        if not item_id.startswith("rye/agent/threads/"):
            return False
        from graphwright.contract.threads import THREAD  # few graphs start threads

        declaration = self._declare(item_id) if item_id == THREAD else None
        return declaration is not None and declaration.calls_others and declaration.is_empty

    def declaration(self, item_id: str | None) -> Declaration | None:
        """The declaration of a tool of the project; None for a graph, and if it is unknown."""
        return None if item_id is None or self._nested(item_id) is not None else self._declare(item_id)

    def near(self, action: ir.Action) -> str | None:
        """The tool, built in or of the project, that an action means, if the one that it names does not exist."""
        item_id = called_id(action)
        if item_id is None:
            return None
        if item_id not in self._near:
            exists = (
                has_file(self._project, item_id)
                or self._nested(item_id) is not None
                or self._declare(item_id) is not None
            )
            self._near[item_id] = None if exists else near_builtin(item_id) or near_own(self._project, item_id)
        return self._near[item_id]

    def variables(self, item_id: str) -> tuple[str, ...]:
        """The environment variables that a tool of the project requires."""
        declaration = self.declaration(item_id)
        return () if declaration is None else declaration.env_requires

    def calls_others(self, item_id: str) -> bool:
        """Whether a tool of the project can call tools and graphs that the graph does not name."""
        declaration = self.declaration(item_id)
        return declaration is not None and declaration.calls_others


def near_builtin(item_id: str) -> str | None:
    """The built-in tool whose id differs from an unknown one in a character, or in two if it is long."""
    from graphwright.contract.builtin import BUILTIN
    from graphwright.contract.threads import THREAD
    from graphwright.language.words import ORCHESTRATOR
    from graphwright.suggest import nearest

    ids = (*BUILTIN, THREAD, ORCHESTRATOR)
    return None if item_id in ids else nearest(item_id, ids, 1 if len(item_id) < _LONG else 2)


#: From this length on, two characters may be wrong.
_LONG = 16


def near_tool(project: Neighbours, item_id: str) -> str | None:
    """The tool or graph with the most similar id to one that does not exist: in its folder, or built in."""
    from graphwright.contract.builtin import BUILTIN
    from graphwright.contract.threads import THREAD
    from graphwright.language.words import ORCHESTRATOR
    from graphwright.suggest import nearest

    near = _near_in_folder(project, item_id)
    return near or nearest(item_id, (*BUILTIN, THREAD, ORCHESTRATOR))


def near_own(project: Neighbours | None, item_id: str) -> str | None:
    """The tool or graph of the project that an id that does not exist surely means.

    Its id has slashes for dots; or it is in the same folder, and the names differ in separators or in one edit within a
    long word. Shorter words, plurals and inflections may tell two tools apart.
    """
    if project is None or item_id.startswith("rye/"):
        return None
    with_slashes = item_id.replace(".", "/")
    if with_slashes != item_id and _can_be_called(project, with_slashes):
        return with_slashes
    near = _near_in_folder(project, item_id)
    return near if near is not None and _is_typo(item_id.rpartition("/")[2], near.rpartition("/")[2]) else None


def _near_in_folder(project: Neighbours, item_id: str) -> str | None:
    from graphwright.contract.graphs import near_name

    folder, _, name = item_id.rpartition("/")
    near = near_name(name, tuple(sorted({*project.tool_names(folder), *project.graph_names(folder)})))
    near_id = f"{folder}/{near}" if near is not None and folder else near
    return near_id if near_id is not None and _can_be_called(project, near_id) else None


def _can_be_called(project: Neighbours, item_id: str) -> bool:
    """Whether an id is that of a graph or a tool, and not of a file with helpers or settings."""
    declaration = project.declaration(item_id)
    if declaration is None:
        return has_file(project, item_id) or project.graph(item_id) is not None
    return declaration.signature is None or declaration.signature.uncallable is None


def _is_typo(name: str, right: str) -> bool:
    from graphwright.suggest import edits

    words, right_words = ([word.casefold() for word in _SEPARATORS.split(each)] for each in (name, right))
    if "".join(words) == "".join(right_words):
        return len(name) >= _WORD
    if len(words) != len(right_words) or edits(name.casefold(), right.casefold(), 1) > 1:
        return False
    return all(_is_slip(*pair) for pair in zip(words, right_words, strict=True) if pair[0] != pair[1])


def _is_slip(word: str, right: str) -> bool:
    """Whether words that differ in one edit are the same, and not two words such as `created` and `creates`."""
    from rapidfuzz.distance import Prefix  # imported late, because it takes about ten milliseconds

    short, long = sorted((word, right), key=len)
    at = Prefix.similarity(short, long)
    if len(short) < _WORD or not (short + long).isalpha() or not 0 < at < len(short) or short[-1] != long[-1]:
        return False
    return len(short) == len(long) or long[at] != "s" or short[at - 1] == "s"  # not `filesread` for `fileread`


_SEPARATORS: Final = pattern(r"[-_.]|(?<=[a-z])(?=[A-Z])")
#: The length of words in which one edit is a typo.
_WORD: Final = 6
