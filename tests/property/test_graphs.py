"""Whatever the graph: checking never raises, what is accepted compiles, and a run does what the reference does."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from checking import check_text
from graphwright.compile import draft
from graphwright.diagnostic import Severity
from graphwright.emit.linemap import without_marks
from graphwright.facts import Facts
from graphwright.inspection import inspect
from graphwright.source import read_text
from property.strategies import ECHO, Plan, plans
from reference.walker import Outcome, walk
from running import Ran, RejectedError, compile_text, loaded, run_module

CHECKS = [HealthCheck.too_slow, HealthCheck.filter_too_much]
QUICK = settings(max_examples=100, deadline=None, suppress_health_check=CHECKS)
SLOW = settings(max_examples=15, deadline=None, suppress_health_check=CHECKS)


@QUICK
@given(plans(), st.data())
def test_checking_never_raises(plan: Plan, data: st.DataObject) -> None:
    """Also on a text with a piece cut out of it, or put into it."""
    start = data.draw(st.integers(0, len(plan.text)))
    end = data.draw(st.integers(start, min(len(plan.text), start + 40)))
    inserted = data.draw(
        st.sampled_from(["", "\t", "{", "]", ": ", "'", '"', "${", "}", "*a", "&a ", "- ", "\n", "|", "!x ", "\ufeff"])
    )
    for one in check_text(plan.text[:start] + inserted + plan.text[end:]):
        assert one.code != "GW901", one.message
        assert one.span.line >= 1
        assert one.span.column >= 1


@SLOW
@given(plans())
def test_an_accepted_graph_passes_every_gate(plan: Plan) -> None:
    """Formatting, imports, the table of nodes: whatever is wrong there raises."""
    try:
        code = compile_text(plan.text)
    except RejectedError:
        assume(False)
    with loaded(code) as module:
        assert list(module.GRAPH.nodes) == list(yaml.safe_load(plan.text)["config"]["nodes"])


@QUICK
@given(plans())
def test_a_run_does_what_the_reference_does(plan: Plan) -> None:
    """Status, path, calls, state, output, and where errors were."""
    with loaded(unformatted(plan.text)) as module:
        ran = asyncio.run(run_module(module, plan.inputs, Answers(plan)))
    expected = walk(yaml.safe_load(plan.text), plan.inputs, Answers(plan))
    assert observed(ran) == foreseen(expected)


def unformatted(text: str) -> str:
    """The module of a graph before the formatter has had it: the same code, sooner."""
    facts = Facts(read_text(text), graph_id="graph", path="graph.yaml")
    assume(not any(one.severity is Severity.ERROR for one in inspect(facts).findings))
    return without_marks(draft(facts).raw).replace('lines="line map"', 'lines=""')


class Answers:
    """The results of a plan, one call after the other; the last one repeats."""

    def __init__(self, plan: Plan) -> None:
        self._results = plan.results
        self._calls: Counter[str] = Counter()

    def __call__(self, item_id: str, params: dict[str, Any]) -> object:
        if item_id == ECHO:
            return {"v": params.get("v")}
        results = self._results[item_id]
        result = results[min(self._calls[item_id], len(results) - 1)]
        self._calls[item_id] += 1
        if isinstance(result, Exception):
            raise result
        return result


def observed(ran: Ran) -> Any:
    """What is compared of a run of the module."""
    result = ran.result
    return without_texts(
        {
            "status": result.status,
            "path": ran.path,
            "steps": result.steps,
            "calls": [[call.item_id, call.params] for call in ran.calls],
            "error": result.node if result.status == "error" else None,
            "suppressed": [entry.node for entry in result.errors or ()],
            "state": result.state,
            "output": result.output if result.success else None,
        }
    )


def foreseen(outcome: Outcome) -> Any:
    """The same of the reference."""
    return without_texts(
        {
            "status": outcome.status,
            "path": outcome.path,
            "steps": outcome.steps,
            "calls": [[item_id, params] for item_id, params in outcome.calls],
            "error": outcome.error_node,
            "suppressed": outcome.suppressed,
            "state": outcome.state,
            "output": None if outcome.status == "error" else outcome.output,
        }
    )


def without_texts(value: Any) -> Any:
    """A value in which the wording of errors does not count; 1, 1.0 and true are told apart."""
    if isinstance(value, dict):
        plain = {key: without_texts(item) for key, item in value.items()}
        if set(plain) in ({"node", "error"}, {"status", "error"}):
            plain["error"] = "…"
        return plain
    if isinstance(value, list | tuple):
        return [without_texts(item) for item in value]
    return (type(value).__name__, value) if isinstance(value, int | float) else value
