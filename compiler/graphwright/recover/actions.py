"""Moves the parts of an action that are next to it, or inside its params."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from yaml.nodes import MappingNode, ScalarNode

from graphwright.fault import Owner
from graphwright.language.keys import ACTION
from graphwright.recover.recovery import Recovery, mapping_of
from graphwright.source import scalars
from graphwright.source.reader import Pair

_PARTS: Final = ("params", "item_id", "primary", "item_type")
#: The parts by the words that people use for them on a node, where `id`, `name` and `type` are something else.
_WORDS: Final = {
    **{word: part for word, part in ACTION.synonyms.items() if word not in ("id", "name", "type")},
    **{part: part for part in _PARTS},
}


def into_action(
    recovery: Recovery, pairs: list[Pair], owner: Owner, where: str, controls: Collection[str] = ()
) -> list[Pair]:
    """The entries of a node or a hook, with the parts of its action that are next to it moved back.

    An id means an action even if `action` is missing, or is the id itself; so does one of the `controls` of a hook.
    """
    header, action = next((pair for pair in pairs if pair[0].value == "action"), (None, None))
    words = {part: part for part in (*_PARTS, *controls)}
    beside, inside = "", recovery.source.entries(action) if isinstance(action, MappingNode) else []
    if action is None or scalars.is_null(action):
        words = _WORDS | words if _acts(pairs, controls) else {}
    elif isinstance(action, ScalarNode) and action.tag == scalars.STR:
        beside, inside = f", next to `item_id: {action.value}`", [(_named("item_id", action), action)]
    elif not isinstance(action, MappingNode):
        return pairs
    own = {key.value for key, _ in inside}
    slipped = [pair for pair in pairs if words.get(pair[0].value, "action") not in (*own, "action")]
    if not slipped:
        return pairs
    first, *others = [_as_part(key.value, words[key.value]) for key, _ in slipped]
    home = f"under `action`{first.removeprefix(f'`{slipped[0][0].value}`')}{beside}"
    if others:
        home += f", and so {'does' if len(others) == 1 else 'do'} {' and '.join(others)}"
    recovery.misplaced(slipped[0][0], owner, where, home)
    header = header or _named("action", slipped[0][0])
    moved = [(_named(words[key.value], key), value) for key, value in slipped]
    rest = [pair for pair in pairs if pair not in slipped and pair[0] is not header]
    return [*rest, (header, mapping_of([*inside, *moved], action))]


def _acts(pairs: list[Pair], controls: Collection[str]) -> bool:
    """Whether a key of a node or a hook shows that it has an action, and its type does not contradict that."""
    entries = {key.value: value for key, value in pairs}
    kind = entries.get("type")
    may_act = not (isinstance(kind, ScalarNode) and kind.value in ("gate", "return"))
    return may_act and any(name in controls or _WORDS.get(name) == "item_id" for name in entries)


def _as_part(word: str, part: str) -> str:
    return f"`{word}`" if word == part else f"`{word}`, as `{part}`"


def _named(name: str, like: ScalarNode) -> ScalarNode:
    """A key at the position of a node."""
    return like if like.value == name else ScalarNode(scalars.STR, name, like.start_mark, like.end_mark)


def out_of_params(recovery: Recovery, pairs: list[Pair], owner: Owner) -> list[Pair]:
    """The entries of an action, with an `item_id` that slipped into its `params` moved out."""
    entries = {key.value: value for key, value in pairs}
    params, primary = entries.get("params"), entries.get("primary")
    searches = isinstance(primary, ScalarNode) and primary.value == "search"
    if "item_id" in entries or searches or not isinstance(params, MappingNode):
        return pairs
    inside = recovery.source.entries(params)
    slipped = [pair for pair in inside if pair[0].value == "item_id"]
    for key, _ in slipped:
        recovery.misplaced(key, owner, "in `params`", "in the action, next to `params`")
    rest = mapping_of([pair for pair in inside if pair not in slipped], params)
    return [*((key, rest if slipped and value is params else value) for key, value in pairs), *slipped]
