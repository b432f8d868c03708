"""Compares calls of directives, and of threads that follow them, with the declarations of the directives.

These are parts of GW412, GW601, GW702 and GW704, only for graphs for which `calls_directives` is true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import yaml

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.analysis.destination import misfits
from graphwright.analysis.globs import GAP, proves
from graphwright.analysis.type_text import a_value_of, describe
from graphwright.contract.directives import Directive, near_directive
from graphwright.contract.threads import INPUTS_PARAM, NAMES, THREAD, named_directive
from graphwright.facts import Facts
from graphwright.ir.visit import Caller, given
from graphwright.record import Record
from graphwright.rules.calls import known_calls, missing_at, places, point_of, written
from graphwright.rules.misnamed import Misnamed
from graphwright.rules.params import opened
from graphwright.rules.registry import Finding
from graphwright.rules.threads import OF_THE_CALL
from graphwright.rules.wording import listed


class DirectiveCall(Record):
    """A call whose directive is known by its id.

    `item_id` is the id in the file, `at` its location. `meant` is the id of the directive that was probably meant, if
    different. `inputs` are the passed inputs, `inputs_at` is their location; None if they are only known at run time.
    `starts`: a thread follows the directive; otherwise it is only parsed.
    """

    caller: Caller
    item_id: str
    at: yaml.Node
    meant: str
    declared: Directive
    inputs: ir.Value | None
    inputs_at: yaml.Node | None
    starts: bool


def directive_calls(facts: Facts) -> Iterator[DirectiveCall]:
    """The calls of directives of the project or the user; if an id does not exist, the nearest one is assumed."""
    if facts.project is None:
        return
    threads = {id(caller.action) for caller, _, _ in known_calls(facts) if called_id(caller.action) == THREAD}
    for caller in facts.callers:
        action, starts = caller.action, id(caller.action) in threads
        found = _started(facts, action) if starts else _executed(action)
        passed = given(action)
        if found is None or passed is None:
            continue
        item_id, at = found
        meant = item_id if facts.project.directive(item_id) is not None else near_directive(facts.project, item_id)
        declared = None if meant is None else facts.project.directive(meant)
        if meant is None or declared is None:
            continue
        inputs, inputs_at = (action.params, action.params_at)
        if starts:
            named = INPUTS_PARAM if INPUTS_PARAM in passed else _misnamed_inputs(facts, passed)
            inputs = passed.get(named, ir.Const({}))
            inputs_at = places(facts, action)[named][1] if named in places(facts, action) else None
        call = DirectiveCall(
            caller, item_id, at, meant, declared, _mapping(inputs, facts.flow.graph.doubt), inputs_at, starts
        )
        if meant == item_id or _fits(call):
            yield call


def _misnamed_inputs(facts: Facts, passed: Mapping[str, ir.Value]) -> str:
    """The param that surely means `inputs` (GW702)."""
    names = Misnamed(facts.guesses, [name for name in passed if name not in NAMES], [INPUTS_PARAM])
    return next(iter(names.meant), INPUTS_PARAM)


def _started(facts: Facts, action: ir.Action) -> tuple[str, yaml.Node] | None:
    named = named_directive(action)
    if named is None or named[0] not in places(facts, action):
        return None
    return named[1], places(facts, action)[named[0]][1]


def _executed(action: ir.Action) -> tuple[str, yaml.Node] | None:
    if action.primary != "execute" or action.kind != "directive" or action.item_id_at is None:
        return None
    match action.item_id:
        case ir.Const(str(item_id)):
            return item_id, action.item_id_at
        case _:
            return None


def _mapping(value: ir.Value, doubt: ir.Doubt) -> ir.Value | None:
    """A mapping with known entries, without nulls, which are not passed."""
    if value == ir.Const(None):
        return ir.MapOf(())
    found = opened(value, doubt)
    return found if isinstance(found, ir.MapOf) else None


def _fits(call: DirectiveCall) -> bool:
    """Whether a call of an unknown directive can mean one with a similar name."""
    passed = {name for name, _ in call.inputs.entries} if isinstance(call.inputs, ir.MapOf) else set()
    own = call.declared.inputs
    return own is None or not passed or not passed.isdisjoint(own.field_map)


# --- GW704 --------------------------------------------------------------------------------------------------------


def unknown_directives(facts: Facts) -> Iterator[Finding]:
    """GW704: unknown ids that are similar to that of a directive."""
    for call in directive_calls(facts):
        if call.meant != call.item_id:
            yield Finding(
                facts.source.span(call.at),
                f"{call.caller.owner} {_verb(call)} directive `{call.item_id}`, which does not exist",
                note="no such directive",
                about=call.caller,
                suggestion=call.meant,
            )


def _verb(call: DirectiveCall) -> str:
    return "starts a thread with" if call.starts else "executes"


# --- GW702 and GW412 ----------------------------------------------------------------------------------------------


def wrong_inputs(facts: Facts) -> Iterator[Finding]:
    """GW702: missing required inputs, and inputs that a directive does not declare."""
    for call in directive_calls(facts):
        if not isinstance(call.inputs, ir.MapOf) or call.declared.inputs is None:
            continue
        own, passed = call.declared.inputs.field_map, [name for name, _ in call.inputs.entries]
        places_of = written(facts, call.inputs_at)
        absent = [name for name in own if name not in passed]
        known = {*own, *OF_THE_CALL} if call.starts else own
        unknown = [name for name in passed if name in places_of and name not in known]
        needed = [name for name in absent if own[name].required]
        names = Misnamed(facts.guesses, unknown, absent, needed)
        for name in unknown:
            yield Finding(
                facts.source.span(places_of[name][0]),
                f"{call.caller.owner}: directive `{call.meant}` has no input `{name}`{names.but(name)}",
                note="no such input",
                about=call.caller,
                suggestion=names.meant.get(name),
                help=f"remove it; the inputs are {listed(own)}" if own else "remove it; the directive has no inputs",
            )
        where = "inputs" if call.starts else "params"
        for name in needed:
            if name not in names.meant.values():
                yield Finding(
                    facts.source.span(call.inputs_at or missing_at(facts, call.caller.action)),
                    f"{call.caller.owner} {_verb(call)} directive `{call.meant}` without `{name}`, which it requires",
                    note="missing input",
                    help=f"add `{name}: …` to `{where}`",
                )


def wrong_input_types(facts: Facts) -> Iterator[Finding]:
    """GW412: inputs with values that a directive does not accept."""
    for call in directive_calls(facts):
        if not isinstance(call.inputs, ir.MapOf) or call.declared.inputs is None:
            continue
        point, places_of = point_of(call.caller), written(facts, call.inputs_at)
        for name, value in call.inputs.entries:
            field = call.declared.inputs.field(name)
            if field is None or name not in places_of:
                continue
            at = places_of[name][1]
            for misfit in misfits(value, field.type, point, facts.types, at):
                takes = a_value_of(misfit.wanted)
                yield Finding(
                    facts.source.span(misfit.at or at),
                    f"{call.caller.owner}: input `{name}` is {a_value_of(misfit.found)}, "
                    f"but directive `{call.meant}` takes {takes}",
                    note=describe(misfit.found),
                    help=f"pass {takes}",
                )


# --- GW601 --------------------------------------------------------------------------------------------------------


def not_permitted(facts: Facts, graph: ir.Graph) -> Iterator[tuple[DirectiveCall, list[str]]]:
    """GW601: threads whose directives declare permissions that no pattern of the graph covers, each with these."""
    if graph.permissions is None:
        return
    for call in directive_calls(facts):
        missing = [
            wanted
            for wanted in call.declared.permissions
            if not any(proves(pattern, _known(wanted)) for pattern in facts.capability.patterns)
            and not facts.capability.may_be_permitted(wanted)
        ]
        if call.starts and missing:
            yield call, missing


def _known(wanted: str) -> list[str | None]:
    """The known parts of the capabilities that match a pattern."""
    return [GAP if letter == "*" else letter for letter in wanted]
