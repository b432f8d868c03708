"""What compiled validators need beyond Python's own operators (JSON Schema, draft 2020-12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeGuard, TypeVar, cast

from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import described
from graphwright_runtime.patterns.engine import Pattern
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from fractions import Fraction

T = TypeVar("T")
_UNSAID: Final = object()


class Problems:
    """Collects what is wrong with the inputs of a run."""

    __slots__ = ("found",)

    def __init__(self) -> None:
        self.found: list[str] = []

    def __call__(self, path: str, text: str, value: object = _UNSAID) -> None:
        """Note that the input at `path` (`rows[0].id`) is wrong: `text` says how (`must be at least 0`).

        `value` is what stands there, where the message is to say it.
        """
        text = _saying(text, value)
        self.found.append(f"input {path!r}: {text}" if path else text)

    def missing(self, path: str) -> None:
        """Note that a required input is not there."""
        self.found.append(f"missing required input: {path!r}")


class _Misfit(Problems):
    """Raises what would be noted: the first thing that is wrong with a value of the state, or with the output."""

    __slots__ = ()

    def __call__(self, path: str, text: str, value: object = _UNSAID) -> None:
        text = _saying(text, value)
        raise NodeError(f"`{path}` does not conform to `{_schema_of(path)}`: {text}", category="permanent")

    def missing(self, path: str) -> None:
        raise NodeError(f"`{path}` is missing, and `{_schema_of(path)}` requires it", category="permanent")


#: Given to the checks of `state_schema` and `output_schema`; their paths begin with `state` and `output`.
misfit: Final[Problems] = _Misfit()


def _saying(text: str, value: object) -> str:
    return text if value is _UNSAID else f"{text} (it is {described(value)})"


def _schema_of(path: str) -> str:
    return "output_schema" if path.startswith("output") else "state_schema"


def accepts(check: Callable[[T, str, Problems], None], value: T) -> bool:
    """Whether a check has nothing to say against a value: what `anyOf`, `not` and `if` ask of a schema."""
    problems = Problems()
    check(value, "", problems)
    return not problems.found


def is_list(value: object) -> TypeGuard[list[object]]:
    """JSON Schema's `array`."""
    return isinstance(value, list)


def is_mapping(value: object) -> TypeGuard[dict[str, object]]:
    """JSON Schema's `object`."""
    return isinstance(value, dict)


def is_integer(value: object) -> TypeGuard[int | float]:
    """JSON Schema's `integer`: also a float without a fraction, never a boolean."""
    if type(value) is int:
        return True
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


def multiple_of(value: float, factor: float) -> bool:
    """JSON Schema's `multipleOf`, exact for decimal fractions (0.3 is a multiple of 0.1)."""
    if isinstance(value, int) and isinstance(factor, int):
        return value % factor == 0
    return (_exact(value) / _exact(factor)).denominator == 1


def _exact(number: float) -> Fraction:
    """A number as it is written: a float stands for its shortest decimal, not for the nearest binary fraction."""
    from fractions import Fraction

    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def json_equal(left: object, right: object) -> bool:
    """Equality of JSON Schema (`const`, `enum`): true is not 1, but 1 is 1.0."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(json_equal, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(json_equal(left[key], right[key]) for key in left)
    return left == right


def unique(items: list[object]) -> bool:
    """JSON Schema's `uniqueItems`."""
    if all(type(item) is str for item in items):
        return len(set(items)) == len(items)
    return len({_key(item) for item in items}) == len(items)


def _key(value: object) -> str:
    """A text that is the same for values that are equal as `json_equal` has it.

    Hashes of texts cannot be predicted: with numbers in the set, somebody could choose ones that collide.
    """
    if isinstance(value, dict):
        return f"{{{','.join(sorted(f'{name!r}:{_key(part)}' for name, part in value.items()))}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_key, value))}]"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{value:x}" if type(value) is int else repr(value)


def schema_pattern(source: str) -> Pattern:
    """A regular expression of a schema: ECMAScript's, with the flag `u`."""
    return Pattern(source, "ecma")


def check_with_jsonschema(
    schema: object, value: object, problem: Problems, path: str = "", *, below: bool = False
) -> None:
    """Check `value` by the library jsonschema: for the parts of a schema that the compiler does not emit.

    `below`: only what is wrong with single keys of `value` counts, not what is wrong with it as a whole.
    A missing library is a problem of the run, not a crash: it names the extra to install.
    """
    try:
        from graphwright_runtime.library import SchemaValidator
    except ImportError:
        problem(path, "its schema needs jsonschema: install graphwright-runtime[schema]")
        return
    if not isinstance(schema, (dict, bool)):
        raise TypeError("a JSON Schema is a mapping or a boolean")
    found = SchemaValidator(schema).iter_errors(cast("Json", value))
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
    """Whether a rule, given by its path in the schema, speaks of one key whatever the others are."""
    for step in rule:
        if step in ("properties", "patternProperties", "additionalProperties"):
            return True
        if not isinstance(step, int) and step not in ("allOf", "$ref"):
            return False
    return False


def _required(keyword: object, names: object) -> list[str]:
    """The names that a failed `required` asks for; none for another keyword."""
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
