"""No name clashes with another: whatever things are called, the module has all of them, and its types can be read."""

from __future__ import annotations

import copy
import os
from pathlib import Path
from types import ModuleType
from typing import Any, is_typeddict

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings

from property.batches import built, drawn, module, pyright_complaints
from property.clashing import clashing_graphs
from property.offered import hints
from property.strategies import Plan, plans
from running import RejectedError, compile_text, loaded

ROOT = Path(__file__).parents[2]
EXAMPLES = 60 if os.environ.get("CI") else 15
QUICK = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MODULES = [*(ROOT / "generated").rglob("[!_]*.py"), *(ROOT / "tests" / "golden" / "modules").glob("*.py")]


def complete(made: ModuleType, graph: dict[str, Any]) -> None:
    """Every key, node and tool of a graph is in its module, under its own name or method."""
    found = hints(made)
    properties = graph["config_schema"]["properties"]
    assert set(found["Inputs"]) == set(properties)
    nodes = graph["config"]["nodes"]
    assert list(made.GRAPH.nodes) == list(nodes)
    assert len({function.__name__ for function in made.GRAPH.nodes.values()}) == len(nodes)
    assert set(graph["config"]["state"]) <= set(found["State"])
    called = {node["action"]["item_id"].removeprefix("tool:") for node in nodes.values() if "action" in node}
    assert set(made.GRAPH.tool_methods) == called
    methods = set(made.GRAPH.tool_methods.values())
    assert len(methods) == len(called)
    assert methods <= vars(made.Tools).keys()
    outputs = [node["output"] for node in nodes.values() if node.get("output")]
    listed = [set(each) for name, each in found.items() if name.startswith("Output")]
    assert all(set(output) in listed for output in outputs if "" not in output)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_hints_of_committed_modules(path: Path) -> None:
    with loaded(path.read_text("utf-8")) as made:
        assert {"Inputs", "State", "run", "run_sync"} <= hints(made).keys() | {"Inputs"}


@QUICK
@given(plans())
def test_hints_of_random_graphs(plan: Plan) -> None:
    try:
        code = compile_text(plan.text)
    except RejectedError:
        assume(False)
    with loaded(code) as made:
        assert all(is_typeddict(getattr(made, name)) for name in ("Inputs", "State"))
        assert hints(made)["Inputs"].keys() == {"count", "label"}


@QUICK
@given(clashing_graphs())
def test_names_are_told_apart(graph: dict[str, Any]) -> None:
    try:
        code = compile_text(yaml.safe_dump(graph, allow_unicode=True, sort_keys=False))
    except RejectedError:
        assume(False)
    with loaded(code) as made:
        complete(made, graph)


@pytest.mark.slow
def test_type_checkers_tell_them_apart(tmp_path: Path) -> None:
    """mypy as part of the build, then pyright."""
    graphs = {f"graph_{number}": graph for number, graph in enumerate(drawn(clashing_graphs(), 120))}
    names = built(tmp_path, copy.deepcopy(graphs))
    assert len(names) > len(graphs) // 2
    assert pyright_complaints(tmp_path) == []
    for name in names:
        with module(tmp_path, name) as made:
            complete(made, graphs[name])
