"""A process that checks and compiles graphs for a build: `crew` starts it and talks to it over its standard streams.

It reads a line of JSON with its settings, then a line for each graph; it answers each graph with a line. What it cannot
do, it answers with null, and the build does it again by itself, so that errors are reported in one way.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from graphwright.building.dependencies import accessed
from graphwright.checking import inspection
from graphwright.checking.cache import Cache, Digests
from graphwright.checking.levels import verify
from graphwright.checking.library import Library
from graphwright.checking.neighbours import Siblings
from graphwright.checking.reading import FileReader, ReadFile
from graphwright.checking.recall import Recall, dumps
from graphwright.collector import paused_collector
from graphwright.diagnostic import Json, Severity
from graphwright.emit.python import PYTHON
from graphwright.options import Options
from graphwright.project.discover import Found
from graphwright.project.projects import Projects, absolute


class _Worker:
    """Checks and compiles graphs with what is left of the ones before: what tools declare, graphs that others call."""

    def __init__(self, cache: Cache) -> None:
        digests, options = Digests(), Options()
        self._reading = FileReader(Projects(), {}, digests)
        self._recall = Recall(cache, digests, options)
        self._library = Library(options, {}, digests, cache, keep=False)

    def answer(self, file: str, shown: str, given: str, named: bool) -> Json:
        """The origin of the graph, what was found in it, and its module, if it has no error."""
        read = self._reading.read(Found(Path(file), shown, Path(given), named))
        if read is None or read.refusal is not None:
            return None
        project = read.source_file.project
        verify(project.config)
        with self._library.opened(read) as facts:
            inspected = inspection.inspect(facts)
            if isinstance(facts.project, Siblings):
                self._recall.remember(read, inspected, facts.project)
            found: dict[str, Json] = {"origin": read.origin, "inspected": dumps(inspected).decode()}
            if facts.graph is None or any(each.severity is Severity.ERROR for each in inspected.findings):
                return found
            templates = _templates(read)
            text = PYTHON.draft(facts, templates).finish()
            found["module"] = {
                "templates": None if templates is None else str(templates),
                "text": text,
                "accessed": [list(each) for each in accessed(facts, read.source_file)],
            }
            return found


def _templates(read: ReadFile) -> Path | None:
    project = read.source_file.project
    return None if project.config.templates is None else absolute(project.folder / project.config.templates)


def _answers() -> Iterator[str]:
    folder, compiler = json.loads(sys.stdin.readline())
    worker = _Worker(Cache(None if folder is None else Path(folder), compiler))
    for line in sys.stdin:
        try:
            with paused_collector():
                answer = worker.answer(*json.loads(line))
        except Exception:  # the build finds the same, and reports it
            answer = None
        yield json.dumps(answer)


def main() -> None:
    """Answer until there are no more graphs, or nobody reads the answers."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C also reaches the build, which says what there is to say
    try:
        for answer in _answers():
            sys.stdout.write(f"{answer}\n")
            sys.stdout.flush()
    except OSError:
        os._exit(1)


if __name__ == "__main__":
    main()
