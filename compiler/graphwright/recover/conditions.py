"""Recovers conditions: operators and paths that are keys, and keys that slipped into or out of a condition."""

from __future__ import annotations

from collections.abc import Sequence

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright.fault import Owner
from graphwright.faults.keys import UnknownKey
from graphwright.language.events import NAMESPACES
from graphwright.language.keys import CONDITION
from graphwright.language.operators import OPERATOR_SYNONYMS, OPERATORS
from graphwright.language.sections import Section
from graphwright.recover.recovery import Recovery, mapping_of
from graphwright.source import scalars
from graphwright.source.reader import Pair


def around_condition(recovery: Recovery, pairs: list[Pair], section: Section, name: str, owner: Owner) -> list[Pair]:
    """The entries of an edge or a hook: the parts of its condition moved into `name`, its own keys moved out of it."""
    keys = {key.value for key, _ in pairs}
    parts = [pair for pair in pairs if pair[0].value in CONDITION.table]
    condition = next((value for key, value in pairs if key.value == name), None)
    if condition is None and any(key.value in ("path", "any", "all", "not") for key, _ in parts):
        first = parts[0][0]
        recovery.misplaced(first, owner, section.phrase, f"in a condition: `{name}: {{path: …, value: …}}`")
        header = ScalarNode(scalars.STR, name, first.start_mark, first.end_mark)
        return [*(pair for pair in pairs if pair not in parts), (header, mapping_of(parts))]
    if not isinstance(condition, MappingNode):
        return pairs
    inside = recovery.source.entries(condition)
    slipped = [pair for pair in inside if pair[0].value in section.table and pair[0].value not in keys]
    if not slipped or len(slipped) == len(inside):
        return pairs
    recovery.misplaced(slipped[0][0], owner, "in a condition", f"{section.phrase}, next to `{name}`")
    rest = mapping_of([pair for pair in inside if pair not in slipped], condition)
    return [*((key, rest if value is condition else value) for key, value in pairs), *slipped]


def without_operator_keys(recovery: Recovery, pairs: Sequence[Pair], owner: Owner) -> Sequence[Pair]:
    """The entries of a condition in which neither an operator nor a path is a key of its own: `{path: state.x, gt: 3}`,
    `{state.x: 3}`."""
    names = {key.value for key, _ in pairs}
    if len(pairs) == 1 and pairs[0][0].value.partition(".")[0] in NAMESPACES and "." in pairs[0][0].value:
        return _path_as_key(recovery, *pairs[0], owner)
    if "path" not in names or "op" in names:
        return pairs
    found: list[Pair] = []
    for key, value in pairs:
        word = key.value.lower()
        operator = OPERATOR_SYNONYMS.get(word, word)
        if operator not in OPERATORS or key.value in CONDITION.table or "value" in names:
            found.append((key, value))
            continue
        is_test = operator == "exists"
        instead = "op: exists" if is_test else f"op: {operator}, value: …"
        recovery.log.add(UnknownKey(recovery.source.span(key), owner, key.value, CONDITION.phrase, instead))
        for name, node in (("op", ScalarNode(scalars.STR, operator, key.start_mark, key.end_mark)), ("value", value)):
            if not (is_test and name == "value"):
                found.append((ScalarNode(scalars.STR, name, key.start_mark, key.end_mark), node))
    return found


def _path_as_key(recovery: Recovery, key: ScalarNode, value: Node, owner: Owner) -> Sequence[Pair]:
    """The entries of `{state.x: 3}`."""
    recovery.log.add(
        UnknownKey(recovery.source.span(key), owner, key.value, CONDITION.phrase, f"path: {key.value}, value: …")
    )
    path, header = (ScalarNode(scalars.STR, text, key.start_mark, key.end_mark) for text in ("path", "value"))
    return ((path, key), (header, value))
