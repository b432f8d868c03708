"""Waits for changes in a scope. Nothing that changes while a consumer looks at files is missed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from graphwright.watch.scope import Scope

if TYPE_CHECKING:
    from watchfiles.main import FileChange

#: Milliseconds without a change that end a burst, such as a checkout of another branch, and the longest burst.
_CALM_MS: Final = 50
_BURST_MS: Final = 1_600
#: Milliseconds between two looks at whether to stop.
_POLL_MS: Final = 100


class WatchError(Exception):
    """Folders cannot be watched. `str()` is one line for the user."""


def changes(
    scope: Callable[[], Scope], *, is_own: Callable[[str], bool], is_over: Callable[[], bool]
) -> Iterator[frozenset[str]]:
    """The paths that have changed, in bursts; at first, none.

    Paths that `is_own` recognizes are ignored. Ends once `is_over`. Raises `WatchError`.

    `scope` is asked again after each change, because that may have been one of a folder or a configuration. If the
    folders have changed, the new ones are watched before the old ones are given up. If folders have come that are not
    its own, the consumer gets an empty set: files in them may have changed before they were watched.
    """
    watch: _Watch | None = None
    found: set[FileChange] = set()
    is_stale = True
    try:
        while not is_over():
            has_come = False
            if is_stale:
                here = scope()
                moved = set() if watch is None else _moved(found, watch.scope)
                found = set()
                if watch is None or moved or here != watch.scope:
                    successor = _Watch.begin(here)
                    if successor is None:
                        continue
                    has_come = watch is None or not all(map(is_own, moved | (here.folders - watch.scope.folders)))
                    found = set() if watch is None else watch.end()
                    watch = successor
            assert watch is not None
            found |= watch.next()
            others = frozenset(path for _, path in found if watch.scope.matters(path) and not is_own(path))
            if others or has_come:
                yield others
            is_stale = bool(found) or has_come
    finally:
        if watch is not None:
            watch.close()


def _moved(found: set[FileChange], scope: Scope) -> set[str]:
    """The watched folders that were created or removed: the system does not watch a new one in the place of an old."""
    from watchfiles import Change

    return {path for change, path in found if change is not Change.modified and path in scope.folders}


class _Watch:
    """What the system reports about one scope. Folders are watched from `begin` until `end` or `close`."""

    def __init__(self, scope: Scope) -> None:
        from watchfiles import DefaultFilter, watch

        self.scope = scope
        self._notices = watch(
            *sorted(each for each in scope.folders if os.path.isdir(each)),  # noqa: PTH112
            watch_filter=DefaultFilter(ignore_dirs=()),
            debounce=_BURST_MS,
            step=_CALM_MS,
            rust_timeout=_POLL_MS,
            yield_on_timeout=True,
            recursive=False,
            ignore_permission_denied=True,
        )
        self._first: set[FileChange] | None = None

    @classmethod
    def begin(cls, scope: Scope) -> _Watch | None:
        """Watch a scope; None if a folder was removed before it could be watched. Raises `WatchError`."""
        watch = cls(scope)
        try:
            watch._first = next(watch._notices)  # comes when everything is watched
        except FileNotFoundError:
            time.sleep(_CALM_MS / 1_000)
            return None
        except OSError as error:
            raise WatchError(
                f"the folders cannot be watched: {error}; with WATCHFILES_FORCE_POLLING=1, graphwright looks at them "
                "regularly instead"
            ) from error
        return watch

    def next(self) -> set[FileChange]:
        """The next burst; nothing if there is none for a moment."""
        first, self._first = self._first, None
        return next(self._notices) if first is None else first

    def end(self) -> set[FileChange]:
        """The last changes."""
        found = (self._first or set()) | next(self._notices)
        self.close()
        return found

    def close(self) -> None:
        """Stop watching."""
        self._notices.close()
