"""Finds what an author is typing: from a line and a column of a text, which may be half-typed, to a position that
`completion` has candidates for.

A mark is inserted at the cursor, and if necessary what is open there is closed, so that the text can be parsed. The
path to the mark in the document tells what is expected there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.pattern import pattern
from graphwright.record import Record
from graphwright.source.reader import Source, read_bytes

#: A word that no graph contains; its letters can stand wherever a name can.
MARK: Final = "\u01c1\u01c1"

Sort: TypeAlias = Literal["tool", "param", "result", "state", "inputs"]

#: A path at the end of what precedes the cursor, and what follows the cursor of its last name.
_PATH: Final = pattern(r"(?:^|(?<=[^\w.\]-]))(result|state|inputs)((?:\.[\w-]+|\[[^\]]*\])*)\.([\w-]*)$")
_SEGMENT: Final = pattern(r"""\.([\w-]+)|\[\s*(?:'([^']*)'|"([^"]*)"|([^\]'"]*))\s*\]""")
_NAME_REST: Final = pattern(r"[\w-]*")
_ID_REST: Final = pattern(r"[\w./-]*")
_OPENERS: Final = {"{": "}", "[": "]"}


class Position(Record):
    """What stands at a cursor.

    `sort`: the id of a tool, the name of a param, or a name in a path below `result`, `state` or `inputs`, of which
    `path` are the names before it. `node`: the node that it belongs to; None in a hook. `typed`: what of the name
    precedes the cursor; `name`: the whole of it. `text`: the text, completed so that it can be parsed.
    """

    sort: Sort
    node: str | None
    path: tuple[str, ...]
    typed: str
    name: str
    text: str


def position_at(text: str, line: int, column: int) -> Position | None:
    """The position before a column of a line; both count from 1, as in diagnostics. None if nothing is known there."""
    lines = text.split("\n")
    if not (0 < line <= len(lines) and 0 < column <= len(lines[line - 1]) + 1):
        return None
    before, after = lines[line - 1][: column - 1], lines[line - 1][column - 1 :]
    for marked in (f"{before}{MARK}{after}", f"{before}{MARK}:{after}", f"{before}{MARK}{_closing(before)}"):
        whole = "\n".join((*lines[: line - 1], marked, *lines[line:]))
        source = read_bytes(whole.encode(errors="replace"), "")
        if source.root is not None:
            return next(_marked(source, source.root, ()), None)
    return None


def _closing(line: str) -> str:
    """What closes the template, the quotes and the brackets that are open at the end of a line."""
    quote, brackets, previous = "", "", ":"
    for place, character in enumerate(line):
        if quote:
            if character == quote and not (quote == '"' and line[place - 1] == "\\"):
                quote = ""
        elif character in "'\"" and previous in ":,[{-":
            quote = character
        elif character in _OPENERS and previous in ":,[{-":
            brackets = _OPENERS[character] + brackets
        elif character in brackets[:1]:
            brackets = brackets[1:]
        previous = character if not character.isspace() else previous
    template = "}" if line.rfind("${") > line.rfind("}") else ""
    return template + quote + brackets


def _marked(source: Source, node: Node, path: tuple[str, ...]) -> Iterator[Position | None]:
    """The position of the scalar with the mark below a node, which `path` leads to; None if nothing is known there."""
    match node:
        case MappingNode():
            for key, value in source.entries(node):
                if MARK in key.value:
                    yield _of_name(key.value, path, source.text)
                yield from _marked(source, value, (*path, key.value))
        case SequenceNode(value=items):
            for item in items:
                yield from _marked(source, item, (*path, "-"))
        case ScalarNode(value=str() as value) if MARK in value:
            yield _of_name(value, path, source.text) or _of_value(value, path, source.text)
        case _:
            return


def _of_name(value: str, path: tuple[str, ...], text: str) -> Position | None:
    """The position of a name in `params`; the first one can still look like the value of `params`."""
    owner, keys = _owner(path)
    if keys != ("action", "params") or " " in value or "${" in value:
        return None
    typed, _, rest = value.partition(MARK)
    return Position("param", owner, (), typed, typed + rest, text)


def _of_value(value: str, path: tuple[str, ...], text: str) -> Position | None:
    before, _, after = value.partition(MARK)
    owner, keys = _owner(path)
    if keys == ("action", "item_id") and "${" not in before:
        typed = before.rpartition(":")[2]
        return Position("tool", owner, (), typed, typed + _ID_REST.findall(after)[0], text)
    is_path = keys[-1:] == ("path",) and not {"when", "condition"}.isdisjoint(keys)
    expression = before if is_path else before.rpartition("${")[2]
    if not is_path and ("${" not in before or "}" in expression):
        return None
    found = _PATH.search(expression)
    if found is None:
        return None
    root: Sort = "result" if found[1] == "result" else "state" if found[1] == "state" else "inputs"
    below = tuple(next(filter(None, each.groups()), "").strip() for each in _SEGMENT.finditer(found[2]))
    if (root, below[:1]) == ("state", ("inputs",)):
        root, below = "inputs", below[1:]
    return Position(root, owner, below, found[3], found[3] + _NAME_REST.findall(after)[0], text)


def _owner(path: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """The node that a path of keys leads into, and the keys below it; None for a hook."""
    match path:
        case ("config", "nodes", node, *keys):
            return node, tuple(keys)
        case ("config", "hooks", "-", *keys):
            return None, tuple(keys)
        case _:
            return None, ()
