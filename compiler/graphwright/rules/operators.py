"""GW4xx, as far as conditions are written: operators, and values that fit them."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.fault import Fault
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import meant


@rule("GW405", Severity.ERROR, "unknown operator")
def operator(facts: Facts) -> Iterator[Finding]:
    """The `op` of a condition is none of the language's operators, so nobody can say when the edge is taken.

    Operators are words (`gt`, `lte`), not signs. Without `op`, a condition asks for equality.

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
        tool_type: graph
        permissions: []
        config:
          start: check
          state: {total: 0}
          nodes:
            check:
              type: gate
              next:
                - {to: done, when: {path: state.total, op: eq, value: 0}}
                - {to: done}
            done: {type: return}
    """
    for fault in facts.faults("GW405"):
        legal = fault.facts["legal"]
        operators = f"legal here: {', '.join(f'`{name}`' for name in legal)}" if isinstance(legal, tuple) else None
        mend = meant(fault.facts["suggestion"])
        yield Finding(
            fault.span,
            f"`{fault.facts['operator']}` in {fault.facts['owner']} is no operator",
            note="unknown operator",
            help=f"{mend} {operators}" if mend and operators else mend or operators,
        )


@rule("GW406", Severity.ERROR, "operator and value do not fit")
def operator_value(facts: Facts) -> Iterator[Finding]:
    """The literal `value` of a condition is one that its operator can do nothing with.

    `in` needs a list, `regex` a pattern that compiles, an ordering a number or a text; `exists` takes no value, its
    opposite is `not: {path: …, op: exists}`.

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
        tool_type: graph
        permissions: []
        config:
          start: check
          state: {status: open}
          nodes:
            check:
              type: gate
              next:
                - {to: done, when: {path: state.status, op: in, value: [open, held]}}
                - {to: done}
            done: {type: return}
    """
    for fault in facts.faults("GW406"):
        message, mend = _value_problem(fault)
        yield Finding(fault.span, f"{fault.facts['owner']}: {message}", help=mend)


def _value_problem(fault: Fault) -> tuple[str, str]:
    """What is wrong with the value, and what to write."""
    name, value = fault.facts["operator"], fault.facts["value"]
    match fault.facts["problem"]:
        case "list":
            return f"`{name}` looks for its left side in a list, and `{value}` is no list", f"write `value: [{value}]`"
        case "pattern":
            return f"the pattern {value} of `{name}` does not compile: {fault.facts['detail']}", "mend the pattern"
        case "false":
            return "`exists` takes no value, so `false` does not turn it round", (
                "write `not: {path: …, op: exists}` around the comparison"
            )
        case "truth":
            return f"`exists` takes no value, not `{value}`", "leave `value` out, or compare with `op: eq`"
        case "order":
            return f"`{name}` compares two numbers or two texts, and `{value}` is neither", (
                "compare with a number or a text, or use `eq`, `in` or `exists`"
            )
        case _:
            return f"`{name}` needs a `value` to compare with", "write `value: …`"
