"""Which files a version control system ignores, by the rules of gitignore files.

pathspec does the matching; it is imported with the first pattern that is really there.
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
    """Patterns that hold below `folder`."""

    folder: Path
    spec: GitIgnoreSpec


def patterns(folder: Path, lines: Iterable[str]) -> Rules:
    """The patterns `lines`, relative to `folder`; raises ValueError on one that is malformed."""
    from pathspec import GitIgnoreSpec

    return Rules(folder, GitIgnoreSpec.from_lines(lines))


def rules_of(folder: Path) -> tuple[Rules, ...]:
    """What the ignore files of this one folder say; git skips malformed lines, and so does this."""
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
    """What the ignore files from `top` down to the parent of `folder` say; none where they ignore `folder` itself."""
    between = [each for each in reversed(folder.parents) if each == top or top in each.parents]
    rules = tuple(rule for each in between for rule in rules_of(each))
    return () if is_ignored(folder, rules, folder=True) else rules


def is_ignored(path: Path | str, rules: tuple[Rules, ...], *, folder: bool) -> bool:
    """Whether the last rule that matches `path` ignores it; rules of deeper folders come later and win."""
    for each in reversed(rules):
        below = os.path.relpath(path, each.folder).replace(os.sep, "/")
        verdict = each.spec.check_file(f"{below}/" if folder else below).include
        if verdict is not None:
            return verdict
    return False
