"""Permissions and variables of graphs that call graphs, against a walk through every call that can be made."""

from __future__ import annotations

from fnmatch import fnmatchcase
from random import Random

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.finding import Project, findings

TOOLS = ["a/one", "a/two", "b/one"]
VARIABLES = ["ONE", "TWO", "THREE"]
PATTERNS = ["a.*", "b.one", "*.one", "g.*", "g.2", "*", "a.two"]

Graph = dict[str, object]


def graphs(chance: Random) -> dict[str, Graph]:
    """Some graphs by id, each of which may call the tools and any graph behind it."""
    names = [f"g/{number}" for number in range(chance.randint(2, 5))]
    return {name: _graph(chance, names[position + 1 :]) for position, name in enumerate(names)}


def _graph(chance: Random, behind: list[str]) -> Graph:
    nodes: dict[str, object] = {}
    calls = [chance.choice([*TOOLS, *behind, *behind]) for _ in range(chance.randint(1, 3))]
    for number, item in enumerate(calls):
        node: dict[str, object] = {"action": {"item_id": f"tool:{item}"}, "next": f"n{number + 1}"}
        if chance.random() < 0.3:
            node["env_requires"] = chance.sample(VARIABLES, 1)
        nodes[f"n{number}"] = node
    nodes[f"n{len(calls)}"] = {"type": "return", "output": {"done": True}}
    return {
        "tool_type": "graph",
        "permissions": [f"rye.execute.tool.{pattern}" for pattern in chance.sample(PATTERNS, chance.randint(0, 4))],
        "env_requires": chance.sample(VARIABLES, chance.randint(0, 1)),
        "config": {"start": "n0", "nodes": nodes},
    }


def denied(texts: dict[str, Graph], name: str, grants: list[list[str]]) -> bool:
    """Whether a call, made by this graph or by one that it calls, is not in every set of patterns above it."""
    own = texts[name]["permissions"]
    assert isinstance(own, list)
    grants = [*grants, own]
    for item in called(texts[name]):
        needed = "rye.execute.tool." + item.replace("/", ".")
        if not all(any(fnmatchcase(needed, pattern) for pattern in patterns) for patterns in grants):
            return True
        if item in texts and denied(texts, item, grants):
            return True
    return False


def needed_variables(texts: dict[str, Graph], name: str) -> set[str]:
    """The variables of a graph, its nodes, and all that it calls."""
    graph = texts[name]
    found = {str(variable) for variable in _list(graph["env_requires"])}
    for node in _nodes(graph):
        found.update(map(str, _list(node.get("env_requires", []))))
    return found.union(*(needed_variables(texts, item) for item in called(graph) if item in texts))


def called(graph: Graph) -> list[str]:
    """The items that a graph calls."""
    actions = [node["action"] for node in _nodes(graph) if "action" in node]
    return [action["item_id"].removeprefix("tool:") for action in actions if isinstance(action, dict)]


def _nodes(graph: Graph) -> list[dict[str, object]]:
    config = graph["config"]
    assert isinstance(config, dict)
    return list(config["nodes"].values())


def _list(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**48))
def test_what_is_not_reported_is_not_denied(seed: int) -> None:
    texts = graphs(Random(seed))
    project = Project({name: yaml.safe_dump(graph) for name, graph in texts.items()})
    for name in texts:
        facts = project.graph(name)
        assert facts is not None
        reached = {name}
        for _ in texts:
            reached |= {item for each in reached for item in called(texts[each]) if item in texts}
        clean = all(not findings("GW601", each) for other in reached if (each := project.graph(other)) is not None)
        assert clean is not denied(texts, name, [])
        assert set(facts.environment.required) == needed_variables(texts, name)
