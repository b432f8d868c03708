"""Performs the actions `load`, `search` and `sign`, and executes directives (runtime.md §2)."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import Final

from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import Action
from graphwright_runtime.items.directive import Field, accepted, filled, parse_directive
from graphwright_runtime.items.signing import sign_item
from graphwright_runtime.items.space import Item, all_items, existing_item, spaces
from graphwright_runtime.items.text import parsed_item, read_item
from graphwright_runtime.items.views import state_of_run
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
    source = text(params, "source", default="all")
    state = state_of_run(action.kind, action.item_id or "", context.project) if source != "user" else None
    if state is not None:
        read = parsed_item(state.item, state.data, {"status": "trusted", "key_id": state.key_id})
    else:
        read = read_item(_item(action, params, context), trust)
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
    read = read_item(_item(action, {}, context), trust)
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

    Params: `query`, `source` (`project` by default), `limit`. Result: `results` (`item_id`, `kind`, `title`,
    `snippet`) and `total`, the number of items found regardless of `limit`. Items that may not be loaded are not found
    either.
    """
    words = text(params, "query", default="").casefold().split()
    limit = positive_number(params, "limit") or _LIMIT
    quiet = trust if trust.policy == "require" else trust.without_policy()
    found: list[tuple[int, str, dict[str, Json]]] = []
    for item in all_items(action.kind, _spaces(params, context, "project")):
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


def _sign(action: Action, _trust: ItemTrust, params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Sign an item with the key of the user.

    Params: `source`. Result: `item_id`, `path` (relative to the project if it is in it), `key_id`.
    """
    item = _item(action, params, context)
    key_id = sign_item(item)
    path = item.path.relative_to(context.project) if item.path.is_relative_to(context.project) else item.path
    return {"item_id": action.item_id, "path": path.as_posix(), "key_id": key_id}


def _item(action: Action, params: dict[str, Json], context: Context) -> Item:
    return existing_item(action.kind, action.item_id or "", _spaces(params, context))


def _spaces(params: dict[str, Json], context: Context, default: str = "all") -> tuple[Path, ...]:
    return spaces(context.project, context.env.get("HOME"), text(params, "source", default=default))


def _shown(field: Field) -> dict[str, Json]:
    return {"name": field.name, "type": field.type, "description": field.description}


_ANSWERS: Final = {"load": _load, "search": _search, "sign": _sign, "execute": _execute}


def _snippet(content: str, words: list[str]) -> str:
    """The first line that contains a word of the query, otherwise the first nonblank line."""
    lines = [line.strip() for line in content.splitlines() if line.strip()]
    fitting = (line for line in lines if any(word in line.casefold() for word in words))
    return next(fitting, lines[0] if lines else "")[:_SNIPPET]
