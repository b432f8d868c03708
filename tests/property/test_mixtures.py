"""Graphs that mix all features: a run does what the reference does, and what the types of the module promise.

`test_types.py` sends such graphs through whole builds and type checkers.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from graphwright.diagnostic import Severity
from graphwright_runtime.inputs import prepared
from property.comparison import differences, sooner, without_texts
from property.mixtures import answer, mixture
from property.promised import broken
from property.repair import repaired, spelled
from property.typed import sample
from reference.walker import TooMuchError, walk
from running import loaded, run_module

PHASES = [Phase.explicit, Phase.reuse, Phase.generate]
QUICK = settings(max_examples=15, deadline=None, phases=PHASES, suppress_health_check=[HealthCheck.too_slow])
LONG = settings(QUICK, max_examples=600)
SEEDS = st.integers(0, 2**48)
RUNS = 5


def answers(seed: int) -> Callable[[str, dict[str, Any]], object]:
    """A tool's answer to a call, the same for the same call, whatever errors are called."""

    def answered(item_id: str, params: dict[str, Any]) -> object:
        found = answer(item_id, params, Random(f"{seed} {item_id} {without_texts(params)}"))
        if isinstance(found, Exception):
            raise found
        return found

    return answered


def strings(value: object) -> Iterator[str]:
    """The strings in a value, other than the texts of errors."""
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        if not (isinstance(value, dict) and set(value) in ({"node", "error"}, {"status", "error"})):
            yield from strings(each)


def runs(seed: int) -> None:
    """Some runs of a graph of which a check has taken out all errors."""
    found = repaired(mixture(seed), severities=frozenset({Severity.ERROR}))
    assume(found is not None)
    assert found is not None
    graph, facts = found
    schema: Any = graph["config_schema"]
    with loaded(sooner(facts)) as made:
        for number in range(RUNS):
            given_inputs = sample(schema, Random(seed + number), schema)
            filled, problems = prepared(made.GRAPH, copy.deepcopy(given_inputs))
            if problems:
                continue
            with contextlib.suppress(TooMuchError):
                expected = walk(copy.deepcopy(graph), filled, answers(number))
                ran = asyncio.run(run_module(made, given_inputs, answers(number)))
                assert not (found_broken := list(broken(made, ran))), f"{found_broken}\n{spelled(graph)}"
                if any("error" in text for text in strings([expected.calls, expected.state, expected.output])):
                    continue  # the text of an error is part of another one, and the two word it differently
                unlike = differences(ran, expected)
                assert not unlike, f"{unlike}\n{spelled(graph)}"


@QUICK
@given(SEEDS)
def test_mixtures(seed: int) -> None:
    runs(seed)


@pytest.mark.slow
@LONG
@given(SEEDS)
def test_mixtures_for_long(seed: int) -> None:
    runs(seed)
