"""Names of environment variables, checked."""

from __future__ import annotations

import re

from graphwright import ir
from graphwright.fault import Owner
from graphwright.lower.context import Lowering
from graphwright.model import Name
from graphwright.pattern import pattern

_BETWEEN = pattern(r"[\s,;]+")
_NAME = pattern(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def lower_env(lowering: Lowering, names: tuple[Name, ...], owner: Owner) -> tuple[ir.EnvName, ...]:
    """The variables that are required; a malformed name (GW501) is read as the nearest well-formed one."""
    found: list[ir.EnvName] = []
    for name in names:
        text = name.text
        if not name.plain:
            continue
        if not _NAME.match(text):
            several = tuple(part for part in _BETWEEN.split(text) if part)
            if len(several) > 1 and all(map(_NAME.match, several)):
                lowering.fault("GW501", name.at, owner, name=text, suggestion=None, several=several)
                found += (ir.EnvName(part, name.at) for part in several)
                continue
            suggestion = _mended(text)
            lowering.fault("GW501", name.at, owner, name=text, suggestion=suggestion, several=())
            if suggestion is None:
                continue
            text = suggestion
        found.append(ir.EnvName(text, name.at))
    return tuple(found)


def _mended(text: str) -> str | None:
    """`$NAME`, `${NAME}`, `MY-NAME` and `NAME=x` as the names that they were meant to be."""
    bare = text.strip().removeprefix("$").strip("{}").partition("=")[0]
    if "${" in text.strip()[1:]:
        return None
    mended = re.sub(r"[^A-Za-z0-9_]+", "_", bare).strip("_")
    if mended[:1].isdigit():
        mended = f"_{mended}"
    return mended if _NAME.match(mended) else None
