"""Advice for keys that are missing or have an invalid value."""

from __future__ import annotations

from typing import Final

from graphwright.faults.keys import WrongValue
from graphwright.rules.wording import scalar

#: An example value for each key.
_WRITE: Final = {
    "config": "`config:`, with `start` and `nodes` below it",
    "params": "a mapping, `params: {name: value}`",
    "assign": '`assign: {key: "${result.field}"}`',
    "retry": "`retry: {attempts: 3}`",
    "state": "`state: {total: 0}`",
    "limits": "`limits: {tokens: 10000}`",
    "max_steps": "an integer, `max_steps: 100`",
    "max_visits": "an integer, `max_visits: 3`",
    "max_concurrency": "an integer, `max_concurrency: 4`",
    "attempts": "an integer from 1 to 10, `attempts: 3`",
    "timeout_s": "a number of seconds, `timeout_s: 60`",
    "duration_s": "a number of seconds, `duration_s: 60`",
    "backoff_ms": "a number of milliseconds, `backoff_ms: 500`",
    "max_backoff_ms": "a number of milliseconds, `max_backoff_ms: 10000`",
    "multiplier": "a number, `multiplier: 2`",
    "categories": "a list, `categories: [transient, timeout]`",
    "permissions": "a list, `permissions: [rye.execute.tool.mail.send]`",
    "env_requires": "a list, `env_requires: [API_TOKEN]`",
    "tags": "a list, `tags: [billing]`",
    "start": "the name of a node, `start: NODE`",
    "next": "the name of a node, `next: NODE`",
    "to": "the name of a node, `to: NODE`",
    "on_error": "the name of a node, `on_error: NODE`",
    "item_id": "what to call, `item_id: tool:folder/name`",
    "as": "a name, `as: item`",
    "collect": "the name of a key, `collect: results`",
    "path": "a path, `path: state.total`",
    "event": "an event, `event: error`",
    "any": "a list of conditions, `any: [{path: …, value: …}, {path: …, value: …}]`",
    "all": "a list of conditions, `all: [{path: …, value: …}, {path: …, value: …}]`",
}

#: What to add for missing keys.
_ADD: Final = {
    "start": "`start: NODE`, the first node",
    "nodes": "`nodes:`, with a node below it such as `done: {type: return}`",
    "config": "`config:`, with `start` and `nodes` below it",
    "action": "`action: {item_id: tool:folder/name, params: {…}}`, what to call for each item",
    "item_id": "`item_id: tool:folder/name`, the tool to call",
    "over": '`over: "${state.…}"`, the list to iterate over',
    "to": "`to: NODE`, the target of this edge",
    "path": "`path: state.…`, what to compare",
    "value": "`value: …`, what to compare it with, or `op: exists` to test whether it is set",
    "event": "`event: error`, or another event",
}


def wrong_message(fault: WrongValue) -> str:
    """The message about an invalid value of a key."""
    if fault.found == "nothing":
        return f"`{fault.key}` has no value, and must be {fault.expected}"
    return f"`{fault.key}` must be {fault.expected}, not {fault.found}"


def right_value(fault: WrongValue) -> str:
    """The advice for an invalid value of a key."""
    key, value = fault.key, fault.value
    if fault.hint:
        return fault.hint
    if key == "retry" and isinstance(value, int) and fault.expected == "a mapping":
        return f"write `retry: {{attempts: {value if value is not True and 1 <= value <= 10 else 3}}}`"
    if key == "retry" and isinstance(value, int) and value > 1:
        return f"write `retry: true, max_retries: {value}`"
    if key == "action" and isinstance(value, str) and value:
        return f"write `action: {{item_id: {scalar(value)}}}`"
    return f"write {_WRITE.get(key, fault.expected)}"


def to_add(key: str, first_node: str | None) -> str:
    """The advice for a missing key."""
    if key == "start" and first_node is not None:
        return f"add `start: {scalar(first_node)}`, or another node to start with"
    return f"add {_ADD.get(key, f'`{key}`')}"
