"""GW4xx about literal strings: templates where none are supported, `{input:…}`, nulls."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.diagnostic import Edit, Fix, Severity
from graphwright.facts import Facts
from graphwright.fault import GRAPH
from graphwright.faults.expressions import NullParam, OtherSyntax, UnreadTemplate
from graphwright.pattern import pattern
from graphwright.rules.registry import Finding, as_fix, fault_rule

_HOLE = pattern(r"\$\{[^}]*\}")
_PLAIN_PATH = pattern(r"[^\W\d][\w.-]*")


@fault_rule(UnreadTemplate, Severity.ERROR, "template where templates are not supported")
def not_interpolated(_: Facts, fault: UnreadTemplate) -> Iterator[Finding]:
    """A `${…}` in a value that is always read literally.

    Templates are supported in item ids, `params`, `over`, `assign`, `output` and the `value` of a condition. Values
    that define the structure of the graph (kinds, names, edge targets) are fixed, and so are the literals in
    `config.state`. To route by a value, write an edge with a condition for each target.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: pick
          state: {way: done}
          nodes:
            pick: {type: gate, next: "${state.way}"}
            done: {type: return}

    Passes:
        -    pick: {type: gate, next: "${state.way}"}
        +    pick:
        +      type: gate
        +      next:
        +        - {to: done, when: {path: state.way, value: done}}
        +        - {to: done}
    """
    place, text = fault.place, fault.text
    where = f"`{place}` in {fault.owner.phrase}"
    if place == "config.state":
        where = f"`{fault.key}` in `config.state`"
    elif fault.owner == GRAPH:
        where = f"`{place}`"
    bare = text.strip().removeprefix("${").removesuffix("}").strip()
    yield Finding(
        fault.span,
        f"{where} does not support templates: `{_short(text)}` would be read literally",
        note="not interpolated",
        help=_instead(place, bare, text, is_name=fault.edit is not None),
        fix=as_fix(fault.edit),
    )


def _instead(place: str, bare: str, text: str, *, is_name: bool) -> str:
    """The advice for a location without templates; `is_name`: without braces, the value is right."""
    if place == "path":
        return f"write the path without braces: `path: {bare}`"
    if is_name:
        return f"write the name without braces: `{place}: {bare}`"
    if place in ("next", "to", "on_error", "start"):
        path = bare if _PLAIN_PATH.fullmatch(bare) else "…"
        return (
            f"name a node; to route by a value, write an edge for each: `- {{to: …, when: {{path: {path}, value: …}}}}`"
        )
    if place == "config.state":
        return "write a plain value there, and `assign` the template in the first node"
    if place == "permissions":
        return f"write `{_HOLE.sub('*', text)}`, with `*` for the dynamic part"
    if place in ("as", "collect"):
        return f"write a name, such as `{place}: {'item' if place == 'as' else 'results'}`"
    if place in ("primary", "item_type", "kind"):
        return "write it literally; only `item_id` and `params` support templates in an action"
    return "write a fixed value"


@fault_rule(OtherSyntax, Severity.WARNING, "template syntax that has no effect")
def plain_text(_: Facts, fault: OtherSyntax) -> Iterator[Finding]:
    """A string that looks like a template but is not one: `{input:name}`, the syntax of directives, with the name of a
    declared input; an expression such as `state.total`, with the name of an existing key but without `${…}`; or the
    syntax of other tools: `{{ state.total }}`, `{state.total}`, `$(state.total)`, `$state.total`, `$.state.total` (as
    a whole value), `#{state.total}`, `%{state.total}`, `<%= state.total %>`, `$[state.total]` and `$ {state.total}`.
    `$(…)`, `$[…]` and `$state.total` are not reported in shell commands, where they mean something else, except for
    `$state.total` in single quotes.
    Curly quotes around a template are reported, too, and so is a quote that only ends a string: YAML reads them as part
    of the string.

    A graph leaves all of these unchanged. The fix writes `${inputs.name}` or `${state.total}`.

    Fails:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {name: {type: string}}, required: [name]}
        config:
          start: done
          nodes:
            done: {type: return, output: "hello {input:name}"}

    Passes:
        -    done: {type: return, output: "hello {input:name}"}
        +    done: {type: return, output: "hello ${inputs.name}"}
    """
    replacement = fault.replacement
    yield Finding(
        fault.span,
        f"`{_short(fault.text)}` in {fault.owner.phrase} {fault.why}",
        note="read literally",
        help=f"write `{replacement}`" if fault.other is None else f"write `{replacement}`, or `{fault.other}`",
        fix=Fix((Edit(fault.span, replacement),)) if fault.fixable else None,
    )


@fault_rule(NullParam, Severity.NOTE, "literal null in `params`")
def literal_null(_: Facts, fault: NullParam) -> Iterator[Finding]:
    """A key in `params` with the value null is removed before the action runs, so that the tool's own default applies.
    Writing it has no effect.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:tickets/list, params: {limit: null}}
              next: done
            done: {type: return}

    Passes:
        -      action: {item_id: tool:tickets/list, params: {limit: null}}
        +      action: {item_id: tool:tickets/list, params: {limit: 10}}
    """
    yield Finding(
        fault.span,
        f"`{fault.key}` in the params of {fault.owner.phrase} is null and will be dropped",
        note="never reaches the tool",
        help="remove the key, or give it a value",
    )


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"
