"""GW001: the messages and the advice for each cause of invalid YAML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.faults.yaml import InvalidYaml
from graphwright.rules.registry import Finding, fault_rule
from graphwright.rules.wording import number

#: Maximum length of a part of a file in a message.
_LONGEST = 80
#: The message and the advice for each cause of a syntax error. `{found}` is the text at the location.
_SYNTAX: Mapping[str, tuple[str, str]] = {
    "tab": ("a tab is used as indentation", "indent with spaces: YAML does not allow tabs there"),
    "blank": (
        "the character {found} is used where YAML needs a space",
        "write a space instead: this character was probably copied from elsewhere",
    ),
    "break": ("YAML treats the character {found} as a line break", "write a space instead, or quote the whole string"),
    "conflict": (
        "`{found}` is left over from a merge",
        "keep one of the two versions, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`",
    ),
    "quote": ("the string that begins with this quote is never closed", "add the missing {found}"),
    "mixed": (
        "the string that begins with this quote is never closed",
        "end it with {found}, the quote that it begins with",
    ),
    "inner": (
        "`{found}` follows a string that ended with the quote before it",
        r"write `\"` for a quote inside a double-quoted string",
    ),
    "single": (
        "`{found}` follows a string that ended with the quote before it",
        "write `''` for a quote inside a single-quoted string",
    ),
    "colon": ("a second `: ` on this line", "put the value in quotes{quoted}, or start a new line for the nested key"),
    "second": ("a second `: ` in this entry", "put a comma before `{found}`, or the value in quotes{quoted}"),
    "nested": ("a second `: ` in this entry", "put the value in quotes{quoted}, or in braces: `{{{found}}}`"),
    "bare": ("the key `{found}` is not followed by a `:`", "write `{found}:`"),
    "tight": ("there is no space after this `:`, so it is part of a string", "write `{found}`"),
    "dash": ("there is no space after this `-`, so it is part of a string", "write `- {found}`"),
    "hash": ("there is no space before this `#`, so it is part of a string", "put a space before the comment"),
    "alike": ("the character {found} looks like a `:` but is not one", "write a plain `:` and a space"),
    "deeper": (
        "the key `{found}` is indented deeper than the line above it, which already has a value",
        "start both lines in the same column, or put quotes around a multi-line string",
    ),
    "stray": (
        "`{found}` is neither a key nor part of the value above it",
        "write `key: value`, or indent it under the value that it continues",
    ),
    "text": (
        "`{found}` is neither a key nor part of the value above it",
        "write `{key}: |` for a multi-line string, or `key: value` here",
    ),
    "sign": (
        "a plain string cannot begin with `*` or `&`, which mark aliases and anchors",
        'put it in quotes: `"{found}"`',
    ),
    "escape": (
        "`{found}` is not a valid escape",
        "write `\\\\` for a backslash, or use single quotes, which have no escapes",
    ),
    "digits": (
        "`{found}` needs hexadecimal digits after it",
        "write `\\\\` for a backslash, or use single quotes, which have no escapes",
    ),
    "half": ("`{found}` is not a character", "write characters above U+FFFF with eight digits, such as `\\U0001F680`"),
    "bracket": ("this `{found}` is never closed", "add the closing bracket"),
    "comment": (
        "`{found}` starts a comment, so the `{bracket}` before it is never closed",
        'put it in quotes: `"{found}"`',
    ),
    "remark": (
        "the bracket that closes `{bracket}` is inside this comment",
        "put the closing bracket before the `#`",
    ),
    "mismatch": ("`{found}` cannot be closed by this bracket", "close each bracket with its counterpart"),
    "closing": ("this bracket closes nothing", "remove it, or open it first"),
    "separator": ("a `,` cannot follow this value", "remove it: without brackets, each entry is on its own line"),
    "comma": (
        "expected `,` or the closing bracket here",
        "separate the entries with commas; quote strings that contain `,`",
    ),
    "template": ("`{found}` needs quotes inside `{{ }}` or `[ ]`", 'write `"{found}"`'),
    "curly": ("`{found}` is in curly quotes, which YAML does not know", 'write `"{inner}"`'),
    "braces": ("`{found}` is not a template here", 'write `"${{{inner}}}"`, in quotes and with one pair of braces'),
    "character": ("a value cannot begin with `{found}`", "put the value in quotes"),
    "indent": (
        "the indentation is inconsistent here",
        "all keys of a mapping start in the same column, and so do all items of a list",
    ),
    "column": ("the indentation does not match any line above", "start this line with {columns}"),
    "slipped": (
        "the indentation does not match any line above",
        "start this line with {columns}, or start `{key}` on line {inner} in this column",
    ),
    "item": (
        "this entry is a list item, but the next one, `{key}`, is not",
        "remove the `- `: the entries of a mapping have no dash",
    ),
    "part": (
        "`{key}` is neither an item of the list nor part of the one above it",
        "indent it by two spaces to make it part of the item above",
    ),
    "header": (
        "`{found}` follows the indicator of a block string",
        "start the string on the next line, indented",
    ),
    "block": (
        "`{found}` should be part of the block string above it, but is not indented enough",
        "indent all lines of the string equally, deeper than their key",
    ),
    "start": ("the `%` lines above must be followed by `---`", "write `---` on its own line, or remove them"),
    "trailing": ("`{found}` follows a value that has ended", "put the whole value in one pair of quotes"),
    "alias": (
        "alias `*{found}` does not refer to an anchor above it",
        "define it first with `&{found}`, or quote the string",
    ),
    "anchor": ("anchor `&{found}` is defined twice", "give each anchor a unique name"),
    "control": ("the character {found} is not allowed in YAML", "remove it, or write it as an escape in double quotes"),
    "other": ("this is not valid YAML: {problem}", "check the quotes, brackets and indentation before this location"),
}


@fault_rule(InvalidYaml, Severity.ERROR, "YAML syntax error")
def syntax(_: Facts, fault: InvalidYaml) -> Iterator[Finding]:
    """The file is not valid YAML. The message points to the cause rather than to the place where the parser noticed
    it: the quote that is never closed, the tab, or the second `: ` of a line.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: "never closed}

    Passes:
        -    done: {type: return, output: "never closed}
        +    done: {type: return, output: "closed"}
    """
    message, advice = _SYNTAX[fault.cause]
    shown = {"found": fault.found, "problem": fault.problem, "bracket": fault.bracket, "inner": fault.inner}
    texts = {name: _shown(value) for name, value in {**shown, "key": fault.key}.items()}
    texts["quoted"] = f": `{fault.quoted}`" if fault.quoted else ""
    texts["columns"] = _places(fault.columns)
    yield Finding(fault.span, message.format_map(texts), note="here", help=advice.format_map(texts))


def _shown(text: str) -> str:
    """A part of the file for backticks in a message, on one line and truncated."""
    line = " ".join(text.split()) or " "
    if line == "`":
        return "` ` `"
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _places(columns: tuple[tuple[int, str, int], ...]) -> str:
    """Columns where a line could begin: "6 spaces, below `next` on line 40, or with no spaces, below `b` on line 3"."""
    return ", or with ".join(
        f"{number(blanks, 'space') if blanks else 'no spaces'}, below `{_shown(head)}` on line {line}"
        for blanks, head, line in columns
    )
