"""Unwraps what a tool returned to the `result` of a node (language.md §6.5)."""

from __future__ import annotations

from typing import Final

from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import as_text
from graphwright_runtime.toolerror import printable
from graphwright_runtime.values import Json, NotJsonError, Result, json_copy

#: Keys of a failed result that may contain the message, in this order.
_TEXT_KEYS: Final = ("error", "message", "stderr")
_CODE_KEYS: Final = ("status_code", "code")
_SHORT: Final = 300


class Described(dict[str, Json]):
    """A result whose `status` belongs to the item that it describes, not to the call, which succeeded."""


def received(raw: object) -> Result:
    """A copy of the result without its envelope. Raises NodeError if it is not JSON or reports an error.

    An envelope (`data`, `status` and one of `type`, `item_id`) is replaced by its data. A value that is not a mapping
    becomes `{"result": value}`, null becomes `{}`.
    """
    try:
        value = json_copy(raw)
    except NotJsonError as error:
        raise NodeError(f"the result is not JSON: {error}") from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        return {"result": value}
    if isinstance(raw, Described):
        return value
    if not ("data" in value and "status" in value and ("type" in value or "item_id" in value)):
        return _accepted(value, value)
    data = value["data"]
    inner: Result = data if isinstance(data, dict) else {"result": data}
    if value["status"] == "error":
        raise _reported(value, inner)
    return _accepted(inner, inner)


def _accepted(result: Result, reported: Result) -> Result:
    if result.get("status") == "error" or result.get("success") is False:
        raise _reported(reported)
    return result


def _reported(*places: Result) -> NodeError:
    """The error that a result reports; `places` are the mappings that may contain its details, in order."""
    message = next((text for place in places for key in _TEXT_KEYS if (text := _said(place.get(key)))), None)
    code = next((code for place in places for code in _codes(place)), None)
    wait = next((place["retry_after"] for place in places if "retry_after" in place), None)
    error = NodeError(
        printable(message or _shortened(places[0])),
        code=code,
        retry_after=wait if isinstance(wait, (int, float, str)) else None,
        error_type="ToolError",
    )
    error.result = places[-1]
    return error


def _said(value: Json) -> str:
    """The message in an `error` or `message`; empty if there is none."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, dict) and isinstance(value.get("message"), str):
        value = value["message"]
    return as_text(value).strip()


def _codes(place: Result) -> list[int | str]:
    error = place.get("error")
    nested = [error.get(key) for key in _CODE_KEYS] if isinstance(error, dict) else []
    return [
        code
        for code in [*(place.get(key) for key in _CODE_KEYS), *nested]
        if isinstance(code, (int, str)) and not isinstance(code, bool)
    ]


def _shortened(result: Result) -> str:
    import json

    try:
        text = json.dumps(result, ensure_ascii=False)
    except ValueError:  # an integer of thousands of digits
        text = f"a mapping of {len(result)}"
    return text if len(text) <= _SHORT else text[:_SHORT] + "…"
