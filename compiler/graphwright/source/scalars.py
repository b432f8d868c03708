"""Plain scalars: how PyYAML's safe loader reads them, and whether YAML 1.2 agrees.

Graphs are read as YAML 1.1, as they have always been; the author is warned if YAML 1.2 differs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.resolver import Resolver

from graphwright.pattern import pattern

_PREFIX = "tag:yaml.org,2002:"
STR = _PREFIX + "str"
INT = _PREFIX + "int"
FLOAT = _PREFIX + "float"
BOOL = _PREFIX + "bool"
NULL = _PREFIX + "null"
MAP = _PREFIX + "map"
SEQ = _PREFIX + "seq"
MERGE = _PREFIX + "merge"
TIMESTAMP = _PREFIX + "timestamp"
EQUALS = _PREFIX + "value"

#: The tags of scalars that JSON can represent.
JSON_SCALARS = frozenset({STR, INT, FLOAT, BOOL, NULL})

Scalar = None | bool | int | float | str

_WORDS = {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}
_SWITCHES = frozenset({"yes", "no", "on", "off", "y", "n"})
_OCTAL = pattern(r"[-+]?0[0-9_]+\Z")
_OCTAL_12 = pattern(r"0o[0-7]+\Z")
_BINARY = pattern(r"[-+]?0b[01_]+\Z")
_SEXAGESIMAL = pattern(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z")
_EXPONENT_12 = pattern(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+\Z")
_VERSION_LIKE = pattern(r"[-+]?[0-9]+\.[0-9]+0\Z")
_COULD_BE_AMBIGUOUS = frozenset("+-.0123456789yYnNoO")


#: Integers with more bits cannot be written as decimal text (Python stops at 4,300 digits), so not as JSON either.
_MAX_BITS = 14_000
#: The most characters of a number; a binary one has the most for its value.
_MAX_CHARACTERS = 15_000


class NotJsonError(ValueError):
    """The scalar has no JSON value: a date, infinity, a number with too many digits."""


def tag_of(text: str) -> str:
    """The tag that YAML 1.1 gives to a plain scalar of this text."""
    for tag, resolver in Resolver.yaml_implicit_resolvers.get(text[:1], ()):
        if resolver.match(text):
            return str(tag)
    return STR


def is_null(node: Node) -> bool:
    """Whether a value is missing or null."""
    return isinstance(node, ScalarNode) and node.tag == NULL


def scalars_in(node: Node) -> Iterator[ScalarNode]:
    """The scalars at or below a node, keys included; each node once, however many aliases lead to it."""
    waiting, seen = [node], set[int]()
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, ScalarNode):
            yield part
        elif isinstance(part, MappingNode):
            waiting += (each for pair in part.value for each in pair)
        elif isinstance(part, SequenceNode):
            waiting += part.value


def read_scalar(tag: str, text: str) -> Scalar:
    """The value of a scalar, as PyYAML's safe loader constructs it; raises `NotJsonError` if JSON has none."""
    if tag == STR:
        return text
    if tag == NULL:
        return None
    try:
        if tag == BOOL:
            return _WORDS[text.lower()]
        if tag == INT:
            return _integer(text)
        if tag == FLOAT:
            return _float(text)
    except (ValueError, KeyError, OverflowError) as error:
        raise NotJsonError(text) from error
    raise NotJsonError(text)


def ambiguity(text: str, tag: str) -> str | None:
    """Why YAML 1.1 and 1.2 read this plain scalar differently, as a word; None if they agree.

    `switch` (yes, off, y …), `octal`, `binary`, `sexagesimal`, `underscore`, `exponent`, `zero` (`1.10` reads 1.1).
    """
    if text[:1] not in _COULD_BE_AMBIGUOUS:
        return None
    if text.lower() in _SWITCHES:
        return "switch"
    if _OCTAL.match(text) or _OCTAL_12.match(text):
        return "octal" if text.strip("+-0_") else None
    if _SEXAGESIMAL.match(text):
        return "sexagesimal"
    if _EXPONENT_12.match(text):
        return "exponent" if tag == STR else None
    if tag in (INT, FLOAT):
        if "_" in text:
            return "underscore"
        if _BINARY.match(text):
            return "binary"
        if _VERSION_LIKE.match(text):
            return "zero"
    return None


def _integer(text: str) -> int:
    value = _read_integer(text)
    if value.bit_length() > _MAX_BITS:
        raise ValueError("too many digits")
    return value


def _read_integer(text: str) -> int:
    digits = text.replace("_", "")
    if len(digits) > _MAX_CHARACTERS:
        raise ValueError("too many digits")
    sign = -1 if digits[:1] == "-" else 1
    digits = digits.lstrip("+-")
    if digits == "0":
        return 0
    if digits.startswith("0b"):
        return sign * int(digits, 0)
    if digits.startswith("0x"):
        return sign * int(digits, 0)
    if ":" in digits:
        total = 0
        for part in digits.split(":"):
            total = total * 60 + int(part)
        return sign * total
    return sign * int(digits, 8 if digits.startswith("0") else 10)


def _float(text: str) -> float:
    digits = text.replace("_", "").lower()
    if len(digits) > _MAX_CHARACTERS:
        raise ValueError("too many digits")
    sign = -1.0 if digits[:1] == "-" else 1.0
    digits = digits.lstrip("+-")
    if ":" in digits:
        total = 0.0
        for part in digits.split(":"):
            total = total * 60 + float(part)
        return sign * total
    value = sign * float(digits.replace(".inf", "inf").replace(".nan", "nan"))
    if not math.isfinite(value):
        raise ValueError(text)
    return value
