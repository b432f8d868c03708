"""GW4xx about conditions: operators, and values that fit them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.faults.expressions import UnfitValue, UnknownOperator
from graphwright.language.operators import denied_operator
from graphwright.rules.registry import Finding, fault_rule
from graphwright.rules.wording import UNAMBIGUOUS, everything, meant


@fault_rule(UnknownOperator, Severity.ERROR, "unknown operator")
def operator(_: Facts, fault: UnknownOperator) -> Iterator[Finding]:
    """The `op` of a condition is not an operator of the language, so the condition cannot be evaluated.

    Operators are words (`gt`, `lte`), not symbols. Without `op`, a condition tests for equality.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: check
          state: {total: 0}
          nodes:
            check:
              type: gate
              next:
                - {to: done, when: {path: state.total, op: equals, value: 0}}
                - {to: done}
            done: {type: return}

    Passes:
        -        - {to: done, when: {path: state.total, op: equals, value: 0}}
        +        - {to: done, when: {path: state.total, op: eq, value: 0}}
    """
    operators = f"allowed here: {everything(fault.legal)}"
    advice = meant(fault.suggestion) or _said_otherwise(fault.operator, fault.path)
    yield Finding(
        fault.span,
        f"`{fault.operator}` in {fault.owner.phrase} is not an operator",
        note="unknown operator",
        help=f"{advice} {operators}" if advice else operators,
    )


#: Equivalents of operators of other languages; `{path}` is the left side.
_OTHERWISE: Final = {
    **dict.fromkeys(
        ("starts_with", "startswith", "begins_with", "prefix"), "write `op: regex` with a `^` before the string;"
    ),
    **dict.fromkeys(("ends_with", "endswith", "suffix"), "write `op: regex` with a `$` after the string;"),
    **dict.fromkeys(
        ("between", "range"),
        "write `all: [{{path: {path}, op: gte, value: …}}, {{path: {path}, op: lte, value: …}}]`;",
    ),
    **dict.fromkeys(
        ("empty", "is_empty"), "write `op: eq, value: []` for an empty list, `value: ''` for an empty string;"
    ),
    **dict.fromkeys(
        ("not_empty", "is_not_empty", "nonempty"), "write `op: ne, value: []` for a list, `value: ''` for a string;"
    ),
    **dict.fromkeys(("truthy", "is_true", "true"), "write `value: true`, without `op`;"),
    **dict.fromkeys(("falsy", "is_false", "false"), "write `value: false`, without `op`;"),
    **dict.fromkeys(
        ("null", "is_null", "isnull", "none", "is_none", "missing", "absent", "undefined", "not_set", "unset"),
        "write `not: {{path: {path}, op: exists}}`;",
    ),
}


def _said_otherwise(operator: str, path: str) -> str | None:
    """The equivalent of an operator that the language does not have."""
    words = _OTHERWISE.get(operator.lower())
    if words is not None:
        return words.format(path=path)
    denied = denied_operator(operator)
    value = "" if denied == "exists" else ", value: …"
    return f"write `not: {{path: {path}, op: {denied}{value}}}`;" if denied else None


@fault_rule(UnfitValue, Severity.ERROR, "value that does not fit the operator")
def operator_value(_: Facts, fault: UnfitValue) -> Iterator[Finding]:
    """The literal `value` of a condition cannot be used with its operator.

    `in` needs a list, `regex` a valid pattern, and an ordering a number or a string. `exists` takes no value; for
    its opposite, write `not: {path: …, op: exists}`.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: check
          state: {status: open}
          nodes:
            check:
              type: gate
              next:
                - {to: done, when: {path: state.status, op: in, value: open}}
                - {to: done}
            done: {type: return}

    Passes:
        -        - {to: done, when: {path: state.status, op: in, value: open}}
        +        - {to: done, when: {path: state.status, op: in, value: [open, held]}}
    """
    message, advice = _value_problem(fault)
    yield Finding(fault.span, f"{fault.owner.phrase}: {message}", help=advice)


def _items(value: object) -> tuple[object, ...]:
    """The items of a string that seems to be a list separated by commas."""
    if isinstance(value, str) and "," in value:
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return (value,)


def _pattern_advice(fault: UnfitValue) -> str:
    """The advice for fixing a pattern that does not compile."""
    value, detail = fault.literal, fault.detail
    if not isinstance(value, str):
        return f'write a string: `value: "{fault.value}"`'
    if "nothing to repeat" in detail and value.startswith("*"):
        return (
            f"`*` repeats what comes before it, and `.*` matches any string: write `value: {json.dumps('.' + value)}`"
        )
    if "unterminated" in detail:
        return "close the bracket, or write a backslash before it for the character itself"
    return "fix the pattern, or write `op: contains` to look for the literal string"


def _value_problem(fault: UnfitValue) -> tuple[str, str]:
    """The problem with the value, and the advice."""
    name, value = fault.operator, fault.value
    match fault.problem:
        case "list":
            listed = ", ".join(json.dumps(each, ensure_ascii=False) for each in _items(fault.literal))
            return f"`{name}` needs a list, but `{value}` is not a list", f"write `value: [{listed}]`"
        case "pattern":
            return f"the pattern {value} of `{name}` is not valid: {fault.detail}", _pattern_advice(fault)
        case "slow":
            return f"the pattern {value} of `{name}` takes exponential time: {fault.detail}", UNAMBIGUOUS
        case "false":
            return "`exists` takes no value, so `false` does not negate it", (
                f"write `not: {{path: {fault.path}, op: exists}}`"
            )
        case "truth":
            return f"`exists` takes no value, but has `{value}`", (
                f"remove `value` to test whether it is set, or write `op: eq, value: {value}`"
            )
        case "order" if value == "null":
            return f"`{name}` compares two numbers or two strings, and `null` is neither", (
                f"write `{{path: {fault.path}, op: exists}}` to test whether it is set"
            )
        case "order":
            return f"`{name}` compares two numbers or two strings, and `{value}` is neither", (
                "compare with a number or a string, or use `eq`, `in` or `exists`"
            )
        case _:
            return f"`{name}` needs a `value` to compare with", "write `value: …`"
