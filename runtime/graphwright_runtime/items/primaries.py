"""Performs the actions `load` and `search`, and executes directives (runtime.md §2)."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import Final

from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import Action
from graphwright_runtime.items.directive import Field, accepted, filled, parse_directive
from graphwright_runtime.items.space import all_items, find_item, spaces
from graphwright_runtime.items.text import Text, read_item
from graphwright_runtime.threads import in_thread
from graphwright_runtime.tooling import Bound
from graphwright_runtime.tools.arguments import positive_number, text
from graphwright_runtime.trust.items import ItemTrust
from graphwright_runtime.values import Json

_LIMIT: Final = 10
_SNIPPET: Final = 160


def primary(action: Action, trust: ItemTrust) -> Bound | None:
    """A function that performs an action without a tool, in a thread because it reads files; None if there is none."""
    answer = _ANSWERS.get(action.primary)
    if answer is None or (action.primary == "execute" and action.kind != "directive"):
        return None
    if action.item_id is None and action.primary != "search":
        return None

    async def bound(params: dict[str, Json], context: Context) -> object:
        return await in_thread(answer, action, trust, params, context)

    return bound


def _load(action: Action, trust: ItemTrust, params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Load an item.

    Params: `source`. Result: `item_id`, `kind`, `content`, `metadata`, `signature` (`status`, `key_id`).
    """
    read = _read(action, trust, params, context)
    return {
        "item_id": action.item_id,
        "kind": action.kind,
        "content": read.content,
        "metadata": read.metadata,
        "signature": read.signature,
    }


def _execute(action: Action, trust: ItemTrust, params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Execute a directive.

    Params: its inputs. Result: what it declares, `inputs` with defaults, and `content` with the inputs inserted.
    """
    item_id = action.item_id or ""
    read = _read(action, trust, {}, context)
    directive = parse_directive(item_id, read.content)
    inputs = accepted(item_id, directive, params)
    return {
        "item_id": item_id,
        "kind": action.kind,
        "name": directive.name,
        "version": directive.version,
        "description": directive.description,
        "inputs": inputs,
        "outputs": [_shown(field) for field in directive.outputs],
        "content": filled(directive, inputs).strip("\n"),
        "signature": read.signature,
    }


def _search(action: Action, trust: ItemTrust, params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Search for items that contain every word of `query`; those with most words in their id or title come first.

    Params: `query`, `source`, `limit`. Result: `results` (`item_id`, `kind`, `title`, `snippet`) and `total`, the
    number of items found regardless of `limit`. Items that may not be loaded are not found either.
    """
    words = text(params, "query", default="").casefold().split()
    limit = positive_number(params, "limit") or _LIMIT
    quiet = trust if trust.policy == "require" else trust.without_policy()
    found: list[tuple[int, str, dict[str, Json]]] = []
    for item in all_items(action.kind, _spaces(params, context)):
        try:
            read = read_item(item, quiet)
        except NodeError:  # unreadable or not trusted, so a run could not load it
            continue
        names, content = f"{item.item_id}\n{read.title}".casefold(), read.content.casefold()
        if all(word in names or word in content for word in words):
            hits = sum(word in names for word in words)
            result: dict[str, Json] = {
                "item_id": item.item_id,
                "kind": item.kind,
                "title": read.title,
                "snippet": _snippet(read.content, words),
            }
            found.append((-hits, item.item_id, result))
    ranked: list[Json] = [result for _, _, result in sorted(found, key=lambda each: each[:2])]
    return {"results": ranked[: ceil(limit)], "total": len(ranked)}


def _read(action: Action, trust: ItemTrust, params: dict[str, Json], context: Context) -> Text:
    return read_item(find_item(action.kind, action.item_id or "", _spaces(params, context)), trust)


def _spaces(params: dict[str, Json], context: Context) -> tuple[Path, ...]:
    return spaces(context.project, context.env.get("HOME"), text(params, "source", default="all"))


def _shown(field: Field) -> dict[str, Json]:
    return {"name": field.name, "type": field.type, "description": field.description}


_ANSWERS: Final = {"load": _load, "search": _search, "execute": _execute}


def _snippet(content: str, words: list[str]) -> str:
    """The first line that contains a word of the query, otherwise the first nonblank line."""
    lines = [line.strip() for line in content.splitlines() if line.strip()]
    fitting = (line for line in lines if any(word in line.casefold() for word in words))
    return next(fitting, lines[0] if lines else "")[:_SNIPPET]
