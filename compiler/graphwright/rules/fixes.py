"""Fixes that rules share."""

from __future__ import annotations

from graphwright.diagnostic import Edit, Fix


def as_fix(edit: Edit | None) -> Fix | None:
    """A fix of one edit, if there is one."""
    return None if edit is None else Fix((edit,))
