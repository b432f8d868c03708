"""What the types of a module promise of runs, held against a run."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from property.offered import fits
from running import Ran


def broken(made: ModuleType, ran: Ran) -> Iterator[str]:
    """The promises that a run breaks: about params of tools, the state, the output, and where runs end."""
    for call in ran.calls:
        if (method := made.GRAPH.tool_methods.get(call.item_id)) is not None:
            wanted = get_type_hints(getattr(made.Tools, method), include_extras=True)["params"]
            if not fits(call.params, wanted):
                yield f"the params of {call.item_id} are {call.params}"
    result = ran.result
    if result.success:
        if not fits(result.state, made.State):
            yield f"the state is {result.state}"
        if not fits(result.output, made.Output):
            yield f"the output is {result.output}"
    if "Outcome" in vars(made) and ran.path and not any(_is_one(result, each) for each in _members(made.Outcome)):
        yield f"the run ended at {result.ended_at}, node {result.node}, with {result.output}"


def _is_one(result: Any, promised: Any) -> bool:
    """Whether a result is of this class with these arguments."""
    _, output, end, _ = get_args(promised)
    is_failed = get_origin(promised).__name__ == "Failed"
    if is_failed is result.success:
        return False
    return fits(result.output, output) and fits(result.node if is_failed else result.ended_at, end)


def _members(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
