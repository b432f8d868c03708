"""Small graphs built by hand, so that the analyses are tested apart from the front end.

graph(node("a", to("b", exists("x")), to("c")), …)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import yaml

from graphwright import ir
from graphwright.record import replace


def scalar(text: str = "") -> yaml.ScalarNode:
    """A YAML scalar that stands nowhere."""
    return yaml.ScalarNode("tag:yaml.org,2002:str", text)


def mapping() -> yaml.MappingNode:
    """A YAML mapping that stands nowhere."""
    return yaml.MappingNode("tag:yaml.org,2002:map", [])


def state(path: str) -> ir.Read:
    """`state.<path>`."""
    return ir.Read(ir.Root.STATE, tuple(path.split(".")), f"state.{path}", 0, 0)


def inputs(path: str) -> ir.Read:
    """`inputs.<path>`."""
    return ir.Read(ir.Root.INPUTS, tuple(path.split(".")), f"inputs.{path}", 0, 0)


def result(path: str) -> ir.Read:
    """`result.<path>`."""
    return ir.Read(ir.Root.RESULT, tuple(path.split(".")), f"result.{path}", 0, 0)


def template(value: ir.Value) -> ir.Template:
    """A scalar with this expression."""
    return ir.Template(scalar(), value)


def compare(left: ir.Read | str, op: str, right: ir.Json = None) -> ir.Compare:
    """A comparison with a constant; a bare name is a state key."""
    read = state(left) if isinstance(left, str) else left
    return ir.Compare(op, read, ir.Const(right), mapping(), scalar(), None)


def exists(key: str) -> ir.Compare:
    """`{path: state.<key>, op: exists}`."""
    return compare(key, "exists", True)


def negate(condition: ir.Condition) -> ir.Not:
    """`not: …`."""
    return ir.Not(condition, mapping())


def every(*parts: ir.Condition) -> ir.AllOf:
    """`all: […]`."""
    return ir.AllOf(parts, mapping())


def some(*parts: ir.Condition) -> ir.AnyOf:
    """`any: […]`."""
    return ir.AnyOf(parts, mapping())


def to(target: str | None, when: ir.Condition | None = None) -> ir.Edge:
    """An edge."""
    return ir.Edge(target, when, mapping(), scalar(target or ""))


def assign(key: str, value: ir.Value | None = None) -> ir.Assign:
    """An entry of `assign`; 1 by default."""
    return ir.Assign(key, ir.Const(1) if value is None else value, scalar(key), scalar())


def call(params: Mapping[str, ir.Value] | None = None, item_id: str = "t/x") -> ir.Action:
    """An action on a tool."""
    entries = tuple((params or {}).items())
    capability = "rye.execute.tool." + item_id.replace("/", ".")
    value: ir.Value = ir.MapOf(entries) if entries else ir.Const({})
    return ir.Action("execute", "tool", ir.Const(item_id), value, capability, False, mapping(), scalar(), mapping())


def _routed(
    name: str, edges: tuple[ir.Edge, ...], sets: Sequence[str | ir.Assign], rescue: str | None = None
) -> tuple[
    str,
    yaml.ScalarNode,
    yaml.MappingNode,
    None,
    None,
    tuple[ir.Assign, ...],
    tuple[ir.Edge, ...],
    ir.Edge | None,
    None,
]:
    """What every node has that leads on."""
    assigns = tuple(assign(entry) if isinstance(entry, str) else entry for entry in sets)
    return name, scalar(name), mapping(), None, None, assigns, edges, None if rescue is None else to(rescue), None


def node(
    name: str, *edges: ir.Edge, sets: Sequence[str | ir.Assign] = (), action: ir.Action | None = None
) -> ir.ActionNode:
    """An action node that assigns the keys `sets`."""
    return ir.ActionNode(*_routed(name, edges, sets), action or call(), (), None, None, False, False)


def gate(name: str, *edges: ir.Edge, sets: Sequence[str | ir.Assign] = ()) -> ir.GateNode:
    """A gate."""
    return ir.GateNode(*_routed(name, edges, sets))


def risky(name: str, rescue: str, *edges: ir.Edge, sets: Sequence[str | ir.Assign] = ()) -> ir.ActionNode:
    """An action node with an error edge."""
    return replace(node(name, *edges, sets=sets), on_error=to(rescue))


def loop(
    name: str, *edges: ir.Edge, collect: str | None = None, sets: Sequence[str] = (), rescue: str | None = None
) -> ir.ForeachNode:
    """A sequential foreach over `inputs.items`."""
    own = (inputs("items"), "item", collect, False, 16, scalar(), scalar())
    return ir.ForeachNode(*_routed(name, edges, sets, rescue), call(), (), None, None, False, *own)


def done(name: str = "done", output: ir.Value | None = None) -> ir.ReturnNode:
    """A return node."""
    return ir.ReturnNode(name, scalar(name), mapping(), None, None, output, None)


def graph(
    *nodes: ir.Node,
    start: str | None = "",
    state: Mapping[str, ir.Json] | None = None,
    on_error: str = "fail",
    max_steps: int = 100,
    on_max_steps: str = "fail",
) -> ir.Graph:
    """A graph of these nodes that starts at the first one."""
    return ir.Graph(
        "test",
        "test.yaml",
        "",
        ir.Region(nodes[0].name if start == "" else start, None, {entry.name: entry for entry in nodes}),
        state or {},
        {},
        None,
        {},
        None,
        None,
        (),
        (),
        {},
        ir.Settings(max_steps, None, on_error, on_max_steps),
    )
