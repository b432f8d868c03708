"""Python text is judged in the encoding in which it is compiled: UTF-8, and nothing may choose another one.

A comment such as `# -*- coding: utf-7 -*-` on the first two lines would have Python read other text out of the same
bytes than the people who looked at them before they were signed.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from graphwright_runtime.trust.signing import Purpose

#: What Python may read. In other texts such a comment is a comment.
_PYTHON: Final[frozenset[Purpose]] = frozenset({"module", "tool"})
_COOKIE: Final = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
#: Python looks at two lines; one of them may be a signature, below which two more count for whoever takes it away.
_LINES: Final = 3
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def other_encoding(purpose: Purpose, data: bytes) -> str | None:
    """The encoding other than UTF-8 that a file or its text below the signature asks for; None where it asks for none.

    A module asks for none at all: no build writes such a comment.
    """
    if purpose not in _PYTHON:
        return None
    at = 0
    for _ in range(_LINES):
        line = _LINE.match(data, at)
        assert line is not None, "a line may be empty"
        at = line.end()
        found = _COOKIE.match(line.group())
        if found is not None and (purpose == "module" or not _is_utf_8(found[1])):
            return found[1].decode("ascii", "backslashreplace")
    return None


def _is_utf_8(name: bytes) -> bool:
    try:
        return codecs.lookup(name.decode("ascii")).name == "utf-8"
    except (LookupError, ValueError):
        return False
