"""Finds the files of items: in `.ai/tools`, `.ai/directives` and `.ai/knowledge` of the project, then of the user.

An id is the path of a file below such a folder, without its suffix. Links must lead to a file in the same folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from glob import escape
from pathlib import Path
from typing import Final, NamedTuple

from graphwright_runtime.errors import NodeError
from graphwright_runtime.ids import is_id

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


def spaces(project: Path, home: str | None, source: str = "all") -> tuple[Path, ...]:
    """The `.ai` folders to search, in order. Raises NodeError unless `source` is `project`, `user` or `all`."""
    own, users = (project / ".ai",), (Path(home) / ".ai",) if home else ()
    chosen = {"project": own, "user": users, "all": (*own, *users)}.get(source)
    if chosen is None:
        raise NodeError(f"`source` must be `project`, `user` or `all`, not {source!r}", category="permanent")
    return chosen


def find_item(kind: str, item_id: str, spaces: tuple[Path, ...]) -> Item:
    """The item with an id. Raises NodeError if it does not exist."""
    for folder, path in candidates(kind, item_id, spaces):
        if _is_inside(path, folder):
            return Item(kind, item_id, path)
    place = Path(".ai", FOLDERS[kind])
    raise NodeError(f"no {kind} `{item_id}` in {place}", category="permanent")


def candidates(kind: str, item_id: str, spaces: tuple[Path, ...]) -> Iterator[tuple[Path, Path]]:
    """The possible files for an id as (folder, file), in order of precedence."""
    if not is_id(item_id):
        return
    for space in spaces:
        folder = space / FOLDERS[kind]
        exact = folder / item_id
        for suffix in _SUFFIXES[kind]:
            yield folder, exact.with_name(exact.name + suffix)
        if kind == "tool":
            yield from ((folder, path) for path in sorted(exact.parent.glob(f"{escape(exact.name)}.*")))


def all_items(kind: str, spaces: tuple[Path, ...]) -> Iterator[Item]:
    """All items of a kind, sorted by id; if several files have the same id, the one that `find_item` finds."""
    found: dict[str, Item] = {}
    for space in spaces:
        folder = space / FOLDERS[kind]
        for path in sorted(folder.rglob("*"), key=lambda path: (_rank(kind, path), path)):
            below = path.relative_to(folder)
            hidden = any(part.startswith((".", "__")) for part in below.parts)
            if not hidden and _rank(kind, path) < len(_SUFFIXES[kind]) + (kind == "tool") and _is_inside(path, folder):
                item_id = below.with_suffix("").as_posix()
                found.setdefault(item_id, Item(kind, item_id, path))
    yield from (found[item_id] for item_id in sorted(found))


def _rank(kind: str, path: Path) -> int:
    suffixes = _SUFFIXES[kind]
    return suffixes.index(path.suffix) if path.suffix in suffixes else len(suffixes)


def _is_inside(path: Path, folder: Path) -> bool:
    try:
        return path.is_file() and path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # the name is too long, or links form a loop
        return False
