"""The JSON Schema that editors use and `check` agree on the shape of every key of the language."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any, Final

import jsonschema
import pytest

from checking import check_text
from graphwright.language import keys
from graphwright.language.json_schema import json_schema
from graphwright.language.nodes import NODES
from graphwright.language.sections import Section

#: Codes of what one mapping shows, without looking at the rest of the file.
SHAPE: Final = frozenset({"GW101", "GW102", "GW103", "GW104", "GW106", "GW108", "GW109", "GW114", "GW405", "GW406"})

SAMPLES: Final[tuple[object, ...]] = (
    *(None, True, False, 0, 1, 11, -1, 0.5, -0.5, "", "a", "graph", [], ["a"], [1], [None]),
    *({}, {"a": 1}, [{}], [{"a": 1}], {"item_id": "tool:a"}, {"path": "inputs.a"}, [{"to": "a"}], ["transient"]),
    *({"retry": True}, {"retry": True, "fail": True}, {"retry": False}, {"any": [], "path": "inputs.a"}, {"not": {}}),
)

VALIDATOR: Final = jsonschema.Draft202012Validator(json_schema())

GRAPH: Final = {
    "tool_type": "graph",
    "permissions": ["rye.execute.tool.a"],
    "limits": {},
    "config": {
        "start": "a",
        "hooks": [{"event": "error", "action": {"retry": True}}],
        "nodes": {
            "a": {
                "type": "action",
                "action": {"item_id": "tool:a"},
                "retry": {},
                "next": [{"to": "b", "when": {"path": "result.a", "op": "exists"}}, {"to": "b"}],
            },
            "b": {"type": "foreach", "over": ["a"], "action": {"item_id": "tool:a"}, "next": "c"},
            "c": {"type": "gate", "next": "d"},
            "d": {"type": "return"},
        },
    },
}

Find = Callable[[dict[str, Any]], dict[str, Any]]

#: Each section, and where there is one in the graph.
PLACES: Final[tuple[tuple[Section, Find], ...]] = (
    (keys.TOP, lambda graph: graph),
    (keys.CONFIG, lambda graph: graph["config"]),
    (keys.LIMITS, lambda graph: graph["limits"]),
    (keys.HOOK, lambda graph: graph["config"]["hooks"][0]),
    (keys.CONTROL, lambda graph: graph["config"]["hooks"][0]["action"]),
    (NODES["action"], lambda graph: graph["config"]["nodes"]["a"]),
    (NODES["foreach"], lambda graph: graph["config"]["nodes"]["b"]),
    (NODES["gate"], lambda graph: graph["config"]["nodes"]["c"]),
    (NODES["return"], lambda graph: graph["config"]["nodes"]["d"]),
    (keys.ACTION, lambda graph: graph["config"]["nodes"]["a"]["action"]),
    (keys.RETRY, lambda graph: graph["config"]["nodes"]["a"]["retry"]),
    (keys.EDGE, lambda graph: graph["config"]["nodes"]["a"]["next"][0]),
    (keys.CONDITION, lambda graph: graph["config"]["nodes"]["a"]["next"][0]["when"]),
)

CASES: Final = [
    pytest.param(section, find, name, id=f"{section.name}-{name}")
    for section, find in PLACES
    for name in (*section.table, "odd")
    if name != "tool_type"  # without it, the file is not a graph
]


def _disagreement(graph: dict[str, Any]) -> str | None:
    found = [each for each in check_text(json.dumps(graph)) if each.code in SHAPE]
    if VALIDATOR.is_valid(graph) is not bool(found):
        return None
    return f"the schema {'refuses' if not found else 'accepts'} it; check says {[each.message for each in found]}"


@pytest.mark.parametrize(("section", "find", "name"), CASES)
def test_every_value_of_every_key(section: Section, find: Find, name: str) -> None:
    wrong: list[str] = []
    for sample in SAMPLES:
        graph = copy.deepcopy(GRAPH)
        place = find(graph)
        place.pop(section.aliases.get(name, name), None)
        place[name] = sample
        if problem := _disagreement(graph):
            wrong.append(f"{name}: {json.dumps(sample)}: {problem}")
    assert not wrong


@pytest.mark.parametrize(("section", "find", "name"), CASES)
def test_every_absent_key(section: Section, find: Find, name: str) -> None:
    graph = copy.deepcopy(GRAPH)
    find(graph).pop(name, None)
    assert _disagreement(graph) is None
