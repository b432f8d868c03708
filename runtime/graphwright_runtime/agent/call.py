"""The params of `rye/agent/threads/thread_directive`, and what a runner gives, as the call returns it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, cast

from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import described, is_number
from graphwright_runtime.items.directive import Field, check_type
from graphwright_runtime.tools.arguments import flag
from graphwright_runtime.values import Json, NotJsonError, json_copy

#: What names the directive.
_NAMES: Final = ("directive_name", "directive_id", "directive")
#: The limits that a call can lower.
_LIMITS: Final = ("depth", "turns", "tokens", "spend", "duration_s", "spawns")
#: Characters of a result text; more of it is cut, because it ends up in the state and the log.
_LONGEST: Final = 4000
_NOTE: Final = "\n… (cut at 4,000 characters: declare <outputs> in the directive and read `outputs` instead)"


class ThreadCall(NamedTuple):
    """A call that starts a thread; `background`: it does not wait."""

    directive: str
    inputs: dict[str, Json]
    limits: Mapping[str, Json]
    background: bool


def thread_call(params: Mapping[str, Json]) -> ThreadCall:
    """Read the params of a call; those of the runtime (`parent_…`) are not read. Raises NodeError."""
    given: dict[str, Json] = {name: value for name, value in params.items() if value is not None}
    named = [name for name in _NAMES if name in given]
    if len(named) != 1:
        said = "a thread needs `directive_name`" if not named else f"`{named[0]}` and `{named[1]}` mean the same"
        raise _wrong(f"{said}: pass one of them" if named else said)
    directive, inputs, limits = given[named[0]], given.get("inputs", {}), given.get("limit_overrides", {})
    if not isinstance(directive, str) or not directive:
        raise _wrong(f"`{named[0]}` must be the id of a directive, not {described(directive)}")
    if not isinstance(inputs, dict):
        raise _wrong(f"`inputs` must be a mapping, not {described(inputs)}")
    if not isinstance(limits, dict):
        raise _wrong(f"`limit_overrides` must be a mapping, not {described(limits)}")
    limits = {name: value for name, value in limits.items() if value is not None}
    for name, value in limits.items():
        if name not in _LIMITS:
            raise _wrong(f"`limit_overrides` has no limit `{name}`; the limits are {', '.join(_LIMITS)}")
        if not is_number(value) or value < 0:
            raise _wrong(f"`limit_overrides.{name}` must be a number of at least 0, not {described(value)}")
    background = flag(given, "async", default=False) or flag(given, "async_exec", default=False)
    return ThreadCall(directive.removeprefix("directive:"), inputs, limits, background)


def received(result: object, thread_id: str, outputs: Sequence[Field]) -> dict[str, Json]:
    """The result of a thread in its common form. Raises NodeError where it is not one."""
    if not isinstance(result, Mapping):
        raise _wrong(f"the thread runner must return a mapping, not {type(result).__name__}")
    try:
        found = cast("dict[str, Json]", json_copy(dict(result)))
    except NotJsonError as error:
        raise _wrong(f"the result of the thread is not JSON: {error}") from error
    status = found.get("status", "error" if found.get("success") is False else "completed")
    if not isinstance(status, str):
        raise _wrong(f"the `status` of a thread must be a string, not {described(status)}")
    text = found.get("result")
    if isinstance(text, str) and len(text) > _LONGEST:
        found["result"] = text[:_LONGEST] + _NOTE
    found |= {"thread_id": str(found.get("thread_id") or thread_id), "status": status}
    if status == "completed":
        found["outputs"] = _outputs(found.get("outputs"), outputs)
    return found


def _outputs(value: Json, declared: Sequence[Field]) -> dict[str, Json]:
    if value is not None and not isinstance(value, dict):
        raise _wrong(f"the `outputs` of a thread must be a mapping, not {described(value)}")
    outputs = dict(value or {})
    for field in declared:
        found = outputs.get(field.name)
        if found is not None:
            check_type(field, found, f"the output `{field.name}` of the thread")
            continue
        if field.required:
            raise _wrong(f"the thread did not return the output `{field.name}`, which its directive requires")
        outputs.pop(field.name, None)
    return outputs


def _wrong(message: str) -> NodeError:
    return NodeError(message, category="permanent")
