"""Conditions (`when`, a hook's `condition`) and the edges that carry them."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.fault import Owner
from graphwright.faults.expressions import UnknownOperator
from graphwright.faults.keys import KeyOfOtherForm, MissingKey, OlderSpelling, UnknownKey, WrongValue
from graphwright.faults.yaml import NotJson
from graphwright.language.keys import CONDITION, EDGE
from graphwright.language.operators import OLD_OPERATORS, OPERATOR_SYNONYMS, OPERATORS, ORDERS, denied_operator
from graphwright.model import Comparison, Condition, Edge, Group, Name, Negation
from graphwright.parse.reader import Reader
from graphwright.recover.conditions import around_condition, without_operator_keys
from graphwright.recover.keys import Entries
from graphwright.source import scalars
from graphwright.source.scalars import is_null
from graphwright.suggest import edits, nearest

_FORMS = ("any", "all", "not")
_COMPARISON = ("path", "op", "value")


def parse_condition(reader: Reader, key: ScalarNode, node: Node, owner: Owner, name: str = "when") -> Condition | None:
    """The condition at `key`, which means `name`; None if there is none (always true) or it cannot be understood."""
    if is_null(node) or _is_empty(reader, node):
        return None
    return _condition(reader, key.value, key, node, owner, name)


def _condition(reader: Reader, key: str, key_at: Node | None, node: Node, owner: Owner, name: str) -> Condition | None:
    """A condition; `name` is the key to write before it, empty for an item of a list."""
    if not isinstance(node, MappingNode):
        hint = _listed_hint(name, node) if isinstance(node, SequenceNode) else _hint(name, node)
        if hint is not None and isinstance(node, ScalarNode) and key_at is not None:
            reader.log.retract(reader.span(key_at), UnknownKey)  # the hint has the right key, too
        reader.wrong(key, node, owner, "a condition such as `{path: state.total, op: gt, value: 0}`", hint=hint)
        alone = node.value[0] if isinstance(node, SequenceNode) and len(node.value) == 1 else None
        return _condition(reader, key, key_at, alone, owner, name) if isinstance(alone, MappingNode) else None
    if _is_empty(reader, node):
        return Group("all", (), node)
    pairs = without_operator_keys(reader.recovery, reader.source.entries(node), owner)
    entries = reader.section(pairs, CONDITION, owner)
    form = _form(reader, entries, owner)
    if form == "not":
        pair = entries["not"]
        part = _condition(reader, "not", pair[0], pair[1], owner, "not")
        return None if part is None else Negation(part, node)
    if form in ("any", "all"):
        return _group(reader, form, entries[form][1], node, owner)
    return _comparison(reader, entries, key_at, node, owner)


def _hint(name: str, node: Node) -> str | None:
    """What to write for a condition that is a string, as other dialects have it."""
    if not isinstance(node, ScalarNode) or (node.tag != scalars.STR and node.value.lower() != "true"):
        return None
    from graphwright.dialects.string_conditions import advice, as_condition

    return None if as_condition(node.value) is None else f"write {advice(node.value, name)}"


def _listed_hint(name: str, node: SequenceNode) -> str | None:
    """What to write for a list of conditions where one condition is expected."""
    if len(node.value) == 1:
        where = f"`{name}`" if name else "each item"
        return _hint(name, node.value[0]) or f"remove the list: {where} takes one condition"
    header = f"{name}: " if name else ""
    return f"write `{header}{{all: […]}}` if each of them must hold, `{header}{{any: […]}}` if one is enough"


def _form(reader: Reader, entries: Entries, owner: Owner) -> str:
    """The form of a condition: the first that occurs and is not an empty list; the first key of another is reported."""
    first = next((key for key in entries if not _is_empty_list(entries[key][1])), next(iter(entries), "path"))
    form = first if first in _FORMS else "path"
    own = (form,) if form in _FORMS else _COMPARISON
    other = next((key for key in entries if key not in own), None)
    if other is not None:
        reader.report(KeyOfOtherForm(reader.span(entries[other][0]), owner, other, form))
    return form


def _is_empty_list(node: Node) -> bool:
    return isinstance(node, SequenceNode) and not node.value


def _group(reader: Reader, kind: str, node: Node, at: MappingNode, owner: Owner) -> Condition | None:
    if not isinstance(node, SequenceNode):
        reader.wrong(kind, node, owner, "a list of conditions")
        return None
    parts = [_condition(reader, kind, None, item, owner, "") for item in node.value]
    known = tuple(part for part in parts if part is not None)
    if len(known) == len(parts):
        return Group(kind, known, at)
    reader.recovery.omitted.append(node)
    return None


def _comparison(
    reader: Reader, entries: Entries, key_at: Node | None, at: MappingNode, owner: Owner
) -> Condition | None:
    op: str | None = "eq"
    if "op" in entries:
        path = entries["path"][1].value if "path" in entries else None
        op = _operator(reader, entries["op"][1], owner, path if isinstance(path, str) else "…")
    value = entries["value"][1] if "value" in entries else None
    if value is not None and op in ORDERS:
        reader.wants_number(value)
    if "path" not in entries:
        if not entries:
            return None
        span = reader.span(key_at) if key_at is not None else reader.source.first_key(at)
        reader.report(MissingKey(span, owner, "path", "a condition"))
        return None
    path = entries["path"][1]
    name = reader.text("path", path, owner)
    if name is None or not isinstance(path, ScalarNode):
        return None
    return Comparison(path, op, value, at)


def _operator(reader: Reader, node: Node, owner: Owner, path: str) -> str | None:
    name = reader.text("op", node, owner, "op")
    if name is None or name.text in OPERATORS:
        return None if name is None else name.text
    if name.text in OLD_OPERATORS:
        modern = OLD_OPERATORS[name.text]
        edit = reader.source.instead(node, modern) if isinstance(node, ScalarNode) else None
        reader.report(OlderSpelling(reader.span(node), owner, name.text, modern, edit))
        return modern
    if isinstance(node, ScalarNode) and node.tag not in (scalars.STR, scalars.EQUALS):
        return None
    reader.log.retract(reader.span(node), NotJson, WrongValue)
    synonym = OPERATOR_SYNONYMS.get(name.text.lower())
    suggestion = synonym or (None if denied_operator(name.text) else nearest(name.text, OPERATORS))
    reader.report(UnknownOperator(reader.span(node), owner, name.text, suggestion, tuple(OPERATORS), path))
    return synonym or (suggestion if suggestion is not None and _is_clear(name.text, suggestion) else None)


def _is_clear(name: str, meant: str) -> bool:
    """Whether a misspelled operator is unambiguous: `gtt` is as near to `gte` as it is to `gt`."""
    other = nearest(name, [operator for operator in OPERATORS if operator != meant])
    return other is None or edits(name, meant) < edits(name, other)


def parse_next(reader: Reader, key: ScalarNode, node: Node, owner: Owner) -> tuple[Edge, ...]:
    """The edges of `next`: a node's name, or a list whose first match is taken."""
    if is_null(node):
        return ()
    if isinstance(node, ScalarNode):
        target = reader.text(key.value, node, owner, "next")
        return (Edge(target, None, node),)
    if isinstance(node, MappingNode):
        is_edge = any(name.value in EDGE.table for name, _ in reader.source.entries(node))
        hint = "put `- ` before it" if is_edge else "write a list of edges: `- {to: …, when: {path: …, value: …}}`"
        reader.wrong(key.value, node, owner, "a node's name or a list of edges", hint=hint)
        reader.recovery.guessed.append(node)
        return (_edge(reader, node, owner),) if is_edge else (Edge(None, None, node),)
    return tuple(_edge(reader, item, owner) for item in node.value)


def _edge(reader: Reader, node: Node, owner: Owner) -> Edge:
    if isinstance(node, ScalarNode) and not is_null(node):
        target = node.value.removeprefix("to ").strip()
        if target != node.value:
            reader.recovery.guessed.append(node)
        reader.wrong("next", node, owner, "an edge such as `{to: done}`", hint=f"write `{{to: {target}}}`")
        return Edge(Name(target, node), None, node)
    if not isinstance(node, MappingNode) or not node.value:
        reader.wrong("next", node, owner, "an edge such as `{to: done}`")
        return Edge(None, None, node)
    omitted = len(reader.recovery.omitted)
    pairs = around_condition(reader.recovery, reader.source.entries(node), EDGE, "when", owner)
    entries = reader.section(pairs, EDGE, owner)
    when = entries.get("when")
    condition = parse_condition(reader, when[0], when[1], owner) if when else None
    is_unknown = len(reader.recovery.omitted) > omitted  # a key that may have been meant for the condition
    if when is not None and not (is_null(when[1]) or _is_empty(reader, when[1])):
        is_unknown = True
    if condition is None and is_unknown:
        condition = Comparison(ScalarNode(scalars.STR, "?", node.start_mark, node.start_mark, ""), None, None, node)
    if "to" not in entries:
        reader.report(MissingKey(reader.source.first_token(node), owner, "to", "an edge"))
        return Edge(None, condition, node)
    return Edge(reader.text("to", entries["to"][1], owner, "to"), condition, node)


def _is_empty(reader: Reader, node: Node) -> bool:
    """Whether a condition is empty, and so always true."""
    return isinstance(node, MappingNode) and all(key.value.startswith("x-") for key, _ in reader.source.entries(node))
