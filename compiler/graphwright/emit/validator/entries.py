"""Emits checks of all keys of a mapping: by pattern, of additional keys, and of their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphwright.emit.blocks import indented
from graphwright.emit.literals import strings
from graphwright.emit.validator import kinds
from graphwright.emit.validator.blocks import when
from graphwright.emit.validator.instance import Instance, complaint
from graphwright.emit.validator.simplify import is_false
from graphwright.ir import Json
from graphwright.record import replace
from graphwright.schema.walk import mapping

if TYPE_CHECKING:
    from graphwright.emit.validator.compiler import Compiler


def entries_checked(compiler: Compiler, schema: dict[str, Json], instance: Instance, depth: int) -> list[str]:
    """A loop over the keys, if a simplified schema contains checks for them."""
    if schema.keys().isdisjoint(("patternProperties", "additionalProperties", "propertyNames")):
        return []
    with compiler.loop("key", "entry") as (key, variable):
        entry = instance.named(key, f"\x1f{variable}\x1f")
        body = _names(compiler, schema, entry, key) + _values(compiler, schema, entry, key, depth)
    if not any(entry.variable in line for line in body):
        return [f"for {key} in {instance.variable}:", *indented(body)]
    body = [line.replace(entry.variable, variable) for line in body]
    return [f"for {key}, {variable} in {instance.variable}.items():", *indented(body)]


def _names(compiler: Compiler, schema: dict[str, Json], entry: Instance, key: str) -> list[str]:
    """The checks of `propertyNames` for a key."""
    names = schema.get("propertyNames", True)
    if names is True:
        return []
    refusal = [complaint(entry, "has a name that is not allowed")]
    if is_false(names):
        return refusal
    return when(kinds.negated(compiler.verdict(names, replace(entry, variable=key, kind="string"))), refusal)


def _values(compiler: Compiler, schema: dict[str, Json], entry: Instance, key: str, depth: int) -> list[str]:
    """The checks of `patternProperties` and `additionalProperties` for the value of a key."""
    lines: list[str] = []
    matched: list[str] = []
    rest = schema.get("additionalProperties", True)
    for pattern, part in mapping(schema.get("patternProperties")).items():
        matched.append(f"{compiler.uses.schema_pattern(pattern)}.search({key})")
        if part is not True:
            lines += when(matched[-1], compiler.below(part, entry, depth))
    if rest is True:
        return lines
    below = [complaint(entry, "is not a known property")] if rest is False else compiler.below(rest, entry, depth)
    properties = mapping(schema.get("properties"))
    known = [f"{key} not in {strings(properties)}"] if properties else []
    tests = [*known, *(f"not {match}" for match in matched)]
    return lines + (when(" and ".join(tests), below) if tests else below)
