"""Hooks, limits and items: what the walk through the nodes asks about on the side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reference.conditions import holds
from reference.expressions import NodeFaultError, Scope

KINDS = ("tool", "directive", "knowledge")

#: What can be decided at each event.
HEEDED = {"error": ("retry", "fail"), "limit": ("continue", "fail")}


@dataclass(frozen=True)
class Control:
    """What a hook decides: `retry`, `fail` or `continue`; `amount` is how often, or how many steps."""

    kind: str
    amount: int | None = None


def hooks_of(config: Mapping[str, object], event: str) -> list[tuple[int, dict[str, object]]]:
    """The hooks of an event with their numbers in the file, from 0, in the order in which they run."""
    listed = config.get("hooks") or []
    assert isinstance(listed, list)
    found = [(number, hook) for number, hook in enumerate(listed) if hook["event"] == event]
    return sorted(found, key=lambda each: each[1].get("layer", 1))


def fire(
    hooks: list[tuple[int, dict[str, object]]],
    scope: Callable[[int], Scope],
    perform: Callable[[dict[str, object], Scope], Mapping[str, object]],
) -> Control | None:
    """Run hooks; what the first of them with a say decided. One that fails changes nothing.

    `scope` gives what the hook of a number sees, `perform` executes an action there.
    """
    decided: Control | None = None
    for number, hook in hooks:
        here = scope(number)
        try:
            if not holds(hook.get("condition"), here):
                continue
            action = hook["action"]
            assert isinstance(action, dict)
            control = literal(action) or answered(perform(action, here))
        except AssertionError:
            raise
        except NodeFaultError:
            continue
        except Exception:  # of a tool
            continue
        heeded = control is not None and control.kind in HEEDED.get(str(hook["event"]), ())
        if decided is None and heeded and hook.get("layer", 1) != 3:
            decided = control
    return decided


def literal(action: Mapping[str, object]) -> Control | None:
    """A control literal; None for an action that calls something."""
    if action.get("retry"):
        return Control("retry", _amount(action.get("max_retries")))
    if action.get("fail") or action.get("abort"):
        return Control("fail")
    if action.get("continue"):
        return Control("continue", _amount(action.get("additional_steps")))
    return None


def answered(result: Mapping[str, object]) -> Control | None:
    """What a tool's result decides."""
    match result.get("action"):
        case "retry":
            return Control("retry", _amount(result.get("max_retries")))
        case "fail" | "abort":
            return Control("fail")
        case "continue":
            return Control("continue", _amount(result.get("additional_steps")))
        case _:
            return None


def _amount(value: object) -> int | None:
    return max(value, 0) if isinstance(value, int) and not isinstance(value, bool) else None


def item_of(action: Mapping[str, object], resolved: object) -> tuple[str, str | None]:
    """The kind and the id of an item whose id came out as `resolved`.

    `item_type` or a written prefix names the kind. The value of a template can begin with one, too.
    """
    written = str(action.get("item_id"))
    kind = str(action["item_type"]) if "item_type" in action else None
    if resolved is None:
        return kind or "tool", None
    text = str(resolved)
    prefix, colon, _ = written.partition(":")
    if colon and prefix in KINDS:
        kind, text = prefix, text.removeprefix(f"{prefix}:")
    elif not _is_whole(written):
        kind = kind or "tool"
    prefix, colon, rest = text.partition(":")
    if "${" in written and colon and prefix in KINDS:
        if kind not in (None, prefix):
            raise NodeFaultError(f"{prefix} is not {kind}")
        return prefix, rest
    return kind or "tool", text


def _is_whole(text: str) -> bool:
    """Whether a text is one template, with nothing around it."""
    return text.startswith("${") and text.find("}") == len(text) - 1


def capability(primary: str, kind: str, item_id: str | None) -> str:
    """What an action needs to be permitted."""
    primary = "load" if primary == "fetch" else primary
    return ".".join([f"rye.{primary}.{kind}", *([item_id.replace("/", ".")] if item_id is not None else [])])
