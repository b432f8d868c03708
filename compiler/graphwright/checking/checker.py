"""The check of a list of paths: find the files, ask every rule about each, let the configuration have its say.

What was found in an unchanged file comes from the cache; nothing of the front end is imported for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.checking.cache import Cache, Digests, digest_of
from graphwright.checking.collisions import collisions
from graphwright.checking.levels import Levels, verify
from graphwright.checking.memory import FOREIGN, GRAPH, OTHER, Memory, dumps, loads
from graphwright.checking.neighbours import Siblings
from graphwright.checking.report import Checked, Report
from graphwright.collector import paused_collector
from graphwright.content import content_of
from graphwright.diagnostic import Diagnostic, Span
from graphwright.options import Options
from graphwright.project.config import ConfigError
from graphwright.project.discover import Found, Problem, find_files, near_path, problem_of
from graphwright.project.projects import Place, Projects, shown
from graphwright.record import replace

if TYPE_CHECKING:
    from graphwright.facts import Facts
    from graphwright.trust.sources import SourceTrust

#: Files beyond this many bytes are no graphs (`source.MAX_BYTES`, which a warm check does not import).
_MAX_BYTES = 32 * 1024 * 1024


def check(
    paths: Iterable[str | Path],
    *,
    options: Options | None = None,
    cache: Cache | None = None,
    texts: Mapping[Path, bytes] | None = None,
    keep: bool = False,
    graphs_only: bool = False,
    counts: Callable[[Path], bool] = lambda _: True,
) -> Report:
    """Check files and folders.

    `texts` are contents that count in place of what is in a file (absolute paths). With `keep` each graph stays in
    memory, so that the facts which are asked for later are those of what was checked. With `graphs_only` named files
    that are no graphs are passed over like those in folders. Files that do not count (`counts`) are not there. Raises
    `ConfigError` where a configuration cannot be used; everything else that can be wrong is a diagnostic.
    """
    run = _Check(options or Options(), cache or Cache(None, ""), texts or {}, keep=keep, graphs_only=graphs_only)
    return run.report([str(path) for path in paths], counts)


class _Check:
    """One run over a list of paths."""

    def __init__(
        self, options: Options, cache: Cache, texts: Mapping[Path, bytes], *, keep: bool, graphs_only: bool
    ) -> None:
        self._options = options
        self._cache = cache
        self._texts = texts
        self._keep = keep
        self._graphs_only = graphs_only
        self._projects = Projects()
        self._levels: dict[Path | None, Levels] = {}
        self._known: dict[Path, Facts] = {}
        self._files: dict[str, Path] = {}
        self._graphs: list[Checked] = []
        self._digests = Digests()
        asked = options.environment
        self._asked = "" if asked is None else repr((options.environment_name, sorted(asked.items())))
        self._signatures: SourceTrust | None = None

    def report(self, paths: list[str], counts: Callable[[Path], bool]) -> Report:
        """The report on everything that `paths` lead to."""
        found: list[Diagnostic] = []
        for each in find_files(paths, self._projects):
            if not counts(each.file):
                continue
            self._files[each.shown] = each.file
            with paused_collector():
                found += self._guarded(each)
        for graph, other, module in collisions(self._graphs):
            facts = {"other": other.shown, "module": module, "paths": (other.shown, graph.shown)}
            found += self._adjusted(_phrased("GW007", graph.shown, facts), graph.place)
        return Report(tuple(sorted(found, key=lambda each: each.place)), tuple(self._graphs), self._text)

    def _guarded(self, each: Found) -> list[Diagnostic]:
        """The diagnostics of one file: a fault of our own in it must not hide what is found in the others."""
        try:
            return list(self._file(each))
        except (ConfigError, OSError):
            raise
        except Exception as error:
            from graphwright.internal import internal_error

            return [internal_error(error, each.shown)]

    def _file(self, each: Found) -> Iterator[Diagnostic]:
        """The diagnostics of one file; a graph is added to the graphs."""
        place = self._projects.place(each.file, each.given)
        data = each.problem or self._read(each.file)
        if isinstance(data, Problem):
            near = near_path(each.shown) if data.reason == "missing" else None
            facts = {"reason": data.reason, "path": each.shown, "detail": data.detail, "suggestion": near}
            yield from self._adjusted(_phrased("GW008", each.shown, facts), place)
            return
        if len(data) > _MAX_BYTES:
            size = {"limit": "size", "maximum": _MAX_BYTES, "size": max(len(data), _size(each.file))}
            yield from self._adjusted(_phrased("GW005", each.shown, size) if each.named else (), place)
            return
        digest = self._digests[str(each.file)] = digest_of(data)
        origin = "\0".join((digest, place.graph_id, place.source, self._levels_of(place).fingerprint))
        memory = self._memory(each, place, data, origin)
        if memory.kind == GRAPH:
            held = data if self._keep or place.project.config.trust.sources != "off" else None
            ask = partial(self._facts, place, each.shown, held, digest)
            self._graphs.append(Checked(place, each.shown, digest, origin, memory.nodes, ask))
            yield from self._adjusted(self._untrusted(each.shown, place, data), place)
        asked = each.named and not self._graphs_only
        if memory.kind == OTHER and asked:
            from graphwright.parse.dialects import why_no_graph

            why = why_no_graph(self._facts(place, each.shown, data).source)
            yield from self._adjusted(_phrased("GW006", each.shown, why), place)
        elif memory.kind in (GRAPH, FOREIGN) or asked:
            yield from self._adjusted(memory.findings, place)

    def _untrusted(self, shown: str, place: Place, data: bytes) -> Iterator[Diagnostic]:
        """GW801: neither a comment in the file nor the cache has a say in it."""
        if place.project.config.trust.sources != "off":
            from graphwright.checking.inspection import phrase
            from graphwright.trust.sources import SourceTrust

            self._signatures = self._signatures or SourceTrust()
            fault = self._signatures.fault(data, shown, place)
            if fault is not None:
                yield from phrase(fault)

    def _memory(self, each: Found, place: Place, data: bytes, origin: str) -> Memory:
        """What there is to say of a file, remembered or worked out."""
        # Each way to call a file has an entry of its own: they are called from several folders, and in batches.
        subject = f"{each.file}\0{each.shown}\0{place.graph_id}"
        key = f"{origin}\0{self._asked}"
        with suppress(ValueError):  # a damaged entry is as good as none
            if remembered := self._cache.load(subject, key, self._digests):
                return loads(remembered)
        from graphwright.checking.inspection import catalogue, inspect

        verify(place.project.config, catalogue().values())
        kept = self._keep or place.file in self._known
        facts = self._known[place.file] = self._facts(place, each.shown, data)  # it may call itself
        memory = inspect(facts)
        if not kept:
            del self._known[place.file]
        if isinstance(facts.project, Siblings):
            self._cache.store(subject, key, dumps(memory), [*facts.project.depends(), *facts.project.listings()])
        return memory

    # --- reading -------------------------------------------------------------------------------------------

    def _facts(self, place: Place, name: str, data: bytes | None = None, digest: str | None = None) -> Facts:
        """The facts of a file, read (again) where neither they nor its `data`, of this digest, are at hand."""
        from graphwright.facts import Facts
        from graphwright.source.reader import read_bytes, read_file

        known = self._known.get(place.file)
        if known is not None and (data is None or known.source.digest == (digest or digest_of(data))):
            return known
        data = self._texts.get(place.file, data)
        source = read_file(place.file, name) if data is None else read_bytes(data, name)
        facts = Facts(
            source,
            graph_id=place.graph_id,
            path=place.source,
            project=Siblings(place, self._neighbour, self._digests),
            options=replace(
                self._options,
                contracts=place.project.config.contracts,
                writable=place.project.config.writable,
                roots=place.project.config.roots,
            ),
        )
        if self._keep:
            self._known[place.file] = facts
        return facts

    def _neighbour(self, place: Place) -> Facts:
        """The facts of a file that another one calls; kept, for others may call it too."""
        facts = self._known[place.file] = self._facts(place, shown(place.file))
        return facts

    def _read(self, file: Path) -> bytes | Problem:
        if file in self._texts:
            return self._texts[file]
        try:
            return content_of(file, _MAX_BYTES)
        except OSError as error:
            return problem_of(error)

    def _text(self, path: str) -> str:
        """The text of a file, for showing it; empty where there is none."""
        data = self._read(self._files.get(path, Path(path)))
        return "" if isinstance(data, Problem) else data.decode("utf-8-sig", "replace")

    # --- configuration -------------------------------------------------------------------------------------

    def _adjusted(self, found: Iterable[Diagnostic], place: Place) -> Iterator[Diagnostic]:
        """The diagnostics as the configuration of their project wants them."""
        levels = self._levels_of(place)
        for each in found:
            adjusted = levels.adjust(each, place.file)
            if adjusted is not None:
                yield adjusted

    def _levels_of(self, place: Place) -> Levels:
        config = place.project.config
        if config.file not in self._levels:
            self._levels[config.file] = Levels(config)
        return self._levels[config.file]


def _size(file: Path) -> int:
    """How many bytes a file has; 0 of one that is gone."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _phrased(code: str, path: str, facts: Mapping[str, object]) -> Iterator[Diagnostic]:
    """The diagnostic for a fault of a whole file."""
    from graphwright.checking.inspection import phrase
    from graphwright.fault import Fault

    return phrase(Fault(code, Span(path, 1, 1, 1, 1), facts))
