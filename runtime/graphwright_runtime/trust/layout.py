"""Recognizes changes that a formatter made to a module, for more helpful messages.

Formatters change whitespace, quotes, commas, brackets and imports. Two texts that agree in everything else have the
same `layout_digest`. This only affects the message ("formatting only"): a file whose bytes differ from the signed ones
is always refused.
"""

from __future__ import annotations

import hashlib
import re

_LAYOUT = b" \t\r\n\f\\\"'(),;"
_IMPORT = re.compile(rb"\n(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+(?:\([^()]*\)|[^\n]*)(?=\n)")
_WORD = re.compile(rb"[\w.]+")
_OURS = re.compile(rb"^<{7}(?: .*)?\r?$", re.MULTILINE)
_THEIRS = re.compile(rb"^>{7}(?: .*)?\r?$", re.MULTILINE)


def layout_digest(body: bytes) -> str:
    """A digest (32 hexadecimal digits) of a text without its layout and without the order of its imports."""
    words: set[bytes] = set()

    def collect(statement: re.Match[bytes]) -> bytes:
        words.update(_WORD.findall(statement.group()))
        return b""

    rest = _IMPORT.sub(collect, body).translate(None, _LAYOUT)
    return hashlib.sha256(b" ".join(sorted(words)) + b"\n" + rest).hexdigest()[:32]


def whitespace_variants(data: bytes) -> tuple[bytes, ...]:
    """The file without changes that editors make to line endings, trailing whitespace or the byte order mark."""
    plain = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    trimmed = b"\n".join(line.rstrip(b" \t") for line in plain.split(b"\n"))
    stripped = trimmed.rstrip(b"\n")
    return plain, trimmed, stripped + b"\n", stripped


def has_conflict_markers(data: bytes) -> bool:
    """Whether a text contains conflict markers of git."""
    opened = _OURS.search(data)
    return opened is not None and _THEIRS.search(data, opened.end()) is not None
