"""The product: it says hello."""

from __future__ import annotations


def greet(name: str) -> str:
    """A friendly line for `name`."""
    return f"hello, {name}"
