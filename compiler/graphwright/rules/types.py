"""GW4xx about types: operations, comparisons, strings and paths that do not fit a value.

Values of unknown types are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import yaml

from graphwright import ir
from graphwright.analysis.commands import command_scalar
from graphwright.analysis.jsontype import ARRAY, NULL, STRING
from graphwright.analysis.mismatch import NoField, TextRange, Unaddable, Unordered, Unpipable
from graphwright.analysis.reads import state_key
from graphwright.analysis.type_text import a_value_of, describe
from graphwright.diagnostic import Label, Severity, Span
from graphwright.facts import Facts
from graphwright.language.pipes import PIPES
from graphwright.language.words import NULL_WORDS
from graphwright.pattern import pattern
from graphwright.rules.registry import Finding, graph_rule
from graphwright.rules.wording import everything_of, listed, meant, scalar
from graphwright.suggest import nearest

#: Maximum length of an expression that is quoted completely.
_LONGEST: Final = 120
_NUMERIC = pattern(r"-?\d+(?:\.\d+)?\Z")
#: The steps of a written path.
_STEPS: Final = pattern(r"\.[\w-]+|\[[^\]]*\]")


@graph_rule("GW407", Severity.ERROR, "operation on incompatible types")
def incompatible(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """An operation or ordering that fails in every run, because of the known types of its operands.

    `+` adds two numbers or joins two strings or two lists; `- * / %` take numbers; an ordering compares two numbers
    or two strings; a pipe such as `length` does not take every type. The output of a command is a string even if it
    looks like a number: convert it with `| int`.

    Fails:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {team: {type: string}}, required: [team]}
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.team + 1}"}

    Passes:
        -    done: {type: return, output: "${inputs.team + 1}"}
        +    done: {type: return, output: "${inputs.team + '-1'}"}
    """
    for found in facts.mismatches.sums:
        yield Finding(
            _span(facts, found.range), _sum_message(found), note="fails", help=_sum_advice(found), about=found
        )
    for pipe in facts.mismatches.pipes:
        yield _pipe_finding(facts, pipe)
    for clash in facts.mismatches.orders:
        if id(clash.compare.right_at) not in graph.doubt.plain_at:  # otherwise it is a path without `${…}`
            yield _order_finding(facts, clash)


def _sum_message(found: Unaddable) -> str:
    written = _end_of(found.range.at.value[found.range.start : found.range.end])
    if found.right is None:
        return f"{found.owner}: `{written}` negates {a_value_of(found.left)}"
    verb = {"+": "adds", "-": "subtracts", "*": "multiplies", "/": "divides", "%": "divides"}[found.operator]
    return f"{found.owner}: `{written}` {verb} {a_value_of(found.left)} and {a_value_of(found.right)}"


def _end_of(expression: str) -> str:
    """The end of a long chain of operations, which contains the failing one; a short chain is unchanged."""
    return expression if len(expression) <= _LONGEST else f"…{expression[1 - _LONGEST :]}"


_NOT_YET_SET = "assign it before it is read here, start with a value other than null, or write a fallback: `(… || 0)`"


def _sum_advice(found: Unaddable) -> str:
    written = found.range.at.value[found.range.start : found.range.end]
    left, sign, right = written.partition(f" {found.operator} ")
    whole = bool(sign) and found.operator not in right and "|" not in written
    kinds = (found.left, found.right or found.left)
    if any(kind.kinds == NULL.kinds for kind in kinds):
        return _NOT_YET_SET
    texts = [kind.present.kinds == STRING.kinds for kind in kinds]
    if found.operator == "+" and whole and any(texts) and not any(kind.kinds & ARRAY.kinds for kind in kinds):
        joined, added = (
            (f"{part if text else f'({part} | str)'}" for part, text in ((left, texts[0]), (right, texts[1]))),
            (f"{f'({part} | int)' if text else part}" for part, text in ((left, texts[0]), (right, texts[1]))),
        )
        return f"write `{' + '.join(added)}` to add numbers, `{' + '.join(joined)}` to join strings"
    if found.operator == "+":
        return "`+` adds two numbers, or joins two strings or two lists: `state.rows + [state.row]`"
    if whole and any(texts):
        corrected = f" {found.operator} ".join(
            f"({part} | float)" if text else part for part, text in ((left, texts[0]), (right, texts[1]))
        )
        return f"`{found.operator}` takes numbers: write `{corrected}`"
    return f"`{found.operator}` takes numbers: convert a string with `(state.x | int)` or `(state.x | float)`"


def _pipe_finding(facts: Facts, found: Unpipable) -> Finding:
    written = found.range.at.value[found.range.start : found.range.end]
    names = {"string": "strings", "number": "numbers", "array": "lists", "object": "mappings"}
    takes = [names[kind] for kind in names if kind not in PIPES[found.name].refuses]
    return Finding(
        _span(facts, found.range),
        f"{found.owner}: `{written}` fails: `{found.name}` does not take {a_value_of(found.operand)}",
        note="fails",
        help=f"`{found.name}` takes {everything_of(takes)}: remove it, or apply it to another value",
        about=found,
    )


def _order_finding(facts: Facts, clash: Unordered) -> Finding:
    compare, left, right = clash.compare, a_value_of(clash.left), a_value_of(clash.right)
    written = compare.left.written
    if compare.op == "in":
        return Finding(
            facts.source.span(compare.right_at or compare.at),
            f"{clash.owner}: `in` looks for `{written}` in {right}, which is not a list",
            help="use a list, or use `contains` with the two sides swapped",
        )
    advice = "compare two numbers or two strings"
    words = [word for word in clash.left.values or () if isinstance(word, str) and word.casefold() in NULL_WORDS]
    if words:
        advice = f"`{words[0]}` is a string: for null, assign `null`"
    elif "string" in clash.left.kinds:
        advice = _as_number(facts, compare, "int")
    elif "string" in clash.right.kinds and isinstance(compare.right, ir.Const):
        advice = "write a number without quotes, such as `value: 100`"
        if _NUMERIC.match(str(compare.right.value)):
            advice = f"write the number without quotes: `value: {compare.right.value}`"
    elif clash.left.kinds & ARRAY.kinds:
        advice = f'assign its length first, `assign: {{count: "${{{written} | length}}"}}`, and compare `state.count`'
    elif "boolean" in clash.left.kinds:
        advice = f"write `{{path: {written}, value: true}}`"
    return Finding(
        facts.source.span(compare.left_at),
        f"{clash.owner}: `{written}` is {left}, which `{compare.op}` cannot compare with {right}",
        note=describe(clash.left),
        about=clash,
        help=advice,
        related=_assigned(facts, compare.left),
    )


def _as_number(facts: Facts, compare: ir.Compare, pipe: str) -> str:
    """The advice for converting a compared string to a number: in its assign, otherwise in an additional one."""
    left = compare.left
    key = state_key(left)
    if key is None or len(left.path) > 1:
        field = str(left.path[-1]) if left.path else "number"
        field = field if field.isidentifier() else "number"
        return (
            f'assign it as a number first, `assign: {{{field}: "${{{left.written} | {pipe}}}"}}`, '
            f"and compare `state.{field}` with a number without quotes"
        )
    values = [entry.value_at.value for entry in _entries(facts, key) if isinstance(entry.value_at, yaml.ScalarNode)]
    written = next((value for value in values if value.startswith("${") and value.endswith("}")), None)
    shown = written[2:-1].strip() if written and len(values) == 1 and len(written) <= _LONGEST else "…"
    corrected = f"${{{shown} | {pipe}}}"
    return f'assign it as a number, `{scalar(key)}: "{corrected}"`, and compare it with a number without quotes'


def _entries(facts: Facts, key: str) -> list[ir.Assign]:
    return [entry for node in facts.assignment.writers.get(key, ()) for entry in node.assigns if entry.key == key]


def _assigned(facts: Facts, left: ir.Read) -> tuple[Label, ...]:
    """The locations where a state key gets the compared value."""
    key = state_key(left)
    entries = _entries(facts, key) if key is not None and len(left.path) == 1 else []
    return tuple(Label(facts.source.span(entry.key_at), f"`{key}` is assigned here") for entry in entries[:2])


@graph_rule("GW408", Severity.WARNING, "numbers compared as strings")
def text_order(facts: Facts, _: ir.Graph) -> Iterator[Finding]:
    """`gt`, `gte`, `lt` and `lte` compare two strings character by character: `"10"` comes before `"9"`.

    If one of them looks like a number, you probably want to compare numbers. Convert the string with `| int` or `|
    float` when you assign it, and write the number without quotes.

    Fails:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {count: {type: string}}, required: [count]}
        config:
          start: check
          nodes:
            check:
              type: gate
              next:
                - {to: done, when: {path: inputs.count, op: gt, value: "10"}}
                - {to: done}
            done: {type: return}

    Passes:
               type: gate
        +      assign: {count: "${inputs.count | int}"}

        -        - {to: done, when: {path: inputs.count, op: gt, value: "10"}}
        +        - {to: done, when: {path: state.count, op: gt, value: 10}}
    """
    for found in facts.mismatches.text_orders:
        compare = found.compare
        written = compare.left.written
        at: yaml.Node = compare.right_at if found.on_right and compare.right_at is not None else compare.left_at
        yield Finding(
            facts.source.span(at),
            f"{found.owner}: `{compare.op}` compares `{written}` with a string character by character, "
            f'but "{found.number}" looks like a number',
            note='"10" comes before "9"',
            about=found,
            help=_as_number(facts, compare, "float" if "." in found.number else "int"),
            related=_assigned(facts, compare.left),
        )


@graph_rule("GW409", Severity.WARNING, "list, mapping or boolean in a string")
def odd_text(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A list, mapping or boolean in a longer string is formatted as Python formats it: `['a']`, `{'k': 1}`, `True`.

    The reader of the string usually expects JSON: add `| json`. A template with nothing around it keeps its value
    and type.

    Fails:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {labels: {type: array}}, required: [labels]}
        config:
          start: done
          nodes:
            done: {type: return, output: "labels: ${inputs.labels}"}

    Passes:
        -    done: {type: return, output: "labels: ${inputs.labels}"}
        +    done: {type: return, output: "labels: ${inputs.labels | json}"}
    """
    commands = {id(command_scalar(caller.action, facts.source)) for caller in facts.callers}
    for found in facts.mismatches.texts:
        in_command = id(found.range.at) in commands
        if (in_command and _is_unquoted(facts, found.range)) or id(found.range.at) in graph.doubt.plain_at:
            continue  # GW606 or GW415 says so
        yield Finding(
            _span(facts, found.range),
            f"{found.owner}: `{found.written}` is {a_value_of(found.type)}, which is formatted as Python in the string",
            note=describe(found.type),
            about=found,
            help=f"write `${{{found.written} | json{' | quote' if in_command else ''}}}`",
        )


def _is_unquoted(facts: Facts, part: TextRange) -> bool:
    """Whether a part of a command is also a value that anybody can choose."""
    from graphwright.rules.injection import unquoted_places

    return any((id(part.at), place) in unquoted_places(facts) for place in range(part.start, part.end))


@graph_rule("GW410", Severity.WARNING, "path into a value that has no such field")
def no_field(facts: Facts, _: ir.Graph) -> Iterator[Finding]:
    """A path reads a field that the value never has, so the result is always null.

    The types come from `config_schema`, `state_schema`, literals and known tools. Strings and numbers have no
    fields, lists have indices, and objects have the properties that their schema lists.

    Fails:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {team: {type: string}}, required: [team]}
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.team.name}"}

    Passes:
        -config_schema: {type: object, properties: {team: {type: string}}, required: [team]}
        +config_schema:
        +  type: object
        +  properties: {team: {type: object, properties: {name: {type: string}}, required: [name]}}
        +  required: [team]
    """
    for found in facts.mismatches.fields:
        if found.read.root is ir.Root.RESULT and found.read.path[0] == "outputs" and _is_not_run(facts, found.read):
            continue
        yield Finding(
            _span(facts, found.range),
            f"{found.owner}: `{found.read.written}` is always null, because {a_value_of(found.before)} has no "
            f"`{found.segment}`",
            note="no such field",
            about=found,
            help=_field_advice(found),
        )


def _is_not_run(facts: Facts, read: ir.Read) -> bool:
    """Whether GW703 says that the directive is only parsed."""
    from graphwright.rules.tools import is_output_of_directive  # few graphs read outputs

    return is_output_of_directive(facts, read)


def _field_advice(found: NoField) -> str:
    fields = [name for name, field in found.before.fields if field.type.kinds]
    if "object" in found.before.kinds and str(found.segment).lstrip("-").isdecimal():
        keys = f"${{{_before(found)} | keys}}"
        return f"it is a mapping: read a value by its key, or iterate over the keys, `{keys}`"
    if fields and isinstance(found.segment, str):
        return meant(nearest(found.segment, fields)) or f"allowed here: {listed(fields, 'or')}"
    whole = _before(found)
    if found.before.kinds == STRING.kinds and found.read.root is ir.Root.EVENT:
        return f"write `{whole}`, without the rest of the path"
    if found.before.kinds == STRING.kinds:
        opened = f'`assign: {{opened: "${{{whole} | from_json}}"}}`'
        return f"write `{whole}`; if it contains JSON, parse it first with {opened}, and read `state.opened`"
    if found.before.kinds == ARRAY.kinds:
        if found.segment in ("length", "size", "count"):
            return f'assign it: `"${{{whole} | length}}"`'
        inner = "" if isinstance(found.segment, int) else f".{found.segment}"
        return f"read one item, as in `{whole}.0{inner}`, or iterate over the list with a foreach"
    return f"write `{whole}`, without the rest of the path"


def _before(found: NoField) -> str:
    """The part of a path before the step that does not exist, as in the file."""
    written = found.read.written
    steps = [step.start() for step in _STEPS.finditer(written)]
    return written[: steps[-found.left]] if found.left <= len(steps) else written


def _span(facts: Facts, stretch: TextRange) -> Span:
    return facts.source.span_in(stretch.at, stretch.start, stretch.end)
