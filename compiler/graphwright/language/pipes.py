"""The pipes of expressions. To add one, add an entry here and a function in the runtime's `pipes.py`."""

from __future__ import annotations

from enum import Enum
from typing import Final

from graphwright.record import Record


class Gives(Enum):
    """The type of the result of a pipe for values other than null; null remains null."""

    STRING = "string"
    INTEGER = "integer"
    FLOAT = "float"
    STRINGS = "list of strings"
    END = "item of the list, or character of the string"
    PARSED = "the value of the JSON; values other than strings remain unchanged"
    FALLBACK = "the operand, or the argument instead of null"


#: Types that several pipes refuse; a number is as good as its text.
_NO_TEXTS: Final = frozenset({"array", "object", "boolean"})
_NUMBERS: Final = frozenset({"integer", "number", "boolean"})


class Pipe(Record):
    """One pipe. `function` is its name in the runtime's ABI, `arguments` the number of arguments in parentheses.

    `fails_on` names the values that cause a node error; empty if it accepts every value. `refuses` are their types, as
    far as all values of a type do. `shell_safe`: its result is
    always a single safe word of a shell command.
    """

    name: str
    doc: str
    function: str
    gives: Gives
    fails_on: str = ""
    refuses: frozenset[str] = frozenset()
    arguments: int = 0
    shell_safe: bool = False
    synonyms: tuple[str, ...] = ()

    @property
    def total(self) -> bool:
        """Whether it accepts every value."""
        return not self.fails_on


PIPES: Final = {
    each.name: each
    for each in (
        Pipe("json", "the value as JSON", "to_json", Gives.STRING, synonyms=("tojson", "to_json")),
        Pipe(
            "from_json", "the value of a JSON string; any other value unchanged", "from_json", Gives.PARSED,
            "strings that are not JSON", synonyms=("fromjson", "parse_json"),
        ),
        Pipe(
            "length", "the length of a string, list or mapping", "length", Gives.INTEGER, "numbers, booleans", _NUMBERS,
            shell_safe=True, synonyms=("len", "count", "size"),
        ),
        Pipe("keys", "the keys of a mapping; `[]` for anything else", "keys", Gives.STRINGS),
        Pipe(
            "upper", "the string in uppercase", "upper", Gives.STRING, "lists, mappings, booleans", _NO_TEXTS,
            synonyms=("uppercase", "toupper"),
        ),
        Pipe(
            "lower", "the string in lowercase", "lower", Gives.STRING, "lists, mappings, booleans", _NO_TEXTS,
            synonyms=("lowercase", "tolower"),
        ),
        Pipe(
            "trim", "the string without leading and trailing whitespace", "trim", Gives.STRING,
            "lists, mappings, booleans", _NO_TEXTS, synonyms=("strip",),
        ),
        Pipe(
            "lines", "the lines, without line endings", "lines", Gives.STRINGS, "lists, mappings, booleans",
            _NO_TEXTS, synonyms=("splitlines",),
        ),
        Pipe(
            "int", "an integer, from a decimal string (trimmed) or a float without a fraction", "to_int",
            Gives.INTEGER, "other strings, booleans, lists, mappings", _NO_TEXTS, shell_safe=True,
            synonyms=("integer", "toint", "parseint"),
        ),
        Pipe(
            "float", "a float, from a decimal string (trimmed) or a number", "to_float", Gives.FLOAT,
            "other strings, booleans, lists, mappings", _NO_TEXTS, shell_safe=True, synonyms=("number",),
        ),
        Pipe("str", "the value as in a longer string", "to_str", Gives.STRING, synonyms=("tostring", "string")),
        Pipe(
            "first", "the first item of a list or character of a string; null if empty", "first", Gives.END,
            "numbers, booleans, mappings", _NUMBERS | {"object"},
        ),
        Pipe("last", "the last item or character; null if empty", "last", Gives.END,
            "numbers, booleans, mappings", _NUMBERS | {"object"},
        ),
        Pipe(
            "quote", "the value quoted as one word of a shell command", "quote", Gives.STRING, shell_safe=True,
            synonyms=("shellquote", "shell_quote", "shell", "sh", "escape", "shellescape", "quoted"),
        ),
        Pipe("default", "`x` if the value is null", "coalesce", Gives.FALLBACK, arguments=1),
    )
}  # fmt: skip

#: Names of pipes in other languages.
PIPE_SYNONYMS: Final = {synonym: each.name for each in PIPES.values() for synonym in each.synonyms}
