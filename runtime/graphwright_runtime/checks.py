"""Support for compiled validators: reporting problems, and patterns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import described
from graphwright_runtime.patterns.engine import Pattern

if TYPE_CHECKING:
    from graphwright_runtime.alternatives import Part

T = TypeVar("T")
#: A compiled schema: checks a value at a path.
_Check: TypeAlias = "Callable[[T, str, Problems], None]"
#: The results of checks for values, by identity.
_Verdicts: TypeAlias = dict[tuple[object, int], bool]
_UNSAID: Final = object()
#: How many times the problems of an alternative are collected for messages.
_EXPLAINED: Final = 100


class Problems:
    """Collects problems with the inputs of a run.

    `once`, `accepts` and `fill` are for schemas that are referenced. The number of paths to one schema can double at
    every level of a nested value, so they cache results by the identity of the value, which must stay alive until the
    check ends. For the same reason, `none_of` looks into alternatives only until `_effort` is used up.
    """

    __slots__ = ("_effort", "_seen", "_verdicts", "found")

    def __init__(self, verdicts: _Verdicts | None = None, effort: Iterator[int] | None = None) -> None:
        self.found: list[str] = []
        self._effort = iter(range(_EXPLAINED)) if effort is None else effort
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

    def none_of(self, path: str, value: T, *checks: _Check[T], tags: Collection[str] = (), matching: int = 0) -> None:
        """Add that a value matches no alternative, or several of `oneOf` (`matching`).

        `checks` are the alternatives, except those that only test the kind of the value. `tags` are keys for which
        several of them declare constants.
        """
        from graphwright_runtime.alternatives import AMBIGUOUS, unmatched  # imported late: most values are valid

        if matching:
            self(path, AMBIGUOUS, value)
        elif parts := self._explained(path, value, checks, tags):
            self(path, unmatched(path, parts))
        else:
            self(path, unmatched(path, ()), value)

    def _explained(self, path: str, value: T, checks: Iterable[_Check[T]], tags: Collection[str]) -> list[Part]:
        """The problems of the alternative that was probably meant; empty if that is unclear."""
        from graphwright_runtime.alternatives import closest

        alternatives: list[list[Part]] = []
        for check in checks:
            if next(self._effort, None) is None:
                return []
            problems = _Parts(self._verdicts, self._effort)
            check(value, path, problems)
            alternatives.append(problems.parts)
        return closest(path, alternatives, tags)

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


class _Parts(Problems):
    """Collects the problems with the parts of a value, for the message about an alternative."""

    __slots__ = ("parts",)

    def __init__(self, verdicts: _Verdicts, effort: Iterator[int]) -> None:
        super().__init__(verdicts, effort)
        self.parts: list[Part] = []

    def __call__(self, path: str, text: str, value: object = _UNSAID) -> None:
        from graphwright_runtime.alternatives import Part

        self.parts.append(Part(path, text) if value is _UNSAID else Part.about(path, text, value))

    def missing(self, path: str) -> None:
        self(path, "is missing")

    def none_of(self, path: str, value: T, *checks: _Check[T], tags: Collection[str] = (), matching: int = 0) -> None:
        """Add the problems of the alternative that was probably meant, instead of one with the whole value."""
        parts = [] if matching else self._explained(path, value, checks, tags)
        if parts:
            self.parts += parts
        else:
            super().none_of(path, value, matching=matching)


class _Verdict(Problems):
    """Determines whether a value has any problems; the results for its parts are shared between schemas."""

    __slots__ = ()

    def _explained(self, *_: object) -> list[Part]:
        return []

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

    def _explained(self, path: str, value: T, checks: Iterable[_Check[T]], tags: Collection[str]) -> list[Part]:
        return Problems()._explained(path, value, checks, tags)


class _RememberingMisfit(_Misfit):
    """Raises NodeError for the first problem, and caches the results of checks."""

    __slots__ = ()

    once = Problems.once
    accepts = Problems.accepts
    _explained = Problems._explained


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
        from graphwright_runtime.fallback import check
    except ImportError:
        problem(path, "its schema needs jsonschema: install graphwright-runtime[schema]")
        return
    check(schema, value, problem, path, below=below)
