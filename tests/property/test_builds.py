"""What a check accepts is built, imported, accepted by type checkers, and gives the verdict of jsonschema.

Schemas and graphs of any kind, many in one build: through the command line, with every gate. ruff would change none
of the modules, and finds nothing in them.
"""

from __future__ import annotations

import copy
import itertools
from pathlib import Path
from types import ModuleType

import pytest

from formatting import remarks
from graphwright.ir import Json
from graphwright_runtime.inputs import prepared
from property.batches import around, built, drawn, module, mypy_complaints, pyright_complaints
from property.combinations import combinations
from property.schemas import documents, inputs, is_valid
from property.strategies import graphs

#: Schemas, graphs, and of how many combinations one is tried.
SIZES = [pytest.param(60, 10, 5, id="quick"), pytest.param(600, 150, 1, marks=pytest.mark.slow, id="large")]
#: Values that are held against each schema.
TRIES = 10


@pytest.mark.parametrize(("schemas", "others", "every"), SIZES)
def test_what_a_check_accepts(tmp_path: Path, schemas: int, others: int, every: int) -> None:
    """One test, for one build: it fails where one module does not pass a gate, mypy among them."""
    found = drawn(documents(), schemas // 2) + drawn(documents(defaults=True), schemas // 2, 1)
    named = {f"schema_{number}": schema for number, schema in enumerate(found)}
    written: dict[str, object] = {name: around(schema) for name, schema in named.items()}
    written |= dict(itertools.islice(combinations(), 0, None, every))
    for number, (graph, schema) in enumerate(zip(drawn(graphs(), others), itertools.cycle([None, *found]))):
        written[f"graph_{number}"] = graph if schema is None else _with_schema(graph, schema)
    names = built(tmp_path, written)
    assert len(names) > len(written) * 2 // 3, "most of it is accepted"
    assert pyright_complaints(tmp_path) == []
    assert remarks({f"{name}.py": (tmp_path / "generated" / f"{name}.py").read_text("utf-8") for name in names}) == ""
    tried = itertools.cycle(drawn(inputs, 40 * TRIES))
    for name in names:
        with module(tmp_path, name) as made:
            assert set(made.__all__) <= set(vars(made))
            for given in itertools.islice(tried, TRIES if name in named else 0):
                _same_verdict(made, named[name], given)


#: What people seldom write: the whole state and all inputs as values among others.
WHOLE = ["${state}", "${inputs}", [["${state}", [1]], "${state.a}"], [["${inputs}", {}], ["${state}"]]]


@pytest.mark.parametrize("policy", ["fail", "continue"])
def test_the_whole_state_as_a_value(tmp_path: Path, policy: str) -> None:
    """Compared, passed on, assigned and returned, in functions that read nothing else of the state."""
    written: dict[str, object] = {}
    for number, value in enumerate(WHOLE):
        call = {"item_id": "svc/a", "params": {"v": value}}
        edges = [{"to": "end", "when": {"path": path, "value": value}} for path in ("state", "result.v")]
        each = {"type": "foreach", "over": [1], "action": call, "assign": {"b": value}, "next": "end"}
        nodes = {
            "start": {"action": call, "assign": {"b": value}, "next": [*edges, {"to": "loop"}]},
            "loop": each,
            "end": {"type": "return", "output": {"v": value}},
        }
        config = {"start": "start", "on_error": policy, "state": {"a": 1}, "nodes": nodes}
        schema = {"properties": {"q": {"type": "integer"}}}
        for kind, declared in (("declared", {"config_schema": schema}), ("free", {})):
            written[f"{kind}_{number}"] = {"tool_type": "graph", "permissions": ["*"], **declared, "config": config}
    assert built(tmp_path, written) == list(written)
    assert mypy_complaints(tmp_path) == []


def _same_verdict(made: ModuleType, schema: dict[str, Json], given: dict[str, Json]) -> None:
    """That of jsonschema on the inputs with their defaults filled in; filling them in once more changes nothing."""
    filled, problems = prepared(made.GRAPH, copy.deepcopy(given))
    assert (not problems) == is_valid(schema, filled), (schema, given, problems)
    assert prepared(made.GRAPH, filled)[0] == filled, (schema, given)


def _with_schema(graph: dict[str, object], schema: dict[str, Json]) -> dict[str, object]:
    """A graph with the properties that it reads in another schema."""
    own = graph["config_schema"]
    assert isinstance(own, dict)
    given = schema.get("properties")
    properties = {**(given if isinstance(given, dict) else {}), **own["properties"]}
    return {**graph, "config_schema": {**schema, "properties": properties}}
