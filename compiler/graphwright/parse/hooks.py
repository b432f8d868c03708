"""Hooks: what runs, or takes control, at the events of a run."""

from __future__ import annotations

from collections.abc import Sequence

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright import ir
from graphwright.fault import GRAPH, Owner
from graphwright.faults.keys import IdleHook, MissingKey, NoControlHere, TwoControls, WrongAmount
from graphwright.language.events import EVENT_SYNONYMS, EVENTS, THREAD_EVENTS
from graphwright.language.keys import ACTION, CONTROL, HOOK
from graphwright.model import Action, Hook
from graphwright.parse.actions import parse_action
from graphwright.parse.conditions import parse_condition
from graphwright.parse.reader import Reader
from graphwright.recover.actions import into_action
from graphwright.recover.conditions import around_condition
from graphwright.recover.keys import Entries
from graphwright.source.reader import Pair
from graphwright.source.scalars import BOOL, is_null
from graphwright.suggest import nearest

_CONTROL_KEYS = frozenset({"retry", "fail", "abort", "continue"})
_AMOUNTS = {"retry": "max_retries", "continue": "additional_steps"}


def parse_hooks(reader: Reader, pair: Pair, layer: int | None = None) -> tuple[Hook, ...]:
    """The hooks of a list, in file order; those that cannot be understood are omitted.

    `layer` is that of all hooks of a list of a project, which may also listen to events of threads; those are omitted.
    """
    key = pair[0].value
    hint = "put `- ` before each hook: `- {event: error, action: {…}}`"
    items = reader.items(key, pair[1], GRAPH, "a list of hooks", hint)
    hooks = (
        _hook(reader, item, number, key, layer)
        for number, item in enumerate(items, 1)
        if layer is None or not _is_of_threads(reader, item)
    )
    return tuple(hook for hook in hooks if hook is not None)


def _is_of_threads(reader: Reader, node: Node) -> bool:
    event = reader.source.get(node, "event")
    return isinstance(event, ScalarNode) and event.value in THREAD_EVENTS


def _hook(reader: Reader, node: Node, number: int, key: str, fixed: int | None) -> Hook | None:
    if not isinstance(node, MappingNode):
        reader.wrong(key, node, GRAPH, "a hook such as `{event: error, action: {retry: true}}`")
        return None
    written = reader.source.get(node, "id")
    place = f"hook {number}" if fixed is None else f"hook {number} of `{key}`"
    owner = Owner(f"hook `{written.value}`" if written is not None and isinstance(written.value, str) else place)
    pairs = around_condition(reader.recovery, reader.source.entries(node), HOOK, "condition", owner)
    pairs = into_action(reader.recovery, pairs, owner, HOOK.phrase, CONTROL.keys)
    entries = reader.section(pairs, HOOK, owner)
    name = reader.text("id", entries["id"][1], owner) if "id" in entries else None
    event = _event(reader, entries, node, owner)
    layer = reader.integer(HOOK["layer"], entries["layer"][1], owner) if "layer" in entries else None
    if fixed is not None and layer not in (None, fixed):
        reader.wrong("layer", entries["layer"][1], owner, f"{fixed}, the layer of `{key}`")
    condition = entries.get("condition")
    when = parse_condition(reader, *condition, owner, "condition") if condition else None
    action = _action(reader, entries, node, owner, event)
    if event is None or action is None:
        return None
    return Hook(event, fixed or layer or 1, when, action, owner, name.text if name else None, node)


def _event(reader: Reader, entries: Entries, node: MappingNode, owner: Owner) -> str | None:
    if "event" in entries:
        written = entries["event"][1]
        event = reader.choice(HOOK["event"], written, owner, EVENT_SYNONYMS)
        if isinstance(written, ScalarNode) and written.value.lower() in EVENT_SYNONYMS:
            reader.recovery.omitted.append(node)  # the hook was written for another event, which has other names
            return None
        return event
    reader.report(MissingKey(reader.source.first_token(node), owner, "event", "a hook"))
    return None


def _action(
    reader: Reader, entries: Entries, node: MappingNode, owner: Owner, event: str | None
) -> Action | ir.Control | None:
    pair = entries.get("action")
    if pair is None or is_null(pair[1]):
        reader.report(IdleHook(reader.source.first_token(node), owner))
        return None
    if isinstance(pair[1], MappingNode):
        keys = {key.value for key, _ in reader.source.entries(pair[1])}
        is_meant = any(_controls(key) for key in keys) or _is_flag(reader.source.entries(pair[1]))
        if is_meant and not keys & {"item_id", "primary", "params"}:
            return _control(reader, pair[1], owner, event)
    if isinstance(pair[1], ScalarNode) and pair[1].value in _CONTROL_KEYS:
        reader.wrong("action", pair[1], owner, "a mapping", hint=f"write `action: {{{pair[1].value}: true}}`")
        return ir.Control("fail" if pair[1].value == "abort" else pair[1].value, None)
    return parse_action(reader, pair, owner)


def _controls(key: str) -> bool:
    """Whether a key is one of a control literal, possibly misspelled; no key of an action is similar to these."""
    return key in CONTROL.keys or nearest(key, CONTROL.keys) is not None


def _is_flag(pairs: Sequence[Pair]) -> bool:
    """Whether a mapping is like a control: `{stop: true}`. No key of an action is a boolean."""
    return len(pairs) == 1 and pairs[0][1].tag == BOOL and nearest(pairs[0][0].value, ACTION.keys) is None


def _control(reader: Reader, node: MappingNode, owner: Owner, event: str | None) -> ir.Control | None:
    entries = reader.section(reader.source.entries(node), CONTROL, owner)
    written = [key for key in entries if key in _CONTROL_KEYS]
    if not written:
        return None
    key = written[0]
    for other in written[1:]:
        reader.report(TwoControls(reader.span(entries[other][0]), owner, other, key))
    kind = "fail" if key == "abort" else key
    pair = entries[key]
    if reader.boolean(key, pair[1], owner) is False:
        reader.wrong(key, pair[1], owner, "`true`")
    legal = EVENTS[event].controls if event is not None else ()
    if event is not None and kind not in legal:
        reader.report(NoControlHere(reader.span(pair[0]), owner, key, event, legal))
    return ir.Control(kind, _amount(reader, entries, kind, owner))


def _amount(reader: Reader, entries: Entries, kind: str, owner: Owner) -> int | None:
    amount: int | None = None
    for key in ("max_retries", "additional_steps"):
        if key not in entries:
            continue
        if _AMOUNTS.get(kind) != key:
            reader.report(WrongAmount(reader.span(entries[key][0]), owner, kind, key))
            continue
        amount = reader.integer(CONTROL[key], entries[key][1], owner)
    return amount
