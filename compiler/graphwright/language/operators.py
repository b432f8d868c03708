"""The operators of conditions."""

from __future__ import annotations

from typing import Final

from graphwright.pattern import pattern
from graphwright.record import Record


class Operator(Record):
    """One operator.

    `function` is its name in the runtime's ABI; `negative` negates its result. `symbol` is the mathematical notation.
    `total`: it accepts any two values, so it never causes a node error. `needs_value`: it is false if the left side is
    null.
    """

    name: str
    doc: str
    function: str
    symbol: str = ""
    synonyms: tuple[str, ...] = ()
    negative: bool = False
    is_order: bool = False
    total: bool = False
    needs_value: bool = False


OPERATORS: Final = {
    each.name: each
    for each in (
        Operator(
            "eq", "equal, as JSON values", "equal", "=",
            ("equals", "equal", "==", "=", "is"), total=True,
        ),
        Operator(
            "ne", "not equal", "equal", "≠",
            ("!=", "<>", "not_equals", "not_equal", "is_not", "isnt"), negative=True, total=True,
        ),
        Operator(
            "gt", "greater: two numbers or two strings; anything else is a node error, but null on the left is false",
            "greater", ">", (">", "greater_than", "greater"), is_order=True, needs_value=True,
        ),
        Operator(
            "gte", "greater or equal; same rules as `gt`", "greater_equal", "≥",
            (">=", "ge"), is_order=True, needs_value=True,
        ),
        Operator(
            "lt", "less; same rules as `gt`", "less", "<",
            ("<", "less_than", "less"), is_order=True, needs_value=True,
        ),
        Operator(
            "lte", "less or equal; same rules as `gt`", "less_equal", "≤",
            ("<=", "le"), is_order=True, needs_value=True,
        ),
        Operator("in", "`value` is a list that contains the left side", "is_in", synonyms=("one_of",)),
        Operator(
            "contains", "a string or number contains `value` as a string, a list contains it, a mapping has that key",
            "contains", synonyms=("includes", "has"), total=True, needs_value=True,
        ),
        Operator(
            "regex", "Python's `re.search(value, string)`; false for null", "matches",
            synonyms=("matches", "match", "=~"), needs_value=True,
        ),
        Operator(
            "exists", "the left side is not null", "exists", total=True, needs_value=True,
            synonyms=("defined", "is_set", "not_null", "is_not_null", "notnull", "present", "is_present"),
        ),
    )
}  # fmt: skip

#: Operators that compare by order.
ORDERS: Final = frozenset(each.name for each in OPERATORS.values() if each.is_order)

#: Older spellings that are accepted -> the modern ones.
OLD_OPERATORS: Final = {"neq": "ne"}

#: Names of operators in other languages.
OPERATOR_SYNONYMS: Final = {synonym: each.name for each in OPERATORS.values() for synonym in each.synonyms}

_DENIAL: Final = pattern(r"(?:is_?)?(?:not?|non|un|doesnt|does_not)[_ -]?(?=[a-z])|!\s*(?=\w)|n(?=in\Z)")


def denied_operator(name: str) -> str | None:
    """The operator that a name such as `not_in` or `!contains` negates; this language writes `not` around it."""
    found = _DENIAL.match(name.lower())
    if found is None:
        return None
    rest = name.lower()[found.end() :].strip("_- ").removesuffix("s")
    return next((each for each in OPERATORS if rest in (each, each.removesuffix("s"))), OPERATOR_SYNONYMS.get(rest))
