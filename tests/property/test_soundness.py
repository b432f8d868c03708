"""What the compiler says of a graph is true of its runs, and what it has no complaint about does not go wrong.

Graphs are generated, fixed until the compiler is content, and run with many inputs and answers of tools. The plain
reference is watched while it runs; the compiled module runs too, and has to do the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import subprocess
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from property.comparison import differences, sooner
from property.declarations import filled, instance
from property.endings import ended_as_said
from property.repair import inspected, reduced, repaired, spelled
from property.sketches import Graph, result, sketch
from property.watching import Claims, Promises
from reference.walker import TooMuchError, walk
from running import loaded, run_module

RUNS = 12
"""Runs of each graph."""

#: A smaller seed is no smaller graph, so nothing is gained by shrinking; `reduced` does that.
PHASES = [Phase.explicit, Phase.reuse, Phase.generate]
QUICK = settings(max_examples=25, deadline=None, phases=PHASES, suppress_health_check=[HealthCheck.too_slow])
LONG = settings(QUICK, max_examples=1_000)

SEEDS = st.integers(0, 2**48)

ERRORS = frozenset({Severity.ERROR})
ERRORS_AND_WARNINGS = frozenset({Severity.ERROR, Severity.WARNING})


def answers(seed: int) -> Callable[[str, dict[str, Any]], object]:
    """A tool's answer to a call, the same for the same call."""

    def answer(item_id: str, params: dict[str, Any]) -> object:
        found = result(item_id, Random(f"{seed} {item_id} {json.dumps(params, sort_keys=True)}"))
        if isinstance(found, Exception):
            raise found
        return found

    return answer


def inputs(graph: Any, seed: int) -> dict[str, Any]:
    """Inputs as a run gets them: defaults filled in."""
    schema = graph.get("config_schema") or {"type": "object"}
    found: dict[str, Any] = filled(instance(schema, Random(seed)), schema)
    return found


def contradictions(graph: Any, watch: Claims, seed: int) -> list[str]:
    """What a number of runs show that is not as it should be."""
    for number in range(RUNS):
        with contextlib.suppress(TooMuchError):
            walk(graph, inputs(graph, seed + number), answers(seed + number), watch)
    return list(watch.wrong)


def hold(watch: type[Claims], severities: frozenset[Severity], seed: int) -> tuple[Graph, Facts]:
    """A graph without complaints of these severities, after many runs showed nothing wrong with what was said of it."""
    found = repaired(sketch(seed), severities=severities)
    assume(found is not None)
    assert found is not None
    graph, facts = found

    def wrong(smaller: Graph) -> list[str]:
        now, complaints = inspected(spelled(smaller))
        if now.graph is None or any(one.severity in severities for one in complaints):
            return []
        return contradictions(smaller, watch(now), seed)

    if contradictions(graph, watch(facts), seed):
        small = reduced(graph, lambda smaller: bool(wrong(smaller)))
        pytest.fail(f"{wrong(small)}\n{spelled(small)}")
    return graph, facts


def claims_hold(seed: int) -> None:
    """Reachability, assignment, types and conditions, for graphs that may have warnings."""
    hold(Claims, ERRORS, seed)


def promises_are_kept(seed: int) -> None:
    """Nothing unassigned is read, nothing falls off, fails by known types or is denied, no variable is missing."""
    module_runs(*hold(Promises, ERRORS_AND_WARNINGS, seed), seed)


def module_runs(graph: Any, facts: Facts, seed: int) -> None:
    """The compiled module: not refused with the variables that it asks for, never denied, the same as the reference."""
    text = spelled(graph)
    try:
        expected = walk(graph, inputs(graph, seed), answers(seed))
    except TooMuchError:
        return
    with loaded(sooner(facts)) as module:
        required = set(module.REQUIRED_ENV)
        assert named_variables(graph) <= required, text
        given = instance(graph["config_schema"], Random(seed))
        env = dict.fromkeys(required, "1")
        ran = asyncio.run(run_module(module, given, answers(seed), env=env))
        assert ran.path, f"refused: {ran.result.error}"
        assert ended_as_said(ran.result, facts), f"{ran.result}: {ran.result.output}\n{text}"
        for said in (ran.result.error, *(entry.error for entry in ran.result.errors or ())):
            assert "permission denied" not in str(said), text
        for call in ran.calls:
            command = call.params.get("command")
            if call.item_id == "rye/bash" and isinstance(command, str):
                assert not unbound(command, env), f"{command}\n{text}"
        if not any("parallel" in node for node in graph["config"]["nodes"].values()):
            assert not (found := differences(ran, expected)), f"{found}\n{text}"
        if required:
            env.pop(min(required))
            refused = asyncio.run(run_module(module, given, answers(seed), env=env))
            assert (refused.result.status, refused.path, refused.calls) == ("error", [], [])


def named_variables(graph: Any) -> set[str]:
    """The variables that nodes require."""
    return {name for node in graph["config"]["nodes"].values() for name in node.get("env_requires", ())}


def unbound(command: str, env: Mapping[str, str]) -> set[str]:
    """The first variable that bash finds missing in a command, if there is one."""
    shell = ["bash", "--norc", "--noprofile", "-u", "-c", command]
    done = subprocess.run(shell, env={"PATH": os.environ["PATH"], **env}, capture_output=True, text=True, check=False)
    return set(re.findall(r"(\w+): unbound variable", done.stderr))


@QUICK
@given(SEEDS)
def test_claims_hold(seed: int) -> None:
    claims_hold(seed)


@QUICK
@given(SEEDS)
def test_promises_are_kept(seed: int) -> None:
    promises_are_kept(seed)


@pytest.mark.slow
@LONG
@given(SEEDS)
def test_claims_hold_for_long(seed: int) -> None:
    claims_hold(seed)


@pytest.mark.slow
@LONG
@given(SEEDS)
def test_promises_are_kept_for_long(seed: int) -> None:
    promises_are_kept(seed)
