"""Checks by the library jsonschema, for the parts of schemas that the compiler does not emit.

Importing this module raises ImportError if the library is not installed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from jsonschema import ValidationError

from graphwright_runtime.alternatives import AMBIGUOUS, Part, closest, unmatched
from graphwright_runtime.checks import Problems
from graphwright_runtime.effort import bounded
from graphwright_runtime.keywords import is_list
from graphwright_runtime.library import SchemaValidator
from graphwright_runtime.values import Json


def check(schema: object, value: object, problem: Problems, path: str, *, below: bool) -> None:
    """Implements `checks.check_with_jsonschema`, which documents the arguments."""
    if not isinstance(schema, (dict, bool)):
        raise TypeError("a JSON Schema must be a mapping or a boolean")
    with bounded(value):
        found = list(SchemaValidator(schema).iter_errors(cast("Json", value)))
    for error in sorted(found, key=lambda each: list(map(str, each.path))):
        if below and not _is_of_a_key(error.absolute_schema_path):
            continue
        place = path + _written(error.absolute_path, leading=bool(path))
        absent = _absent(error)
        if absent is not None:
            problem.missing(f"{place}.{absent}" if place else absent)
        elif error.validator in ("anyOf", "oneOf"):
            parts = _parts(error, place)
            text = unmatched(place, parts) if error.context else AMBIGUOUS
            problem(place, text) if parts else problem(place, text, error.instance)
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


def _absent(error: ValidationError) -> str | None:
    """The name of the missing property that an error is about; None if it is about something else."""
    if error.validator != "required" or not is_list(error.validator_value):
        return None
    names = [name for name in error.validator_value if isinstance(name, str)]
    return next((name for name in names if error.message.startswith(f"{name!r} is a required property")), None)


def _parts(error: ValidationError, base: str) -> list[Part]:
    """The problems of the alternative that was probably meant, of an error about `anyOf` or `oneOf` at `base`."""
    alternatives: dict[object, list[Part]] = {}
    tags: list[str] = []
    for each in error.context:
        if not each.schema_path:  # the alternative is `false`
            continue
        place = base + _written(each.relative_path, leading=bool(base))
        absent = _absent(each)
        parts = _parts(each, place) if each.context else []
        if absent is not None:
            parts = [Part(f"{place}.{absent}" if place else absent, "is missing")]
        elif each.validator in ("const", "enum") and len(each.relative_path) == 1:
            tags.append(str(each.relative_path[0]))
        alternatives.setdefault(each.schema_path[0], []).extend(parts or [Part(place, each.message)])
    return closest(base, alternatives.values(), tags)


def _written(steps: Iterable[str | int], *, leading: bool) -> str:
    out = ""
    for step in steps:
        out += f"[{step}]" if isinstance(step, int) else f".{step}" if out or leading else step
    return out
