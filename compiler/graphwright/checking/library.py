"""The facts of the files of one check, shared by graphs and their callers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.checking.cache import Cache, Digests, digest_of
from graphwright.checking.contracts import ToolFiles
from graphwright.checking.neighbours import Siblings
from graphwright.checking.reading import ReadFile
from graphwright.options import Options
from graphwright.project.projects import SourceFile, hooks_of, shown
from graphwright.record import replace

if TYPE_CHECKING:
    from graphwright.facts import Facts


class Library:
    """Facts by file. Those of called graphs are kept; with `keep`, all of them.

    `texts` are contents that replace those of files. `cache` contains the declarations of tools from earlier checks.
    """

    def __init__(
        self, options: Options, texts: Mapping[Path, bytes], digests: Digests, cache: Cache, *, keep: bool
    ) -> None:
        self._options = options
        self._texts = texts
        self._digests = digests
        self._tools = ToolFiles(cache, digests)
        self._keep = keep
        self._known: dict[Path, Facts] = {}

    def facts(self, source_file: SourceFile, name: str, data: bytes | None = None, digest: str | None = None) -> Facts:
        """The facts of a file, which is read unless they, or its `data` with this digest, are already known."""
        known = self._known.get(source_file.file)
        if known is not None and (data is None or known.source.digest == (digest or digest_of(data))):
            return known
        facts = self._facts(source_file, name, self._texts.get(source_file.file, data))
        if self._keep:
            self._known[source_file.file] = facts
        return facts

    @contextmanager
    def opened(self, read: ReadFile) -> Iterator[Facts]:
        """The facts of a file while it is inspected, so that it, and graphs that it calls, can call it."""
        file = read.source_file.file
        kept = self._keep or file in self._known
        facts = self._known[file] = self.facts(read.source_file, read.shown, read.data, read.digest)
        try:
            yield facts
        finally:
            if not kept:
                del self._known[file]

    def _neighbour(self, source_file: SourceFile) -> Facts:
        """The facts of a called graph, or of the project's hooks, kept because other graphs may use it, too."""
        facts = self._known[source_file.file] = self.facts(source_file, shown(source_file.file))
        return facts

    def _facts(self, source_file: SourceFile, name: str, data: bytes | None) -> Facts:
        from graphwright.facts import Facts
        from graphwright.source.reader import read_bytes, read_file

        project, config = source_file.project, source_file.project.config
        siblings = Siblings(source_file, self._neighbour, self._tools, self._digests)
        is_hooks = source_file.file == project.hooks
        hooks = None
        if project.hooks is not None and not is_hooks:
            siblings.look_at([project.hooks])
            if project.hooks in self._texts or self._digests[str(project.hooks)] is not None:
                hooks = self._neighbour(hooks_of(project, project.hooks))
        return Facts(
            read_file(source_file.file, name) if data is None else read_bytes(data, name),
            graph_id=source_file.graph_id,
            path=source_file.source,
            project=siblings,
            options=replace(self._options, contracts=config.contracts, writable=config.writable, roots=config.roots),
            hooks=hooks,
            is_hooks=is_hooks,
        )
