"""The keyword `format`, which means here what it means at run time."""

from __future__ import annotations


def described_format(name: object) -> str | None:
    """What a format asks for, as messages call it; None for a name that asks for nothing."""
    if not isinstance(name, str):
        return None
    from graphwright_runtime.formats import DESCRIBED

    return DESCRIBED.get(name)


def is_formatted(value: str, name: str) -> bool:
    """Whether a text has the format."""
    from graphwright_runtime.formats import has_format

    return has_format(value, name)
