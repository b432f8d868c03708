"""GW702 for calls that start threads: params on the wrong level."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.contract.threads import LIMIT_NAMES, LIMITS_PARAM, NAMES, THREAD, named_directive
from graphwright.facts import Facts
from graphwright.ir.visit import Caller, given
from graphwright.rules.calls import known_calls, places, written
from graphwright.rules.registry import Finding

#: Params of the call that are unlikely names for inputs of a directive.
OF_THE_CALL = (LIMITS_PARAM, "async_exec")


def misplaced(facts: Facts) -> Iterator[Finding]:
    """Limits that are not in `limit_overrides`, params of the call that are inside `inputs`, and a second name."""
    for caller, _, _ in known_calls(facts):
        if called_id(caller.action) != THREAD:
            continue
        params = places(facts, caller.action)
        passed = given(caller.action) or {}
        named = [name for name in NAMES if isinstance(passed.get(name), ir.Const) and passed[name] != ir.Const(None)]
        for name in named[1:]:
            yield Finding(
                facts.source.span(params[name][0]),
                f"{caller.owner}: `{named[0]}` and `{name}` mean the same, so the call fails",
                note="named twice",
                about=caller,
                help="remove one of them",
            )
        for name in (name for name in LIMIT_NAMES if name in params):
            yield Finding(
                facts.source.span(params[name][0]),
                f"{caller.owner}: `{name}` limits nothing here, because limits of a thread belong in `{LIMITS_PARAM}`",
                note="not applied",
                about=caller,
                help=f"move it into `{LIMITS_PARAM}`"
                if LIMITS_PARAM in params
                else f"write `{LIMITS_PARAM}: {{{name}: …}}`",
            )
        inputs = written(facts, params["inputs"][1]) if "inputs" in params else {}
        declared = _declared(facts, caller)
        for name in (name for name in OF_THE_CALL if name in inputs and name not in declared):
            yield Finding(
                facts.source.span(inputs[name][0]),
                f"{caller.owner}: `{name}` is inside `inputs`, so the directive gets it as an input",
                note="on the wrong level",
                about=caller,
                help="move it out of `inputs`, into `params`",
            )


def _declared(facts: Facts, caller: Caller) -> Collection[str]:
    """The inputs that the directive of a thread declares, if known."""
    named = named_directive(caller.action)
    found = None if named is None or facts.project is None else facts.project.directive(named[1])
    return () if found is None or found.inputs is None else found.inputs.field_map
