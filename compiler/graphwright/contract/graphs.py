"""What a graph takes and returns when another graph calls it like a tool."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from graphwright import ir
from graphwright.analysis.declared_inputs import declared_inputs
from graphwright.analysis.jsontype import ANY, INTEGER, STRING, Type, list_of
from graphwright.analysis.symbols import RUNTIME_KEYS
from graphwright.analysis.tools import BACKGROUND
from graphwright.ir import visit
from graphwright.pattern import pattern
from graphwright.record import Record
from graphwright.schema.walk import mapping, texts
from graphwright.suggest import nearest

if TYPE_CHECKING:
    from graphwright.facts import Facts

_NUMBERS: Final = pattern(r"[0-9]+")

#: What the result of a nested graph has (language.md §12, without the state).
RESULT_FIELDS: Final = frozenset(
    {"success", "status", "output", "steps", "graph_run_id", "ended_at", "error", "node", "errors", "max_steps_reached"}
)

#: What starting one in the background has instead; `error` where even that failed.
STARTED_FIELDS: Final = frozenset({"success", "graph_run_id", "status", "pid", "error"})

#: Params that steer the call in ways that no run knows yet, each with what is not done.
REFUSED: Final[Mapping[str, str]] = {
    "async": "graphs cannot be started in the background",
    "async_exec": "graphs cannot be started in the background",
    "resume": "runs cannot be resumed, because no log is kept",
    "resume_run_id": "runs cannot be resumed, because no log is kept",
    "graph_run_id": "runs cannot be resumed, because no log is kept",
    "node": "a single node cannot be run on its own",
    "inject_state": "a single node cannot be run on its own",
    "validate": "a graph cannot be validated without running it",
}

#: Those among them that ask for nothing where they are false.
FLAGS: Final = BACKGROUND | {"resume", "validate"}

#: Params that narrow what the called graph may do, and how many levels may follow below it, with their types.
NARROWING: Final[Mapping[str, Type]] = {"capabilities": list_of(STRING), "depth": INTEGER}

#: Params that steer the call, where the called graph declares no input of that name.
CONTROL_KEYS: Final = REFUSED.keys() | NARROWING.keys()

#: Those among them that change what the result is.
_OTHER_RESULTS: Final = frozenset({"validate", "node", "resume", "resume_run_id"})


class Signature(Record):
    """What callers of a graph must know.

    `required`: inputs without which it does not run. `inputs`: types of the declared inputs; `closed`: it takes no
    others. `outputs`: the keys that its output can have, None where that is not known.
    """

    graph_id: str
    inputs: Mapping[str, Type]
    required: frozenset[str]
    closed: bool
    outputs: frozenset[str] | None

    def steers(self, key: str) -> bool:
        """Whether a param is not an input, but steers the call."""
        return key in CONTROL_KEYS and key not in self.inputs

    def result_fields(self, params: Mapping[str, ir.Value]) -> frozenset[str] | None:
        """What the result of a call with these params has; None where that depends on how it is steered."""
        steering = {key: value for key, value in params.items() if self.steers(key)}
        if not _OTHER_RESULTS.isdisjoint(steering):
            return None
        background = [value for key, value in steering.items() if key in BACKGROUND]
        if not all(isinstance(value, ir.Const) for value in background):
            return None
        return STARTED_FIELDS if ir.Const(value=True) in background else RESULT_FIELDS


def called_signature(facts: Facts, item_id: str | None) -> Signature | None:
    """The signature of the graph that an item is; None where it is something else."""
    other = facts.project.graph(item_id) if facts.project is not None and item_id is not None else None
    return None if other is None else other.signature


def signature(facts: Facts, graph: ir.Graph) -> Signature:
    """The signature of a graph."""
    declared = declared_inputs(graph)
    fields = facts.types.inputs.field_map
    types = {name: fields[name].type if name in fields else ANY for name in declared.names}
    schema = mapping(graph.inputs_schema)
    required = frozenset(texts(schema.get("required"))) - declared.defaulted
    takes_none = not declared.names and schema.get("additionalProperties") is False
    closed = declared.closed or (takes_none and "patternProperties" not in schema)
    return Signature(graph.graph_id, types, required, closed, _outputs(facts, graph))


def _outputs(facts: Facts, graph: ir.Graph) -> frozenset[str] | None:
    """The keys of the output, over all ends of the graph and what `output_schema` adds."""
    keys: set[str] = set()
    whole = facts.assignment.all_keys | RUNTIME_KEYS  # the state, where no output is written
    keys.update(mapping(mapping(graph.output_schema).get("properties")))
    for name in facts.flow.reachable:
        if not facts.flow.may_complete(name):
            continue
        output = visit.output(facts.nodes[name])
        if output is None:
            keys |= whole
        elif isinstance(output, ir.MapOf):
            keys.update(key for key, _ in output.entries)
        elif isinstance(output, ir.Const) and isinstance(output.value, dict):
            keys.update(output.value)
        else:
            return None
    return frozenset(keys | (whole if graph.settings.on_max_steps != "fail" else frozenset()))


def near_graph(facts: Facts, item_id: str | None) -> str | None:
    """The graph next to an item that does not exist, of nearly its name; None where there is none."""
    if facts.project is None or item_id is None or facts.project.graph(item_id) is not None:
        return None
    folder, _, name = item_id.rpartition("/")
    near = near_name(name, facts.project.graph_names(folder))
    if near is None:
        return None
    meant_id = f"{folder}/{near}" if folder else near
    if facts.project.graph(meant_id) is None or facts.project.tool_file(item_id) is not None:
        return None
    return meant_id


@lru_cache(maxsize=4096)
def near_name(name: str, names: tuple[str, ...]) -> str | None:
    """The nearest of many names; the graphs of a folder call the same few tools.

    Names that differ in their numbers only (`stage_1`, `stage_2`) are no misspellings of each other.
    """
    near = nearest(name, names)
    return None if near is None or _NUMBERS.sub("", near) == _NUMBERS.sub("", name) else near
