"""What a build needs to know of the form that graphs are compiled to: `building` talks to a `Backend`.

A build finds graphs, decides what is out of date, signs, and puts files in place. Where the file of a graph goes, what
is in it and whether that is sound is the backend's: `emit.python` makes the typed modules that projects use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from graphwright.facts import Facts


class Header(NamedTuple):
    """What a generated file says of itself: the version of graphwright, its source, the digest of the source's text.

    `digest` is empty where it says none.
    """

    version: str
    source: str
    digest: str


class Complaint(NamedTuple):
    """What a gate has against a file."""

    path: PurePosixPath
    text: str


class Draft(Protocol):
    """What became of one graph, before its layout."""

    @property
    def path(self) -> PurePosixPath:
        """Where the file goes."""

    def finish(self) -> str:
        """The final text, in UTF-8 the bytes that are written.

        Raises `GateError` where it is not sound, `TemplateError` where that is the fault of the project's templates.
        """


class Backend(Protocol):
    """One form that graphs are compiled to. Paths are below the output folder.

    Attributes:
        name: tells what one backend made from what another did.
        suffix: how the files of graphs end. Such files are signed and listed in the manifest.
        signed: how a line begins that holds a signature: everything behind that line is what was signed.
        ignored: names of folders that other programs put among the files.
    """

    name: str
    suffix: str
    signed: bytes
    ignored: Collection[str]

    # --- paths

    def paths(self, graph_ids: Iterable[str], others: Iterable[PurePosixPath] = ()) -> Mapping[str, PurePosixPath]:
        """Where each graph goes, where these graphs and the `others` (files of graphs) lie together."""

    def alternatives(self, path: PurePosixPath) -> Collection[PurePosixPath]:
        """Every place that the graph which goes to `path` can have, depending on what lies around it."""

    def displaced(
        self, paths: Iterable[PurePosixPath], others: Iterable[PurePosixPath]
    ) -> Mapping[PurePosixPath, PurePosixPath]:
        """Which of the `others` cannot stay next to files in these paths, and where they would have to go."""

    def folder_fault(self, output: Path) -> str | None:
        """Why an output folder cannot have its name; None where it can."""

    def companions(self, paths: Iterable[PurePosixPath]) -> Mapping[PurePosixPath, bytes]:
        """The files that have to lie next to those of the graphs, with what is in them."""

    def is_companion(self, path: PurePosixPath, data: bytes) -> bool:
        """Whether what lies in the place of a companion is one, damaged or not, so that a build may replace it."""

    # --- text

    def draft(self, facts: Facts, templates: Path | None = None, path: PurePosixPath | None = None) -> Draft:
        """What becomes of a graph in which no error was found.

        `templates`: the folder of the project's own; `path`: where the file goes, if that is known.
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
        """What is wrong with texts that can only be judged together. `cache`: a folder that makes later runs quicker.

        Raises `TemplateError` where the project's templates are at fault.
        """

    # --- drift

    def header(self, head: bytes) -> Header | None:
        """What the beginning of a file without its signature says of itself; None where graphwright did not make it."""

    def is_reformatted(self, text: bytes, present: bytes) -> bool:
        """Whether `present` means exactly what `text` does, so that only its formatting or comments were changed.

        Neither has a signature. False where that cannot be proved.
        """
