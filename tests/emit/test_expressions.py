"""Emitted expressions mean what the plain reference evaluator says, whatever is in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import graphwright_runtime.abi
from graphwright.emit.code import Code
from graphwright.emit.conditions import condition_code, decided
from graphwright.emit.expressions import MAX_NESTING, value_code
from graphwright.emit.knowledge import Knowledge
from graphwright.emit.scope import TAKEN, FunctionScope
from graphwright.emit.uses import Uses
from graphwright.facts import Facts
from graphwright.names import Namespace
from graphwright.source.reader import read_text
from graphwright_runtime.errors import NodeError
from property.expressions import Keys, chains, conditions, templates, values, whole
from reference.conditions import holds
from reference.expressions import NodeFaultError, interpolate

KEYS = Keys({"int": ["n", "a-b"], "text": ["t", "it's"], "list": ["l", "2nd"], "map": ["m", "class"]}, result=True)
_scalars: st.SearchStrategy[Any] = st.one_of(st.none(), st.integers(-9, 9), st.sampled_from(["", "a", "10", " x "]))
_loose: st.SearchStrategy[Any] = st.one_of(
    _scalars, st.lists(_scalars, max_size=3), st.dictionaries(st.sampled_from(["v", "k", "0"]), _scalars, max_size=2)
)
STATES = st.fixed_dictionaries(
    {
        "n": st.integers(-9, 9),
        "a-b": _loose,
        "t": st.sampled_from(["a", "", "10", "x y"]),
        "it's": _loose,
        "l": st.lists(_scalars, max_size=3),
        "2nd": _loose,
        "m": st.dictionaries(st.sampled_from(["v", "k"]), _scalars, max_size=2),
        "class": _loose,
    }
)
INPUTS = {"count": 2, "label": "x"}
RESULTS = st.dictionaries(st.sampled_from(["v", "more"]), _loose, max_size=2)
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Cursor:
    """As much of a cursor as expressions use."""

    def note(self, path: str, value: object) -> object:
        """The value, whatever it is."""
        return value


def emitted(node: dict[str, Any], write: Callable[[Any, FunctionScope], Code | bool]) -> Callable[..., object]:
    """The function of state, inputs and result that `write` makes of the node `a` of a graph."""
    config = {
        "start": "a",
        "state": dict.fromkeys(key for keys in KEYS.of.values() for key in keys),
        "nodes": {"a": node},
    }
    text = yaml.safe_dump({"version": "1.0.0", "tool_type": "graph", "config": config}, allow_unicode=True)
    facts = Facts(read_text(text))
    assume(facts.graph is not None and not facts.noted() & {"GW401", "GW402", "GW405", "GW406"})
    knowledge = Knowledge(facts)
    uses = Uses(Namespace())
    scope = FunctionScope(uses, knowledge, knowledge.graph.nodes["a"], Namespace(TAKEN))
    code = write(knowledge.graph.nodes["a"], scope)
    if isinstance(code, bool):
        return lambda **_: code
    assert code.depth <= MAX_NESTING + 1
    lines = [f"    def {part.name}(): return {part.code.text}" for part in scope.take_parts()]
    source = "\n".join(["def f(state, inputs, result):", *lines, f"    return {code.text}"])
    names = {**vars(graphwright_runtime.abi), "c": Cursor()}
    for name, value in uses.constants():
        names[name] = eval(value, names)
    exec(compile(source, "<expression>", "exec"), names)
    function: Callable[..., object] = names["f"]
    return function


def outcome(compute: Callable[[], object], failure: type[Exception]) -> object:
    """The value with the types of its numbers, or that there was an error."""
    try:
        return quoted_like(compute())
    except failure:
        return "an error"


def quoted_like(value: object) -> object:
    """The value, such that 1, 1.0 and true differ."""
    if isinstance(value, list):
        return [quoted_like(item) for item in value]
    if isinstance(value, dict):
        return {key: quoted_like(item) for key, item in value.items()}
    return repr(value)


@QUICK
@given(st.one_of(templates(KEYS), values(KEYS), chains(KEYS).map(whole)), STATES, RESULTS)
def test_values(value: object, state: dict[str, Any], result: dict[str, Any]) -> None:
    node = {"action": {"item_id": "a/b"}, "assign": {"q": value}}
    function = emitted(node, lambda found, scope: value_code(found.assigns[0].value, scope))
    scope = {"state": state, "inputs": INPUTS, "result": result}
    expected = outcome(lambda: interpolate(value, scope), NodeFaultError)
    assert outcome(lambda: function(state=state, inputs=INPUTS, result=result), NodeError) == expected


@QUICK
@given(conditions(KEYS), STATES, RESULTS)
def test_conditions(condition: dict[str, object], state: dict[str, Any], result: dict[str, Any]) -> None:
    node = {"action": {"item_id": "a/b"}, "next": [{"to": "a", "when": condition}]}

    def write(found: Any, scope: FunctionScope) -> Code | bool:
        verdict = decided(found.edges[0].when)
        return condition_code(found.edges[0].when, scope) if verdict is None else verdict

    function = emitted(node, write)
    scope = {"state": state, "inputs": INPUTS, "result": result}
    expected = outcome(lambda: holds(condition, scope), NodeFaultError)
    assert outcome(lambda: function(state=state, inputs=INPUTS, result=result), NodeError) == expected
