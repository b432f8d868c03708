"""Checks the files at a list of paths.

find → read → recall or inspect → apply policy → report: each stage is a module of this package that takes the result of
the previous one (finding is `project.discover`). A file with a cached result does not import the front end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from graphwright.checking.cache import Cache, Digests
from graphwright.checking.library import Library
from graphwright.checking.policy import ProjectPolicy, Reported
from graphwright.checking.reading import FileReader, ReadFile
from graphwright.checking.recall import Inspected, Recall
from graphwright.checking.report import Report
from graphwright.collector import paused_collector
from graphwright.options import Options
from graphwright.presence import is_there
from graphwright.project.config import ConfigError
from graphwright.project.discover import Found, find_files
from graphwright.project.projects import Projects, shown


def check(
    paths: Iterable[str | Path],
    *,
    options: Options | None = None,
    cache: Cache | None = None,
    texts: Mapping[Path, bytes] | None = None,
    keep: bool = False,
    graphs_only: bool = False,
    included: Callable[[Path], bool] = lambda _: True,
    progress: Callable[[int, int], None] = lambda *_: None,
    assistant: Callable[[Sequence[ReadFile]], Mapping[Path, Inspected]] | None = None,
) -> Report:
    """Check files and folders.

    `texts` are contents that replace those of files (absolute paths), which need not exist. With `keep`, each graph
    stays in memory, so that later requests for facts get those of the checked version. With `graphs_only`, named files
    that are not graphs are skipped, as in folders. Files that `included` rejects are treated as missing. `progress` is
    called with the number of files that were checked, and of all. The `assistant` is given the files that are not in
    the cache, and returns the findings for some of them. Raises `ConfigError` if a configuration is invalid; everything
    else is reported as a diagnostic.
    """
    projects, digests, options = Projects(), Digests(), options or Options()
    reading = FileReader(projects, texts or {}, digests)
    cache = cache or Cache(None, "")
    recall = Recall(cache, digests, options)
    library = Library(options, texts or {}, digests, cache, keep=keep)
    policy = ProjectPolicy(library, keep=keep, graphs_only=graphs_only)

    def way(found: Found) -> Reported:
        read, inspected = known[found.file] if found.file in known else look(found)
        if read is None:
            return Reported(())
        if read.refusal is not None:
            return policy.refuse(read, read.refusal)
        return policy.apply(read, inspected or helped.get(found.file) or _inspect(read, library, recall))

    def look(found: Found) -> tuple[ReadFile | None, Inspected | None]:
        read = reading.read(found)
        return read, None if read is None or read.refusal is not None else recall.recall(read)

    files = find_files([str(path) for path in paths], projects, texts or {})
    files = [found for found in files if included(found.file)]
    known: dict[Path, tuple[ReadFile | None, Inspected | None]] = {}
    helped: Mapping[Path, Inspected] = {}
    if assistant is not None:
        known = {found.file: look(found) for found in files}
        new = [read for read, entry in known.values() if entry is None and read is not None and read.refusal is None]
        helped = assistant(new)
    weighed = []
    for number, found in enumerate(files):
        progress(number, len(files))
        with paused_collector():
            weighed.append(_guarded(way, found))
    hooks = sorted(reading.hooks.difference(found.file for found in files))
    shared = [Found(file, shown(file), file.parent, False) for file in hooks if is_there(file) and included(file)]
    weighed += [_guarded(way, found) for found in shared]
    graphs = tuple(each.graph for each in weighed if each.graph is not None)
    diagnostics = [one for each in weighed for one in each.diagnostics]
    if len(graphs) > 1:
        diagnostics += policy.collisions(graphs)
    return Report(tuple(sorted(diagnostics, key=lambda each: each.sort_key)), graphs, reading.text)


def _inspect(read: ReadFile, library: Library, recall: Recall) -> Inspected:
    """Inspect a file and store the result."""
    from graphwright.checking import inspection
    from graphwright.checking.levels import verify
    from graphwright.checking.neighbours import Siblings

    verify(read.source_file.project.config)
    with library.opened(read) as facts:
        inspected = inspection.inspect(facts)
    if isinstance(facts.project, Siblings):
        recall.remember(read, inspected, facts.project)
    return inspected


def _guarded(way: Callable[[Found], Reported], found: Found) -> Reported:
    """The report of one file; an internal error in it must not prevent reports of the others."""
    try:
        return way(found)
    except (ConfigError, OSError):
        raise
    except Exception as error:
        from graphwright.internal import internal_error

        return Reported((internal_error(error, found.shown),))
