"""Every section of the language with its keys: the top level, `config`, limits, hooks, `retry`, edges, conditions."""

from __future__ import annotations

from typing import Final

from graphwright.language.events import EVENTS
from graphwright.language.operators import OLD_OPERATORS, OPERATORS
from graphwright.language.sections import (
    ANY,
    FLAG,
    MAPPING,
    TEXT,
    TEXTS,
    TRUE,
    Fragment,
    Key,
    in_section,
    listed,
    number,
    one_of,
    section,
    whole,
)
from graphwright.language.words import (
    CATEGORIES,
    DURABILITIES,
    KINDS,
    ON_ERROR,
    ON_MAX_STEPS,
    PRIMARIES,
    PRIMARY_ALIASES,
)

#: What an `executor_id` may be, in the syntax that Python and ECMA 262 share.
EXECUTOR: Final = r"^(rye|ryeos)/(.*/)?(state-graph/runtime|state_graph_runtime)$"

#: The names of nodes: not empty, without control characters.
NODE_NAME: Final = r"^[^\u0000-\u001f\u007f-\u009f]+$"

TOP: Final = section(
    "graph", "at the top level", "A declarative state graph. YAML 1.1; templates are `${…}`.",
    (
        Key("version", "The version of this graph.", TEXT, nullable=True),
        Key("tool_type", "Says that this file is a graph; `state_graph` is an older spelling.",
            one_of(("graph", "state_graph")), required=True),
        Key("executor_id", "The interpreter that the graph was written for.", {"type": "string", "pattern": EXECUTOR},
            nullable=True),
        Key("tool_id", "An id for registries.", TEXT, nullable=True),
        Key("name", "A name for people.", TEXT, nullable=True),
        Key("category", "A folder for people.", TEXT, nullable=True),
        Key("description", "What the graph does.", TEXT, nullable=True),
        Key("tags", "Words to find it by.", TEXTS, nullable=True),
        Key("permissions", "Capability patterns: everything that the graph may do.", TEXTS, nullable=True),
        Key("limits", "Bounds that child threads and nested runs inherit.", in_section("limits"), nullable=True),
        Key("config_schema", "JSON Schema of the inputs; defaults are filled in wherever their object is there.",
            MAPPING, nullable=True),
        Key("output_schema", "JSON Schema of the output: types it, and holds for it.", MAPPING, nullable=True),
        Key("env_requires", "Environment variables that every run needs: a name or a list.", in_section("names"),
            nullable=True),
        Key("config", "The graph itself.", in_section("config"), required=True),
    ),
    {"inputs": "config_schema", "inputs_schema": "config_schema", "outputs": "output_schema",
     "capabilities": "permissions", "env": "env_requires", "environment": "env_requires"},
)  # fmt: skip

CONFIG: Final = section(
    "config", "in `config`", "The graph itself.",
    (
        Key("start", "The node where a run begins.", TEXT, required=True),
        Key("max_steps", "How many nodes a run may execute, the return node included.", whole(1), 100),
        Key("on_error", "What an error does that no error edge takes.", one_of(ON_ERROR), "fail"),
        Key("on_max_steps", "What happens when the steps are used up.", one_of(ON_MAX_STEPS), "fail"),
        Key("max_concurrency", "How many items of a parallel foreach run at once.", whole(1), 16),
        Key("state", "The initial state, literally, without templates; each run gets a copy.", MAPPING, nullable=True),
        Key("state_schema", "JSON Schema of the state: types its keys, holds for what enters it.", MAPPING,
            nullable=True),
        Key("timeout_s", "Seconds for the whole run.", number(above=True)),
        Key("require_capabilities", "`true` refuses to run on the graph's own `permissions` alone.", FLAG, False),
        Key("hooks", "Actions and controls on events of the run.", listed("hook"), nullable=True),
        Key("builtin_hooks", "`false` turns the built-in retry of passing errors off.", FLAG, True),
        Key("durability", "What a run writes down, and how surely.", one_of(DURABILITIES), "process"),
        Key("nodes", "The nodes by name, at least one.",
            {"type": "object", "minProperties": 1, "propertyNames": {"pattern": NODE_NAME},
             "additionalProperties": in_section("node")}, required=True),
    ),
    {"entry": "start", "entrypoint": "start", "initial_state": "state", "timeout": "timeout_s"},
)  # fmt: skip

LIMITS: Final = section(
    "limits", "in `limits`", "Bounds that child threads and nested runs inherit.",
    (
        Key("depth", "How many levels of nested runs and threads there may be.", whole(0), 5),
        Key("turns", "Turns of a thread.", whole(0)),
        Key("tokens", "Tokens of a thread.", whole(0)),
        Key("spend", "What threads may cost.", number(above=False)),
        Key("duration_s", "Seconds for a thread.", number(above=False)),
        Key("spawns", "How many children may be started.", whole(0)),
    ),
)  # fmt: skip

ACTION: Final = section(
    "action", "in an action", "What is called, and with what.",
    (
        Key("primary", "What is done with the item; `fetch` is read as `load`.", one_of((*PRIMARIES, *PRIMARY_ALIASES)),
            "execute"),
        Key("item_type", "The kind of item, where the id has no prefix.", one_of(KINDS), "tool"),
        Key("kind", "Another spelling of `item_type`.", one_of(KINDS), modern="item_type"),
        Key("item_id", "The id of the item, with or without its kind: `tool:rye/bash`; a template.",
            {"type": "string", "minLength": 1}),
        Key("params", "What the item receives: templates at any depth; nulls are dropped.", MAPPING, nullable=True),
        Key("async", "Start a thread or nested graph and go on.", FLAG, modern="async"),
        Key("async_exec", "Another spelling of `async`.", FLAG, modern="async"),
    ),
    {"parameters": "params", "args": "params", "arguments": "params", "with": "params", "inputs": "params",
     "tool": "item_id", "id": "item_id", "tool_id": "item_id", "type": "item_type"},
)  # fmt: skip

EDGE: Final = section(
    "edge", "in an edge", "One way out of a node.",
    (
        Key("to", "The node that the edge leads to.", TEXT, required=True),
        Key("when", "The condition; absent or empty always holds.", in_section("condition"), nullable=True),
    ),
    {"target": "to", "node": "to", "goto": "to", "next": "to", "if": "when", "condition": "when"},
)  # fmt: skip

_OPERATOR: Final[Fragment] = one_of((*OPERATORS, *OLD_OPERATORS))

CONDITION: Final = section(
    "condition", "in a condition", "A comparison, or several combined.",
    (
        Key("path", "A path over `state`, `inputs`, `result`; in a hook over what the event shows.", TEXT),
        Key("op", "How to compare.", _OPERATOR, "eq"),
        Key("operator", "Older spelling of `op`.", _OPERATOR, modern="op", deprecated=True),
        Key("value", "A literal or a template.", ANY),
        Key("any", "Holds when one of these does.", listed("condition")),
        Key("all", "Holds when all of these do.", listed("condition")),
        Key("not", "Holds when this does not.", in_section("condition")),
    ),
    {"or": "any", "and": "all", "key": "path", "field": "path", "left": "path", "right": "value"},
)  # fmt: skip

HOOK: Final = section(
    "hook", "in a hook", "What runs, or takes control, at an event of the run.",
    (
        Key("id", "A name for messages.", TEXT),
        Key("event", "When it runs.", one_of(EVENTS), required=True),
        Key("condition", "Run only when this holds.", in_section("condition"), nullable=True),
        Key("action", "An action or a control literal.", {"anyOf": [in_section("control"), in_section("action")]},
            required=True),
        Key("layer", "1 graph, 2 built-in, 3 infrastructure.", whole(1, 3), 1),
    ),
    {"when": "condition", "if": "condition", "on": "event", "name": "id"},
)  # fmt: skip

CONTROL: Final = section(
    "control", "in a control literal", "What a hook does to the run.",
    (
        Key("retry", "Execute the node again.", TRUE),
        Key("max_retries", "How many times per run and node, in a loop per item.", whole(1), 3),
        Key("fail", "End the run with status `error`.", TRUE),
        Key("abort", "The same as `fail`.", TRUE),
        Key("continue", "Grant more steps.", TRUE),
        Key("additional_steps", "How many.", whole(1), 50),
    ),
)  # fmt: skip

RETRY: Final = section(
    "retry", "in `retry`", "A node's own policy for attempts, in place of the built-in one.",
    (
        Key("attempts", "Attempts in all, at most 10.", whole(1, 10), 3),
        Key("backoff_ms", "Milliseconds of the first wait.", number(above=False)),
        Key("max_backoff_ms", "Milliseconds of the longest wait.", number(above=False)),
        Key("multiplier", "By how much each wait is longer than the one before.", number(above=True), 2),
        Key("jitter", "Vary the waits.", FLAG, True),
        Key("categories", "The kinds of error that are tried again.", {"type": "array", "items": one_of(CATEGORIES)},
            ["transient", "rate_limited", "timeout"], nullable=True),
    ),
    {"max_attempts": "attempts", "max_retries": "attempts", "retries": "attempts", "backoff": "backoff_ms"},
)  # fmt: skip

#: Keys of `config` that are planned.
PLANNED_CONFIG: Final = ("reducers",)
