"""Which keys are legal where: the tables of the language.

A place is a kind of mapping. A key that is not in its table is reported with the nearest one that is, or with the
place where it belongs.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from graphwright.pattern import pattern
from graphwright.record import Record


class Place(Record):
    """One kind of mapping: what it is called, its keys, older spellings, and words that people use for its keys."""

    phrase: str
    keys: tuple[str, ...]
    aliases: Mapping[str, str] = MappingProxyType({})
    synonyms: Mapping[str, str] = MappingProxyType({})


TOP: Final = Place(
    "at the top level",
    (
        "version", "tool_type", "executor_id", "tool_id", "name", "category", "description", "tags", "permissions",
        "limits", "config_schema", "output_schema", "env_requires", "config",
    ),
    synonyms={"inputs": "config_schema", "inputs_schema": "config_schema", "outputs": "output_schema",
              "capabilities": "permissions", "env": "env_requires", "environment": "env_requires"},
)  # fmt: skip

CONFIG: Final = Place(
    "in `config`",
    (
        "start", "max_steps", "on_error", "on_max_steps", "max_concurrency", "state", "state_schema", "timeout_s",
        "require_capabilities", "hooks", "builtin_hooks", "durability", "nodes",
    ),
    synonyms={"entry": "start", "entrypoint": "start", "initial_state": "state", "timeout": "timeout_s"},
)  # fmt: skip

_COMMON: Final = ("type", "description", "comment", "max_visits")
_NODE_SYNONYMS: Final = {
    "goto": "next", "then": "next", "edges": "next", "on_failure": "on_error", "on_fail": "on_error",
    "if_error": "on_error", "catch": "on_error", "timeout": "timeout_s", "timeout_seconds": "timeout_s",
    "time_limit": "timeout_s", "items": "over", "in": "over", "foreach": "over", "for_each": "over", "var": "as",
    "collect_as": "collect", "collect_into": "collect", "result": "assign", "set": "assign", "returns": "output",
    "outputs": "output", "env": "env_requires", "concurrency": "max_concurrency", "retries": "retry",
}  # fmt: skip
_CACHE: Final = {"cache": "cache_result"}

#: The kinds of node and their keys.
NODES: Final[Mapping[str, Place]] = {
    "action": Place(
        "in an action node",
        ("action", "assign", "next", "on_error", "env_requires", "cache_result", "retry", "timeout_s", "feedback",
         *_COMMON),
        _CACHE, _NODE_SYNONYMS,
    ),
    "gate": Place("in a gate", ("assign", "next", "on_error", *_COMMON), {}, _NODE_SYNONYMS),
    "foreach": Place(
        "in a foreach node",
        ("over", "as", "action", "assign", "collect", "parallel", "max_concurrency", "next", "on_error",
         "env_requires", "cache_result", "retry", "timeout_s", *_COMMON),
        _CACHE, _NODE_SYNONYMS,
    ),
    "return": Place("in a return node", ("output", *_COMMON), {}, _NODE_SYNONYMS),
}  # fmt: skip

ACTION: Final = Place(
    "in an action",
    ("primary", "item_type", "item_id", "params"),
    {"kind": "item_type", "async": "async", "async_exec": "async"},
    {"parameters": "params", "args": "params", "arguments": "params", "with": "params", "inputs": "params",
     "tool": "item_id", "id": "item_id", "tool_id": "item_id", "type": "item_type"},
)  # fmt: skip

EDGE: Final = Place(
    "in an edge",
    ("to", "when"),
    synonyms={"target": "to", "node": "to", "goto": "to", "next": "to", "if": "when", "condition": "when"},
)

CONDITION: Final = Place(
    "in a condition",
    ("path", "op", "value", "any", "all", "not"),
    {"operator": "op"},
    {"or": "any", "and": "all", "key": "path", "field": "path", "left": "path", "right": "value"},
)

HOOK: Final = Place(
    "in a hook",
    ("id", "event", "condition", "action", "layer"),
    synonyms={"when": "condition", "if": "condition", "on": "event", "name": "id"},
)

CONTROL: Final = Place(
    "in a control literal", ("retry", "max_retries", "fail", "abort", "continue", "additional_steps")
)

RETRY: Final = Place(
    "in `retry`",
    ("attempts", "backoff_ms", "max_backoff_ms", "multiplier", "jitter", "categories"),
    synonyms={"max_attempts": "attempts", "max_retries": "attempts", "retries": "attempts", "backoff": "backoff_ms"},
)

LIMITS: Final = Place("in `limits`", ("depth", "turns", "tokens", "spend", "duration_s", "spawns"))

#: Keys that only another backend honours.
ELSEWHERE: Final = ("remote", "thread")
#: Keys of `config` that are planned.
PLANNED_CONFIG: Final = ("reducers",)
#: Types of node that are planned, and what to write until then.
PLANNED_TYPES: Final = {
    "graph": "call the graph as a tool: `action: {item_id: <its id>}`",
    "interrupt": "end the run with a return node and start another when the answer is there",
    "parallel": "use `type: foreach` with `parallel: true`",
}
#: What people write for the types that exist.
TYPE_SYNONYMS: Final = {
    "end": "return", "finish": "return", "terminal": "return", "loop": "foreach", "for_each": "foreach",
    "for-each": "foreach", "each": "foreach", "map": "foreach", "router": "gate", "switch": "gate",
    "condition": "gate", "branch": "gate", "tool": "action", "task": "action", "step": "action",
}  # fmt: skip

PRIMARIES: Final = ("execute", "search", "load", "sign")
#: What people write for the primaries and events that exist.
PRIMARY_SYNONYMS: Final = {
    "exec": "execute", "run": "execute", "call": "execute", "invoke": "execute", "get": "load", "read": "load",
    "fetch": "load", "find": "search", "query": "search",
}  # fmt: skip
EVENT_SYNONYMS: Final = {
    "on_error": "error", "failure": "error", "failed": "error", "step": "after_step", "after_node": "after_step",
    "node_finished": "after_step", "step_completed": "after_step", "start": "graph_started", "started": "graph_started",
    "on_start": "graph_started", "end": "graph_completed", "finished": "graph_completed",
    "completed": "graph_completed", "on_complete": "graph_completed", "max_steps": "limit", "limit_reached": "limit",
}  # fmt: skip
KINDS: Final = ("tool", "directive", "knowledge")
EVENTS: Final = ("graph_started", "after_step", "error", "limit", "graph_completed")
ON_ERROR: Final = ("fail", "continue")
ON_MAX_STEPS: Final = ("fail", "return", "flag")
DURABILITIES: Final = ("process", "power", "exit", "off")
CATEGORIES: Final = ("transient", "rate_limited", "permanent", "cancelled", "timeout", "denied")
#: The control literals that each event honours.
CONTROLS: Final[Mapping[str, tuple[str, ...]]] = {"error": ("retry", "fail"), "limit": ("continue", "fail")}

OPERATORS: Final = ("eq", "ne", "gt", "gte", "lt", "lte", "in", "contains", "regex", "exists")
#: Older or foreign spellings of operators; only those of `OLD_OPERATORS` are accepted.
OLD_OPERATORS: Final = {"neq": "ne"}
OPERATOR_SYNONYMS: Final = {
    "equals": "eq", "equal": "eq", "==": "eq", "=": "eq", "is": "eq", "!=": "ne", "<>": "ne", "not_equals": "ne",
    "not_equal": "ne", "is_not": "ne", "isnt": "ne", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "ge": "gte",
    "le": "lte",
    "greater_than": "gt", "less_than": "lt", "greater": "gt", "less": "lt", "matches": "regex", "match": "regex",
    "=~": "regex", "includes": "contains", "has": "contains", "one_of": "in", "defined": "exists", "is_set": "exists",
    "not_null": "exists", "is_not_null": "exists", "notnull": "exists", "present": "exists", "is_present": "exists",
}  # fmt: skip

_DENIAL: Final = pattern(r"(?:is_?)?(?:not?|non|un|doesnt|does_not)[_ -]?(?=[a-z])|!\s*(?=\w)|n(?=in\Z)")


def denied_operator(name: str) -> str | None:
    """The operator that a name such as `not_in` or `!contains` turns round: the language has `not` around it."""
    found = _DENIAL.match(name.lower())
    if found is None:
        return None
    rest = name.lower()[found.end() :].strip("_- ").removesuffix("s")
    return next((each for each in OPERATORS if rest in (each, each.removesuffix("s"))), OPERATOR_SYNONYMS.get(rest))


_ALL_NODE_KEYS: Final = tuple(dict.fromkeys(key for place in NODES.values() for key in place.keys))

#: Where a key belongs that stands in the wrong mapping: for each key the places that take it.
HOMES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("at the top level", TOP.keys),
    ("under `config`", CONFIG.keys),
    ("on a node", _ALL_NODE_KEYS),
    ("under `action`", ("primary", "item_type", "item_id", "params")),
    ("in an edge (a list item of `next`)", EDGE.keys),
    ("in a condition", ("path", "op", "operator", "value")),
    ("under `retry`", RETRY.keys),
)


#: Every key that the language gives a meaning to, wherever it stands.
LANGUAGE: Final = frozenset(
    key
    for place in (TOP, CONFIG, *NODES.values(), ACTION, EDGE, CONDITION, HOOK, RETRY, LIMITS)
    for key in (*place.keys, *place.aliases)
)


def belongs(key: str, place: Place) -> str | None:
    """Where a key is legal that `place` does not take: "at the top level or on a node"."""
    own = {TOP.phrase: "at the top level", CONFIG.phrase: "under `config`"}.get(place.phrase, "")
    if place in NODES.values():
        own = "on a node"
    homes = [phrase for phrase, keys in HOMES if key in keys and phrase != own]
    return " or ".join(homes[:2]) if homes else None


_TYPES: Final = {
    key: tuple(kind for kind, place in NODES.items() if key in place.keys or key in place.aliases)
    for key in (*_ALL_NODE_KEYS, *_CACHE)
}


def node_types(key: str) -> tuple[str, ...]:
    """The types of node that take a key (or an older spelling of it)."""
    return _TYPES.get(key, ())
