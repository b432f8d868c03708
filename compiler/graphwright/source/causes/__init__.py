"""Why a file is not valid YAML: the usual causes, each with the location of the mistake.

PyYAML says where it gave up, which is often far after the mistake. Each function in these modules looks for one kind of
cause.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from graphwright.pattern import pattern
from graphwright.source.causes import blanks, brackets, keys, strings
from graphwright.source.causes.trouble import Cause, Trouble, line_end

_WORD = pattern(r"[\w-]*")
#: Plain text up to where a list or mapping between brackets would continue.
_PLAIN = pattern(r"[^\s,\[\]{}]+")
#: What `git` leaves in a file at a merge conflict.
_CONFLICT = pattern(r"^<{7}(?: [^\r\n]*)?(?=\r?$)", re.MULTILINE)
_END_OF_DOCUMENT = pattern(r"^\.\.\.[ \t]*\r?$", re.MULTILINE)


def likeliest(trouble: Trouble) -> Cause:
    """The first cause that fits."""
    for look in _CAUSES:
        found = look(trouble)
        if found is not None:
            return found
    return trouble.cause("other", trouble.at, trouble.at + 1)


def second_document(trouble: Trouble) -> tuple[int, int] | None:
    """The beginning of a second document, after `---` or `...`."""
    if "expected a single document" in trouble.context:
        return trouble.at, trouble.at + 3
    ended = _END_OF_DOCUMENT.search(trouble.text, 0, trouble.at) if "<document start>" in trouble.problem else None
    return (trouble.at, trouble.at + 1) if ended else None


def _conflict(trouble: Trouble) -> Cause | None:
    marker = _CONFLICT.search(trouble.text, 0, line_end(trouble.text, trouble.at))
    return trouble.cause("conflict", marker.start(), marker.end()) if marker else None


def _alias(trouble: Trouble) -> Cause | None:
    """A `*` or `&` without a name, an alias without an anchor, an anchor that occurs twice."""
    text, at, began = trouble.text, trouble.at, trouble.began
    if "alphabetic" in trouble.problem and text[began : began + 1] in ("*", "&"):
        plain = _PLAIN.match(text, began)
        return trouble.cause("sign", began, plain.end() if plain else began + 1)
    if "alias" in trouble.problem or "anchor" in trouble.context:
        word = _WORD.match(text, at + 1)
        kind = "alias" if "alias" in trouble.problem else "anchor"
        return trouble.cause(kind, at, word.end(), word[0]) if word else None
    return None


def _character(trouble: Trouble) -> Cause | None:
    if "cannot start any token" in trouble.problem:
        return trouble.cause("character", trouble.at, trouble.at + 1)
    return None


_CAUSES: tuple[Callable[[Trouble], Cause | None], ...] = (
    _conflict, _alias, strings.unclosed, blanks.tab, blanks.odd_blank, blanks.odd_break, strings.swallowing,
    strings.escape, keys.block_sign, strings.block_text, keys.second_colon, keys.no_key, _character,
    strings.quote_inside, brackets.inside, brackets.behind, keys.above, blanks.first_entry_as_item,
    blanks.indentation_that_fits_nothing,
)  # fmt: skip
