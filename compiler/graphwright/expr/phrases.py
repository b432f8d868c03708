"""The parser's messages about expressions that do not parse: GW401 and GW403 with their fixes."""

from __future__ import annotations

import re
from typing import Final

from graphwright.expr.lexer import Token, whole_path
from graphwright.expr.nodes import SyntaxFault
from graphwright.language.pipes import PIPE_SYNONYMS, PIPES
from graphwright.pattern import pattern

_IN_CONDITIONS: Final = "comparisons belong in a condition, such as `when: {path: state.x, op: gt, value: 0}`"
_COMBINED: Final = "combine conditions under `when` with `all`, `any` and `not`"
_DECIDED: Final = "decide with an edge and its `when`; for the first value that is not null, write `a || b`"
_FALLBACK: Final = "for the first value that is not null, write `a || b`"

#: Expansions of a shell that this language does not have: `${NAME:-x}`, `${#list[@]}`, `${file%.csv}`.
_SHELL_EXPANSION = pattern(
    r"\$\{(?!(?:state|inputs|result)\b)(?:[#!]\w+(?:\[[@*]\])?|\w+(?:\[[@*]\]|:[-+=?][^}]*|##?[^}]*|%%?[^}\s]+|//?[^}]*|\^\^?|,,?|:\d+[^}]*))\}"
)
_DOUBLE_BRACES = pattern(r"\$\{\{\s*([^{}]+?)\s*\}\}?")

_PATH: Final = "a path is a name followed by steps, such as `state.rows[0].id`"
_VALUE: Final = "a value is a path such as `state.x`, a number, a quoted string, a list or an expression in parentheses"
_INDEX: Final = "`[…]` takes one integer or a quoted string, as in `rows[0]` or `row['first name']`, and no slice"

#: Operators of other languages, and their equivalents here.
_FOREIGN: Final = {
    **dict.fromkeys(("==", "===", "!=", "!==", "<", ">", "<=", ">=", "is", "in"), _IN_CONDITIONS),
    **dict.fromkeys(("&&", "and", "!", "not"), _COMBINED),
    **dict.fromkeys(("??", "or"), _FALLBACK),
    **dict.fromkeys(("?", "if", "else"), _DECIDED),
    **dict.fromkeys("“”‘’", "write straight quotes, as in `'text'`"),
    "{": "write mappings in YAML, around the templates; a template has one pair of braces, as in `${state.x}`",
    ":": "slices and mappings are not supported; write the argument of a pipe as `default(0)`",
    "=": "use `assign` to set values",
    ".": "only a name can be followed by `.`: assign the value first, then read the field",
    "[": "only a name can be followed by `[`, without a space between them",
    "$": "inside `${…}`, write names without `$`",
    "`": "write strings in single or double quotes",
    ";": "write only one expression per template",
    "||": "pipes apply to the whole chain: put the piped part in parentheses, `(a | upper) || b`",
}


def _shown(token: Token) -> str:
    if token.kind in ("close", "end"):
        return "the end of the expression"
    return "a backtick" if token.text == "`" else f"`{token.text[:40]}`"


def written_as(fault: SyntaxFault, hole: str) -> SyntaxFault:
    """The fault of a hole, with a better message if the hole uses the syntax of another language."""
    doubled = _DOUBLE_BRACES.match(hole)
    if doubled is not None:
        return SyntaxFault(fault.message, fault.start, fault.end, f"one pair of braces is enough: `${{{doubled[1]}}}`")
    shell = _SHELL_EXPANSION.match(hole)
    if shell is None:
        return fault
    message = f"`{shell[0]}` is shell syntax, not a template"
    return SyntaxFault(message, fault.start, fault.end, f"write `${shell[0]}` to pass it to the shell")


def empty(start: int, end: int) -> SyntaxFault:
    """`${}`."""
    return SyntaxFault(
        "the template `${}` is empty",
        start,
        end,
        "write a path, as in `${state.x}`, or `$${}` for the characters themselves",
    )


def unclosed(start: int) -> SyntaxFault:
    """A `${` without its `}`."""
    return SyntaxFault(
        "`${` is never closed: its `}` is missing",
        start,
        start + 2,
        "close it with `}`, or write `$${` for the characters themselves",
        unclosed=True,
    )


def nested(token: Token) -> SyntaxFault:
    """`${state.${x}}`."""
    return SyntaxFault(
        "templates cannot be nested: `${` inside `${…}`",
        token.start,
        token.end,
        "a path is fixed; look up computed keys in a tool, or write the names without the inner `${…}`",
    )


def left_over(token: Token, before: Token, following: Token) -> SyntaxFault:
    """Something after a complete expression; `following` is the token after it, or itself if it is the last."""
    if token.kind == "quote":
        return _open_quote(token)
    if before.kind == "path" and token.text in (".", "[") and not token.blank:
        return _broken_step(token, following)
    return SyntaxFault(
        f"unexpected {_shown(token)} after {_shown(before)}", token.start, token.end, _way_out(token, before, following)
    )


def no_value(token: Token, before: Token | None) -> SyntaxFault:
    """Something else where a value is expected."""
    if token.kind == "quote":
        return _open_quote(token)
    where = f" after {_shown(before)}" if before else ""
    return SyntaxFault(
        f"expected a value{where}, found {_shown(token)}",
        token.start,
        max(token.end, token.start + 1),
        _FOREIGN.get(token.text) or _VALUE,
    )


def not_closed(token: Token, bracket: str, opened: Token) -> SyntaxFault:
    """A bracket that is not closed where `token` begins."""
    if token.kind == "quote":
        return _open_quote(token)
    return SyntaxFault(
        f"expected `{bracket}` for the `{opened.text}` before, found {_shown(token)}",
        token.start,
        token.end,
        _FOREIGN.get(token.text) or f"close it with `{bracket}`",
    )


def no_pipe_name(token: Token, bar: Token) -> SyntaxFault:
    """A `|` without a name."""
    return SyntaxFault(
        f"expected the name of a pipe after `{bar.text}`, found {_shown(token)}",
        token.start,
        max(token.end, token.start + 1),
        f"pipes are {_pipe_names()}; write a fallback with two bars, `a || b`",
    )


def too_deep(start: int, end: int, limit: int) -> SyntaxFault:
    """Nesting that is too deep."""
    return SyntaxFault(
        f"the brackets and pipes of the expression nest deeper than {limit} levels",
        start,
        end,
        "split it into several entries of `assign`",
    )


def too_many(start: int, end: int, limit: int) -> SyntaxFault:
    """A chain of operators that is too long."""
    return SyntaxFault(
        f"more than {limit} operands in one chain of operators", start, end, "split it into several entries of `assign`"
    )


def unknown_pipe(token: Token, suggestion: str | None) -> SyntaxFault:
    """A pipe that does not exist."""
    help_text = (
        f"did you mean `{suggestion}`?" if suggestion else f"pipes are {_pipe_names()}; use a tool for anything else"
    )
    return SyntaxFault(f"`{token.text}` is not a pipe", token.start, token.end, help_text, "GW403")


def argument_count(token: Token, name: str, wanted: int, given: int) -> SyntaxFault:
    """A pipe with too few or too many arguments."""
    if wanted:
        message = f"`{name}` takes exactly one argument, not {given}"
        help_text = f"write `{name}(…)` with the value to use instead of null"
    else:
        message = f"`{name}` takes no arguments, not {given}"
        help_text = f"write `| {name}`"
    return SyntaxFault(message, token.start, token.end, help_text, "GW403")


def no_path(text: str, good: int) -> SyntaxFault:
    """The `path` of a condition that is not a path; its first `good` characters are one."""
    stripped = text.strip()
    start = text.find(stripped)
    end = start + len(stripped)
    if stripped.startswith("${") and stripped.endswith("}"):
        message = "`path` is not a template: it names the value itself"
        return SyntaxFault(message, start, end, f"write `{stripped[2:-1].strip()}`", "GW411")
    if not stripped:
        return SyntaxFault("`path` is empty", 0, len(text), _PATH)
    rest = text[good:].lstrip()
    offending = len(text) - len(rest)
    if rest[:1] in (".", "[") and len(rest) > 1:
        offending += 1
    message = f"unexpected `{text[offending]}` in a path" if good else f"`{stripped[:60]}` is not a path"
    return SyntaxFault(message, offending, offending + 1, _path_instead(stripped, text[:good].strip(), rest))


def _path_instead(text: str, path: str, rest: str) -> str:
    """What to write if a condition's `path` is more than a path; `path` is the beginning that is one."""
    if path and rest[:1] in tuple("|+-*/%"):
        return f'assign it first, `assign: {{value: "${{{text}}}"}}`, and compare `state.value`'
    if text[:1] == "!" or text.startswith("not "):
        return f"negate the comparison with `not: {{path: {text.removeprefix('not ').lstrip('! ')}, …}}`"
    inside = text.strip("${}#%()“”‘’\"' ")
    if text[0] in "${#%“‘\"'" and isinstance(whole_path(inside), Token):
        return f"write the path by itself: `path: {inside}`"
    whole, _, last = path.rpartition(".")
    if whole and re.fullmatch(r"[\w -]+", rest):
        return f"write a key with a space in brackets and quotes: `{whole}['{last} {rest}']`"
    return _PATH


def _broken_step(token: Token, following: Token) -> SyntaxFault:
    """A path that continues with a `.` or `[` without a step after it."""
    message = f"expected a step of the path after `{token.text}`, found {_shown(following)}"
    help_text = "a step is a name or an index, as in `rows.0`" if token.text == "." else _INDEX
    return SyntaxFault(message, following.start, max(following.end, following.start + 1), help_text)


def _open_quote(token: Token) -> SyntaxFault:
    return SyntaxFault(
        f"the string that begins with {token.text} is never closed",
        token.start,
        token.end,
        rf"close it, or write `\{token.text}` for a quote inside a string",
    )


def _way_out(token: Token, before: Token, following: Token) -> str | None:
    argument = _argument(token, following) if before.text in PIPES and PIPES[before.text].arguments else None
    if argument is not None:
        return f"write the argument of a pipe in parentheses: `{before.text}({argument})`"
    if before.kind == "path":
        if token.text == ",":
            return f"close the template before the comma: `${{{before.text}}}`"
        if before.text.endswith("-"):
            return "a `-` belongs to the name before it: put a space before it to subtract"
        if token.text == "(":
            owner, _, function = before.text.rpartition(".")
            value = owner or (following.text if following.kind == "path" else "state.x")
            if function == "get" and following.kind == "string":
                return f"functions are not supported; write `{owner}[{following.text}]`, which is null if it is missing"
            return f"functions are not supported; use a pipe, as in `{value} | {_pipe_like(function)}`"
        whole, _, last = before.text.rpartition(".")
        if token.kind == "path" and whole and token.text not in _FOREIGN:
            key = f"{whole}['{last} {token.text}']"
            return f"write a key with a space in brackets and quotes: `{key}`; otherwise, put an operator between them"
    if before.text in PIPES and token.text in tuple("+-*/%"):
        return f"put the pipe in parentheses: `(… | {before.text}) {token.text} …`"
    if token.text.startswith("-"):
        return "put a space before `-` to subtract"
    return _FOREIGN.get(token.text) or "operators are `+ - * / %`, `||` for a fallback and `|` for a pipe"


def _argument(token: Token, following: Token) -> str | None:
    """The argument that `token` begins, after a pipe and without parentheses: `default 0`, `default: 'x'`."""
    if token.text in (":", "="):
        token = following
    elif token.text == "-" and following.kind == "number":
        return f"-{following.text}"
    if token.kind in ("path", "number", "string"):
        return token.text
    return "[…]" if token.text == "[" else None


def _pipe_like(function: str) -> str:
    """The pipe that corresponds to a function of another language."""
    name = function.lower()
    return PIPE_SYNONYMS.get(name, name if name in PIPES else "length")


def _pipe_names() -> str:
    return ", ".join(f"`{name}`" for name in PIPES)
