"""Texts that are almost what they should be: seeds with pieces moved, repeated, cut, and replaced by hostile ones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random

#: Pieces that have broken readers of YAML, expressions, numbers, patterns and names.
HOSTILE = (
    "{:", "{", "}", "[", "]", ":", "- ", "? ", "|", ">", "|-\n", "&a ", "*a", "<<: ", "!!int ", "!!set ", "!x ",
    "---\n", "...\n", "#", "'", '"', "\\", "\t", "\r", "\x00", "\ufeff", "\u2028", "\u202e", "\u200b", "\ud800",
    "\x1b[2J", "\U0001f600", "\ufb01", "\u0131",
    "0x" + "f" * 5000, "9" * 5000, "-" + "9" * 4300, "1e999", "-.inf", ".nan", "0o17",
    "012", "1:30:" + "59:" * 300, "1_000", "2026-01-31", "yes", "~", "null", "true", "1.10", "{}", "[]", "[[[[",
    "''", '""', "{a: {b: {c: ", "${", "${}", "${state.x", "${state.x}", "$${", "${inputs.", "${result.a.b[0]}",
    "${1e999}", "${'\\ud800'}", "${((((", "${state.x | quote | json | from_json}", "${[[[[1]]]]}", "${-9999999999}",
    "${state.x[99999999999999999999]}", "${_now}", "rye.", "rye..", "rye.execute.tool.*", "tool:", "directive:x",
    "../../etc/passwd", "a/../b", "x" * 300, "(a+)+$", "^(a|a)*$", "(((a{100}){100}){100}){100}", "(?P<",
    "[[:alpha:]]", "\\p{L}", "\\", "(?i)", "$ref: '#'", "$ref: '#/a/b'", "type: [object, 7]", "pattern: '('",
    "format: email", "enum: []", "multipleOf: 0", "default: {a: 1}", "minLength: 99999999999999999999", "if: {}",
    "not: {}", "uniqueItems: true", "tool_type: graph\n", "version: 1.10\n", "permissions: [rye.]\n", "config:\n",
    "  start: x\n", "  nodes:\n", "max_steps: 1e3", "timeout_s: 99999999999999999999", "retry: {attempts: 0}",
    "parallel: true", "type: foreach", "type: gate", "type: return", "# graphwright: ignore[GW",
    "# rye:signed:x:y:z\n", "# graphwright:signed:", "when: {any: []}", "op: regex", "op: in", "import (",
    "cat <<'EOF'\n${state.x}\nEOF\n", "$(", "`", "sh -c '", "eval ", "<<<", "$'\\x41'",
)  # fmt: skip

_VALUE = re.compile(
    r"(?<=[:,\[{] )[^\s,{}\[\]][^,{}\[\]\n]*|(?<=- )[^\s\[{]\S*|(?<=\[)[^\]\[{},\s]+|(?<=\{)[^\]\[{},\s]+(?=:)"
)
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")

Change = Callable[[Random, list[str]], None]


def mutated(random: Random, seeds: Sequence[str]) -> str:
    """One of the seeds with some changes."""
    text = random.choice(seeds)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 6))):
        pieces = text.splitlines(keepends=True) if random.random() < 0.4 else _TOKEN.findall(text)
        if pieces:
            random.choice(_CHANGES)(random, pieces)
        if random.random() < 0.1:
            pieces += random.choice(seeds).splitlines(keepends=True)[-random.randint(1, 20) :]
        text = "".join(pieces)
    return text[:200_000]


def _insert(random: Random, pieces: list[str]) -> None:
    pieces.insert(random.randrange(len(pieces) + 1), random.choice(HOSTILE))


def _replace(random: Random, pieces: list[str]) -> None:
    pieces[random.randrange(len(pieces))] = random.choice(HOSTILE)


def _remove(random: Random, pieces: list[str]) -> None:
    start = random.randrange(len(pieces))
    del pieces[start : start + random.choice((1, 1, 2, 8))]


def _double(random: Random, pieces: list[str]) -> None:
    start = random.randrange(len(pieces))
    part = pieces[start : start + random.choice((1, 1, 3, 10))]
    pieces[start:start] = part * random.choice((1, 1, 2, 50))


def _swap(random: Random, pieces: list[str]) -> None:
    one, other = random.randrange(len(pieces)), random.randrange(len(pieces))
    pieces[one], pieces[other] = pieces[other], pieces[one]


def _indent(random: Random, pieces: list[str]) -> None:
    place = random.randrange(len(pieces))
    pieces[place] = random.choice((" ", "  ", "\t", "- ")) + pieces[place]


def _cut(random: Random, pieces: list[str]) -> None:
    del pieces[random.randrange(len(pieces)) :]


def _nest(random: Random, pieces: list[str]) -> None:
    place = random.randrange(len(pieces))
    depth = random.choice((1, 5, 60, 250))
    left, right = random.choice((("[", "]"), ("(", ")"), ("{a: ", "}"), ("${", "}"), ("(?:", ")*"), ("{not: ", "}")))
    pieces[place] = left * depth + pieces[place] + right * depth


def _letter(random: Random, pieces: list[str]) -> None:
    place = random.randrange(len(pieces))
    text = pieces[place]
    spot = random.randrange(len(text) + 1)
    pieces[place] = text[:spot] + random.choice(("", "x", "é", "\u0430", "0", "-", "_", ".")) + text[spot + 1 :]


def _value(random: Random, pieces: list[str]) -> None:
    """Put a hostile value where one stands, so that the rest of the text stays what it was."""
    text = "".join(pieces)
    places = list(_VALUE.finditer(text))
    if places:
        place = random.choice(places)
        new = random.choice(HOSTILE)
        if random.random() < 0.5:
            new = json.dumps(new)
        pieces[:] = [text[: place.start()], new, text[place.end() :]]


_CHANGES: tuple[Change, ...] = (
    *[_value] * 4, *[_insert] * 2, *[_replace] * 2, _remove, _double, _swap, _indent, _cut, _nest, _letter, _letter,
)  # fmt: skip
