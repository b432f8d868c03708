"""GW001: the file is no YAML; what each cause of that is called, and what to type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.faults.yaml import InvalidYaml
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import number

#: The longest part of a file that a message repeats.
_LONGEST = 80
#: For each cause of a syntax error: the message and what to do. `{found}` is the text that it was found at.
_SYNTAX: Mapping[str, tuple[str, str]] = {
    "tab": ("a tab is used as indentation", "indent with blanks: YAML does not allow tabs there"),
    "blank": (
        "the blank {found} stands where YAML needs a plain one",
        "write a plain blank instead: this one was copied from elsewhere",
    ),
    "break": ("a line ends here for YAML, at the character {found}", "write a blank instead, or quote the whole text"),
    "conflict": (
        "`{found}` is left over from a merge",
        "keep one of the two versions, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`",
    ),
    "quote": ("the text that begins with this quote is never closed", "add the missing {found}"),
    "inner": (
        "`{found}` stands behind a text that ended with the quote before it",
        r"write `\"` for a quote inside of a text in double quotes",
    ),
    "single": (
        "`{found}` stands behind a text that ended with the quote before it",
        "write `''` for a quote inside of a text in single quotes",
    ),
    "colon": ("a second `: ` on this line", "put the value in quotes{quoted}, or begin a new line for the nested key"),
    "second": ("a second `: ` in this entry", "put a comma before `{found}`, or the value in quotes{quoted}"),
    "nested": ("a second `: ` in this entry", "put the value in quotes{quoted}, or in braces: `{{{found}}}`"),
    "bare": ("there is no `:` behind the key `{found}`", "write `{found}:`"),
    "tight": ("there is no blank behind this `:`, so that it is part of a text", "write `{found}`"),
    "dash": ("there is no blank behind this `-`, so that it is part of a text", "write `- {found}`"),
    "hash": ("there is no blank before this `#`, so that it is part of a text", "put a blank before the comment"),
    "alike": ("the character {found} looks like a `:` and is none", "write a plain `:` and a blank"),
    "deeper": (
        "the key `{found}` stands deeper than the line above it, which has its value already",
        "begin it in the column of the key above, or put a text that goes on into quotes",
    ),
    "stray": (
        "`{found}` is no key, and no part of the value above it",
        "write `key: value`, or indent it below the value that it continues",
    ),
    "text": (
        "`{found}` is no key, and no part of the value above it",
        "write `{key}: |` for a text of several lines, or `key: value` here",
    ),
    "sign": ("no text can begin with `*` or `&`, which stand for aliases and anchors", 'put it in quotes: `"{found}"`'),
    "escape": (
        "`{found}` is no escape",
        "write `\\\\` for a backslash, or use single quotes, where nothing is escaped",
    ),
    "digits": (
        "`{found}` needs hexadecimal digits behind it",
        "write `\\\\` for a backslash, or use single quotes, where nothing is escaped",
    ),
    "half": ("`{found}` is no character", "write one beyond U+FFFF with eight digits, such as `\\U0001F680`"),
    "bracket": ("this `{found}` is never closed", "add the closing bracket"),
    "comment": (
        "`{found}` begins a comment, so that the `{bracket}` before it is never closed",
        'put it in quotes: `"{found}"`',
    ),
    "remark": (
        "the bracket that closes `{bracket}` stands in this comment, which hides it",
        "put the closing bracket before the `#`",
    ),
    "mismatch": ("`{found}` cannot be closed by this bracket", "close each bracket by its own kind"),
    "closing": ("this bracket closes nothing", "remove it, or open it first"),
    "separator": ("no `,` can stand behind this value", "remove it: without brackets each entry has its own line"),
    "comma": ("expected `,` or the closing bracket here", "separate the entries by commas; quote texts that hold `,`"),
    "template": ("`{found}` needs quotes between `{{ }}` or `[ ]`", 'write `"{found}"`'),
    "braces": ("`{found}` is no template here", 'write `"${{{inner}}}"`, in quotes and with one pair of braces'),
    "character": ("no value can begin with `{found}`", "put the value in quotes"),
    "indent": ("the indentation does not fit here", "keys of one mapping begin in one column, items of a list too"),
    "column": ("the indentation fits none of the lines above", "begin this line with {columns}"),
    "header": (
        "`{found}` stands behind the sign that begins a block text",
        "begin the text on the next line, indented",
    ),
    "block": (
        "`{found}` should be part of the block text above it, and stands too far to the left",
        "indent all lines of the text alike, deeper than their key",
    ),
    "start": ("the `%` lines above need `---` behind them", "write `---` on a line of its own, or remove them"),
    "trailing": ("`{found}` stands behind a value that has ended", "put the whole value in one pair of quotes"),
    "alias": ("alias `*{found}` refers to no anchor above it", "define it first with `&{found}`, or quote the text"),
    "anchor": ("anchor `&{found}` is defined twice", "give each anchor its own name"),
    "control": ("the character {found} is not allowed in YAML", "remove it, or write it as an escape in double quotes"),
    "other": ("this is no YAML: {problem}", "look at the quotes, brackets and indentation before this place"),
}


@rule("GW001", Severity.ERROR, "YAML syntax error")
def syntax(facts: Facts) -> Iterator[Finding]:
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
    for fault in facts.faults(InvalidYaml):
        message, mend = _SYNTAX[fault.cause]
        shown = {"found": fault.found, "problem": fault.problem, "bracket": fault.bracket, "inner": fault.inner}
        texts = {name: _shown(value) for name, value in {**shown, "key": fault.key}.items()}
        texts["quoted"] = f": `{fault.quoted}`" if fault.quoted else ""
        texts["columns"] = _places(fault.columns)
        yield Finding(fault.span, message.format_map(texts), note="here", help=mend.format_map(texts))


def _shown(text: str) -> str:
    """A part of the file, in one line and not too long, as it may stand between backticks."""
    line = " ".join(text.split()) or " "
    if line == "`":
        return "` ` `"
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _places(columns: tuple[tuple[int, str, int], ...]) -> str:
    """Where a line could begin: "6 blanks, below `next` on line 40, or with 4 blanks, below `done` on line 31"."""
    return ", or with ".join(
        f"{number(blanks, 'blank') if blanks else 'no blanks'}, below `{_shown(head)}` on line {line}"
        for blanks, head, line in columns
    )
