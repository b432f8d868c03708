"""Whatever the graph: what a check accepts is built, type checkers in their strictest modes accept the module, and what
the module accepts belongs to the types that it declares.

Many modules in one build, in one run of mypy and in one of pyright.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final

import pytest
import yaml

from formatting import remarks
from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright_runtime.inputs import prepared
from property.batches import built, drawn, module, mypy_complaints, pyright_complaints
from property.clashing import clashing_graphs
from property.mixtures import mixture
from property.offered import fits, hints
from property.repair import repaired
from property.sketches import Graph
from property.strategies import plans
from property.typed import Schema, sample, typed_graphs

#: How many graphs of each sort are drawn, and how many a check accepts at least.
SIZES: Final = [
    pytest.param((12, 8, 4, 4), 20, id="quick"),
    pytest.param((420, 150, 80, 120), 550, marks=pytest.mark.slow, id="large"),
]
#: Values that are held against the inputs of each graph with rich schemas.
TRIES: Final = 20


@pytest.mark.parametrize(("counts", "least"), SIZES)
def test_what_a_check_accepts_has_sound_types(tmp_path: Path, counts: tuple[int, int, int, int], least: int) -> None:
    """One test, for one build: it fails where one module does not pass a gate, mypy among them."""
    typed, others, clashing, mixed = counts
    written: dict[str, Any] = {}
    contracts: dict[str, Schema] = {}
    for number, drawing in enumerate(drawn(typed_graphs(), typed)):
        # each graph has tools of its own
        written[f"typed_{number}"], own = json.loads(json.dumps(drawing).replace("svc/", f"svc/g{number}_"))
        contracts |= own
    written |= {f"plan_{number}": yaml.safe_load(plan.text) for number, plan in enumerate(drawn(plans(), others))}
    written |= {f"clashing_{number}": graph for number, graph in enumerate(drawn(clashing_graphs(), clashing))}
    written |= {f"mixed_{seed}": graph[0] for seed in range(mixed) if (graph := _without_errors(mixture(seed)))}
    names = built(tmp_path, written, contracts)
    assert len(names) >= least
    assert mypy_complaints(tmp_path) == []
    assert pyright_complaints(tmp_path) == []
    assert remarks({f"{name}.py": (tmp_path / "generated" / f"{name}.py").read_text("utf-8") for name in names}) == ""
    accepted = 0
    for name in names:
        with module(tmp_path, name) as made:
            hints(made)
            if name.startswith("typed_"):
                accepted += _accepted(made, written[name]["config_schema"], Random(name))
    assert accepted > len(names)


def _without_errors(graph: Graph) -> tuple[Graph, Facts] | None:
    return repaired(graph, severities=frozenset({Severity.ERROR}))


def _accepted(made: ModuleType, schema: Schema, chance: Random) -> int:
    """How many of some values a module accepts as its inputs; they are of the type that it declares."""
    samples = [sample(schema, chance, schema) for _ in range(TRIES)]
    accepted = [given for given in samples if not prepared(made.GRAPH, given)[1]]
    for given in accepted:
        assert fits(given, made.Inputs), (schema, given)
    return len(accepted)
