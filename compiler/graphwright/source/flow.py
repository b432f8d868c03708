"""JSON values as YAML on one line, in brackets."""

from __future__ import annotations

import json

from graphwright.diagnostic import Json
from graphwright.source.spelling import quoted_like


def flow(value: Json) -> str:
    """A value as YAML that reads as it: `{path: state.total, op: gt, value: 0}`."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted_like(key, None)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return quoted_like(value, None) if isinstance(value, str) else json.dumps(value)
