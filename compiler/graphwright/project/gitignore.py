"""Which files git ignores, according to gitignore files.

Matching is done by pathspec, which is imported only if there is a pattern.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.content import content_of
from graphwright.record import Record

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Rules(Record):
    """Patterns that apply below `folder`."""

    folder: Path
    spec: GitIgnoreSpec


def patterns(folder: Path, lines: Iterable[str]) -> Rules:
    """Compile patterns that are relative to `folder`. Raises ValueError for a malformed pattern."""
    from pathspec import GitIgnoreSpec

    return Rules(folder, GitIgnoreSpec.from_lines(lines))


def rules_of(folder: Path) -> tuple[Rules, ...]:
    """The patterns in the ignore files of this folder. Like git, this skips malformed lines."""
    found = []
    for name in (".git/info/exclude", ".gitignore"):
        try:
            lines = content_of(folder / name).decode("utf-8", "surrogateescape").splitlines()
        except OSError:
            continue
        lines = [line for line in lines if line.strip() and not line.startswith("#") and _well_formed(line)]
        if lines:
            found.append(patterns(folder, lines))
    return tuple(found)


def _well_formed(line: str) -> bool:
    try:
        patterns(Path(), [line])
    except ValueError:
        return False
    return True


def rules_above(folder: Path, top: Path) -> tuple[Rules, ...]:
    """The patterns in ignore files from `top` down to the parent of `folder`; none if they ignore `folder` itself."""
    between = [each for each in reversed(folder.parents) if each == top or top in each.parents]
    rules = tuple(rule for each in between for rule in rules_of(each))
    return () if is_ignored(folder, rules, folder=True) else rules


def is_ignored(path: Path | str, rules: tuple[Rules, ...], *, folder: bool) -> bool:
    """Whether the last pattern that matches `path` ignores it; patterns of inner folders come last."""
    for each in reversed(rules):
        below = os.path.relpath(path, each.folder).replace(os.sep, "/")
        verdict = each.spec.check_file(f"{below}/" if folder else below).include
        if verdict is not None:
            return verdict
    return False
