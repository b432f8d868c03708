"""What the compiler says of every run is true of the runs: no complaint is proved wrong by one."""

from __future__ import annotations

import contextlib
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from property.repair import inspected, reduced, spelled
from property.sketches import Graph, sketch
from property.test_soundness import answers, inputs
from property.verdicts import Verdicts
from reference.walker import TooMuchError, walk

RUNS = 12

#: Complaints of what is not a graph that could run.
STRUCTURAL = re.compile(r"GW0|GW10|GW20[123]")

PHASES = [Phase.explicit, Phase.reuse, Phase.generate]
QUICK = settings(max_examples=30, deadline=None, phases=PHASES, suppress_health_check=[HealthCheck.too_slow])
LONG = settings(QUICK, max_examples=1_000)
SEEDS = st.integers(0, 2**48)


def refuted(graph: Any, seed: int) -> list[str]:
    """What runs prove wrong of what is said of a graph."""
    text = spelled(graph)
    facts, found = inspected(text)
    if facts.graph is None or any(STRUCTURAL.match(one.code) for one in found):
        return []
    watch = Verdicts(facts, graph, found, text)
    for number in range(RUNS):
        watch.begins()
        with contextlib.suppress(TooMuchError):
            outcome = walk(graph, inputs(graph, seed + number), answers(seed + number), watch)
            watch.finish(completed=outcome.status != "error", limited=outcome.limited)
    return list(watch.wrong)


def what_is_found_is_true(seed: int) -> None:
    """Of a graph as it comes, with all its faults."""
    graph: Graph = sketch(seed)
    if refuted(graph, seed):
        small = reduced(graph, lambda smaller: bool(refuted(smaller, seed)))
        pytest.fail(f"{refuted(small, seed)}\n{spelled(small)}")


@QUICK
@given(SEEDS)
def test_what_is_found_is_true(seed: int) -> None:
    what_is_found_is_true(seed)


@pytest.mark.slow
@LONG
@given(SEEDS)
def test_what_is_found_is_true_for_long(seed: int) -> None:
    what_is_found_is_true(seed)
