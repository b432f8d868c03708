"""What a run of the compiled module and a walk of the reference have in common."""

from __future__ import annotations

from typing import Any

from graphwright.emit.layout.text import laid_out
from graphwright.emit.python import PYTHON
from graphwright.facts import Facts
from reference.walker import Outcome
from running import Ran


def sooner(facts: Facts) -> str:
    """The module of a graph without errors that no gate has seen: the same code, sooner."""
    return laid_out(PYTHON.draft(facts).raw)


def observed(ran: Ran) -> Any:
    """What is compared of a run of the module."""
    result = ran.result
    return without_texts(
        {
            "status": result.status,
            "path": ran.path,
            "steps": result.steps,
            "calls": [[call.item_id, call.params] for call in ran.calls],
            "error": result.node if result.status == "error" else None,
            "suppressed": [entry.node for entry in result.errors or ()],
            "state": result.state,
            "output": result.output if result.success else None,
        }
    )


def foreseen(outcome: Outcome) -> Any:
    """The same of the reference."""
    return without_texts(
        {
            "status": outcome.status,
            "path": outcome.path,
            "steps": outcome.steps,
            "calls": [[item_id, params] for item_id, params in outcome.calls],
            "error": outcome.error_node,
            "suppressed": outcome.suppressed,
            "state": outcome.state,
            "output": None if outcome.status == "error" else outcome.output,
        }
    )


def differences(ran: Ran, outcome: Outcome) -> dict[str, tuple[object, object]]:
    """Where the two are not the same: what the module did, what the reference did."""
    ours, theirs = observed(ran), foreseen(outcome)
    return {key: (ours[key], theirs[key]) for key in ours if ours[key] != theirs[key]}


def without_texts(value: Any) -> Any:
    """A value in which the wording of errors does not count; 1, 1.0 and true are told apart."""
    if isinstance(value, dict):
        plain = {key: without_texts(item) for key, item in value.items()}
        if set(plain) in ({"node", "error"}, {"status", "error"}):
            plain["error"] = "…"
        return plain
    if isinstance(value, list | tuple):
        return [without_texts(item) for item in value]
    return (type(value).__name__, value) if isinstance(value, int | float) else value
