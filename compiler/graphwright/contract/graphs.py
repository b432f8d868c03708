"""Determines the params and the result of a graph that another graph calls like a tool."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from graphwright import ir
from graphwright.analysis.declared_inputs import declared_inputs
from graphwright.analysis.jsontype import ANY, BOOLEAN, INTEGER, OBJECT, STRING, Type, list_of, meet
from graphwright.analysis.tools import BACKGROUND
from graphwright.ir import visit
from graphwright.language.events import RUNTIME_KEYS
from graphwright.pattern import pattern
from graphwright.record import Record
from graphwright.schema.types import from_schema
from graphwright.schema.walk import mapping, texts
from graphwright.suggest import nearest

if TYPE_CHECKING:
    from graphwright.facts import Facts

_NUMBERS: Final = pattern(r"[0-9]+")

#: The fields of the result of a nested graph (language.md §12, without the state).
RESULT_FIELDS: Final = frozenset(
    {"success", "status", "output", "steps", "graph_run_id", "ended_at", "error", "node", "errors", "max_steps_reached"}
)

#: The fields of the result of starting one in the background; `error` if that failed.
STARTED_FIELDS: Final = frozenset({"success", "graph_run_id", "status", "pid", "error"})

#: The fields of the result of executing a single node, and of validating a call.
STEP_FIELDS: Final = frozenset({"success", "state", "executed_node", "next_node", "step_count", "error"})
VALIDATED_FIELDS: Final = frozenset({"success", "errors", "warnings", "node_count", "error"})

#: Params that are options of the call, unless the called graph declares an input with that name, with their types.
CONTROLS: Final[Mapping[str, Type]] = {
    "async": BOOLEAN,
    "async_exec": BOOLEAN,
    "capabilities": list_of(STRING),
    "depth": INTEGER,
    "graph_run_id": STRING,
    "inject_state": OBJECT,
    "node": STRING,
    "resume": BOOLEAN,
    "resume_run_id": STRING,
    "validate": BOOLEAN,
}

#: Options with which a call does not need to pass required inputs: the run has them, or nothing runs.
WITHOUT_INPUTS: Final = frozenset({"graph_run_id", "resume", "resume_run_id", "validate"})


class Signature(Record):
    """The interface of a graph for its callers.

    `required` are the inputs without a default. `inputs` are the types of the declared inputs; `closed`: no others are
    accepted. `outputs` are the possible keys of its output, None if unknown.
    """

    graph_id: str
    inputs: Mapping[str, Type]
    required: frozenset[str]
    closed: bool
    outputs: frozenset[str] | None

    def steers(self, key: str) -> bool:
        """Whether a param is an option of the call, and not an input."""
        return key in CONTROLS and key not in self.inputs

    def result_fields(self, params: Mapping[str, ir.Value]) -> frozenset[str] | None:
        """The fields of the result of a call with these params; None if that depends on its options."""
        steering = {key: value for key, value in params.items() if self.steers(key) and value != ir.Const(None)}
        flags = [value for key, value in steering.items() if key in BACKGROUND or key == "validate"]
        if not all(isinstance(value, ir.Const) for value in flags):
            return None
        if steering.get("validate") == ir.Const(value=True):
            return VALIDATED_FIELDS
        if "node" in steering:
            return STEP_FIELDS if isinstance(steering["node"], ir.Const) else None
        return STARTED_FIELDS if ir.Const(value=True) in flags else RESULT_FIELDS


def called_signature(facts: Facts, item_id: str | None) -> Signature | None:
    """The signature of the graph with this id; None if the item is not a graph."""
    other = facts.project.graph(item_id) if facts.project is not None and item_id is not None else None
    return None if other is None else other.signature


def signature(facts: Facts, graph: ir.Graph) -> Signature:
    """The signature of a graph."""
    declared = declared_inputs(graph)
    fields = meet(from_schema(graph.inputs_schema, given=True), OBJECT).field_map
    types = {name: fields[name].type if name in fields else ANY for name in declared.names}
    schema = mapping(graph.inputs_schema)
    required = frozenset(texts(schema.get("required"))) - declared.defaulted
    takes_none = not declared.names and schema.get("additionalProperties") is False
    closed = declared.closed or (takes_none and "patternProperties" not in schema)
    return Signature(graph.graph_id, types, required, closed, _outputs(facts, graph))


def _outputs(facts: Facts, graph: ir.Graph) -> frozenset[str] | None:
    """The keys of the output, over all ends of the graph and those in `output_schema`."""
    keys: set[str] = set()
    whole = facts.assignment.all_keys | RUNTIME_KEYS  # the state, if there is no output
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
    """The id of a graph with a similar name in the same folder; None if there is none."""
    if facts.project is None or item_id is None or facts.project.graph(item_id) is not None:
        return None
    folder, _, name = item_id.rpartition("/")
    names = facts.project.graph_names(folder)
    stem = name.removesuffix(".yaml").removesuffix(".yml")
    near = stem if stem != name and stem in names else near_name(name, names)
    if near is None:
        return None
    meant_id = f"{folder}/{near}" if folder else near
    if facts.project.graph(meant_id) is None or facts.project.tool_file(item_id) is not None:
        return None
    return meant_id


@lru_cache(maxsize=4096)
def near_name(name: str, names: tuple[str, ...]) -> str | None:
    """The nearest of many names, cached because the graphs of a folder call the same few tools.

    Names that differ only in numbers (`stage_1`, `stage_2`) are not considered misspellings.
    """
    near = nearest(name, names)
    return None if near is None or _NUMBERS.sub("", near) == _NUMBERS.sub("", name) else near
