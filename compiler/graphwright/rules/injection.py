"""GW606: values that must not be inserted into a shell command unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import yaml

from graphwright import ir
from graphwright.analysis.commands import Command, command_scalar, read_command
from graphwright.analysis.quoting import ShellContext
from graphwright.analysis.taint import TaintSource
from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.ir.visit import Caller
from graphwright.rules.registry import Finding, graph_rule


@graph_rule("GW606", Severity.WARNING, "unquoted value in a shell command")
def unquoted(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A value from an input or from a tool's result is inserted into a `rye/bash` command unchanged. A space in it
    breaks the command, and `; rm -rf ~` in it is executed.

    `| quote` turns any value into one shell word. In some places, it does not help:

    * Inside other quotes, which undo it. Remove them.
    * In a heredoc, which a line of the value can end even if its delimiter is quoted, and in what `eval` or `sh -c`
      evaluates again. Set a variable first (`value=${… | quote}`), or pass an argument.
    * In code for another interpreter, as in `python -c`, whose own quotes it does not know. Pass an argument, too.
    * In arithmetic (`$((…))`, `a[…]=`, `[[ … -eq … ]]`, `let`), where only a number is safe, and as the name of a
      variable for `read` or `printf -v`. Bash runs a `$(…)` in a subscript, whatever the quotes.
    * In a command that `ssh` runs on another host, whose shell reads it again. Write `| quote | quote`, outside of any
      quotes.
    * In backquotes, which a backquote in the value ends. Write `$(…)` instead.

    Numbers, booleans and inputs that are limited to a few plain words are safe.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.rye.bash]
        config_schema: {type: object, properties: {folder: {type: string}}, required: [folder]}
        config:
          start: list
          nodes:
            list: {action: {item_id: tool:rye/bash, params: {command: "ls ${inputs.folder}"}}}

    Passes:
        -    list: {action: {item_id: tool:rye/bash, params: {command: "ls ${inputs.folder}"}}}
        +    list: {action: {item_id: tool:rye/bash, params: {command: "ls ${inputs.folder | quote}"}}}
    """
    for caller in facts.callers:
        scalar = command_scalar(caller.action, facts.source)
        template = _template_at(caller.action.params, scalar)
        if scalar is None or template is None or not graph.doubt.trusts(scalar):
            continue
        command = read_command(scalar.value)
        found: dict[tuple[str, ShellContext], list[TaintSource]] = {}
        for source in facts.taint.sources(template, caller.node):
            is_known = not facts.assignment.symbols.read(source.read) & facts.assignment.undeclared  # otherwise GW307
            if is_known and graph.doubt.trusts(source.read) and not command.is_harmless(source.read):
                found.setdefault((source.read.written, command.context(source.read)), []).append(source)
        yield from _quoted_twice(facts, caller, scalar, template)
        for (written, _), sources in found.items():
            kinds = facts.types.of(sources[0].read, caller.node).present.kinds
            text = f"{written} | json" if kinds and kinds <= _STRUCTURED else None
            times = f" {len(sources)} times" if len(sources) > 1 else ""
            yield Finding(
                facts.source.span_in(scalar, sources[0].read.start, sources[0].read.end),
                f"`{written}` is inserted unquoted into a shell command of {caller.owner}{times}; {sources[0].origin}",
                note="can be any string",
                about=sources[0],
                help=_advice(scalar, written, command, sources[0], text)
                + (", each time" if len(sources) > 1 and len(command.offsets) > 2 else ""),
            )


def _quoted_twice(facts: Facts, caller: Caller, scalar: yaml.ScalarNode, template: ir.Template) -> Iterator[Finding]:
    """Values that `quote` makes safe as separate words, but that are between other quotes or in a heredoc."""
    command = read_command(scalar.value)
    safe = {id(source.read) for source in facts.taint.sources(template, caller.node)}
    for source in facts.taint.sources(template, caller.node, quoted=True):
        around = command.context(source.read)
        if _is_quoted_for_both(scalar.value, command, source):
            continue
        if id(source.read) not in safe and around in _UNDO_QUOTE and not command.is_harmless(source.read):
            yield Finding(
                facts.source.span_in(scalar, source.read.start, source.read.end),
                f"the command of {caller.owner} inserts `{source.read.written} | quote` into {_UNDO_QUOTE[around]}; "
                f"{source.origin}",
                note="not protected",
                about=source,
                help=_way_out(scalar, around, f"${{{_expression(scalar.value, command, source) or '…'}}}"),
            )


def _is_quoted_for_both(text: str, command: Command, source: TaintSource) -> bool:
    """Whether a word for another host is quoted twice: for the shell here, and for the one there."""
    hole = command.hole(source.read)
    if hole is None or command.context(source.read) is not ShellContext.REMOTE:
        return False
    return re.search(r"\|\s*quote\s*\|\s*quote\s*\}\Z", text[hole.start : hole.end]) is not None


#: Types whose values are formatted as Python, unless they become JSON (GW409).
_STRUCTURED: Final = frozenset({"array", "object"})

#: The effect of other quotes on quoted text.
_UNDO_QUOTE: Final = {
    ShellContext.SINGLE: "single quotes, which its own quotes end",
    ShellContext.DOUBLE: "double quotes, in which the shell still runs a `$(…)`",
    ShellContext.ANSI: "`$'…'`, which its own quotes end",
    ShellContext.ESCAPED: "a word after a backslash, which cancels the first of its own quotes",
    ShellContext.HEREDOC: "a heredoc, in which the shell still runs a `$(…)`",
    ShellContext.QUOTED_HEREDOC: "a heredoc, which a line of it can end",
    ShellContext.COMMENT: "a comment, which a line break in it ends",
    ShellContext.ARITHMETIC: "arithmetic, in which the shell still runs a `$(…)`",
    ShellContext.NAME: "the name of a variable, in whose subscript the shell still runs a `$(…)`",
    ShellContext.BACKQUOTES: "backquotes, which a backquote in it ends",
    ShellContext.EVALUATED: "a string that a shell evaluates again, without these quotes",
    ShellContext.CODE: "code for another interpreter, which its text can end and continue",
    ShellContext.CODE_HEREDOC: "code for another interpreter, which its text can end and continue",
    ShellContext.REMOTE: "a command for another host, whose shell reads it again, without these quotes",
    ShellContext.REMOTE_QUOTED: "quotes of a command for another host, whose shell reads it again, without any quotes",
}


def _template_at(params: ir.Value, scalar: yaml.ScalarNode | None) -> ir.Template | None:
    """The template for a scalar of `params`."""
    for _, value in params.entries if isinstance(params, ir.MapOf) else ():
        if isinstance(value, ir.Template) and value.at is scalar:
            return value
    return None


def _way_out(scalar: yaml.ScalarNode, around: ShellContext, quoted: str) -> str:
    """The advice for a value for which `quote` is not sufficient; `quoted` is the template with it."""
    match around:
        case ShellContext.SINGLE | ShellContext.DOUBLE | ShellContext.ANSI:
            return _between_quotes(scalar, around, quoted)
        case ShellContext.ESCAPED:
            return f"write `{quoted}`, without the backslash before it"
        case ShellContext.HEREDOC | ShellContext.QUOTED_HEREDOC:
            return f"write `value={quoted}` on a line before, and `$value` in the heredoc, its delimiter without quotes"
        case ShellContext.COMMENT:
            return "remove it from the comment"
        case ShellContext.CODE:
            return f"pass it as an argument, `python3 -c '…' {quoted}`, and read it as `sys.argv[1]` in the code"
        case ShellContext.CODE_HEREDOC:
            return f"pass it as an argument, `python3 - {quoted} <<'EOF'`, and read it as `sys.argv[1]` in the code"
        case ShellContext.ARITHMETIC:
            return f"write `{quoted.replace('| quote', '| int')}`: only a number is safe there"
        case ShellContext.NAME:
            return f"list the names that it can be: `case {quoted} in name) … ;; esac`"
        case ShellContext.REMOTE | ShellContext.REMOTE_QUOTED:
            twice = re.sub(r"(?:\s*\|\s*quote)*\}\Z", " | quote | quote}", quoted)
            before = "end the quotes before it and " if around is ShellContext.REMOTE_QUOTED else ""
            return f"{before}write `{twice}`: once for the shell here, and once for that of the other host"
        case ShellContext.BACKQUOTES:
            return f"write `$(…)` instead of the backquotes, and `{quoted}` in it"
        case _:
            return (
                f"pass it as an argument, `sh -c '… \"$1\" …' _ {quoted}`, or set `value={quoted}` before and let "
                '`eval` read `"$value"` in single quotes'
            )


def _between_quotes(scalar: yaml.ScalarNode, around: ShellContext, quoted: str) -> str:
    """The advice inside quotes of the command: close them before the value and open them again after it."""
    mark = '"' if around is ShellContext.DOUBLE else "'"
    if scalar.style == mark:
        mark = f"\\{mark}" if mark == '"' else mark * 2
    again = f"${mark}" if around is ShellContext.ANSI else mark
    return f"write `{mark}{quoted}{again}` instead, so that it is outside the quotes: `quote` adds its own"


def unquoted_places(facts: Facts) -> frozenset[tuple[int, int]]:
    """Where values are inserted unquoted into commands: the identities of the scalars, and offsets of the paths."""
    found = set[tuple[int, int]]()
    for caller in facts.callers:
        scalar = command_scalar(caller.action, facts.source)
        template = _template_at(caller.action.params, scalar)
        if template is not None:
            found |= {(id(scalar), source.read.start) for source in facts.taint.sources(template, caller.node)}
    return frozenset(found)


def _advice(
    scalar: yaml.ScalarNode, written: str, command: Command, source: TaintSource, as_text: str | None = None
) -> str:
    """What to write instead; `as_text`: the expression as a string, if its value is not one."""
    text = scalar.value
    if len(command.offsets) == 2:
        return (
            f"`{written}` is the whole command: write the command literally, and only its arguments as `${{… | quote}}`"
        )
    quoted = f"`${{{as_text or _expression(text, command, source) or written} | quote}}`"
    around = command.context(source.read)
    return f"write {quoted}" if around is ShellContext.BARE else _way_out(scalar, around, quoted.strip("`"))


def _expression(text: str, command: Command, source: TaintSource) -> str | None:
    """The whole expression that contains a path, if it is short enough for a message."""
    hole = command.hole(source.read)
    return None if hole is None or hole.end - hole.start > _REPEATED else text[hole.start + 2 : hole.end - 1].strip()


#: Maximum length of an expression in a message.
_REPEATED: Final = 60
