"""Whatever the graph: checking never raises, what is accepted compiles, and a run does what the reference does."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from typing import Any

import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from checking import check_text
from graphwright.checking.inspection import inspect
from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.source.reader import read_text
from property.comparison import foreseen, observed, sooner
from property.strategies import ECHO, Plan, plans
from reference.walker import walk
from running import RejectedError, compile_text, loaded, run_module

CHECKS = [HealthCheck.too_slow, HealthCheck.filter_too_much]
EXAMPLES = 200 if os.environ.get("CI") else 30
QUICK = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=CHECKS)
SLOW = settings(QUICK, max_examples=EXAMPLES // 4)


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
    """The module of a graph that is accepted, without the gates."""
    facts = Facts(read_text(text), graph_id="graph", path="graph.yaml")
    assume(not any(one.severity is Severity.ERROR for one in inspect(facts).findings))
    return sooner(facts)


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
