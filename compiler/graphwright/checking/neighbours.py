"""What a graph may look at beyond its own file: other graphs of its project, and the files of tools.

Every look is recorded, found or not: a cached answer counts only while all that was looked at is unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.checking.cache import digest_of_file
from graphwright.presence import is_file
from graphwright.project.projects import SUFFIXES, Place, candidates, source_of, user_tools

if TYPE_CHECKING:
    from graphwright.facts import Facts


class Siblings:
    """The neighbours of one file (`facts.Neighbours`). `load` gives the facts of a place, None where it is no graph."""

    def __init__(self, place: Place, load: Callable[[Place], Facts | None]) -> None:
        self._place = place
        self._load = load
        self._looked: set[Path] = set()
        self._graphs: list[Facts] = []

    @property
    def roots(self) -> tuple[Path, ...]:
        """Where ids are looked for: the file's own root, the project's, then the user's."""
        own = (self._place.root, *self._place.project.roots, *user_tools())
        return tuple(dict.fromkeys(own))

    def graph(self, graph_id: str) -> Facts | None:
        """The facts of the graph that `graph_id` means; None where it is no graph."""
        found = self._find(graph_id)
        if found is None or found.file.suffix not in SUFFIXES:
            return None
        facts = self._load(found)
        if facts is not None:
            self._graphs.append(facts)
        return facts

    def graph_ids(self) -> tuple[str, ...]:
        """What could be ids of graphs below the roots, sorted."""
        found = set()
        for root in self.roots:
            for suffix in SUFFIXES:
                found |= {file.relative_to(root).with_suffix("").as_posix() for file in root.glob(f"**/*{suffix}")}
        return tuple(sorted(found))

    def tool_file(self, item_id: str) -> Path | None:
        """The Python file that implements a tool."""
        found = self._find(item_id)
        return found.file if found is not None and found.file.suffix == ".py" else None

    def look_at(self, files: Iterable[Path]) -> None:
        """Let an answer count only while these files are unchanged, too."""
        self._looked.update(files)

    def depends(self) -> Iterator[tuple[Path, str | None]]:
        """Every file that was looked at, here or on behalf of a neighbour, with its digest (None: no such file)."""
        looked: set[Path] = set()
        seen: list[Siblings] = [self]
        for siblings in seen:
            looked |= siblings._looked
            others = (facts.project for facts in siblings._graphs)
            seen += [other for other in others if isinstance(other, Siblings) and other not in seen]
        for file in sorted(looked):
            yield file, digest_of_file(file)

    def _find(self, item_id: str) -> Place | None:
        for root in self.roots:
            for file in candidates(item_id, root):
                self._looked.add(file)
                if is_file(file):
                    return Place(file, root, item_id, source_of(file, self._place.project), self._place.project)
        return None
