"""`--watch`: repeats a command whenever something changes that it depends on, until a signal ends it."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from graphwright.cli.command import UsageError
from graphwright.cli.console import Console, Recording
from graphwright.cli.failure import failure
from graphwright.deferred import ending_signals
from graphwright.project.projects import shown

if TYPE_CHECKING:
    from types import FrameType

    from graphwright.watch.scope import Scope

#: The formats that can be written again and again.
FORMATS: Final = ("text", "concise", "json")
#: What precedes the message of an error.
_NAME: Final = "graphwright: "
#: Changed files that are named.
_NAMED: Final = 3
#: Suffixes of files whose change is always answered, although the answer may be the same.
_ANSWERED: Final = (".yaml", ".yml", ".json", ".toml")


def refuse(form: str, options: Sequence[tuple[str, object]]) -> None:
    """Raise `UsageError` if one of the options, given with their values, or the format excludes `--watch`."""
    for name, value in options:
        if value:
            raise UsageError(f"`{name}` cannot be combined with `--watch`")
    if form not in FORMATS:
        raise UsageError(f"`--watch` has no form in `--format {form}`; choose {', '.join(FORMATS[:-1])} or json")


class Outcome(NamedTuple):
    """What a round found (anything that can be compared), and whether it wrote files."""

    found: object
    has_written: bool = False


def watch(
    look: Callable[[Console], Outcome],
    console: Console,
    *,
    scope: Callable[[], Scope],
    is_own: Callable[[str], bool] = lambda _: False,
    form: str,
) -> int:
    """Call `look` at once and after each change in the scope; the exit code for the signal that ended it.

    Changes that `is_own` recognizes are those of `look` itself. What `look` writes is shown after it has returned; an
    exception ends the round only. A round that wrote nothing and found the same as the one before is only shown if a
    graph, a manifest or a configuration has changed. While the working directory does not exist, which another branch
    may not have, the watch waits for it.
    """
    from graphwright.watch.changes import WatchError, changes
    from graphwright.watch.scope import scope_of

    here = Path.cwd()

    def scope_here() -> Scope:
        if _enter(here):
            with suppress(OSError):  # removed at this moment
                return scope()
            _enter(here)
        return scope_of([here])

    ending = _Ending()
    before: Outcome | None = None
    with ending.noticed():
        try:
            for changed in changes(scope_here, is_own=is_own, is_over=lambda: ending.number != 0 or console.is_closed):
                recording = Recording(console)
                try:
                    os.chdir(here)
                    outcome = look(recording)
                except Exception as error:
                    outcome = Outcome(_record(error, recording, form))
                _enter(here)
                is_news = before is None or outcome.found != before.found or outcome.has_written
                if is_news or any(path.endswith(_ANSWERED) for path in changed):
                    _show(recording, sorted(changed), console, is_first=before is None)
                before = outcome
        except WatchError as error:
            raise UsageError(str(error)) from error
        except KeyboardInterrupt:
            pass
    return 128 + ending.number if ending.number else 0


def _enter(folder: Path) -> bool:
    """Make a folder, or the nearest one above it that exists, the working directory; whether the folder exists."""
    for each in (folder, *folder.parents):
        with suppress(OSError):
            os.chdir(each)
            return each == folder
    return False


def _record(error: Exception, recording: Recording, form: str) -> str:
    """Write why a round could not be completed, and return it; programs get a document for each round."""
    text, _ = failure(error)
    recording.message(text)
    if form == "json":
        document = {"version": 1, "diagnostics": [], "error": text.removeprefix(_NAME).rstrip()}
        recording.result(json.dumps(document) + "\n")
    return text


def _show(recording: Recording, changed: Sequence[str], console: Console, *, is_first: bool) -> None:
    """Write a round: on a cleared terminal, or after a line that says what has changed."""
    console.clear()
    there = [path for path in changed if path.endswith(_ANSWERED) or Path(path).exists()]  # not the editor's own files
    if there:
        more = len(there) - _NAMED
        names = ", ".join(map(shown, there[:_NAMED])) + (f" and {more} more" if more > 0 else "")
        console.remark(f"{time.strftime('%H:%M:%S')} {names} changed\n")
    recording.replay(console)
    if is_first or sys.stderr.isatty():
        console.remark("watching for changes; press Ctrl-C to end\n")


class _Ending:
    """The signal that ends the watch: `number`, 0 while there is none."""

    def __init__(self) -> None:
        self.number = 0

    @contextmanager
    def noticed(self) -> Iterator[None]:
        """While the block lasts, `ending_signals` raise KeyboardInterrupt, and are noted in case that gets lost."""
        before = {number: signal.signal(number, self._note) for number in ending_signals()}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler or signal.SIG_DFL)

    def _note(self, number: int, _frame: FrameType | None) -> NoReturn:
        self.number = number
        raise KeyboardInterrupt
