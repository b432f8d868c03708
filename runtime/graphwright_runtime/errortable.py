"""The project's own rules for classifying errors: `.graphwright/errors.toml`.

    [[errors]]
    category = "transient"
    condition = { path = "error.message", op = "contains", value = "deadlock detected" }

Conditions have the forms of language.md §5 without templates, over `error.message`, `error.type`, `error.code`, `node`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from graphwright_runtime import comparisons
from graphwright_runtime.classify import Condition, Rule
from graphwright_runtime.content import content_of
from graphwright_runtime.errors import CATEGORIES, Category, NodeError
from graphwright_runtime.log import logger
from graphwright_runtime.paths import at
from graphwright_runtime.values import Json

log: Final = logger(__name__)

FILE: Final = Path(".graphwright") / "errors.toml"

_OPERATORS: Final[dict[str, Callable[[object, object], bool]]] = {
    "eq": comparisons.equal,
    "ne": lambda left, right: not comparisons.equal(left, right),
    "lt": comparisons.less,
    "lte": comparisons.less_equal,
    "gt": comparisons.greater,
    "gte": comparisons.greater_equal,
    "in": comparisons.is_in,
    "contains": comparisons.contains,
    "regex": lambda left, right: comparisons.matches(right, left),
    "exists": lambda left, _: comparisons.exists(left),
}


class BadTableError(Exception):
    """The file is invalid; `str()` says where and why."""


def read_rules(project: Path) -> tuple[Rule, ...]:
    """The rules of a project; none if it has no error table.

    An invalid file, or one that another user could have written, is ignored with a warning.
    """
    from graphwright_runtime.trust.owner import ownership_problem

    path = project / FILE
    if (problem := ownership_problem(path, project)) is not None:
        log.warning("%s cannot be read: %s", FILE, problem)
        return ()
    try:
        text = content_of(path).decode()
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        log.warning("%s cannot be read: %s", FILE, error)
        return ()
    import tomllib

    try:
        entries = tomllib.loads(text).get("errors", [])
        if not isinstance(entries, list):
            raise BadTableError("`errors` must be a list of tables: write [[errors]]")
        return tuple(_rule(entry, f"errors[{index}]") for index, entry in enumerate(entries))
    except (ValueError, BadTableError, RecursionError) as error:  # ValueError: also a number of thousands of digits
        log.warning("%s is ignored: %s", FILE, error)
        return ()


def _rule(entry: object, where: str) -> Rule:
    if not isinstance(entry, Mapping):
        raise BadTableError(f"{where}: must be a table with `category` and `condition`")
    category = _category(entry.get("category"))
    if category is None:
        raise BadTableError(f"{where}.category: must be one of {', '.join(CATEGORIES)}")
    return category, _quietly(_condition(entry.get("condition"), f"{where}.condition"))


def _category(written: object) -> Category | None:
    for each in CATEGORIES:
        if each == written:
            return each
    return None


def _condition(form: object, where: str) -> Condition:
    """The function of a condition; raises BadTableError."""
    if not isinstance(form, Mapping):
        raise BadTableError(f"{where}: must be a table with `path`, `any`, `all` or `not`")
    if "not" in form:
        inner = _condition(form["not"], f"{where}.not")
        return lambda context: not inner(context)
    if "any" in form:
        choices = _conditions(form["any"], f"{where}.any")
        return lambda context: any(each(context) for each in choices)
    if "all" in form:
        demands = _conditions(form["all"], f"{where}.all")
        return lambda context: all(each(context) for each in demands)
    path, value = form.get("path"), form.get("value")
    operator = _OPERATORS.get(str(form.get("op", "eq")))
    if not isinstance(path, str) or operator is None:
        raise BadTableError(f"{where}: `path` must be a string, and `op` one of {', '.join(_OPERATORS)}")
    steps = path.split(".")
    return lambda context: operator(at(context, *steps), value)


def _conditions(forms: object, where: str) -> list[Condition]:
    if not isinstance(forms, list):
        raise BadTableError(f"{where}: must be a list of conditions")
    return [_condition(form, f"{where}[{index}]") for index, form in enumerate(forms)]


def _quietly(condition: Condition) -> Condition:
    """The condition, but false if it raises (as when comparing a string with a number): classifying never fails."""

    def holds(context: Mapping[str, Json]) -> bool:
        try:
            return condition(context)
        except (NodeError, TypeError, ValueError, RecursionError):
            return False

    return holds
