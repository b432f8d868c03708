"""Finds the files of items: in `.ai/tools`, `.ai/directives` and `.ai/knowledge` of the project, then of the user.

An id is the path of a file below such a folder, without its suffix. Links must lead to a file in the same folder. The
project's item takes precedence; two files of one space with the same id are an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import Final, NamedTuple

from graphwright_runtime.errors import NodeError
from graphwright_runtime.ids import is_id
from graphwright_runtime.toolerror import printable

FOLDERS: Final = {"tool": "tools", "directive": "directives", "knowledge": "knowledge"}

#: Suffixes in the order in which they take precedence. After these, tools can have any other suffix.
_SUFFIXES: Final = {
    "tool": (".py", ".yaml", ".yml", ""),
    "directive": (".md",),
    "knowledge": (".md", ".yaml", ".yml", ".json", ".txt"),
}


class Item(NamedTuple):
    """The file of an item."""

    kind: str
    item_id: str
    path: Path


def space_of(item: Item) -> Path:
    """The `.ai` folder that contains an item."""
    return item.path.parents[len(item.item_id.split("/"))]


def spaces(project: Path, home: str | None, source: str = "all") -> tuple[Path, ...]:
    """The `.ai` folders to search, in order. Raises NodeError unless `source` is `project`, `user` or `all`."""
    own, users = (project / ".ai",), (Path(home) / ".ai",) if home else ()
    chosen = {"project": own, "user": users, "all": (*own, *users)}.get(source)
    if chosen is None:
        raise NodeError(f"`source` must be `project`, `user` or `all`, not {source!r}", category="permanent")
    return chosen


def find_item(kind: str, item_id: str, spaces: tuple[Path, ...]) -> Item | None:
    """The item with an id; None if it does not exist.

    Raises NodeError for what is not an id, for a link that leads out of the folder, and if several files have the id.
    """
    if not is_id(item_id):
        said = f"`{item_id}` is not the id of an item: an id is a path such as `team/notes`, without `.` and `..`"
        raise NodeError(printable(said), category="permanent")
    for space in spaces:
        folder = space / FOLDERS[kind]
        files = filter(_is_file, candidates(kind, folder / item_id))
        path = next(files, None)
        if path is None:
            continue
        if kind != "tool" and (other := next(files, None)) is not None:
            said = f"{path.name} and {other.name} in {path.parent} have the same id; rename one of them"
            raise NodeError(f"the {kind} `{item_id}` is ambiguous: {said}", category="permanent")
        if not _is_inside(path, folder):
            said = f"{path} is a link that leads out of {folder}"
            raise NodeError(f"the {kind} `{item_id}` is not read: {said}", category="denied")
        return Item(kind, item_id, path)
    return None


def existing_item(kind: str, item_id: str, spaces: tuple[Path, ...]) -> Item:
    """`find_item` for an item that must exist. Raises NodeError."""
    found = find_item(kind, item_id, spaces)
    if found is None:
        raise NodeError(f"no {kind} `{item_id}` in {Path('.ai', FOLDERS[kind])}", category="permanent")
    return found


def candidates(kind: str, exact: Path) -> Iterator[Path]:
    """The possible files of an item, in order of precedence; `exact` is its path without suffix."""
    for suffix in _SUFFIXES[kind]:
        yield exact.with_name(exact.name + suffix)
    if kind == "tool":
        yield from sorted(exact.parent.glob(f"{escape(exact.name)}.*"))


def all_items(kind: str, spaces: tuple[Path, ...]) -> Iterator[Item]:
    """All items of a kind that `find_item` finds, sorted by id."""
    ids: set[str] = set()
    for space in spaces:
        folder = space / FOLDERS[kind]
        for path in folder.rglob("*"):
            below = path.relative_to(folder)
            hidden = any(part.startswith((".", "__")) for part in below.parts)
            if not hidden and (kind == "tool" or path.suffix in _SUFFIXES[kind]):
                ids.add(below.with_suffix("").as_posix())
    for item_id in sorted(ids):
        with suppress(NodeError):
            found = find_item(kind, item_id, spaces)
            if found is not None:
                yield found


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the name is too long
        return False


def _is_inside(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # links form a loop
        return False
