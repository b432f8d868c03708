"""Escapes invisible characters in messages, emitted comments and quoted names, as the runtime does."""

from __future__ import annotations


def visible(text: str) -> str:
    """`text` on one line, with escapes for invisible and deceptive characters."""
    if text.isascii() and text.isprintable():
        return text
    from graphwright_runtime.visible import visible as escaped

    return escaped(text)
