"""The events of a run that hooks listen to, with the fields and controls of each event."""

from __future__ import annotations

from typing import Final

from graphwright.record import Record


class Event(Record):
    """One event. `shows` are the fields that a hook can read, `controls` the control literals that it supports."""

    name: str
    doc: str
    shows: tuple[str, ...]
    controls: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()


EVENTS: Final = {
    each.name: each
    for each in (
        Event(
            "graph_started", "before the first node; not on resume",
            ("graph_id", "graph_run_id", "state", "inputs"), synonyms=("start", "started", "on_start"),
        ),
        Event(
            "after_step", "after every node except a return node, including nodes that fail",
            ("node", "next_node", "state", "step_count", "result", "status"),
            synonyms=("step", "after_node", "node_finished", "step_completed"),
        ),
        Event(
            "error", "when a node fails",
            ("error", "classification", "node", "state", "step_count"), ("retry", "fail"),
            ("on_error", "failure", "failed"),
        ),
        Event(
            "limit", "when `max_steps` or `max_visits` is used up",
            ("limit_code", "current_value", "current_max", "state"), ("continue", "fail"),
            ("max_steps", "limit_reached"),
        ),
        Event(
            "graph_completed", "at every end of a run",
            ("graph_id", "graph_run_id", "state", "steps", "status", "error"),
            synonyms=("end", "finished", "completed", "on_complete"),
        ),
    )
}  # fmt: skip

#: Events of threads, which graphs do not have: hooks of a project that listen to them are ignored.
THREAD_EVENTS: Final = frozenset({"context_limit_reached", "thread_started", "after_complete"})

EVENT_SYNONYMS: Final = {synonym: each.name for each in EVENTS.values() for synonym in each.synonyms}

#: What the fields of events that are mappings contain.
EVENT_PARTS: Final = {"error": ("message", "type", "code"), "classification": ("category", "retryable")}

#: Fields of events that contain only names and numbers of the runtime, so they are safe in shell commands.
RUNTIME_FIELDS: Final = frozenset(
    {"graph_id", "graph_run_id", "node", "next_node", "step_count", "status", "limit_code", "current_value"}
    | {"current_max", "classification", "steps"}
)

#: The statuses of runs and steps, and the codes of limits.
STATUSES: Final = ("completed", "completed_with_errors", "error", "cancelled", "interrupted")
STEP_STATUSES: Final = ("ok", "error")
LIMIT_CODES: Final = ("max_steps_exceeded", "max_visits_exceeded")

#: The fields of `_run`.
RUN_FIELDS: Final = ("id", "graph_id", "step")

#: Keys of the state that the runtime sets; reading them is never a mistake.
RUNTIME_KEYS: Final = frozenset({"_last_error", "_retries"})

#: Names that a path can begin with; a foreach variable must not hide them.
NAMESPACES: Final = ("state", "inputs", "result", "_now", "_timestamp", "_run")
