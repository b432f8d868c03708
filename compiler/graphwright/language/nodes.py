"""The types of node and their keys."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from graphwright.language.sections import (
    ANY,
    FLAG,
    MAPPING,
    TEXT,
    Key,
    Section,
    in_section,
    number,
    one_of,
    section,
    whole,
)
from graphwright.language.words import STATUSES

#: The name of a variable. All non-ASCII characters are accepted, because not every editor supports Unicode classes.
_VARIABLE: Final = r"^[A-Za-z_\u0080-\uffff][A-Za-z0-9_\-\u0080-\uffff]*$"

_ASSIGN: Final = Key(
    "assign", "State keys and their new values (templates), in document order.", MAPPING, nullable=True
)
_NEXT: Final = Key(
    "next", "The next node, or a list of edges; the run ends if none applies.", in_section("next"), nullable=True
)
_ON_ERROR: Final = Key("on_error", "The node to go to after an error of this node.", TEXT, nullable=True)
_ACTION: Final = Key("action", "What the node calls.", in_section("action"), required=True)

#: The variable of a foreach without `as`.
DEFAULT_ITEM: Final = "item"

#: Further keys of nodes that call something.
_CALLING: Final = (
    Key("env_requires", "Environment variables that the node needs.", in_section("names"), nullable=True),
    Key("cache_result", "Reuse the result of an equal action.", FLAG, False),
    Key("cache", "Older spelling of `cache_result`.", FLAG, modern="cache_result", deprecated=True),
    Key("retry", "The retry policy, in place of the built-in one.", in_section("retry"), nullable=True),
    Key("timeout_s", "Time limit for one attempt, in seconds; in a foreach, per item.", number(above=True)),
)

#: Keys of all nodes.
_COMMON: Final = (
    Key("description", "What the node is for.", TEXT, nullable=True),
    Key("comment", "A comment; ignored.", TEXT, nullable=True),
    Key("max_visits", "The maximum number of times that one run executes the node.", whole(1)),
)

_SYNONYMS: Final = {
    "goto": "next", "to": "next", "then": "next", "edges": "next", "on_failure": "on_error", "on_fail": "on_error",
    "if_error": "on_error", "catch": "on_error", "timeout": "timeout_s", "timeout_seconds": "timeout_s",
    "time_limit": "timeout_s", "items": "over", "in": "over", "foreach": "over", "for_each": "over", "var": "as",
    "collect_as": "collect", "collect_into": "collect", "result": "assign", "set": "assign", "returns": "output",
    "outputs": "output", "env": "env_requires", "concurrency": "max_concurrency", "retries": "retry",
    "cached": "cache_result", "max_iterations": "max_visits", "max_loops": "max_visits",
}  # fmt: skip


#: Those of return nodes in particular.
_RETURNED: Final = {"result": "output", "return": "output", "value": "output"}
#: Those of foreach nodes.
_REPEATED: Final = {
    "result": "collect", "results": "collect", "item": "as", "withitems": "over", "with_items": "over",
    "withparam": "over", "max_parallel": "max_concurrency",
}  # fmt: skip


class NodeType(Enum):
    """The types of node."""

    ACTION = "action"
    GATE = "gate"
    FOREACH = "foreach"
    RETURN = "return"


def _node(name: str, phrase: str, doc: str, *keys: Key) -> Section:
    is_default = name == "action"
    own = Key("type", "The type of node.", {"const": name}, name if is_default else None, not is_default, is_default)
    synonyms = _SYNONYMS | {"return": _RETURNED, "foreach": _REPEATED}.get(name, {})
    return section(name, phrase, doc, (*keys, own, *_COMMON), synonyms)


NODES: Final[Mapping[str, Section]] = {
    "action": _node(
        "action", "in an action node", "Run an action, assign its result, follow `next`.",
        _ACTION, _ASSIGN, _NEXT, _ON_ERROR, *_CALLING,
        Key("feedback", "From the second visit on, the action receives `params.feedback`.", FLAG, False),
    ),
    "gate": _node("gate", "in a gate", "Assign and route, without an action.", _ASSIGN, _NEXT, _ON_ERROR),
    "foreach": _node(
        "foreach", "in a foreach node", "Run the action once per item.",
        Key("over", "The list: a template, or the list itself.", ANY, required=True),
        Key("as", "The variable that holds the item.", {"type": "string", "pattern": _VARIABLE}, DEFAULT_ITEM),
        _ACTION, _ASSIGN,
        Key("collect", "The state key that receives all results, in order.", TEXT, nullable=True),
        Key("parallel", "Run items at the same time.", FLAG, False),
        Key("max_concurrency", "How many items run at once.", whole(1)),
        _NEXT, _ON_ERROR, *_CALLING,
    ),
    "return": _node(
        "return", "in a return node", "End the run.",
        Key("output", "The output of the run (a template); by default, the state.", ANY),
        Key("status", "How the run ends; with `error`, its output is null by default.", one_of(STATUSES), "completed"),
        Key("error", "What went wrong (a template), for a run that ends with `status: error`.", TEXT, nullable=True),
    ),
}  # fmt: skip

#: Keys of nodes that only another backend supports.
ELSEWHERE: Final = ("remote", "thread")

_ALL_KEYS: Final = tuple(dict.fromkeys(name for each in NODES.values() for name in each.keys))

_TYPES: Final = {
    name: tuple(kind for kind, each in NODES.items() if name in each.table)
    for name in dict.fromkeys(name for each in NODES.values() for name in each.table)
}


def node_types(key: str) -> tuple[str, ...]:
    """The types of node that take a key (or its older spelling)."""
    return _TYPES.get(key, ())


def node_keys() -> tuple[str, ...]:
    """The keys of all types of node."""
    return _ALL_KEYS
