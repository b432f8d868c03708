"""Scalars in every style that YAML has, and where each character of their text was put."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import yaml
from yaml.nodes import MappingNode, ScalarNode

from graphwright.source.scalars import STR, ambiguity, tag_of
from property.spelled import Place, Stretch

#: What a spelling may make use of. With none of them a text is written like JSON.
FEATURES = (
    "block", "plain", "single", "literal", "folded", "escapes", "several lines", "comments", "explicit keys", "tabs",
    "properties", "tight", "crlf", "document", "trailing blanks", "own line",
)  # fmt: skip
_SHORT = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\", "\0": "\\0", "\x85": "\\N", "\xa0": "\\_", "/": "\\/"}
_COMMENTS = ("# a comment", "#", "# it's \"half", "# {[ ${x", "# 日本 🚀 é", "# key: value", "#\t- x")


class TextWriter:
    """Writes texts; `_out` is the text so far, `_at` its length."""

    def __init__(self, features: frozenset[str], chance: random.Random) -> None:
        self._features = features
        self._chance = chance
        self._out: list[str] = []
        self._at = 0
        self._break = "\r\n" if "crlf" in features else "\n"

    def _may(self, feature: str, share: float = 0.5) -> bool:
        return feature in self._features and self._chance.random() < share

    def _put(self, text: str) -> Stretch:
        start = self._at
        self._out.append(text)
        self._at += len(text)
        return start, self._at

    def _gap(self, *, tab: bool = True) -> None:
        """Blanks between two tokens of a line; behind what a key could follow YAML takes no tab."""
        self._put(self._chance.choice(["\t", " \t", "\t\t "]) if tab and self._may("tabs", 0.3) else " ")

    def _end_line(self, *, tab: bool = True) -> None:
        if self._may("comments", 0.3):
            self._gap(tab=tab)
            self._put(self._chance.choice(_COMMENTS))
        elif self._may("trailing blanks", 0.3):
            self._put(self._chance.choice(["  ", " \t", " "] if tab else ["  ", " "]))
        self._put(self._break)
        while self._may("comments", 0.25):
            deep = self._chance.randrange(6)
            self._put(" " * deep + self._chance.choice(["", *_COMMENTS]) + self._break)

    def _scalar(self, node: ScalarNode, where: Where, indent: int) -> Place:
        """Write a scalar below something in the column `indent`; a block text ends its line, others do not."""
        style = self._style(node, where)
        if style in ("|", ">"):
            return self._block_text(node.value, style, indent)
        several = where in (VALUE, FLOW) and "several lines" in self._features
        start = self._at
        quote = style or ""
        self._put(quote)
        characters = tuple(self._characters(node.value, style, indent if several else None))
        self._put(quote)
        return Place((start, self._at), characters)

    def _style(self, node: ScalarNode, where: Where) -> str | None:
        if not node.style and (node.tag != STR or ambiguity(node.value, tag_of(node.value))):
            return None
        several = where in (VALUE, FLOW) and "several lines" in self._features
        styles: list[str | None] = ['"']
        if "plain" in self._features and where.plain(node.value):
            styles += [None] * 3
        if "single" in self._features and (several or "\n" not in node.value) and _is_single(node.value):
            styles.append("'")
        if where is VALUE:
            styles += [
                style
                for style, name in (("|", "literal"), (">", "folded"))
                if name in self._features and _is_block(node.value)
            ]
        return self._chance.choice(styles)

    def _characters(self, text: str, style: str | None, indent: int | None) -> Iterator[Stretch]:
        """Write the inside of a plain or quoted scalar; with `indent` it may go over several lines."""
        for index, character in enumerate(text):
            before, after = text[index - 1 : index], text[index + 1 : index + 2]
            folds = before.strip() and after.strip() and not (style is None and after in "#-?:")
            if indent is not None and folds and character == " " and self._may("several lines", 0.3):
                yield self._fold(indent, 1)
            elif (
                indent is not None and folds and character == "\n" and (style != '"' or self._may("several lines", 0.3))
            ):
                yield self._fold(indent, 2)
            elif style == '"':
                if indent is not None and index and character not in " \t\n" and before != "\\":
                    self._break_word(indent)
                yield self._put(self._escaped(character))
            elif character == "'" and style == "'":
                yield self._put("''")
            else:
                yield self._put(character)

    def _break_word(self, indent: int) -> None:
        """Go on in the next line in the midst of a word, now and then."""
        if self._may("several lines", 0.05):
            self._put("\\" + self._break + " " * (indent + 1 + self._chance.randrange(3)))

    def _fold(self, indent: int, breaks: int) -> Stretch:
        """One blank, or one line break, as the line breaks that stand for it."""
        if self._may("trailing blanks", 0.3):
            self._put("  ")
        if breaks == 2:
            self._put(self._break)
        place = self._put(self._break)
        self._put(" " * (indent + 1 + self._chance.randrange(4)))
        return place

    def _escaped(self, character: str) -> str:
        code = ord(character)
        printable = character.isprintable() or character == "\t"
        if character in _SHORT and (character in '"\\\n' or not printable or self._may("escapes", 0.5)):
            return _SHORT[character]
        if printable and not self._may("escapes", 0.1):
            return character
        forms = [f"\\U{code:08x}"]
        if code < 0x10000:
            forms.append(f"\\u{code:04X}")
        if code < 0x100:
            forms.append(f"\\x{code:02x}")
        return self._chance.choice(forms)

    def _block_text(self, text: str, style: str, indent: int) -> Place:
        content = text.rstrip("\n")
        trailing = len(text) - len(content)
        chomp = "-" if trailing == 0 else "+" if trailing > 1 or self._may("trailing blanks") else ""
        deep = self._chance.choice([1, 2, 4])
        number = str(deep) if content.startswith((" ", "\n")) or self._may("explicit keys", 0.3) else ""
        start, _ = self._put(style + self._chance.choice([number + chomp, chomp + number]))
        self._put((" # behind the header" if self._may("comments", 0.3) else "") + self._break)
        characters: list[Stretch] = []
        end = self._at
        lines = content.split("\n")
        for index, line in enumerate(lines):
            if line:
                characters += self._block_line(line, " " * (indent + deep), folded=style == ">")
                end = self._at
            if index + 1 < len(lines):
                later = next(each for each in lines[index + 1 :] if each)
                if style == ">" and line and not (_is_kept(line) or _is_kept(later)):
                    self._put(self._break)
                characters.append(self._put(self._break))
        last = self._put(self._break)
        characters += [last] * min(trailing, 1)
        characters += [self._put(self._break) for _ in range(trailing - 1)]
        if chomp != "+" and self._may("trailing blanks", 0.3):
            self._put(self._break)
        if self._may("comments", 0.3):
            self._put(" " * indent + self._chance.choice(_COMMENTS) + self._break)
        return Place((start, end), tuple(characters))

    def _block_line(self, line: str, pad: str, *, folded: bool) -> Iterator[Stretch]:
        """A line of a block text; of a folded one some blanks become line breaks."""
        self._put(pad)
        for place, character in enumerate(line):
            between = line[place - 1 : place].strip() and line[place + 1 : place + 2].strip()
            if folded and character == " " and between and not _is_kept(line) and self._may("several lines", 0.3):
                yield self._put(self._break)
                self._put(pad)
            else:
                yield self._put(character)


class Where:
    """A kind of place for a scalar, and which plain texts it takes."""

    def __init__(self, around: str, side: int) -> None:
        self._around = around
        self._side = side
        self.plain = cache(self._plain)

    def _plain(self, text: str) -> bool:
        if not text or "\n" in text or ambiguity(text, tag_of(text)):
            return False
        try:
            root = yaml.compose(self._around.replace("@", text), Loader=yaml.CSafeLoader)
        except yaml.YAMLError:
            return False
        pairs = root.value if isinstance(root, MappingNode) else []
        found = pairs[0][self._side] if len(pairs) == self._around.count(":") else None
        return isinstance(found, ScalarNode) and found.tag == STR and found.value == text


VALUE = Where("k: @\n", 1)
KEY = Where("@: v\n", 0)
FLOW = Where("{k: @, l: m}", 1)
FLOW_KEY = Where("{@: v}", 0)


def _is_single(text: str) -> bool:
    """Whether a text can be written without escapes: what is not printable are single line breaks in its midst."""
    lines = text.split("\n")
    return all(line.isprintable() and (len(lines) == 1 or line == line.strip() != "") for line in lines)


def _is_block(text: str) -> bool:
    """Whether a text can be written as a block: it is printable, and its lines end visibly."""
    lines = text.split("\n")
    content = text.strip("\n")
    return bool(content) and all(
        line.isprintable() and (not line or line.strip()) and line == line.rstrip() for line in lines
    )


def _is_kept(line: str) -> bool:
    """Whether a folded text keeps the line breaks around a line."""
    return line.startswith((" ", "\t"))
