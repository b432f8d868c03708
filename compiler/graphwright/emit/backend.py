"""The interface between builds and the form that graphs are compiled to.

A build finds graphs, decides what is out of date, signs, and writes files. The paths, contents and checks of the files
are the job of a `Backend`; `emit.python` creates the typed modules that projects use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from graphwright.facts import Facts


class Header(NamedTuple):
    """The information in the header of a generated file: graphwright's version, the source, the digest of its text, and
    that of the hooks of its project.

    The digests are empty if the header does not contain them.
    """

    version: str
    source: str
    digest: str
    hooks: str = ""


class Complaint(NamedTuple):
    """A problem that a gate found in a file."""

    path: PurePosixPath
    text: str


class Draft(Protocol):
    """The result of compiling one graph, before its layout."""

    @property
    def path(self) -> PurePosixPath:
        """The path of the file."""

    def finish(self) -> str:
        """The final text, which is written as UTF-8.

        Raises `GateError` if it is invalid, `TemplateError` if the project's templates are the cause.
        """


class Backend(Protocol):
    """A form that graphs are compiled to. Paths are relative to the output folder.

    Attributes:
        name: the name of the backend.
        suffix: the suffix of the files of graphs, which are signed and listed in the manifest.
        signed: the prefix of a signature line, which covers everything after that line.
        ignored: names of folders that other programs create among the files.
    """

    name: str
    suffix: str
    signed: bytes
    ignored: Collection[str]

    # --- paths

    def paths(self, graph_ids: Iterable[str], others: Iterable[PurePosixPath] = ()) -> Mapping[str, PurePosixPath]:
        """The path of each graph in a folder that also contains the `others` (files of graphs)."""

    def alternatives(self, path: PurePosixPath) -> Collection[PurePosixPath]:
        """All paths that the graph at `path` can have, depending on other files."""

    def displaced(
        self, paths: Iterable[PurePosixPath], others: Iterable[PurePosixPath]
    ) -> Mapping[PurePosixPath, PurePosixPath]:
        """The files among the `others` that cannot stay next to files with these paths, with their new paths."""

    def folder_fault(self, output: Path) -> str | None:
        """Why the name of an output folder is not valid; None if it is."""

    def companions(self, paths: Iterable[PurePosixPath]) -> Mapping[PurePosixPath, bytes]:
        """The files that must accompany those of the graphs, with their contents."""

    def is_companion(self, path: PurePosixPath, data: bytes) -> bool:
        """Whether the file at the path of a companion is one, possibly damaged, so that a build may replace it."""

    # --- text

    def draft(self, facts: Facts, templates: Path | None = None, path: PurePosixPath | None = None) -> Draft:
        """Compile a graph without errors.

        `templates` is the folder of the project's templates; `path` is the path of the file, if known.
        """

    def gates(
        self,
        texts: Mapping[PurePosixPath, str],
        *,
        facts: Callable[[PurePosixPath], Facts],
        templates: Path | None,
        package: str,
        cache: Path | None,
    ) -> list[Complaint]:
        """Find problems in texts that must be checked together. `cache` is a folder that makes later runs faster.

        Raises `TemplateError` if the project's templates are the cause.
        """

    # --- drift

    def header(self, head: bytes) -> Header | None:
        """The header at the beginning of a file without its signature; None if graphwright did not generate it."""

    def is_reformatted(self, text: bytes, present: bytes) -> bool:
        """Whether `present` is equivalent to `text`, so that only formatting or comments were changed.

        Both are without signature. False if this cannot be proved.
        """
