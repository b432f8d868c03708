"""`config.nodes`: the kind of each node, and its keys."""

from __future__ import annotations

from typing import assert_never

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright import ir
from graphwright.fault import Owner
from graphwright.faults.keys import AsyncLoop, KeyOfOtherType, LowCeiling, MissingKey, UnsupportedKey
from graphwright.language.keys import RETRY
from graphwright.language.nodes import ELSEWHERE, NODES, NodeType, node_types
from graphwright.language.words import PLANNED_TYPES, STATUS_SYNONYMS, TYPE_SYNONYMS
from graphwright.model import (
    UNKNOWN_NAME,
    ActionSpec,
    Call,
    Edge,
    ForeachSpec,
    GateSpec,
    Name,
    NodeSpec,
    ReturnSpec,
    Routing,
)
from graphwright.parse.actions import parse_action
from graphwright.parse.conditions import parse_next
from graphwright.parse.reader import Fields, Reader
from graphwright.pattern import pattern
from graphwright.record import with_defaults
from graphwright.recover.keys import Entries
from graphwright.recover.nesting import releveled
from graphwright.source.reader import Pair
from graphwright.source.scalars import STR, is_null
from graphwright.suggest import nearest

_CONTROL_CHARACTERS = pattern(r"[\x00-\x1f\x7f-\x9f]")
#: A node with this many keys that its type does not take probably has the wrong type: one diagnostic.
_WRONG_TYPE = 3
_VARIABLE = pattern(r"[^\W\d][\w-]*\Z")
_NO_NAME = pattern(r"[^\w-]+")


def parse_node(reader: Reader, pair: Pair) -> NodeSpec:
    """One entry of `nodes`. A node whose body is not a mapping may lead anywhere."""
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
            word = str(body.value).lower() if isinstance(body, ScalarNode) else ""
            hint = f"write `{name}: {{type: return}}`" if TYPE_SYNONYMS.get(word, word) == "return" else None
            reader.wrong(name, body, owner, "a node (a mapping with `action`, `next` and so on)", hint=hint)
        reader.recovery.anything = True
        return GateSpec(owner, name, key, body, None, None, Routing(edges=(Edge(None, None, body),)))
    body = releveled(reader.recovery, body, owner)
    kind, sure = _kind(reader, body, owner)
    known = len(reader.recovery.omitted)
    entries = _entries(reader, body, owner, kind, sure)
    sure = sure and len(reader.recovery.omitted) == known  # an unknown key may stand for one that is missing
    kind, entries = _required(reader, key, entries, owner, kind, sure)
    return _node(reader, key, body, owner, kind, entries)


def _kind(reader: Reader, body: MappingNode, owner: Owner) -> tuple[str, bool]:
    """The type of a node, and whether that is certain: given by a known word or a misspelling of one."""
    pairs = reader.source.entries(body)
    keys = {key.value for key, _ in pairs}
    typed = (pair for pair in pairs if pair[0].value == "type")
    written = next(typed, None) or next((pair for pair in pairs if _means_type(pair)), None)
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
    return suggestion or _likely(keys, "action"), misspelled


def _means_type(pair: Pair) -> bool:
    """Whether an unknown key was meant to be `type`, judging by its name or its value."""
    key, value = pair
    if node_types(key.value) or key.value.startswith("x-"):
        return False
    return nearest(key.value, ("type",)) is not None or (isinstance(value, ScalarNode) and value.value in NODES)


def _likely(keys: set[str], otherwise: str) -> str:
    """The type of a node that these keys suggest."""
    typical = {"over": "foreach", "action": "action", "output": "return"}
    return next((kind for key, kind in typical.items() if key in keys), otherwise)


def _entries(reader: Reader, body: MappingNode, owner: Owner, kind: str, sure: bool) -> Entries:
    """The entries that this type takes. Keys of other types and backends are reported."""
    context = NODES[kind]
    foreign: dict[str, Pair] = {}
    own: list[Pair] = []
    for pair in reader.source.entries(body):
        name = pair[0].value
        if name in context.table:
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
        has_type = any(key.value == "type" for key, _ in own)
        others = tuple(foreign)[1:] if len(foreign) >= _WRONG_TYPE else ()  # then the type is wrong
        for name, (key, _) in foreign.items():
            if name not in others:
                span = reader.span(key)
                reader.report(KeyOfOtherType(span, owner, name, kind, has_type, node_types(name), others))
    else:  # its type is not known, and so neither are its keys
        reader.recovery.omitted += (value for key, value in own if key.value not in context.table)
        own = [pair for pair in own if pair[0].value in context.table]
    entries = reader.section(own, context, owner)
    return {**entries, "action": foreign["action"]} if kind == "gate" and "action" in foreign else entries


def _required(
    reader: Reader, key: ScalarNode, entries: Entries, owner: Owner, kind: str, sure: bool
) -> tuple[str, Entries]:
    """Report missing keys. Returns the type and entries to use: a gate with an action is read as an action node."""
    if kind == "gate":
        return "action" if "action" in entries else "gate", entries
    untyped = "type" not in entries or is_null(entries["type"][1])
    if kind == "foreach":
        if untyped and "action" in entries:
            span = reader.span(entries["over"][0])
            reader.report(KeyOfOtherType(span, owner, "over", "action", typed=False, types=("foreach",)))
            reader.recovery.omitted.append(entries["over"][1])
            entries = {name: pair for name, pair in entries.items() if name != "over"}
        elif untyped and sure:
            reader.report(MissingKey(reader.span(key), owner, "type", "a node with `over`", "foreach"))
        for name in ("over", "action"):
            if name not in entries and sure and not untyped:
                reader.report(MissingKey(reader.span(key), owner, name, "a foreach node"))
        if "over" not in entries:
            reader.recovery.anything = True
    if kind == "return" and untyped and sure:
        reader.report(MissingKey(reader.span(key), owner, "type", "a node with `output`", "return"))
    if kind in ("action", "foreach") and "action" not in entries:
        reader.recovery.anything = True
    if kind == "action" and "action" not in entries and sure:
        context = "a node without `type`" if untyped else "an action node"
        alternative = "gate" if "next" in entries or "assign" in entries else "gate or return"
        reader.report(MissingKey(reader.span(key), owner, "action", context, alternative))
    return kind, entries


def _node(reader: Reader, key: ScalarNode, body: Node, owner: Owner, kind: str, entries: Entries) -> NodeSpec:
    fields = Fields(reader, NODES[kind], entries, owner)
    fields.prose("comment")
    base = (owner, key.value, key, body, fields.prose("description") or None, fields.integer("max_visits"))
    match NodeType(kind):
        case NodeType.ACTION:
            return ActionSpec(*base, _routing(fields), _call(fields), fields.flag("feedback") or False)
        case NodeType.GATE:
            return GateSpec(*base, _routing(fields))
        case NodeType.FOREACH:
            variable, collect = fields.node("as"), fields.node("collect")
            unreadable = None if collect is None or is_null(collect) else Name(UNKNOWN_NAME, collect, plain=False)
            return ForeachSpec(
                *base,
                _routing(fields),
                _call(fields, foreach=True),
                fields.node("over"),
                None if variable is None else _variable(reader, variable, owner),
                unreadable and (fields.text("collect", "collect") or unreadable),
                fields.flag("parallel") or False,
                fields.integer("max_concurrency"),
            )
        case NodeType.RETURN:
            fails = _fails(reader, fields, entries, owner)
            return ReturnSpec(*base, fields.node("output"), fails, _error(reader, fields.node("error"), owner))
        case _ as unknown:
            assert_never(unknown)


def _routing(fields: Fields) -> Routing:
    reader, owner = fields.reader, fields.owner
    assign, following, on_error = map(fields.entries.get, ("assign", "next", "on_error"))
    return Routing(
        reader.assigned("assign", assign[1], owner) if assign else (),
        assign and assign[0],
        parse_next(reader, *following, owner) if following else (),
        following and following[0],
        _on_error(reader, on_error, owner),
        None if on_error is None or is_null(on_error[1]) else on_error[1],
    )


def _call(fields: Fields, *, foreach: bool = False) -> Call:
    action, retry = fields.entries.get("action"), fields.node("retry")
    return Call(
        parse_action(fields.reader, action, fields.owner, foreach=foreach) if action else None,
        fields.names("env_requires"),
        _retry(fields.reader, retry, fields.owner) if retry is not None else None,
        fields.number("timeout_s"),
        fields.flag("cache_result") or False,
    )


def _fails(reader: Reader, fields: Fields, entries: Entries, owner: Owner) -> bool:
    """Whether a return node ends the run with an error; a node with an `error` is meant to."""
    status = fields.choice("status", STATUS_SYNONYMS)
    if "error" not in entries or is_null(entries["error"][1]) or status == "error":
        return status == "error"
    if "status" not in entries:
        reader.report(MissingKey(reader.span(entries["error"][0]), owner, "status", "a return node with `error`"))
    elif status == "completed":
        expected, hint = "`error` in a node that has an `error`", "write `status: error`, or remove `error`"
        reader.wrong("status", entries["status"][1], owner, expected, hint)
    return True


def _error(reader: Reader, node: Node | None, owner: Owner) -> Node | None:
    """The value of `error`, a string that may contain templates."""
    if node is None or is_null(node):
        return None
    if isinstance(node, ScalarNode) and node.tag == STR:
        return node
    reader.wrong("error", node, owner, "a string", quote=True)
    return None


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


def _variable(reader: Reader, node: Node, owner: Owner) -> Name:
    name = reader.text("as", node, owner, "as")
    if name is not None and not _VARIABLE.match(name.text):
        words = "_".join(part for part in _NO_NAME.split(name.text) if part)
        hint = f"write `as: {words}`, and use that name in the node" if _VARIABLE.match(words) else None
        expected = "a name of letters, digits, `_` and `-` that begins with a letter or `_`"
        reader.wrong("as", node, owner, expected, hint=hint)
        name = None
    return name or Name(UNKNOWN_NAME, node, plain=False)


def _retry(reader: Reader, node: Node, owner: Owner) -> ir.Retry | None:
    mapping = reader.mapping("retry", node, owner)
    if mapping is None:
        return None
    fields = Fields(reader, RETRY, reader.section(reader.source.entries(mapping), RETRY, owner), owner)
    listed, categories = fields.node("categories"), None
    if listed is not None:
        items = reader.items("categories", listed, owner, "a list of error categories")
        chosen = (reader.choice(RETRY["categories"], item, owner) for item in items)
        categories = tuple(item for item in chosen if item is not None)
    policy = with_defaults(
        ir.Retry(),
        attempts=fields.integer("attempts"),
        backoff_ms=fields.number("backoff_ms"),
        max_backoff_ms=fields.number("max_backoff_ms"),
        multiplier=fields.number("multiplier"),
        jitter=fields.flag("jitter"),
        categories=categories,
    )
    waits = [(name, fields.node(name)) for name in ("max_backoff_ms", "backoff_ms")]
    if policy.max_backoff_ms < policy.backoff_ms and policy.attempts > 1:
        by_default = next((name for name, at in waits if at is None), None)
        span = reader.span(next((at for _, at in waits if at is not None), node))
        reader.report(LowCeiling(span, owner, policy.backoff_ms, policy.max_backoff_ms, by_default))
    return policy
