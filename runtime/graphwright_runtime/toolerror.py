"""Converts exceptions of foreign code to node errors: their message, type, status code and `retry_after`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from graphwright_runtime.errors import CATEGORIES, NodeError

_CODE_ATTRIBUTES: Final = ("status_code", "status", "code")

#: The maximum length of a message; of longer ones, the start and the end are kept.
_LONGEST: Final = 10_000

#: The maximum numbers of members of an exception group that are processed, and quoted.
_MEMBERS: Final = 1_000
_QUOTED: Final = 3


def failed(error: BaseException) -> NodeError:
    """The NodeError for an exception of a tool; raise it from that exception. Never raises itself."""
    if isinstance(error, NodeError):
        fault = error if _is_fresh(error) else _renewed(error)
        fault.result = None  # it belongs to a tool that this one called
        return fault
    if isinstance(error, BaseExceptionGroup):
        return _grouped(error)
    kind = type(error).__name__
    text = _said(error)
    if text is None:
        text = f"{kind} (it cannot be printed)"
    elif text and isinstance(error, (KeyError, SystemExit)):  # their messages are only a key or a number
        text = f"{kind}: {text}"
    return NodeError(
        printable(text or _inherited(error, kind)),
        category="cancelled" if kind == "CancelledError" else None,
        code=next((code for each in _places(error) if (code := _code(each)) is not None), None),
        retry_after=_scalar(_attribute(error, "retry_after")),
        error_type=kind,
    )


def with_type(error: NodeError) -> str:
    """The message of an error, prefixed with the name of its type unless it already is."""
    text = str(error)
    return text if text.startswith(error.error_type) else f"{error.error_type}: {text}"


def printable(text: str) -> str:
    """A text that every stream can encode, truncated in the middle if it is too long."""
    if len(text) > _LONGEST:
        half = _LONGEST // 2
        text = f"{text[:half]} … ({len(text) - 2 * half} characters) … {text[-half:]}"
    return text.encode("utf-8", "backslashreplace").decode()


def _grouped(group: BaseExceptionGroup[BaseException]) -> NodeError:
    """The NodeError for an exception group, with the messages of its members."""
    members: list[NodeError] = []
    for leaf in _leaves(group):
        member = failed(leaf)
        if member.__cause__ is None and member is not leaf:
            member.__cause__ = leaf
        members.append(member)
    first = members[0]
    if len(members) == 1:
        error = NodeError(str(first), code=first.code, error_type=first.error_type)
    else:
        quoted = [with_type(each) for each in members[:_QUOTED]]
        rest = ["…"] if len(members) > _QUOTED else []
        error = NodeError(printable(f"{len(members)} errors: {'; '.join(quoted + rest)}"), error_type="ExceptionGroup")
    error.members = tuple(members)
    error.retry_after = next((each.retry_after for each in members if each.retry_after is not None), None)
    return error


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    """The exceptions of a group and of the groups in it, in order."""
    stack: list[BaseException] = [group]
    found = 0
    while stack and found < _MEMBERS:
        error = stack.pop()
        if isinstance(error, BaseExceptionGroup):
            stack.extend(reversed(error.exceptions))
        else:
            found += 1
            yield error


def _is_fresh(error: NodeError) -> bool:
    """Whether a tool's NodeError can be used as it is: it has not been raised before and is not a subclass."""
    unused = type(error) is NodeError and error.node is None and not error.settled
    return unused and (error.category is None or error.category in CATEGORIES)


def _renewed(error: NodeError) -> NodeError:
    category = _attribute(error, "category")
    return NodeError(
        printable(_said(error) or type(error).__name__),
        category=next((each for each in CATEGORIES if each == category), None),
        code=_code(error),
        retry_after=_scalar(_attribute(error, "retry_after")),
        error_type=type(error).__name__,
    )


def _said(error: BaseException) -> str | None:
    """The message of an exception; None if its `__str__` fails."""
    try:
        return str.__str__(str(error))  # a plain string: subclasses of str may run foreign code
    except BaseException:  # raised by its __str__: the original error is reported instead
        return None


def _inherited(error: BaseException, kind: str) -> str:
    """The message for an exception without one: its type, and the message of its cause or context.

    A NodeError in the context is ignored, because it belongs to an earlier attempt.
    """
    seen = {id(error)}
    while True:
        behind = error.__cause__
        if behind is None and not (error.__suppress_context__ or isinstance(error.__context__, NodeError)):
            behind = error.__context__
        if behind is None or id(behind) in seen:
            return kind
        text = _said(behind)
        if text:
            return f"{kind}: {text}"
        seen.add(id(behind))
        error = behind


def _places(error: BaseException) -> tuple[object, object]:
    return error, _attribute(error, "response")  # HTTP libraries keep the status on the response


def _code(place: object) -> int | str | None:
    for name in _CODE_ATTRIBUTES:
        code = _scalar(_attribute(place, name))
        if code is not None and not isinstance(code, float):
            return code
    return None


def _scalar(value: object) -> int | float | str | None:
    """A number or string, converted to exactly that type; None for anything else, including booleans."""
    kind = type(value)  # not isinstance, because objects can override `__class__`
    if kind is bool:
        return None
    if issubclass(kind, int):
        return int.__int__(cast("int", value))
    if issubclass(kind, float):
        return float.__float__(cast("float", value))
    return printable(str.__str__(cast("str", value))) if issubclass(kind, str) else None


def _attribute(place: object, name: str) -> object:
    """An attribute of a foreign object; None if it does not exist or reading it raises."""
    try:
        return getattr(place, name, None)
    except Exception:
        return None
