"""Reads the text and the metadata of an item.

Metadata are `key: value` lines: the front matter of Markdown, the top level of YAML; for Python, constants such as
`__version__` and the docstring. This is not a YAML parser: a value is JSON, a list in brackets, or a string.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from math import inf
from typing import Final, NamedTuple, cast

from graphwright_runtime.errors import NodeError
from graphwright_runtime.items.space import Item, space_of
from graphwright_runtime.items.views import signer_of_view
from graphwright_runtime.trust.items import ItemRefused, ItemTrust
from graphwright_runtime.trust.owner import ownership_problem
from graphwright_runtime.trust.signing import Purpose
from graphwright_runtime.values import Json, NotJsonError, parsed_json

#: The maximum size of an item in bytes: what is loaded becomes part of the state and of the log.
_LARGEST: Final = 16 * 2**20
#: A line at the top of an item that contains its signature, or says that it has none.
_SIGNATURE: Final = re.compile(r"(?:# |<!-- )(?:graphwright|rye|ryeos):(?:signed:\S+|unsigned)(?: -->)?\r?\n")
_FRONT: Final = re.compile(r"---\r?\n(.*?\n)?---\r?\n", re.DOTALL)
_ENTRY: Final = re.compile(r"([A-Za-z_][\w-]*):[ \t]+(\S.*)", re.ASCII)
_BLANK: Final = " \t\r"
_HEADING: Final = re.compile(r"^#+[ \t]+(\S.*)$", re.MULTILINE)


class Text(NamedTuple):
    """An item. `content` is the text after signatures and front matter; `signature` is `{status, key_id}`."""

    content: str
    metadata: dict[str, Json]
    signature: dict[str, Json]
    title: str


def read_item(item: Item, trust: ItemTrust) -> Text:
    """Read an item once, so that the result consists of the bytes that were verified.

    Raises NodeError if the item is not text of at most 16 MiB, cannot be read or is not trusted, or if another user
    could have written it.
    """
    check_item_file(item)
    try:
        examined = trust.examine(item.path, purpose_of(item), item.item_id, partial(signer_of_view, item))
    except ItemRefused as refused:
        text = f"the {item.kind} `{item.item_id}` is not trusted: {refused.refusal}"
        raise NodeError(text, category="denied") from refused
    except OSError as error:
        raise NodeError(f"{item.path.name}: {error.strerror}", category="permanent") from error
    return parsed_item(item, examined.data, {"status": examined.status, "key_id": examined.key_id})


def check_item_file(item: Item) -> None:
    """Raise NodeError if the file of an item is too large, or if another user could have written it."""
    if (problem := ownership_problem(item.path, space_of(item).parent)) is not None:
        raise NodeError(problem, category="denied")
    with suppress(OSError):  # reading it says why
        if (size := item.path.stat().st_size) > _LARGEST:
            said = f"{item.path} has {size} bytes, and at most {_LARGEST >> 20} MiB can be read"
            raise NodeError(f"the {item.kind} `{item.item_id}` is too large: {said}", category="permanent")


def decoded_item(item: Item, data: bytes) -> str:
    """The text of an item. Raises NodeError if it is not text."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NodeError(f"the {item.kind} `{item.item_id}` is not valid UTF-8", category="permanent") from error
    if "\0" in text:
        raise NodeError(f"the {item.kind} `{item.item_id}` is not text", category="permanent")
    return text


def parsed_item(item: Item, data: bytes, signature: dict[str, Json]) -> Text:
    """The content and the metadata in the bytes of an item. Raises NodeError if they are not text."""
    content = _below_signatures(decoded_item(item, data))
    metadata: dict[str, Json] = {}
    if item.path.suffix == ".md" and (front := _FRONT.match(content)) is not None:
        metadata, content = _entries(front[1] or ""), content[front.end() :]
    elif item.path.suffix in (".yaml", ".yml"):
        metadata = _entries(content)
    elif item.path.suffix == ".py":
        metadata = _constants(content)
    heading = _HEADING.search(content) if item.path.suffix == ".md" else None
    named = (
        metadata.get("title"),
        metadata.get("name"),
        heading and heading[1].rstrip(_BLANK),
        item.item_id.rpartition("/")[2],
    )
    title = next(each for each in named if isinstance(each, str))
    return Text(content, metadata, signature, title)


def purpose_of(item: Item) -> Purpose:
    """The purpose of an item's signature: a tool that is a graph is signed like any other graph."""
    if item.kind == "tool" and item.path.suffix in (".yaml", ".yml"):
        return "source"
    return cast("Purpose", item.kind)


def _below_signatures(text: str) -> str:
    at = 0
    while (line := _SIGNATURE.match(text, at)) is not None:
        at = line.end()
    return text[at:]


def _entries(text: str) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for line in text.split("\n"):
        entry = _ENTRY.fullmatch(line.rstrip(_BLANK))
        if entry is not None:
            found[entry[1]] = _value(entry[2])
    return found


def _value(written: str) -> Json:
    """A value: JSON, a list in brackets, or the string itself."""
    value = _scalar(written)
    if value == written and written.startswith("[") and written.endswith("]"):
        return [_scalar(part.strip()) for part in written[1:-1].split(",") if part.strip()]
    return value


def _scalar(written: str) -> Json:
    """A value other than a list in brackets: JSON, a string in single quotes, or the string itself."""
    try:
        return parsed_json(written)
    except NotJsonError:
        pass
    if len(written) > 1 and written[0] == written[-1] == "'":
        return written[1:-1].replace("''", "'")
    return written


def _constants(code: str) -> dict[str, Json]:
    """The docstring of a Python tool as `description`, and its constants `__x__` as `x`; nothing is executed."""
    import ast

    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # its author sees the error when the tool runs
        return {}
    docstring = ast.get_docstring(tree)
    found: dict[str, Json] = {} if docstring is None else {"description": docstring.partition("\n\n")[0]}
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str() | int() | float() as value)):
                if name.startswith("__") and name.endswith("__") and value != inf:  # 1e999 is not a JSON number
                    found[name.strip("_").removeprefix("tool_")] = value
    return found
