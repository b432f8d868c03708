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
        Key("tool_type", "Marks the file as a graph; `state_graph` is an older spelling.",
            one_of(("graph", "state_graph")), required=True),
        Key("executor_id", "The interpreter that the graph was written for.", {"type": "string", "pattern": EXECUTOR},
            nullable=True),
        Key("tool_id", "An id for registries.", TEXT, nullable=True),
        Key("name", "A display name.", TEXT, nullable=True),
        Key("category", "A display category.", TEXT, nullable=True),
        Key("description", "What the graph does.", TEXT, nullable=True),
        Key("tags", "Search terms.", TEXTS, nullable=True),
        Key("permissions", "Capability patterns: everything that the graph is allowed to do.", TEXTS, nullable=True),
        Key("limits", "Limits that child threads and nested runs inherit.", in_section("limits"), nullable=True),
        Key("config_schema", "JSON Schema of the inputs; defaults are filled in if the object that holds them exists.",
            MAPPING, nullable=True),
        Key("output_schema", "JSON Schema of the output: gives its type and is enforced.", MAPPING, nullable=True),
        Key("env_requires", "Environment variables that every run needs: a name or a list of names.",
            in_section("names"), nullable=True),
        Key("config", "The graph itself.", in_section("config"), required=True),
    ),
    {"inputs": "config_schema", "inputs_schema": "config_schema", "input_schema": "config_schema",
     "schema": "config_schema", "params": "config_schema", "parameters": "config_schema", "outputs": "output_schema",
     "capabilities": "permissions", "env": "env_requires", "environment": "env_requires"},
)  # fmt: skip

CONFIG: Final = section(
    "config", "in `config`", "The graph itself.",
    (
        Key("start", "The node where a run starts.", TEXT, required=True),
        Key("max_steps", "The maximum number of nodes that a run executes, including the return node.", whole(1), 100),
        Key("on_error", "What happens after an error without an error edge.", one_of(ON_ERROR), "fail"),
        Key("on_max_steps", "What happens when `max_steps` is used up.", one_of(ON_MAX_STEPS), "fail"),
        Key("max_concurrency", "The maximum number of items of a parallel foreach that run at once.", whole(1), 16),
        Key("state", "The initial state, without templates; each run gets a copy.", MAPPING, nullable=True),
        Key("state_schema", "JSON Schema of the state: gives the types of its keys and is enforced.", MAPPING,
            nullable=True),
        Key("timeout_s", "Time limit for the whole run, in seconds.", number(above=True)),
        Key("require_capabilities", "`true` requires capabilities from the caller.", FLAG, False),
        Key("hooks", "Actions and controls that run on events.", listed("hook"), nullable=True),
        Key("builtin_hooks", "`false` disables the built-in retry of transient errors.", FLAG, True),
        Key("durability", "What a run persists, and how durably.", one_of(DURABILITIES), "process"),
        Key("nodes", "The nodes by name; at least one.",
            {"type": "object", "minProperties": 1, "propertyNames": {"pattern": NODE_NAME},
             "additionalProperties": in_section("node")}, required=True),
    ),
    {"entry": "start", "entrypoint": "start", "entry_point": "start", "initial_state": "state",
     "timeout": "timeout_s", "concurrency": "max_concurrency", "max_iterations": "max_steps",
     "recursion_limit": "max_steps", "on_failure": "on_error", "states": "nodes"},
)  # fmt: skip

LIMITS: Final = section(
    "limits", "in `limits`", "Limits that child threads and nested runs inherit.",
    (
        Key("depth", "The maximum depth of nested runs and threads.", whole(0), 5),
        Key("turns", "The maximum number of turns of a thread.", whole(0)),
        Key("tokens", "The maximum number of tokens of a thread.", whole(0)),
        Key("spend", "The maximum cost of threads.", number(above=False)),
        Key("duration_s", "Time limit for a thread, in seconds.", number(above=False)),
        Key("spawns", "The maximum number of children that are started.", whole(0)),
    ),
)  # fmt: skip

ACTION: Final = section(
    "action", "in an action", "What to call, and with which params.",
    (
        Key("primary", "What to do with the item; `fetch` means `load`.", one_of((*PRIMARIES, *PRIMARY_ALIASES)),
            "execute"),
        Key("item_type", "The kind of item, if the id has no prefix.", one_of(KINDS), "tool"),
        Key("kind", "Another spelling of `item_type`.", one_of(KINDS), modern="item_type"),
        Key("item_id", "The id of the item, with or without its kind: `tool:rye/bash`; a template.",
            {"type": "string", "minLength": 1}),
        Key("params", "What the item receives: templates at any depth; nulls are dropped.", MAPPING, nullable=True),
        Key("async", "Start a thread or nested graph without waiting for it.", FLAG, modern="async"),
        Key("async_exec", "Another spelling of `async`.", FLAG, modern="async"),
    ),
    {"parameters": "params", "args": "params", "arguments": "params", "with": "params", "inputs": "params",
     "tool": "item_id", "id": "item_id", "tool_id": "item_id", "name": "item_id", "uses": "item_id",
     "type": "item_type"},
)  # fmt: skip

EDGE: Final = section(
    "edge", "in an edge", "One way out of a node.",
    (
        Key("to", "The node that the edge leads to.", TEXT, required=True),
        Key("when", "The condition; without one, the edge is unconditional.", in_section("condition"),
            nullable=True),
    ),
    {"target": "to", "node": "to", "goto": "to", "next": "to", "if": "when", "condition": "when", "cond": "when"},
)  # fmt: skip

_OPERATOR: Final[Fragment] = one_of((*OPERATORS, *OLD_OPERATORS))

CONDITION: Final = section(
    "condition", "in a condition", "A comparison, or a combination of conditions.",
    (
        Key("path", "A path into `state`, `inputs` or `result`; in a hook, into the fields of the event.", TEXT),
        Key("op", "How to compare.", _OPERATOR, "eq"),
        Key("operator", "Older spelling of `op`.", _OPERATOR, modern="op", deprecated=True),
        Key("value", "A literal or a template.", ANY),
        Key("any", "Holds if at least one of these conditions does.", listed("condition")),
        Key("all", "Holds if all of these conditions do.", listed("condition")),
        Key("not", "Holds if this condition does not.", in_section("condition")),
    ),
    {"or": "any", "and": "all", "key": "path", "field": "path", "left": "path", "right": "value"},
)  # fmt: skip

HOOK: Final = section(
    "hook", "in a hook", "What runs, or takes control, on an event of the run.",
    (
        Key("id", "A name for messages.", TEXT),
        Key("event", "When it runs.", one_of(EVENTS), required=True),
        Key("condition", "Run only if this condition holds.", in_section("condition"), nullable=True),
        Key("action", "An action or a control literal.", {"anyOf": [in_section("control"), in_section("action")]},
            required=True),
        Key("layer", "1: graph; 2: built-in; 3: infrastructure.", whole(1, 3), 1),
    ),
    {"when": "condition", "if": "condition", "on": "event", "name": "id"},
)  # fmt: skip

#: The layers of the hooks in a file of hooks, by the key that lists them.
HOOK_LAYERS: Final = {"builtin_hooks": 2, "infra_hooks": 3}

HOOKS_FILE: Final = section(
    "hooks", "in a file of hooks", "The hooks that all graphs of a project have.",
    (
        Key("version", "The version of this file.", TEXT, nullable=True),
        Key("description", "What the hooks are for.", TEXT, nullable=True),
        Key("builtin_hooks", "Hooks of layer 2, which can control runs.", listed("hook"), nullable=True),
        Key("infra_hooks", "Hooks of layer 3, which only observe.", listed("hook"), nullable=True),
    ),
    {"hooks": "builtin_hooks", "built_in_hooks": "builtin_hooks", "infrastructure_hooks": "infra_hooks"},
)  # fmt: skip

CONTROL: Final = section(
    "control", "in a control literal", "What a hook makes the run do.",
    (
        Key("retry", "Execute the node again.", TRUE),
        Key("max_retries", "The maximum number of retries per run and node; in a loop, per item.", whole(1), 3),
        Key("fail", "End the run with status `error`.", TRUE),
        Key("abort", "The same as `fail`.", TRUE),
        Key("continue", "Grant more steps.", TRUE),
        Key("additional_steps", "The number of additional steps.", whole(1), 50),
    ),
    {"max": "max_retries", "count": "max_retries", "times": "max_retries",
     "attempts": "max_retries", "max_attempts": "max_retries", "retries": "max_retries", "steps": "additional_steps",
     "extra_steps": "additional_steps", "more_steps": "additional_steps"},
)  # fmt: skip

RETRY: Final = section(
    "retry", "in `retry`", "The retry policy of a node, in place of the built-in one.",
    (
        Key("attempts", "The total number of attempts, at most 10.", whole(1, 10), 3),
        Key("backoff_ms", "The first wait, in milliseconds.", number(above=False)),
        Key("max_backoff_ms", "The longest wait, in milliseconds.", number(above=False)),
        Key("multiplier", "The factor by which each wait is longer than the previous one.", number(above=True), 2),
        Key("jitter", "Randomize the waits.", FLAG, True),
        Key("categories", "The categories of error that are retried.", {"type": "array", "items": one_of(CATEGORIES)},
            ["transient", "rate_limited", "timeout"], nullable=True),
    ),
    {"max_attempts": "attempts", "max_retries": "attempts", "retries": "attempts", "max": "attempts",
     "count": "attempts", "times": "attempts", "backoff": "backoff_ms", "delay_ms": "backoff_ms",
     "initial_backoff_ms": "backoff_ms", "min_backoff_ms": "backoff_ms", "base_backoff_ms": "backoff_ms",
     "wait_ms": "backoff_ms", "max_delay_ms": "max_backoff_ms", "factor": "multiplier", "on": "categories"},
)  # fmt: skip

#: Keys of `config` that are planned.
PLANNED_CONFIG: Final = ("reducers",)
