"""Takes out of a graph what the compiler complains about, so that what is left has its approval.

And makes a graph smaller that shows something, for those who have to find out why.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator

import yaml

from graphwright.checking.inspection import inspect
from graphwright.diagnostic import Diagnostic, Severity
from graphwright.facts import Facts
from graphwright.source.reader import read_text
from property.phrases import INITIAL
from property.places import Steps, at, steps_to
from property.sketches import END, Graph

ROUNDS = 10

#: Containers of which a complaint costs one entry.
_ENTRIES = ("assign", "params", "output", "next", "env_requires", "permissions", "any", "all")


def spelled(graph: Graph) -> str:
    """The graph as YAML."""
    return yaml.safe_dump(graph, sort_keys=False, allow_unicode=True)


def inspected(text: str) -> tuple[Facts, list[Diagnostic]]:
    """The facts of a text, and its errors and warnings."""
    facts = Facts(read_text(text), graph_id="graph", path="graph.yaml")
    return facts, [one for one in inspect(facts).findings if one.severity is not Severity.NOTE]


def repaired(graph: Graph, *, severities: frozenset[Severity]) -> tuple[Graph, Facts] | None:
    """The graph without what the compiler complains about, in these severities; None when that is not to be had."""
    graph = copy.deepcopy(graph)
    for number in range(ROUNDS):
        text = spelled(graph)
        facts, found = inspected(text)
        found = [one for one in found if one.severity in severities]
        if not found:
            return graph, facts
        for one in sorted(found, key=lambda one: one.span, reverse=True):
            if at(graph, ("config", "nodes")) is None:
                return None
            _mend(graph, one, steps_to(text, one.span), number)
    return None


def reduced(graph: Graph, shows: Callable[[Graph], bool]) -> Graph:
    """The graph without everything that is not needed for it to show what it shows."""
    again = True
    while again:
        again = False
        for steps in sorted(_places(graph["config"], ("config",)), key=len):
            smaller = copy.deepcopy(graph)
            nodes = at(smaller, ("config", "nodes"))
            if steps[:-1] == ("config", "nodes") and isinstance(nodes, dict):
                _forget(nodes, str(steps[-1]))
            else:
                _take(at(smaller, steps[:-1]), steps[-1])
            if smaller != graph and shows(smaller):
                graph, again = smaller, True
                break
    return graph


def _places(value: object, above: Steps) -> Iterator[Steps]:
    """The steps to every entry below a value."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, entry in entries:
        yield (*above, step)
        yield from _places(entry, (*above, step))


def _mend(graph: Graph, one: Diagnostic, steps: Steps, round_number: int) -> None:
    nodes = at(graph, ("config", "nodes"))
    assert isinstance(nodes, dict)
    node = nodes.get(steps[2]) if steps[:2] == ("config", "nodes") and len(steps) > 2 else None
    match one.code:
        case "GW204" if len(steps) == 3:
            _forget(nodes, str(steps[2]))
        case "GW207" if isinstance(node, dict) and isinstance(node.get("next"), list):
            node["next"].append({"to": END})
        case "GW208" | "GW205" if isinstance(node, dict):
            node["next"] = END
        case "GW210":
            _config(graph)["max_steps"] = 30
        case "GW212" if isinstance(node, dict):
            node.pop("on_error", None)
        case "GW301" | "GW302" if round_number == 0 and one.span.line % 4 == 0:
            _initial(graph, one)
        case "GW303" if round_number < 3:
            _show(nodes, one.message.split("`")[1], "state")
        case "GW308" if END in nodes:
            _show(nodes, one.message.split("`")[1], "inputs")
        case "GW308":
            _undeclare(graph, one.message.split("`")[1])
        case "GW503" if isinstance(node, dict):
            node["env_requires"] = [*_list(node.get("env_requires")), one.message.split("`$")[1].split("`")[0]]
        case "GW601":
            graph["permissions"] = [*_list(graph.get("permissions")), one.message.split("`")[3]]
        case "GW604":
            graph["permissions"] = [*_list(graph.get("permissions")), *re.findall(r"`- ([^`]+)`", str(one.help))]
        case _:
            _remove(graph, steps)


def _initial(graph: Graph, one: Diagnostic) -> None:
    """Give the key that may be unassigned a value at the start."""
    found = re.match(r"state(?:\.([^.\[]+)|\[\"(.*?)\"\])", one.message.split("`")[1])
    assert found is not None, one.message
    key = found[1] or found[2]
    state = _config(graph).setdefault("state", {})
    assert isinstance(state, dict)
    state[key] = INITIAL.get(key)


def _show(nodes: dict[str, object], name: str, where: str) -> None:
    """Let the end return a key or an input."""
    end = nodes.get(END)
    if isinstance(end, dict):
        output = end.setdefault("output", {})
        output[f"{where}_{name}"] = f"${{{where}.{name} || 0}}"


def _undeclare(graph: Graph, name: str) -> None:
    """Take an input out of the schema."""
    schema = graph["config_schema"]
    assert isinstance(schema, dict)
    schema["properties"].pop(name, None)
    schema["required"] = [other for other in schema["required"] if other != name]


def _forget(nodes: dict[str, object], name: str) -> None:
    """Remove a node; what led there leads to the end."""
    nodes.pop(name, None)
    for node in nodes.values():
        if not isinstance(node, dict):
            continue
        for key in ("next", "on_error"):
            if node.get(key) == name:
                node[key] = END
        for edge in _list(node.get("next")):
            if isinstance(edge, dict) and edge.get("to") == name:
                edge["to"] = END


def _remove(graph: Graph, steps: Steps) -> None:
    """Remove the innermost entry around a place; a loop gets another list, a node without a way out another way."""
    for length in range(len(steps) - 1, 0, -1):
        container = steps[length - 1]
        if container in _ENTRIES and isinstance(at(graph, steps[: length - 1]), dict):
            inside = at(graph, steps[:length])
            if isinstance(inside, dict | list) and len(steps) > length:
                _take(inside, steps[length])
                if not inside and container not in ("any", "all", "permissions"):
                    _take(at(graph, steps[: length - 1]), container)
                return
    holder = at(graph, steps[:-1])
    if isinstance(holder, dict) and steps:
        match steps[-1]:
            case "over":
                holder["over"] = "${inputs.ids}"
            case "item_id":
                holder["item_id"] = "tool:svc/a"
                holder.pop("primary", None)
            case "output":
                holder["output"] = {"done": True}
            case last:
                _take(holder, last)


def _take(container: object, step: str | int) -> None:
    if isinstance(container, dict):
        container.pop(step, None)
    elif isinstance(container, list) and isinstance(step, int) and step < len(container):
        del container[step]


def _config(graph: Graph) -> dict[str, object]:
    config = graph["config"]
    assert isinstance(config, dict)
    return config


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else [] if value is None else [value]
