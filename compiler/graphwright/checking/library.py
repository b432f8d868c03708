"""The facts of the files of one check: what is read of a graph for itself, and for the graphs that call it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.checking.cache import Digests, digest_of
from graphwright.checking.neighbours import Siblings
from graphwright.checking.reading import Read
from graphwright.options import Options
from graphwright.project.projects import Place, shown
from graphwright.record import replace

if TYPE_CHECKING:
    from graphwright.facts import Facts


class Library:
    """Facts by file. Those of a graph that others call are kept; with `keep`, all of them are.

    `texts` are contents that count in place of what is in a file.
    """

    def __init__(self, options: Options, texts: Mapping[Path, bytes], digests: Digests, *, keep: bool) -> None:
        self._options = options
        self._texts = texts
        self._digests = digests
        self._keep = keep
        self._known: dict[Path, Facts] = {}

    def facts(self, place: Place, name: str, data: bytes | None = None, digest: str | None = None) -> Facts:
        """The facts of a file, read (again) where neither they nor its `data`, of this digest, are at hand."""
        known = self._known.get(place.file)
        if known is not None and (data is None or known.source.digest == (digest or digest_of(data))):
            return known
        facts = self._facts(place, name, self._texts.get(place.file, data))
        if self._keep:
            self._known[place.file] = facts
        return facts

    @contextmanager
    def opened(self, read: Read) -> Iterator[Facts]:
        """The facts of a file that is being inspected: graphs that it calls, and it itself, may call it."""
        file = read.place.file
        kept = self._keep or file in self._known
        facts = self._known[file] = self.facts(read.place, read.shown, read.data, read.digest)
        try:
            yield facts
        finally:
            if not kept:
                del self._known[file]

    def _neighbour(self, place: Place) -> Facts:
        """The facts of a file that another one calls; kept, for others may call it too."""
        facts = self._known[place.file] = self.facts(place, shown(place.file))
        return facts

    def _facts(self, place: Place, name: str, data: bytes | None) -> Facts:
        from graphwright.facts import Facts
        from graphwright.source.reader import read_bytes, read_file

        config = place.project.config
        return Facts(
            read_file(place.file, name) if data is None else read_bytes(data, name),
            graph_id=place.graph_id,
            path=place.source,
            project=Siblings(place, self._neighbour, self._digests),
            options=replace(self._options, contracts=config.contracts, writable=config.writable, roots=config.roots),
        )
