"""Checks and compiles the graphs of a large build on all cores, in processes that run `worker`.

The processes are started as programs, not by `multiprocessing`: that would import the main module of whoever calls
`graphwright.build`. The build works along with them. What a worker does not answer, the build does later by itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from graphwright.checking.cache import Cache
from graphwright.checking.reading import ReadFile
from graphwright.checking.recall import Inspected, loads
from graphwright.checking.report import Checked
from graphwright.record import Record

#: Fewer graphs than this are done sooner than a worker is started.
_FEWEST: Final = 100
_MOST_WORKERS: Final = 7
_COMMAND: Final = ("-P", "-c", "from graphwright.building.worker import main; main()")


class Module(Record):
    """A module that a worker compiled: its text, the templates it was made with, and the files that were accessed."""

    origin: str
    templates: Path | None
    text: str
    accessed: tuple[tuple[str, str | None], ...]


class Crew:
    """The workers of one build, and what they compiled."""

    def __init__(self, cache: Cache, progress: Callable[[int, int], None]) -> None:
        self._cache = cache
        self._progress = progress
        self._modules: dict[Path, Module] = {}
        self._found: dict[Path, Inspected] = {}
        self._total = 0

    def module(self, checked: Checked) -> Module | None:
        """The module that a worker compiled from a graph; None if it has to be compiled."""
        made = self._modules.get(checked.source_file.file)
        return made if made is not None and made.origin == checked.origin else None

    def inspect(self, files: Sequence[ReadFile]) -> dict[Path, Inspected]:
        """What was found in these files, as far as workers could do it; nothing if there are few."""
        workers = min(_cores(), _MOST_WORKERS, len(files) * 2 // _FEWEST)
        if len(files) < _FEWEST or workers < 2:
            return {}
        self._total = len(files)
        waiting = deque(files)
        processes: list[subprocess.Popen[str]] = []
        threads: list[threading.Thread] = []
        try:
            for _ in range(workers):
                process = self._started()
                processes.append(process)
                threads.append(threading.Thread(target=self._feed, args=(process, waiting), daemon=True))
                threads[-1].start()
            for thread in threads:
                thread.join()
        finally:
            for process in processes:
                process.kill()
                process.wait()
        return self._found

    def _started(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *_COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            env={**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": os.pathsep.join(_path())},
        )

    def _feed(self, process: subprocess.Popen[str], waiting: deque[ReadFile]) -> None:
        """Have one worker do what is waiting, until it is done or the worker is gone."""
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError, ValueError, TypeError, LookupError):
            process.stdin.write(json.dumps(self._cache.settings) + "\n")
            while True:
                read = waiting.popleft()
                own = read.source_file
                process.stdin.write(json.dumps([str(own.file), read.shown, str(own.root), read.named]) + "\n")
                process.stdin.flush()
                self._note(read, json.loads(process.stdout.readline()))
                self._progress(len(self._found), self._total)

    def _note(self, read: ReadFile, answer: dict[str, object] | None) -> None:
        """Keep an answer, if it is about the file that was read."""
        if answer is None or answer["origin"] != read.origin:
            return
        file = read.source_file.file
        self._found[file] = loads(str(answer["inspected"]).encode())
        match answer:
            case {"module": {"templates": templates, "text": str(text), "accessed": list(accessed)}}:
                folder = None if templates is None else Path(str(templates))
                self._modules[file] = Module(read.origin, folder, text, tuple((path, sha) for path, sha in accessed))


def _path() -> list[str]:
    """Where a worker imports from: this very compiler and its runtime, wherever they were found."""
    specs = filter(None, map(find_spec, ("graphwright", "graphwright_runtime")))
    homes = [str(Path(spec.origin).parents[1]) for spec in specs if spec.origin is not None]
    return [*dict.fromkeys(homes), *filter(None, [os.environ.get("PYTHONPATH")])]


def _cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
