"""A `--watch` in a process of its own, and the documents that it writes."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

#: Seconds that a round may take on a busy machine, and in which one that must not come would have come.
PATIENCE_S = 60
SILENCE_S = 1.5


class Watcher:
    """`graphwright COMMAND --watch --format json …` in the current folder, as a context; ends with SIGTERM."""

    def __init__(self, command: str, *arguments: str) -> None:
        self._errors = Path(os.environ["GRAPHWRIGHT_CACHE_DIR"]).with_name("stderr")
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "graphwright", command, "--watch", "--format", "json", *arguments],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self._documents: queue.Queue[dict[str, Any]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.end(signal.SIGTERM) == 143 or kind is not None, self.stderr

    @property
    def stderr(self) -> str:
        """What was written to standard error."""
        return self._errors.read_text("utf-8")

    def round(self) -> dict[str, Any]:
        """The document of the next round."""
        try:
            return self._documents.get(timeout=PATIENCE_S)
        except queue.Empty:
            raise AssertionError(f"no round came: {self.stderr}") from None

    def until(self, codes: list[str]) -> dict[str, Any]:
        """The document of the first round that reports these codes, and no error: a burst may need several rounds."""
        return self.when(
            lambda found: "error" not in found and [each["code"] for each in found["diagnostics"]] == codes
        )

    def when(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first document for which something holds."""
        while not holds(found := self.round()):
            pass
        return found

    def is_silent(self) -> bool:
        """Whether no further round comes."""
        try:
            self._documents.get(timeout=SILENCE_S)
        except queue.Empty:
            return True
        return False

    def end(self, number: signal.Signals) -> int:
        """Send a signal; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._documents.put(json.loads(line))


def _codes(document: dict[str, Any]) -> list[str]:
    return [each["code"] for each in document["diagnostics"]]
