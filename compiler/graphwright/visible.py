"""What people see of a text: the runtime's rule, as it is shared by messages, emitted comments and quoted names."""

from __future__ import annotations


def visible(text: str) -> str:
    """`text` on one line, with escapes for everything that cannot be seen or deceives."""
    if text.isascii() and text.isprintable():
        return text
    from graphwright_runtime.visible import visible as escaped

    return escaped(text)
