"""Wrong whitespace: tabs, characters that YAML does not take for spaces, indentation that fits no line above."""

from __future__ import annotations

import re

import yaml

from graphwright.pattern import pattern
from graphwright.source.causes.trouble import Cause, Trouble, indentation, line_above, line_start
from graphwright.source.spelling import ODD_BLANKS

#: Whitespace that is not whitespace to YAML, where it needs some: in the indentation, or after a `:` or `-`.
_ODD_BLANK = pattern(rf"^ *(?:- +)*(?:[\w\"'-]+:|-)?([{ODD_BLANKS}])", re.MULTILINE)
#: An item of a list that looks like an entry of a mapping.
_ENTRY = pattern(r"- +[\w-]+:")
#: What an entry begins with: the dash of an item, or its key.
_HEAD = pattern(r"-(?= )|[^\s:][^\r\n:]*")


def tab(trouble: Trouble) -> Cause | None:
    """A tab in the indentation, or where a value should begin."""
    if "\t" in indentation(trouble.text, trouble.at) or trouble.text[trouble.at : trouble.at + 1] == "\t":
        found = trouble.text.rfind("\t", 0, trouble.at + 1)
        return trouble.cause("tab", found, found + 1)
    return None


def odd_blank(trouble: Trouble) -> Cause | None:
    """Odd whitespace after a value or where a key begins; also on the line above, which may have swallowed this one."""
    if trouble.text[trouble.at : trouble.at + 1] in tuple(ODD_BLANKS):
        return trouble.cause("blank", trouble.at, trouble.at + 1, f"U+{ord(trouble.text[trouble.at]):04X}")
    first = trouble.began if "simple key" in trouble.context else line_above(trouble.text, trouble.line)
    odd = _ODD_BLANK.search(trouble.text, line_start(trouble.text, first), trouble.at + 1)
    return trouble.cause("blank", odd.start(1), odd.end(1), f"U+{ord(odd[1]):04X}") if odd else None


def odd_break(trouble: Trouble) -> Cause | None:
    """A character that ends a line for YAML, though editors show no line break."""
    begin = trouble.began if "simple key" in trouble.context else trouble.at
    at = len(trouble.text[:begin].rstrip(" "))
    if trouble.text[at - 1 : at] not in ("\x85", "\u2028", "\u2029"):
        return None
    return trouble.cause("break", at - 1, at, f"U+{ord(trouble.text[at - 1]):04X}")


def indentation_that_fits_nothing(trouble: Trouble) -> Cause | None:
    """A line whose indentation matches no line above; with the entries that it could belong to."""
    if "block" not in trouble.context:
        return None
    fitting = _columns(trouble)
    start, end = trouble.at, trouble.at + 1
    here = trouble.at - trouble.line
    shallow = next(((head, line) for column, head, line in fitting if column < here), None)
    if shallow is not None and _has_slipped(trouble.text, shallow[1], here):
        return trouble.cause("slipped", start, end, columns=fitting, key=shallow[0], inner=str(shallow[1]))
    return trouble.cause("column" if fitting else "indent", start, end, columns=fitting)


def _has_slipped(text: str, number: int, column: int) -> bool:
    """Whether a line may have begun in `column` before: it follows one that does, or a key that needs a block there."""
    lines = text.split("\n", number)[:number]
    before = [line for line in lines[:-1] if line.strip() and line.lstrip()[0] != "#"]
    depths = [len(line) - len(line.lstrip(" ")) for line in before]
    if not before:
        return False
    opens = before[-1].rstrip().endswith(":") and depths[-1] == len(lines[-1]) - len(lines[-1].lstrip(" "))
    return opens or next((depth == column for depth in reversed(depths) if depth <= column), False)


def first_entry_as_item(trouble: Trouble) -> Cause | None:
    """`- a:` for the first entry of a mapping, and `b:` for the next one; or `b:` has slipped out of a longer item."""
    if "block" not in trouble.context or trouble.text.startswith("- ", trouble.at):
        return None
    here = trouble.at - trouble.line
    for entry, first, latest in _opened(trouble):
        only = entry is yaml.BlockEntryToken and first.index == latest.index and first.column == here
        if only and _ENTRY.match(trouble.text, int(first.index)):
            head = _HEAD.match(trouble.text, trouble.at)
            key = head[0].rstrip() if head else ""
            item = trouble.text[int(first.index) : trouble.line]
            goes_on = re.match(rf"- +[\w-]+: +[^ #][^\n]*\n(?:[^\n]*\n)*? {{{here + 2}}}[\w-]+:", item)
            another = re.compile(rf"^ {{{here}}}- ", re.MULTILINE).search(trouble.text, *_rest_of_block(trouble))
            if goes_on or another:
                return trouble.cause("part", trouble.at, trouble.at + len(key), key=key)
            return trouble.cause("item", int(first.index), int(first.index) + 1, key=key)
    return None


def _rest_of_block(trouble: Trouble) -> tuple[int, int]:
    """The range of the lines below that are indented at least as far as this one."""
    shallower = re.compile(rf"^ {{0,{trouble.at - trouble.line - 1}}}[^ \n]", re.MULTILINE)
    end = shallower.search(trouble.text, trouble.at)
    return trouble.at, end.start() if end and trouble.at > trouble.line else len(trouble.text)


def _opened(trouble: Trouble) -> list[tuple[type[yaml.Token], yaml.Mark, yaml.Mark]]:
    """The mappings and lists that are open where PyYAML gave up: what begins entries, the first and the latest."""
    opened: list[tuple[type[yaml.Token], yaml.Mark, yaml.Mark]] = []
    for token in trouble.tokens:
        if isinstance(token, (yaml.BlockMappingStartToken, yaml.BlockSequenceStartToken)):
            opened.append((_ENTRIES[type(token)], token.start_mark, token.start_mark))
        elif isinstance(token, yaml.BlockEndToken) and opened:
            opened.pop()
        elif opened and type(token) is opened[-1][0] and token.start_mark.column == opened[-1][1].column:
            opened[-1] = type(token), opened[-1][1], token.start_mark
    return opened


def _columns(trouble: Trouble) -> tuple[tuple[int, str, int], ...]:
    """The columns on both sides of this one in which a key, or an item, could begin, the nearer first: each with the
    entry above that begins there and its line."""
    item = yaml.BlockEntryToken if trouble.text.startswith("- ", trouble.at) else yaml.KeyToken
    marks = {int(latest.column): latest for entry, _, latest in _opened(trouble) if entry is item}
    here = trouble.at - trouble.line
    near = {
        max((column for column in marks if column < here), default=None),
        min((column for column in marks if column > here), default=None),
    }
    columns = sorted((each for each in near if each is not None), key=lambda each: (abs(each - here), -each))
    return tuple((each, _head(trouble.text, marks[each]), int(marks[each].line) + 1) for each in columns)


def _head(text: str, mark: yaml.Mark) -> str:
    head = _HEAD.match(text, int(mark.index))
    return head[0].rstrip() if head else ""


#: The beginning of the entries of a mapping and of a list.
_ENTRIES: dict[type[yaml.Token], type[yaml.Token]] = {
    yaml.BlockMappingStartToken: yaml.KeyToken,
    yaml.BlockSequenceStartToken: yaml.BlockEntryToken,
}
