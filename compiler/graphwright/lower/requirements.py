"""The requirements of a graph, checked: capability patterns and environment variables."""

from __future__ import annotations

import re

from graphwright import ir
from graphwright.fault import GRAPH, Owner
from graphwright.faults.expressions import UnreadTemplate
from graphwright.faults.names import InvalidPattern, InvalidVariable
from graphwright.lower.context import Lowering
from graphwright.model import Name
from graphwright.pattern import pattern
from graphwright.recover.capabilities import joined, malformed, modern

_BETWEEN = pattern(r"[\s,;]+")
_NAME = pattern(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def lower_permissions(lowering: Lowering, names: tuple[Name, ...]) -> tuple[ir.Permission, ...]:
    """The patterns of `permissions`; a malformed one (GW605) is read as what was meant, or omitted."""
    found: list[ir.Permission] = []
    for name in names:
        pattern = name.text
        if not name.plain:
            continue
        if "${" in pattern:
            lowering.report(UnreadTemplate(lowering.span(name.at), GRAPH, "permissions", pattern, "permissions"))
            continue
        problem = malformed(pattern)
        if problem is not None:
            lowering.recovery.guessed.append(name.at)
            found += [ir.Permission(modern(word), name.text, name.at) for word in joined(pattern)]
            reason, suggestion, legal = problem.reason, problem.suggestion, problem.legal
            lowering.report(InvalidPattern(lowering.span(name.at), pattern, reason, suggestion, legal))
            if suggestion is None:
                continue
            pattern = suggestion
        found.append(ir.Permission(modern(pattern), name.text, name.at))
    return tuple(found)


def lower_env(lowering: Lowering, names: tuple[Name, ...], owner: Owner) -> tuple[ir.EnvName, ...]:
    """The required variables; a malformed name (GW501) is read as the nearest well-formed one."""
    found: list[ir.EnvName] = []
    for name in names:
        text = name.text
        if not name.plain:
            continue
        if not _NAME.match(text):
            several = tuple(part for part in _BETWEEN.split(text) if part)
            if len(several) > 1 and all(map(_NAME.match, several)):
                lowering.report(InvalidVariable(lowering.span(name.at), owner, text, None, several))
                found += (ir.EnvName(part, name.at) for part in several)
                continue
            suggestion = _well_formed(text)
            lowering.report(InvalidVariable(lowering.span(name.at), owner, text, suggestion))
            if suggestion is None:
                continue
            text = suggestion
        found.append(ir.EnvName(text, name.at))
    return tuple(found)


def _well_formed(text: str) -> str | None:
    """`$NAME`, `${NAME}`, `MY-NAME` and `NAME=x` as the names that they were meant to be."""
    bare = text.strip().removeprefix("$").strip("{}").partition("=")[0]
    if "${" in text.strip()[1:]:
        return None
    fixed = re.sub(r"[^A-Za-z0-9_]+", "_", bare).strip("_")
    if fixed[:1].isdigit():
        fixed = f"_{fixed}"
    return fixed if _NAME.match(fixed) else None
