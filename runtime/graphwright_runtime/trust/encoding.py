"""Detects Python files that declare an encoding other than UTF-8.

With a comment such as `# -*- coding: utf-7 -*-` on one of the first two lines, Python would decode the same bytes to
different text than the people who reviewed them before they were signed.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from graphwright_runtime.trust.signing import Purpose

#: The purposes of files that Python compiles. In other files such a comment has no effect.
_PYTHON: Final[frozenset[Purpose]] = frozenset({"module", "tool"})
_COOKIE: Final = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
#: Python reads two lines. One of them may be a signature line; if it is removed, the next line moves up.
_LINES: Final = 3
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def other_encoding(purpose: Purpose, data: bytes) -> str | None:
    """The encoding other than UTF-8 that a file declares, with or without its signature line; None if there is none.

    For a module, any declared encoding is returned, because builds do not write such comments.
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
