"""Looks up other files for a graph: other graphs of its project, and files of tools.

Every lookup is recorded with the digest of the file, or that it does not exist: a cached result is only valid while all
of these are unchanged. A file that changes during the check is therefore checked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.checking.cache import (
    Digests,
    digest_of,
    digest_of_names,
    is_listing,
    markdown_files,
    programs,
    python_files,
    subfolders,
)
from graphwright.content import content_of
from graphwright.presence import is_file
from graphwright.project.projects import (
    PYTHON,
    SUFFIXES,
    SourceFile,
    candidates,
    is_id,
    is_tool_folder,
    source_of,
    user_tools,
)

if TYPE_CHECKING:
    from graphwright.checking.contracts import ToolFiles
    from graphwright.contract.directives import Directive
    from graphwright.contract.manifest import Declaration
    from graphwright.facts import Facts


class Siblings:
    """The neighbours of one file (`facts.Neighbours`).

    `load` returns the facts of a file, `tools` the declarations of tools, `digests` contains known digests of files.
    """

    def __init__(
        self, source_file: SourceFile, load: Callable[[SourceFile], Facts], tools: ToolFiles, digests: Digests
    ) -> None:
        self._source_file = source_file
        self._load = load
        self._tools = tools
        self._digests = digests
        self._looked: set[tuple[str, str | None]] = set()
        self._listed: set[tuple[str, str | None]] = set()
        self._graphs: dict[str, Facts | None] = {}
        self._files: dict[str, SourceFile | None] = {}
        self._programs: dict[str, Path | None] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._tool_names: dict[str, tuple[str, ...]] = {}
        self._declarations: dict[str, Declaration | None] = {}
        self._directives: dict[str, Directive | None] = {}

    @cached_property
    def roots(self) -> tuple[Path, ...]:
        """The roots where graphs are searched for: that of the file, those of the project, then those of the user."""
        return tuple(dict.fromkeys((*self._own_roots, *user_tools())))

    @cached_property
    def _own_roots(self) -> tuple[Path, ...]:
        return (self._source_file.root, *self._source_file.project.roots)

    @cached_property
    def _own_tools(self) -> tuple[Path, ...]:
        """The folders where a run searches for tools of the project: all roots that are tool folders, and its own."""
        folders = (*filter(is_tool_folder, self._own_roots), self._source_file.project.folder / ".ai" / "tools")
        return tuple(dict.fromkeys(folders))

    def graph(self, graph_id: str) -> Facts | None:
        """The facts of the graph with this id; None if it is not a graph."""
        if graph_id in self._graphs:
            return self._graphs[graph_id]
        facts = self._graph(graph_id)
        if facts is None or facts.project is not self:  # no reference cycle, so that they can be freed
            self._graphs[graph_id] = facts
        return facts

    def _graph(self, graph_id: str) -> Facts | None:
        found = self._find(graph_id)
        if found is None or found.file.suffix not in SUFFIXES:
            return None
        from graphwright.dialects.detect import is_graph

        facts = self._load(found)
        self._looked.add((str(found.file), facts.source.digest))
        return facts if is_graph(facts.source) else None

    def graph_names(self, folder: str) -> tuple[str, ...]:
        """The last parts of possible graph ids that begin with `folder/` (empty: those without a folder), sorted."""
        if folder not in self._names:
            self._names[folder] = self._listed_names(folder)
        return self._names[folder]

    def _listed_names(self, folder: str) -> tuple[str, ...]:
        found: list[tuple[str, ...]] = []
        parts = folder.split("/") if folder else []
        for root in self.roots if is_id(parts) else ():
            source_file = f"{root.joinpath(*parts)}/"
            names = self._digests.graphs(source_file)
            self._listed.add((source_file, self._digests[source_file]))
            found += [names] if names else []
        return found[0] if len(found) == 1 else tuple(sorted(set().union(*found)))

    def tool_file(self, item_id: str) -> Path | None:
        """The Python or executable file that implements a tool. A graph takes precedence over the latter."""
        found = self._find(item_id)
        if found is not None:
            return found.file if found.file.suffix == ".py" else None
        if item_id not in self._programs:
            self._programs[item_id] = self._program(item_id, (*self._own_tools, *user_tools()))
        return self._programs[item_id]

    def folders(self, folder: str) -> tuple[str, ...]:
        """The last parts of the folders below a folder of ids (empty: at the top), sorted."""
        parts = folder.split("/") if folder else []
        if not is_id(parts):
            return ()
        found = (subfolders(root.joinpath(*parts)) for root in (*self.roots, *self._own_tools, self._contracts))
        return tuple(sorted(set().union(*found)))

    def tool_names(self, folder: str) -> tuple[str, ...]:
        """The last parts of the ids of tools that begin with `folder/` (empty: of those without), sorted."""
        if folder not in self._tool_names:
            self._tool_names[folder] = self._listed_tools(folder)
        return self._tool_names[folder]

    def _listed_tools(self, folder: str) -> tuple[str, ...]:
        parts = folder.split("/") if folder else []
        if not is_id(parts):
            return ()
        tools = (*self._own_tools, *user_tools())
        found = set(self._tools.manifest_ids(parts, tools, self._contracts, self._look_for_names))
        found.update(self._tools.names_elsewhere(parts, self._source_file.project.folder, self._look_for_names))
        for root in tools:
            listing = f"{root.joinpath(*parts)}/*.py"
            self._look_for_names(listing)
            found.update(python_files(listing.removesuffix("/*.py")))
        return tuple(sorted(found - {"__init__"}))

    @cached_property
    def _contracts(self) -> Path:
        """The folder for manifests only."""
        return self._source_file.project.folder / "contracts"

    def declaration(self, item_id: str) -> Declaration | None:
        """The declaration of a tool: in a manifest, its Python file, or a definition of the dialect; otherwise None."""
        if item_id not in self._declarations:
            self._declarations[item_id] = self._declared(item_id)
        return self._declarations[item_id]

    def _declared(self, item_id: str) -> Declaration | None:
        tools = (*self._own_tools, *user_tools())
        manifest = self._tools.manifest(item_id, tools, self._contracts, self._look)
        found = self._find(item_id)
        if found is not None and found.file.suffix == ".py":
            return self._tools.python(found.file, self._import_folders(found), self._look).with_manifest(manifest)
        if found is not None and manifest is None:
            manifest = self._tools.file(found.file, is_own=False)
        if manifest is None and found is None and self.tool_file(item_id) is None:
            from graphwright.contract.builtin import is_built_in

            if not is_built_in(item_id):
                return self._tools.elsewhere(item_id, self._source_file.project.folder, self._look)
        return None if manifest is None else self._tools.alone(manifest)

    def _import_folders(self, found: SourceFile) -> tuple[Path, ...]:
        """The folders from which a tool's file imports, as in a run."""
        own = (found.file.parent, found.root)
        project = self._source_file.project.folder
        return tuple(dict.fromkeys(own if found.root in user_tools() else (*own, project / "src", project)))

    def _look(self, path: str) -> None:
        self._looked.add((path, self._digests[path]))

    def _look_for_names(self, path: str) -> None:
        (self._listed if is_listing(path) else self._looked).add((path, self._digests[path]))

    @cached_property
    def _directive_folders(self) -> tuple[Path, ...]:
        """The folders in which directives are searched for: that of the project, then that of the user."""
        own = self._source_file.project.folder / ".ai" / "directives"
        return (own, *(tools.with_name("directives") for tools in user_tools()))

    def directive(self, item_id: str) -> Directive | None:
        """The declaration of a directive; None if no file has that id."""
        if item_id not in self._directives:
            self._directives[item_id] = self._directive(item_id)
        return self._directives[item_id]

    def _directive(self, item_id: str) -> Directive | None:
        from graphwright.contract.directives import Directive, read_directive

        for folder in self._directive_folders:
            for file in candidates(item_id, folder, (".md",)):
                if not is_file(file):
                    self._looked.add((str(file), None))
                    continue
                try:
                    data = content_of(file)
                except (OSError, ValueError):
                    self._looked.add((str(file), None))
                    return Directive()
                self._looked.add((str(file), digest_of(data)))
                is_inside = file.resolve().is_relative_to(folder.resolve())  # a run does not read other files
                return read_directive(data) if is_inside else Directive()
        return None

    def directive_names(self, folder: str) -> tuple[str, ...]:
        """The last parts of the ids of directives that begin with `folder/` (empty: those without a folder), sorted."""
        found: set[str] = set()
        parts = folder.split("/") if folder else []
        for base in self._directive_folders if is_id(parts) else ():
            place = str(base.joinpath(*parts))
            names = markdown_files(place)
            self._listed.add((f"{place}/*.md", digest_of_names(names)))
            found.update(names)
        return tuple(sorted(found))

    def look_at(self, files: Iterable[Path]) -> None:
        """Make the result also depend on these files."""
        self._looked.update((str(file), self._digests[str(file)]) for file in files)

    def depends(self) -> list[tuple[str, str | None]]:
        """Every file that was read, here or for a neighbour, with its digest (None: it does not exist).

        Includes the lists of names in which files were searched for: a file that is added to them may be read next. A
        file that was changed in the meantime is listed with both digests, so that the result is never valid.
        """
        looked = set().union(*(each._looked for each in self._all()))
        return sorted(looked, key=lambda each: (each[0], each[1] or ""))

    def listings(self) -> list[tuple[str, str | None]]:
        """Every list of names that was only used for suggestions, likewise; for the form of its path, see `Digests`."""
        return sorted(set().union(*(each._listed for each in self._all())))

    def _all(self) -> list[Siblings]:
        """This object, and those of the graphs that were looked up."""
        seen: list[Siblings] = [self]
        for siblings in seen:
            others = (facts.project for facts in siblings._graphs.values() if facts is not None)
            seen += [other for other in others if isinstance(other, Siblings) and other not in seen]
        return seen

    def _find(self, item_id: str) -> SourceFile | None:
        """The Python file or graph with an id; each id is searched for once."""
        if item_id not in self._files:
            self._files[item_id] = self._search(item_id)
        return self._files[item_id]

    def _search(self, item_id: str) -> SourceFile | None:
        """Search in the same order as a run (runtime.md §2)."""
        own = self._first(item_id, PYTHON, self._own_tools) or self._first(item_id, SUFFIXES, self._own_roots)
        if own is not None:
            return own
        users = user_tools()
        found = self._first(item_id, (*PYTHON, *SUFFIXES), users)
        return None if found is not None and self._program(item_id, self._own_tools) is not None else found

    def _first(self, item_id: str, suffixes: Iterable[str], roots: Iterable[Path]) -> SourceFile | None:
        """The first file with an id and one of these suffixes."""
        for root in dict.fromkeys(roots):
            for file in candidates(item_id, root, suffixes):
                if is_file(file):
                    self._looked.add((str(file), self._digests[str(file)]))
                    return SourceFile(
                        file, root, item_id, source_of(file, self._source_file.project), self._source_file.project
                    )
                self._looked.add((str(file), None))
        return None

    def _program(self, item_id: str, folders: Iterable[Path]) -> Path | None:
        """An executable file with an id, with any suffix or none."""
        for folder in folders if is_id(item_id.split("/")) else ():
            base = str(folder.joinpath(*item_id.split("/")))
            names = programs(base)
            self._looked.add((f"{base}.*", digest_of_names(names)))
            if names:
                return Path(base).with_name(names[0])
        return None
