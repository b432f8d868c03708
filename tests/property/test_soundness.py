"""What the compiler says of a graph is true of its runs, and what it has no complaint about does not go wrong.

Graphs are generated, mended until the compiler is content, and run with many inputs and answers of tools. The plain
reference is watched while it runs; the compiled module runs too, and has to do the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from property.comparison import foreseen, observed, sooner
from property.repair import Graph, repaired
from property.sketches import VARIABLES, inputs, result, sketches
from property.watching import Claims, OutsideError, Promises
from reference.walker import walk
from running import loaded, run_module

RUNS = 12
"""Runs of each graph."""

CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=CHECKS)
LONG = settings(max_examples=1500, deadline=None, suppress_health_check=CHECKS)

ERRORS = frozenset({Severity.ERROR})
ERRORS_AND_WARNINGS = frozenset({Severity.ERROR, Severity.WARNING})

seeds = st.integers(0, 2**32)


def answers(seed: int) -> Callable[[str, dict[str, Any]], object]:
    """A tool's answer to a call, the same for the same call."""

    def answer(item_id: str, params: dict[str, Any]) -> object:
        chance = random.Random(f"{seed} {item_id} {json.dumps(params, sort_keys=True)}")
        found = result(item_id, chance)
        if isinstance(found, Exception):
            raise found
        return found

    return answer


def contradictions(text: str, watch: Claims, seed: int) -> list[str]:
    """What a number of runs show that is not as it should be."""
    graph = yaml.safe_load(text)
    for number in range(RUNS):
        with contextlib.suppress(OutsideError):
            walk(graph, inputs(random.Random(seed + number)), answers(seed + number), watch)
    return list(watch.wrong)


def accepted(graph: Graph, severities: frozenset[Severity]) -> tuple[str, Facts]:
    """The graph without what the compiler complains about."""
    found = repaired(graph, severities=severities)
    assume(found is not None)
    assert found is not None
    return found


def claims_hold(graph: Graph, seed: int) -> None:
    """Reachability, assignment, types and conditions, for graphs that may have warnings."""
    text, facts = accepted(graph, ERRORS)
    assert contradictions(text, Claims(facts), seed) == [], text


def promises_are_kept(graph: Graph, seed: int) -> None:
    """Nothing unassigned is read, nothing falls off, fails by known types or is denied, no variable is missing."""
    text, facts = accepted(graph, ERRORS_AND_WARNINGS)
    assert contradictions(text, Promises(facts), seed) == [], text
    module_runs(text, facts, seed)


def module_runs(text: str, facts: Facts, seed: int) -> None:
    """The compiled module: not refused with the variables that it asks for, never denied, the same as the reference."""
    plain = yaml.safe_load(text)
    with loaded(sooner(facts)) as module:
        required = set(module.REQUIRED_ENV)
        assert read_variables(plain) <= required, text
        given_inputs = inputs(random.Random(seed))
        env = dict.fromkeys(required, "set")
        ran = asyncio.run(run_module(module, given_inputs, answers(seed), env=env))
        assert ran.path, f"refused: {ran.result.error}"
        for said in (ran.result.error, *(entry.error for entry in ran.result.errors or ())):
            assert "permission denied" not in str(said), text
        if not any("parallel" in node for node in plain["config"]["nodes"].values()):
            assert observed(ran) == foreseen(walk(plain, given_inputs, answers(seed))), text
        if required:
            env.pop(min(required))
            refused = asyncio.run(run_module(module, given_inputs, answers(seed), env=env))
            assert (refused.result.status, refused.path, refused.calls) == ("error", [], [])


def read_variables(graph: Any) -> set[str]:
    """The variables that commands read without a default, outside of single quotes, and those that nodes require."""
    found: set[str] = set()
    for node in graph["config"]["nodes"].values():
        command = str(node.get("action", {}).get("params", {}).get("command", ""))
        found.update(re.findall(rf"\$({'|'.join(VARIABLES)})", re.sub(r"'[^']*'", "", command)))
        found.update(node.get("env_requires", ()))
    return found


@QUICK
@given(sketches(), seeds)
def test_claims_hold(graph: Graph, seed: int) -> None:
    claims_hold(graph, seed)


@QUICK
@given(sketches(), seeds)
def test_promises_are_kept(graph: Graph, seed: int) -> None:
    promises_are_kept(graph, seed)


@pytest.mark.slow
@LONG
@given(sketches(), seeds)
def test_claims_hold_for_long(graph: Graph, seed: int) -> None:
    claims_hold(graph, seed)


@pytest.mark.slow
@LONG
@given(sketches(), seeds)
def test_promises_are_kept_for_long(graph: Graph, seed: int) -> None:
    promises_are_kept(graph, seed)
