"""The types of the fields of events in hooks, other than the state and the inputs (language.md §8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from graphwright.analysis.jsontype import (
    ANY,
    BOOLEAN,
    INTEGER,
    NULL,
    STRING,
    Field,
    Type,
    join,
    object_of,
    one_of,
)
from graphwright.language.events import LIMIT_CODES, STATUSES, STEP_STATUSES
from graphwright.language.words import CATEGORIES

_ERROR: Final = object_of({"message": Field(STRING, True), "type": Field(STRING, True), "code": Field(ANY, True)})
_CLASSIFICATION: Final = object_of({"category": Field(one_of(CATEGORIES), True), "retryable": Field(BOOLEAN, True)})

#: The types of fields by event and name, given the names of the graph's nodes.
_FIELDS: Final[Mapping[str, Mapping[str, Callable[[Sequence[str]], Type]]]] = {
    "graph_started": dict.fromkeys(("graph_id", "graph_run_id"), lambda _: STRING),
    "after_step": {
        "node": one_of,
        "next_node": lambda nodes: one_of([*nodes, None]),
        "step_count": lambda _: INTEGER,
        "status": lambda _: one_of(STEP_STATUSES),
    },
    "error": {
        "error": lambda _: _ERROR,
        "classification": lambda _: _CLASSIFICATION,
        "node": one_of,
        "step_count": lambda _: INTEGER,
    },
    "limit": {
        "limit_code": lambda _: one_of(LIMIT_CODES),
        "current_value": lambda _: INTEGER,
        "current_max": lambda _: INTEGER,
    },
    "graph_completed": {
        **dict.fromkeys(("graph_id", "graph_run_id"), lambda _: STRING),
        "steps": lambda _: INTEGER,
        "status": lambda _: one_of(STATUSES),
        "error": lambda _: join(STRING, NULL),
    },
}


def event_field(event: str, field: str, nodes: Sequence[str]) -> Type:
    """The type of a field in a hook on `event`; `nodes` are the names of the graph's nodes."""
    kind = _FIELDS.get(event, {}).get(field)
    return ANY if kind is None else kind(nodes)
