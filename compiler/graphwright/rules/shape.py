"""GW1xx about keys and values: those of the language, of older versions and of other dialects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.faults.keys import (
    KeyOfOtherForm,
    KeyOfOtherType,
    MissingKey,
    OlderSpelling,
    OtherDialect,
    UnknownKey,
    UnknownWord,
    WrongValue,
)
from graphwright.rules.examples import right_value, to_add, wrong_message
from graphwright.rules.registry import Finding, as_fix, fault_rule, rule
from graphwright.rules.wording import everything, listed, meant, scalar
from graphwright.source.spelling import quoted


@fault_rule(UnknownKey, Severity.ERROR, "unknown key")
def unknown_key(_: Facts, fault: UnknownKey) -> Iterator[Finding]:
    """A key that the language does not define at this location. If it were ignored, a misspelled `on_error` or
    `cache_result` would silently have no effect. Keys that begin with `x-` are allowed everywhere.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          max_step: 5
          nodes:
            done: {type: return}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: done
          max_steps: 5
          nodes:
            done: {type: return, x-owner: team a}
    """
    key, place, suggestion = fault.key, fault.place, fault.suggestion
    home = fault.belongs
    message = f"unknown key `{key}` {place}"
    if suggestion and fault.taken:
        advice = f"did you mean `{suggestion}`? It already exists: remove one of the two"
        yield Finding(fault.span, message, note="unknown key", help=advice)
    elif suggestion:
        form = "" if fault.value is None else _sentence(right_value(fault.value))
        advice = f"{meant(suggestion)}{form}"
        yield Finding(fault.span, message, note="unknown key", help=advice, fix=as_fix(fault.edit))
    elif home:
        yield Finding(fault.span, message, note="not here", help=f"`{key}` belongs {home}")
    else:
        yield Finding(fault.span, message, note="unknown key", help=_legal(fault))


def _sentence(advice: str | None) -> str:
    return f" {advice[0].upper()}{advice[1:]}" if advice else ""


def _legal(fault: UnknownKey) -> str:
    """The valid keys in a location, and where an invalid one belongs."""
    key = fault.key
    legal = f"allowed here: {everything(fault.legal)}"
    if fault.place == "in an action":
        return f"{legal}; put parameters of the tool below `params`: `params: {{{scalar(key)}: …}}`"
    own = f"x-{key}" if re.fullmatch(r"[\w-]+", key) else "x-…"
    return f"{legal}; your own keys must begin with `x-`, as in `{own}`"


@fault_rule(WrongValue, Severity.ERROR, "wrong type of value")
def wrong_value(_: Facts, fault: WrongValue) -> Iterator[Finding]:
    """A value has the wrong type for its key, or is out of range. If a string is required and the plain scalar reads
    as something else (a node named `404`), put it in quotes.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          max_steps: many
          nodes:
            done: {type: return}

    Passes:
        -  max_steps: many
        +  max_steps: 50
    """
    key, found = fault.key, fault.found
    if fault.written is not None:
        written = quoted(fault.written)
        message = f"`{key}` must be a string, but `{fault.written}` reads as {found}"
        advice = f"put it in quotes: {written}"
        yield Finding(fault.span, message, note=f"reads as {found}", help=advice, fix=as_fix(fault.edit))
    else:
        yield Finding(fault.span, wrong_message(fault), note="wrong value", help=right_value(fault))


@fault_rule(MissingKey, Severity.ERROR, "missing required key")
def missing_key(facts: Facts, fault: MissingKey) -> Iterator[Finding]:
    """A mapping lacks a key that it needs: `config.start`, a node's `action`, a foreach's `over`. A node without
    `type` is an action node; a node that only assigns and routes needs `type: gate`.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: check
          nodes:
            check: {next: done}
            done: {type: return}

    Passes:
        -    check: {next: done}
        +    check: {type: gate, next: done}
    """
    key, alternative = fault.key, fault.alternative
    message = f"{fault.owner.prefix}`{key}` is missing in {fault.place}"
    first = next(iter(facts.nodes), None)
    advice = to_add(key, first)
    if alternative == "gate":
        advice = "add `action`, or `type: gate` if the node only assigns and routes"
    elif alternative == "gate or return":
        advice = "add `action`, `type: gate` if the node only assigns and routes, or `type: return` if a run ends here"
    elif key == "status":
        advice = "add `status: error`"
    elif alternative:
        advice = f"add `type: {alternative}`"
    yield Finding(fault.span, message, note=f"`{key}` is missing", help=advice)


@rule("GW104", Severity.ERROR, "key not allowed for this type of node")
def foreign_key(facts: Facts) -> Iterator[Finding]:
    """A key is valid for other types of nodes but not for this one, so it would have no effect. The same applies to a
    condition that mixes two of the forms `path`, `any`, `all` and `not`.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: check
          nodes:
            check: {type: gate, action: {item_id: tool:tickets/list}, next: done}
            done: {type: return}

    Passes:
        -    check: {type: gate, action: {item_id: tool:tickets/list}, next: done}
        +    check: {action: {item_id: tool:tickets/list}, next: done}
    """
    for mixed in facts.faults(KeyOfOtherForm):
        key, form = mixed.key, mixed.form
        message = f"a condition has only one form: `{key}` cannot be combined with `{form}`"
        advice = f"nest them: `all: [{{{form}: …}}, {{{key if key in _FORMS else 'path'}: …}}]`"
        yield Finding(mixed.span, message, note="another form", help=advice)
    for fault in facts.faults(KeyOfOtherType):
        key, kind = fault.key, fault.type
        article = "an" if kind == "action" else "a"
        what = f"{article} `{kind}` node" if fault.typed else f"a node without `type`, which is of type `{kind}`,"
        message = f"{fault.owner.prefix}{what} does not take `{key}`"
        advice = f"remove it: `{key}` belongs on a node of type {listed(fault.types, 'or')}"
        if fault.others:
            message = f"{fault.owner.prefix}{what} does not take {listed((key, *fault.others), 'or')}"
            advice = f"is `type: {kind}` wrong here?" if fault.typed else "add the `type`"
        elif key == "over" and not fault.typed:
            advice = "add `type: foreach`"
        elif key == "error":
            advice = "write `on_error` for the node to go to after an error; `error` belongs on a node of type `return`"
        elif key == "action" and kind == "gate":
            advice = "remove `type: gate`, or the action: a node that calls something is of type `action` or `foreach`"
        elif kind == "return":
            advice = (
                f"remove it, as a run ends here; otherwise, remove `type: return`: {advice.removeprefix('remove it: ')}"
            )
        yield Finding(fault.span, message, note="no effect here", help=advice)


#: The forms of a condition that contain other conditions.
_FORMS: Final = ("any", "all", "not")


@fault_rule(UnknownWord, Severity.ERROR, "unknown word")
def unknown_word(_: Facts, fault: UnknownWord) -> Iterator[Finding]:
    """A node type, primary, kind of item, event, policy or category that does not exist. Each of these words
    determines what the graph does, so an unknown one is never ignored.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: retrun}

    Passes:
        -    done: {type: retrun}
        +    done: {type: return}
    """
    key, value, suggestion = fault.key, fault.value, fault.suggestion
    message = f"{fault.owner.prefix}`{value}` is not a known {_noun(key)}"
    legal = _POLICIES.get(key) or f"allowed here: {everything(fault.legal)}"
    if fault.planned:
        yield Finding(fault.span, f"{message} yet", help=f"it is planned; until then, {fault.planned}")
    elif fault.rest is not None:
        whole = f"{suggestion}:{fault.rest}" if suggestion else None
        if value == "graph":
            legal = f"a graph is called like a tool: `tool:{fault.rest}`"
        yield Finding(fault.span, message, note="unknown kind", help=meant(whole) or legal)
    else:
        advice = meant(suggestion) or legal
        yield Finding(fault.span, message, note="unknown", help=advice, fix=as_fix(fault.edit))


#: Descriptions of policies.
_POLICIES: Final = {
    "on_error": "write `fail` (a failure ends the run) or `continue` (the run continues with `next`)",
    "on_max_steps": "write `fail`, `return` (end as completed) or `flag` (the same, with a flag in the result)",
}


def _noun(key: str) -> str:
    """The noun for the value of a key."""
    return {
        "type": "node type",
        "primary": "primary",
        "item_type": "kind of item",
        "item_id": "kind of item",
        "event": "event",
        "executor_id": "executor of state graphs",
        "categories": "category of errors",
    }.get(key, f"value of `{key}`")


@fault_rule(OlderSpelling, Severity.NOTE, "older spelling")
def older_spelling(_: Facts, fault: OlderSpelling) -> Iterator[Finding]:
    """An older spelling that is still accepted (`operator`, `neq`, `cache`, `state_graph`). The fix replaces it with
    the modern one and changes nothing else.

    Fails:
        tool_type: state_graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return}

    Passes:
        -tool_type: state_graph
        +tool_type: graph
    """
    written, modern = fault.written, fault.modern
    message = f"`{written}` is the older spelling of `{modern}`"
    yield Finding(fault.span, message, help=f"write `{modern}`", fix=as_fix(fault.edit))


@fault_rule(OtherDialect, Severity.ERROR, "different dialect of state graphs")
def other_dialect(_: Facts, fault: OtherDialect) -> Iterator[Finding]:
    """The file is written in another dialect of state graphs: the newer one (`node_type`, `next: {type: …}`,
    conditions as strings, `requires.capabilities`) or the old prototype (`initial_node`, `edges`). It is reported
    once, with a list of all that is written differently. `graphwright migrate` translates the file.

    Fails:
        tool_type: graph
        config:
          start: done
          nodes:
            done: {node_type: return}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return}
    """
    keys = dict.fromkeys(key for _, key, _ in fault.differences if key != "tool_type")
    advice = [f"line {line}: {advised}" for line, _, advised in fault.differences]
    yield Finding(
        fault.span, f"this is {fault.dialect}: it has {everything(keys)}", note="another dialect",
        help="\n".join(["run `graphwright migrate` on the file; this language writes", *advice]),
    )  # fmt: skip
