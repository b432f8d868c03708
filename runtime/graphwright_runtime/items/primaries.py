"""What `load`, `search` and the execution of a directive give (runtime.md §2)."""

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
    """What answers an action that calls no tool, None where nothing does. It works in a thread: it reads files."""
    answer = _ANSWERS.get(action.primary)
    if answer is None or (action.primary == "execute" and action.kind != "directive"):
        return None
    if action.item_id is None and action.primary != "search":
        return None

    async def bound(params: dict[str, Json], context: Context) -> object:
        return await in_thread(answer, action, trust, params, context)

    return bound


def _load(action: Action, trust: ItemTrust, params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Params: `source`. Result: `item_id`, `kind`, `content`, `metadata`, `signature` (`status`, `key_id`)."""
    read = _read(action, trust, params, context)
    return {
        "item_id": action.item_id,
        "kind": action.kind,
        "content": read.content,
        "metadata": read.metadata,
        "signature": read.signature,
    }


def _execute(action: Action, trust: ItemTrust, params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Params are the directive's inputs. Result: what it declares, its inputs with defaults, and `content`, filled."""
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
    """Items that hold every word of `query`, those first that are called so.

    Params: `query`, `source`, `limit`. Result: `results` (`item_id`, `kind`, `title`, `snippet`) and `total`, how many
    there are without the limit. What may not be loaded is not found either.
    """
    words = text(params, "query", default="").casefold().split()
    limit = positive_number(params, "limit") or _LIMIT
    quiet = trust if trust.policy == "require" else trust.without_policy()
    found: list[tuple[int, str, dict[str, Json]]] = []
    for item in all_items(action.kind, _spaces(params, context)):
        try:
            read = read_item(item, quiet)
        except NodeError:  # no text, or not trusted: nothing that a run could load
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
    """The first line that holds a word of the query, else the first that is not empty."""
    lines = [line.strip() for line in content.splitlines() if line.strip()]
    fitting = (line for line in lines if any(word in line.casefold() for word in words))
    return next(fitting, lines[0] if lines else "")[:_SNIPPET]
