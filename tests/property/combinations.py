"""Graphs in which each kind of literal meets each way of using a value: which random graphs seldom do."""

from __future__ import annotations

from collections.abc import Iterator

LITERALS: dict[str, object] = {
    "null": None,
    "int": 1,
    "negative": -1,
    "float": 1.5,
    "true": True,
    "text": "a",
    "list": [],
    "mapping": {},
    "nested": [[]],
    "deep": {"a": {"b": []}},
    "mixed": [1, "a", None, {"x": []}],
    "big": 2**70,
    "lists": [[1], ["a"]],
    "mappings": [{"a": 1}, {"b": "x"}],
}
USES: list[object] = [
    "${state.x}",
    "${state.x.a}",
    "${state.x.0}",
    "n=${state.x}",
    "${state.x || 3}",
    "${state.x || [[]]}",
    "${state.x | default([[], {}])}",
    "${state.x.a || state.x || null}",
    "${state.x | json}",
    "${[state.x] | first}",
    "${[state.x, [], [[]]]}",
    "${[[]] + [state.x]}",
    "${[[], 1] | first}",
    "${[[]]} ${state.x}",
    ["${state.x}", []],
    {"k": "${state.x}", "l": {}},
    {"a": {"b": ["${state.x}", {}], "c": []}, "d": 1},
    [{"a": "${state.x}"}, {"b": []}, [[]]],
]


def combinations() -> Iterator[tuple[str, dict[str, object]]]:
    """A name and a graph for each literal and each use."""
    for kind, literal in LITERALS.items():
        for number, use in enumerate(USES):
            yield f"{kind}_{number}", _graph(literal, use)


def _graph(literal: object, use: object) -> dict[str, object]:
    """The literal is assigned alone, with others and by a loop, compared, passed on and returned."""
    when = {"path": "state.x", "op": "eq", "value": literal}
    there = {"any": [{"path": "state.y", "op": "exists"}, {"path": "state.z", "op": "ne", "value": literal}]}
    call = {"item_id": "svc/a", "params": {"p": "${state.z}", "q": literal, "r": ["${state.x}", literal]}}
    each = {"item_id": "svc/a", "params": {"v": "${item}", "k": literal}}
    nodes = {
        "alone": {"type": "gate", "assign": {"x": literal}, "next": "many"},
        "many": {
            "type": "gate",
            "assign": {"x": literal, "y": use, "z": "${state.y}"},
            "next": [{"to": "called", "when": when}, {"to": "loop", "when": there}, {"to": "done"}],
        },
        "called": {
            "action": call,
            "assign": {"w": "${result.v}", "v": "${state.w}"},
            "next": "done",
            "on_error": "done",
        },
        "loop": {
            "type": "foreach",
            "over": [1, literal],
            "as": "item",
            "action": each,
            "collect": "all",
            "assign": {"x": literal, "y": use},
            "next": "done",
        },
        "done": {"type": "return", "output": {"x": "${state.x}", "y": use, "z": literal}},
    }
    hook = {"event": "graph_completed", "action": {"item_id": "svc/a", "params": {"x": "${state.x}", "l": literal}}}
    config = {"start": "alone", "state": {"first": literal}, "hooks": [hook], "nodes": nodes}
    return {"tool_type": "graph", "permissions": ["rye.execute.tool.svc.*"], "config": config}
