"""`config.nodes`: which kind each node is, and its keys."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright.fault import Owner
from graphwright.faults.keys import AsyncLoop, KeyOfOtherType, MissingKey, UnsupportedKey
from graphwright.language.keys import RETRY
from graphwright.language.nodes import ELSEWHERE, NODES, node_types
from graphwright.language.words import PLANNED_TYPES, TYPE_SYNONYMS
from graphwright.model import UNKNOWN_NAME, Edge, Loop, Name, NodeSpec, Retry
from graphwright.parse.actions import parse_action
from graphwright.parse.conditions import parse_next
from graphwright.parse.reader import Fields, Reader
from graphwright.pattern import pattern
from graphwright.recover.keys import Entries
from graphwright.recover.nesting import releveled
from graphwright.source.reader import Pair
from graphwright.source.scalars import is_null
from graphwright.suggest import nearest

_CONTROL_CHARACTERS = pattern(r"[\x00-\x1f\x7f-\x9f]")
#: As many keys that its type does not take belong to a node of another type: one complaint.
_ANOTHER_NODE = 3
_VARIABLE = pattern(r"[^\W\d][\w-]*\Z")
_NO_NAME = pattern(r"[^\w-]+")


def parse_node(reader: Reader, pair: Pair) -> NodeSpec:
    """One entry of `nodes`. A node whose body is not a mapping may lead anywhere, as far as anybody can tell."""
    key, body = pair
    name = key.value
    owner = Owner(f"node `{name}`", name)
    if not name or _CONTROL_CHARACTERS.search(name):
        reader.wrong("nodes", key, owner, "a non-empty name without control characters")
    if not isinstance(body, MappingNode):
        if is_null(body):
            span = reader.span(key)
            reader.report(MissingKey(span, owner, "action", "a node without `type`", "gate or return"))
        else:
            reader.wrong(name, body, owner, "a node (a mapping with `action`, `next` and so on)")
        reader.recovery.anything = True
        return NodeSpec(name, key, body, owner, "gate", edges=(Edge(None, None, body),))
    body = releveled(reader.recovery, body, owner)
    kind, sure = _kind(reader, body, owner)
    entries = _entries(reader, body, owner, kind, sure)
    kind, entries = _required(reader, key, entries, owner, kind, sure)
    return _node(reader, key, body, owner, kind, entries)


def _kind(reader: Reader, body: MappingNode, owner: Owner) -> tuple[str, bool]:
    """The kind of a node, and whether its author said so, in a word that we know or one spelled nearly like it."""
    keys = {key.value for key, _ in reader.source.entries(body)}
    pairs = reader.source.entries(body)
    written = next((pair for pair in pairs if pair[0].value == "type"), None)
    if written is None:
        written = next((pair for pair in pairs if _means_type(pair)), None)
    if written is None or is_null(written[1]):
        return _likely(keys, "action"), True
    node = written[1]
    name = reader.text("type", node, owner, "type")
    if name is not None and name.text in NODES:
        return name.text, True
    suggestion, misspelled = None, False
    if name is not None:
        suggestion = TYPE_SYNONYMS.get(name.text.lower())
        if suggestion is None:
            suggestion = nearest(name.text, NODES)
            misspelled = suggestion is not None
        if isinstance(node, ScalarNode) and name.text in PLANNED_TYPES:
            suggestion, misspelled = None, False
        if not (name.plain and isinstance(node, ScalarNode)):
            return suggestion or _likely(keys, "gate"), False
        reader.unknown_word("type", node, owner, suggestion, tuple(NODES), PLANNED_TYPES.get(name.text))
    return suggestion or _likely(keys, "gate"), misspelled


def _means_type(pair: Pair) -> bool:
    """Whether an unknown key was meant to be `type`, by its name or by its value."""
    key, value = pair
    if node_types(key.value) or key.value.startswith("x-"):
        return False
    return nearest(key.value, ("type",)) is not None or (isinstance(value, ScalarNode) and value.value in NODES)


def _likely(keys: set[str], otherwise: str) -> str:
    """What a node with these keys would be."""
    if "over" in keys:
        return "foreach"
    if "action" in keys:
        return "action"
    return "return" if "output" in keys else otherwise


def _entries(reader: Reader, body: MappingNode, owner: Owner, kind: str, sure: bool) -> Entries:
    """The keys that this kind takes. Those of other kinds are reported, planned or foreign ones refused."""
    place = NODES[kind]
    foreign: dict[str, Pair] = {}
    own: list[Pair] = []
    has_type = False
    for pair in reader.source.entries(body):
        name = pair[0].value
        has_type = has_type or name == "type"
        if name in place.table:
            own.append(pair)
        elif name in ELSEWHERE:
            reader.report(UnsupportedKey(reader.span(pair[0]), owner, name))
        elif name == "async" and kind == "foreach":
            reader.report(AsyncLoop(reader.span(pair[0]), owner, "async"))
        elif node_types(name):
            foreign[name] = pair
            if name != "action":
                reader.recovery.omitted.append(pair[1])
        else:
            own.append(pair)
    if sure:
        others = tuple(foreign)[1:] if len(foreign) >= _ANOTHER_NODE else ()  # then it is the type that is wrong
        for name, (key, _) in foreign.items():
            if name not in others:
                span = reader.span(key)
                reader.report(KeyOfOtherType(span, owner, name, kind, has_type, node_types(name), others))
    entries = dict(reader.section(own, place, owner))
    if kind == "gate" and "action" in foreign:
        entries["action"] = foreign["action"]
    return entries


def _required(
    reader: Reader, key: ScalarNode, entries: Entries, owner: Owner, kind: str, sure: bool
) -> tuple[str, Entries]:
    """Report keys that are missing; a gate that has an action is read on as what its author took it for."""
    if kind == "gate":
        return "action" if "action" in entries else "gate", entries
    untyped = "type" not in entries or is_null(entries["type"][1])
    if kind == "foreach":
        if untyped and "action" in entries:
            span = reader.span(entries["over"][0])
            reader.report(KeyOfOtherType(span, owner, "over", "action", typed=False, types=("foreach",)))
            reader.recovery.omitted.append(entries["over"][1])
            entries = {name: pair for name, pair in entries.items() if name != "over"}
        elif untyped:
            reader.report(MissingKey(reader.span(key), owner, "type", "a node with `over`", "foreach"))
        for name in ("over", "action"):
            if name not in entries and sure and not untyped:
                reader.report(MissingKey(reader.span(key), owner, name, "a foreach node"))
        if "over" not in entries:
            reader.recovery.anything = True
    if kind == "return" and untyped:
        reader.report(MissingKey(reader.span(key), owner, "type", "a node with `output`", "return"))
    if kind in ("action", "foreach") and "action" not in entries:
        reader.recovery.anything = True
    if kind == "action" and "action" not in entries and sure:
        place = "a node without `type`" if untyped else "an action node"
        alternative = "gate" if "next" in entries or "assign" in entries else "gate or return"
        reader.report(MissingKey(reader.span(key), owner, "action", place, alternative))
    return kind, entries


def _node(reader: Reader, key: ScalarNode, body: Node, owner: Owner, kind: str, entries: Entries) -> NodeSpec:
    fields = Fields(reader, NODES[kind], entries, owner)
    action = parse_action(reader, entries["action"], owner, foreach=kind == "foreach") if "action" in entries else None
    next_pair, on_error = entries.get("next"), entries.get("on_error")
    retry = fields.node("retry")
    fields.prose("comment")
    return NodeSpec(
        key.value,
        key,
        body,
        owner,
        kind,
        action=action,
        loop=_loop(reader, fields, owner) if kind == "foreach" else None,
        assigns=reader.assigned("assign", entries["assign"][1], owner) if "assign" in entries else (),
        assign_at=entries["assign"][0] if "assign" in entries else None,
        edges=parse_next(reader, *next_pair, owner) if next_pair else (),
        next_at=next_pair[0] if next_pair else None,
        on_error=_on_error(reader, on_error, owner),
        on_error_at=None if on_error is None or is_null(on_error[1]) else on_error[1],
        output=entries.get("output"),
        env=fields.names("env_requires"),
        retry=_retry(reader, retry, owner) if retry is not None else None,
        timeout_s=fields.number("timeout_s"),
        cache=fields.flag("cache_result") or False,
        feedback=fields.flag("feedback") or False,
        max_visits=fields.integer("max_visits"),
        description=fields.prose("description") or None,
    )


def _on_error(reader: Reader, pair: Pair | None, owner: Owner) -> Name | None:
    if pair is None or is_null(pair[1]):
        return None
    if pair[0].value != "on_error":
        reader.recovery.guessed.append(pair[1])
    if isinstance(pair[1], MappingNode):
        target = reader.source.get(pair[1], "to") or reader.source.get(pair[1], "next")
        hint = f"write `on_error: {target.value}`" if isinstance(target, ScalarNode) else None
        reader.wrong("on_error", pair[1], owner, "the name of a node", hint=hint)
        return None
    return reader.text("on_error", pair[1], owner, "on_error")


def _loop(reader: Reader, fields: Fields, owner: Owner) -> Loop:
    variable, target = fields.node("as"), fields.node("collect")
    collect = None
    if target is not None and not is_null(target):
        collect = fields.text("collect", "collect") or Name(UNKNOWN_NAME, target, plain=False)
    return Loop(
        fields.node("over"),
        _variable(reader, variable, owner) if variable is not None else None,
        collect,
        fields.flag("parallel") or False,
        fields.integer("max_concurrency"),
    )


def _variable(reader: Reader, node: Node, owner: Owner) -> Name | None:
    name = reader.text("as", node, owner, "as")
    if name is not None and not _VARIABLE.match(name.text):
        words = "_".join(part for part in _NO_NAME.split(name.text) if part)
        hint = f"write `as: {words}`, and use that name in the node" if _VARIABLE.match(words) else None
        expected = "a name of letters, digits, `_` and `-` that begins with a letter or `_`"
        reader.wrong("as", node, owner, expected, hint=hint)
        name = None
    return name or Name(UNKNOWN_NAME, node, plain=False)


def _retry(reader: Reader, node: Node, owner: Owner) -> Retry | None:
    mapping = reader.mapping("retry", node, owner)
    if mapping is None:
        return None
    fields = Fields(reader, RETRY, reader.section(reader.source.entries(mapping), RETRY, owner), owner)
    listed, categories = fields.node("categories"), None
    if listed is not None:
        items = reader.items("categories", listed, owner, "a list of error categories")
        chosen = (reader.choice(RETRY["categories"], item, owner) for item in items)
        categories = tuple(item for item in chosen if item is not None)
    return Retry(
        mapping,
        fields.integer("attempts"),
        fields.number("backoff_ms"),
        fields.number("max_backoff_ms"),
        fields.number("multiplier"),
        fields.flag("jitter"),
        categories,
    )
