"""Fixes that rules share: another value in the place of the one at fault."""

from __future__ import annotations

from yaml.nodes import ScalarNode

from graphwright.diagnostic import Edit, Fix
from graphwright.facts import Facts
from graphwright.fault import Fault


def instead(facts: Facts, fault: Fault, text: object, *, quotes: bool = False) -> Fix | None:
    """Write `text` in place of the scalar at fault, in quotes if that has some; None where that is not safe."""
    at = fault.facts["at"]
    return as_fix(facts.source.instead(at, str(text), quotes=quotes)) if isinstance(at, ScalarNode) else None


def as_fix(edit: object) -> Fix | None:
    """A fix of one edit, if there is one."""
    return Fix((edit,)) if isinstance(edit, Edit) else None
