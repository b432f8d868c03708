"""Mistakes that can be made anywhere: each maker goes over a text and makes one mistake at every place that allows it.

A mutant says itself where it must be reported: on the lines that the mistake was made on, or that depend on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Mutant:
    """A text with one mistake: `code` is to be reported on exactly these lines, and `meant` to be suggested."""

    kind: str
    path: str
    text: str
    code: str
    lines: frozenset[int]
    meant: str | None = None

    def __str__(self) -> str:
        return f"{self.kind}-{self.path.rpartition('/')[2].removesuffix('.yaml')}-{min(self.lines)}"


@dataclass(frozen=True, slots=True)
class Slip:
    """What a maker yields: the changed text, where the complaint belongs, and what was there before."""

    text: str
    lines: frozenset[int]
    meant: str | None = None


Maker = Callable[[str], Iterator[Slip]]

_MAKERS: dict[str, tuple[str, Maker]] = {}


def maker(code: str) -> Callable[[Maker], Maker]:
    """Register a maker of mistakes that `code` has to find."""

    def register(make: Maker) -> Maker:
        _MAKERS[make.__name__.strip("_")] = (code, make)
        return make

    return register


def mutants(path: str, text: str) -> Iterator[Mutant]:
    """Every mutant of one graph."""
    for kind, (code, make) in _MAKERS.items():
        for slip in make(text):
            yield Mutant(kind, path, slip.text, code, slip.lines, slip.meant)


def kinds() -> list[str]:
    """The names of the makers."""
    return list(_MAKERS)


# --- tools ---------------------------------------------------------------------------------------------------------


def misspelled(word: str) -> str:
    """The word as tired fingers type it: two letters exchanged, or one too many."""
    for place in range(len(word) - 1, 0, -1):
        if word[place] != word[place - 1]:
            return word[: place - 1] + word[place] + word[place - 1] + word[place + 1 :]
    return f"{word}q"


def line_at(text: str, offset: int) -> int:
    """The line of an offset, from 1."""
    return text.count("\n", 0, offset) + 1


def lines_with(text: str, pattern: str) -> frozenset[int]:
    """The lines on which a pattern occurs."""
    return frozenset(line_at(text, found.start()) for found in re.finditer(pattern, text))


def _misspelling(text: str, pattern: str, start: int = 0) -> Iterator[Slip]:
    """Misspell the first group of every match behind `start`, one at a time."""
    for found in re.compile(pattern, re.MULTILINE).finditer(text, start):
        wrong = misspelled(found[1])
        changed = text[: found.start(1)] + wrong + text[found.end(1) :]
        yield Slip(changed, frozenset([line_at(text, found.start(1))]), found[1])


def _nodes(text: str) -> int:
    """Where the nodes begin."""
    return text.index("\n  nodes:")


def _removed(lines: list[str], *numbers: int) -> str:
    return "\n".join(line for number, line in enumerate(lines) if number not in numbers)


# --- names ---------------------------------------------------------------------------------------------------------


@maker("GW301")
def _key_misspelled_where_it_is_read(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"\bstate\.(?!_)(\w{3,})")


@maker("GW307")
def _input_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"\binputs\.(\w{3,})")


@maker("GW201")
def _start_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"^  start: (\w+)")


@maker("GW202")
def _target_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"\b(?:next|to): (\w+)")


@maker("GW203")
def _error_target_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"^      on_error: (\w+)")


@maker("GW106")
def _policy_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"^  (?:on_error|on_max_steps): (\w+)")


@maker("GW106")
def _type_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"^      type: (\w+)", _nodes(text))


@maker("GW106")
def _event_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"^ +event: (\w+)")


@maker("GW106")
def _kind_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"item_id: (tool):")


@maker("GW403")
def _pipe_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"\$\{[^}]*(?<!\|)\| (\w+)\}")


@maker("GW402")
def _namespace_misspelled(text: str) -> Iterator[Slip]:
    for name in ("state", "inputs", "result"):
        yield from _misspelling(text, rf"(?:path: |\$\{{)({name})\.")


_NODE_KEYS = (
    "action|assign|next|on_error|over|as|collect|parallel|output|retry|timeout_s|max_visits|feedback|cache_result"
)


@maker("GW101")
def _node_key_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, rf"^      ({_NODE_KEYS}):")


@maker("GW101")
def _action_key_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"^        (item_id|params):")


@maker("GW101")
def _edge_key_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"^        - \{?(to):")
    yield from _misspelling(text, r"(?:^          |, )(when):")


@maker("GW101")
def _condition_key_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"\{(path): \w+\.")
    yield from _misspelling(text, r", (op|value): ")


@maker("GW101")
def _top_level_key_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"^(version|category|description|permissions|env_requires|config_schema|config):")


@maker("GW101")
def _config_key_misspelled(text: str) -> Iterator[Slip]:
    yield from _misspelling(text, r"^  (max_steps|on_error|on_max_steps|max_concurrency|timeout_s|hooks|nodes|state):")


@maker("GW405")
def _operator_in_words(text: str) -> Iterator[Slip]:
    for found in re.finditer(r"op: (\w+)", text):
        words = {"eq": "equals", "gt": "greater", "gte": "at_least", "lt": "'<'", "in": "one_of", "regex": "matches"}
        wrong = words.get(found[1])
        if wrong is not None:
            changed = text[: found.start(1)] + wrong + text[found.end(1) :]
            yield Slip(changed, frozenset([line_at(text, found.start())]), found[1])


# --- assignments ---------------------------------------------------------------------------------------------------


def _entries(text: str) -> Iterator[tuple[int, str]]:
    """The entries of block-style `assign`s of keys that are assigned once and read: index of the line, key."""
    lines = text.split("\n")
    inside = False
    for number, line in enumerate(lines):
        if re.fullmatch(r"      assign:", line):
            inside = True
        elif inside and (found := re.match(r"        (\w+): ", line)):
            key = found[1]
            elsewhere = len(re.findall(rf"^        {key}: |assign: \{{{key}:|collect: {key}\b", text, re.MULTILINE))
            initial = re.search(rf"^  state: \{{.*\b{key}: |^    {key}: [^\n{{]", text, re.MULTILINE)
            if elsewhere == 1 and initial is None and re.search(rf"state\.{key}\b", text):
                yield number, key
        elif not line.startswith("        "):
            inside = False


@maker("GW301")
def _key_misspelled_where_it_is_assigned(text: str) -> Iterator[Slip]:
    for number, key in _entries(text):
        lines = text.split("\n")
        lines[number] = lines[number].replace(key, misspelled(key), 1)
        if len(re.findall(rf"state\.{key}\b", text)) > 1:  # the reads agree: the assignment is the odd one out
            yield Slip("\n".join(lines), frozenset([number + 1]), key)
        else:
            yield Slip("\n".join(lines), lines_with(text, rf"state\.{key}\b"), misspelled(key))


@maker("GW301")
def _assign_removed(text: str) -> Iterator[Slip]:
    for number, key in _entries(text):
        lines = text.split("\n")
        alone = lines[number - 1] == "      assign:" and not lines[number + 1].startswith("        ")
        changed = _removed(lines, number, number - 1) if alone else _removed(lines, number)
        if readers := lines_with(changed, rf"state\.{key}\b"):
            yield Slip(changed, frozenset([min(readers)]))


# --- ways ----------------------------------------------------------------------------------------------------------


def _default_edges(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The unconditional edges that end a list of some: the index of `next`, that of the edge."""
    for number, line in enumerate(lines[:-1]):
        last = not lines[number + 1].startswith("        ")
        if last and re.fullmatch(r"        - (?:to: \w+|\{to: \w+\})", line):
            yield next(above for above in range(number, 0, -1) if lines[above] == "      next:"), number


@maker("GW207")
def _default_edge_dropped(text: str) -> Iterator[Slip]:
    lines = text.split("\n")
    for above, default in _default_edges(lines):
        yield Slip(_removed(lines, default), frozenset([above + 1]))


@maker("GW205")
def _default_edge_first(text: str) -> Iterator[Slip]:
    lines = text.split("\n")
    for above, default in _default_edges(lines):
        moved = [*lines[: above + 1], lines[default], *lines[above + 1 : default], *lines[default + 1 :]]
        yield Slip("\n".join(moved), frozenset([above + 3]))


# --- the rest ------------------------------------------------------------------------------------------------------


@maker("GW002")
def _key_twice(text: str) -> Iterator[Slip]:
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if re.fullmatch(r" +\w+: [^\s|>{\[].*", line) and not re.match(r"\s*- ", line):
            yield Slip("\n".join([*lines[: number + 1], line, *lines[number + 1 :]]), frozenset([number + 2]))


@maker("GW001")
def _tab(text: str) -> Iterator[Slip]:
    for found in re.finditer(r"^ {6}(?=\w+:)", text[_nodes(text) :], re.MULTILINE):
        start = _nodes(text) + found.start()
        yield Slip(f"{text[:start]}\t{text[start + 6 :]}", frozenset([line_at(text, start)]))


@maker("GW001")
def _quote_not_closed(text: str) -> Iterator[Slip]:
    for found in re.finditer(r'^ +\w+: "[^"\n]*(")$', text, re.MULTILINE):
        yield Slip(text[: found.start(1)] + text[found.end(1) :], frozenset([line_at(text, found.start(1))]))


@maker("GW401")
def _template_not_closed(text: str) -> Iterator[Slip]:
    for found in re.finditer(r'"[^"\n$]*\$\{[^"}\n]*(\})"', text):
        yield Slip(text[: found.start(1)] + text[found.end(1) :], frozenset([line_at(text, found.start(1))]))


@maker("GW606")
def _quote_pipe_left_out(text: str) -> Iterator[Slip]:
    for found in re.finditer(r"inputs\.\w+( \| quote)", text):
        yield Slip(text[: found.start(1)] + text[found.end(1) :], frozenset([line_at(text, found.start(1))]))


@maker("GW601")
def _permission_removed(text: str) -> Iterator[Slip]:
    entries = list(re.finditer(r"^  - (rye\.execute\.tool\.(\S+))\n", text, re.MULTILINE))
    for entry in entries if len(entries) > 1 else ():
        changed = text[: entry.start()] + text[entry.end() :]
        kept = [other[2] for other in entries if other is not entry]
        lines = frozenset(
            line_at(changed, found.start(1))
            for found in re.finditer(r"item_id: tool:(\S+?)[\s,}]", changed)
            if not any(fnmatchcase(found[1].replace("/", "."), pattern) for pattern in kept)
        )
        if lines:  # what only a thread uses is not an id of the graph
            yield Slip(changed, lines, entry[1].replace("*", ""))


@maker("GW605")
def _permission_written_as_an_id(text: str) -> Iterator[Slip]:
    for found in re.finditer(r"^  - (rye\.execute\.tool\.(\S+))$", text, re.MULTILINE):
        wrong = "tool:" + found[2].replace(".", "/")
        yield Slip(
            text[: found.start(1)] + wrong + text[found.end(1) :], frozenset([line_at(text, found.start(1))]), found[1]
        )
