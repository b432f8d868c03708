"""Support for compiled validators: reporting problems, patterns, and the library jsonschema."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias, TypeVar, cast

from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import described
from graphwright_runtime.keywords import is_list
from graphwright_runtime.patterns.engine import Pattern
from graphwright_runtime.values import Json

T = TypeVar("T")
#: A compiled schema: checks a value at a path.
_Check: TypeAlias = "Callable[[T, str, Problems], None]"
#: The results of checks for values, by identity.
_Verdicts: TypeAlias = dict[tuple[object, int], bool]
_UNSAID: Final = object()


class Problems:
    """Collects problems with the inputs of a run.

    `once`, `accepts` and `fill` are for schemas that are referenced. The number of paths to one schema can double at
    every level of a nested value, so they cache results by the identity of the value, which must stay alive until the
    check ends.
    """

    __slots__ = ("_seen", "_verdicts", "found")

    def __init__(self, verdicts: _Verdicts | None = None) -> None:
        self.found: list[str] = []
        self._seen: set[tuple[object, int]] = set()
        self._verdicts: _Verdicts = {} if verdicts is None else verdicts

    def __call__(self, path: str, text: str, value: object = _UNSAID) -> None:
        """Add a problem with the input at `path` (`rows[0].id`): `text` describes it (`must be at least 0`).

        `value` is the invalid value if the message should include it.
        """
        text = _saying(text, value)
        self.found.append(f"input {path!r}: {text}" if path else text)

    def missing(self, path: str) -> None:
        """Add a missing required input."""
        self.found.append(f"missing required input: {path!r}")

    def once(self, check: _Check[T], value: T, path: str) -> None:
        """Check a value unless the same check of it has already been done."""
        key = (check, id(value))
        if key not in self._seen:
            self._seen.add(key)
            check(value, path, self)

    def fill(self, fill: Callable[[object, Problems], None], value: object) -> None:
        """Fill the defaults of a schema into a value, unless that has already been done."""
        key = (fill, id(value))
        if key not in self._seen:
            self._seen.add(key)
            fill(value, self)

    def accepts(self, check: _Check[T], value: T) -> bool:
        """Whether a value passes a check; the result is cached."""
        key = (check, id(value))
        if key not in self._verdicts:
            problems = _Verdict(self._verdicts)
            check(value, "", problems)
            self._verdicts[key] = not problems.found
        return self._verdicts[key]


class _Verdict(Problems):
    """Determines whether a value has any problems; the results for its parts are shared between schemas."""

    __slots__ = ()

    def once(self, check: _Check[T], value: T, path: str) -> None:
        if not self.accepts(check, value):
            self.found.append(path)


class _Misfit(Problems):
    """Raises NodeError for the first problem with a value of the state or with the output."""

    __slots__ = ()

    def __call__(self, path: str, text: str, value: object = _UNSAID) -> None:
        text = _saying(text, value)
        raise NodeError(f"`{path}` does not conform to `{_schema_of(path)}`: {text}", category="permanent")

    def missing(self, path: str) -> None:
        raise NodeError(f"`{path}` is missing, and `{_schema_of(path)}` requires it", category="permanent")

    def once(self, check: _Check[T], value: T, path: str) -> None:
        """Start a check with its own cache, because `misfit` is shared by all checks and caches nothing."""
        check(value, path, _RememberingMisfit())

    def accepts(self, check: _Check[T], value: T) -> bool:
        return Problems().accepts(check, value)


class _RememberingMisfit(_Misfit):
    """Raises NodeError for the first problem, and caches the results of checks."""

    __slots__ = ()

    once = Problems.once
    accepts = Problems.accepts


#: For the checks of `state_schema` and `output_schema`, whose paths begin with `state` and `output`.
misfit: Final[Problems] = _Misfit()


def _saying(text: str, value: object) -> str:
    return text if value is _UNSAID else f"{text} (found {described(value)})"


def _schema_of(path: str) -> str:
    return "output_schema" if path.startswith("output") else "state_schema"


def accepts(check: _Check[T], value: T) -> bool:
    """Whether a value passes a check; used for `anyOf`, `not` and `if`."""
    problems = _Verdict()
    check(value, "", problems)
    return not problems.found


def schema_pattern(source: str) -> Pattern:
    """A regular expression in a schema: ECMAScript with the flag `u`."""
    return Pattern(source, "ecma")


def check_with_jsonschema(
    schema: object, value: object, problem: Problems, path: str = "", *, below: bool = False
) -> None:
    """Check `value` with the library jsonschema, for parts of a schema that the compiler does not emit.

    With `below`, only problems with single keys of `value` are reported, not those with the value as a whole. If the
    library is not installed, that is reported as a problem that names the extra to install.
    """
    try:
        from graphwright_runtime.effort import bounded
        from graphwright_runtime.library import SchemaValidator
    except ImportError:
        problem(path, "its schema needs jsonschema: install graphwright-runtime[schema]")
        return
    if not isinstance(schema, (dict, bool)):
        raise TypeError("a JSON Schema must be a mapping or a boolean")
    with bounded(value):
        found = list(SchemaValidator(schema).iter_errors(cast("Json", value)))
    for error in sorted(found, key=lambda each: list(map(str, each.path))):
        if below and not _is_of_a_key(error.absolute_schema_path):
            continue
        place = path + _written(error.absolute_path, leading=bool(path))
        asked = _required(error.validator, error.validator_value)
        absent = [name for name in asked if _says_missing(error.message, name)]
        if absent:
            problem.missing(f"{place}.{absent[0]}" if place else absent[0])
        else:
            problem(place, error.message)


def _is_of_a_key(rule: Iterable[str | int]) -> bool:
    """Whether a rule, given by its path in the schema, applies to a single key, independently of the others."""
    for step in rule:
        if step in ("properties", "patternProperties", "additionalProperties"):
            return True
        if not isinstance(step, int) and step not in ("allOf", "$ref"):
            return False
    return False


def _required(keyword: object, names: object) -> list[str]:
    """The names in a failed `required`; empty for other keywords."""
    if keyword != "required" or not is_list(names):
        return []
    return [name for name in names if isinstance(name, str)]


def _says_missing(message: str, name: str) -> bool:
    return message.startswith(f"{name!r} is a required property")


def _written(steps: Iterable[str | int], *, leading: bool) -> str:
    out = ""
    for step in steps:
        out += f"[{step}]" if isinstance(step, int) else f".{step}" if out or leading else step
    return out
