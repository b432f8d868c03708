"""The state of lowering: the file, its log, and the names that exist."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright import ir
from graphwright.fault import Fault
from graphwright.faults.names import UnknownNode
from graphwright.faults.yaml import DuplicateKey
from graphwright.model import ForeachSpec, GraphSpec, ReturnSpec
from graphwright.record import replace
from graphwright.recover.names import Names
from graphwright.recover.names import Scope as Scope
from graphwright.recover.recovery import Recovery


class Lowering:
    """The state of one lowering.

    `strings` caches strings that were lowered without a fault, by string and scope. `fault_count` is the number of
    recorded faults. `commands`: the identities of the scalars that a shell reads.
    """

    def __init__(self, recovery: Recovery, names: Names) -> None:
        self.recovery = recovery
        self.source = recovery.source
        self.span = recovery.source.span
        self.names = names
        self.strings: dict[tuple[str, bool, str | None, str | None], ir.Value] = {}
        self.constants: dict[str, ir.Const] = {}
        self.fault_count = 0
        self.commands: set[int] = set()
        self._unknown_nodes: dict[str, list[UnknownNode]] = {}

    def report(self, fault: Fault) -> None:
        """Record a fault."""
        self.fault_count += 1
        self.recovery.log.add(fault)

    def report_unknown_node(self, fault: UnknownNode) -> None:
        """Keep a fault until `report_unknown_nodes`."""
        self._unknown_nodes.setdefault(fault.target, []).append(fault)

    def report_unknown_nodes(self) -> None:
        """Record one fault for all targets with the same unknown name."""
        lacks_name = any(fault.run for fault in self.recovery.log.of(DuplicateKey))  # of a node, probably of this one
        for faults in self._unknown_nodes.values():
            first, *others = sorted(faults, key=lambda each: each.span)
            odd = bool(others) and first.suggestion in self.names.without_edge
            if first.suggestion is not None or not lacks_name:
                self.report(replace(first, others=tuple(each.span for each in others), odd=odd))

    def constant(self, text: str) -> ir.Const:
        """The constant for a string; equal strings share one."""
        found = self.constants.get(text)
        if found is None:
            found = self.constants[text] = ir.Const(text)
        return found


def names_of(spec: GraphSpec) -> Names:
    """Collect the names that the graph defines, before anything reads one."""
    keys: dict[str, Node] = {key.value: key for key, _ in spec.state}
    loops: dict[str, tuple[str, ...]] = {}
    collected: dict[str, str] = {}
    for node in spec.nodes:
        for key, _ in () if isinstance(node, ReturnSpec) else node.routing.assigns:
            keys.setdefault(key.value, key)
        if isinstance(node, ForeachSpec):
            loops[node.item] = (*loops.get(node.item, ()), node.name)
            if node.collect is not None:
                keys.setdefault(node.collect.text, node.collect.at)
                collected.setdefault(node.name, node.collect.text)
    nodes = {node.name: node.owner for node in spec.nodes}
    ends = tuple(node.name for node in spec.nodes if isinstance(node, ReturnSpec))
    return Names(keys, declared_inputs(spec), loops, collected, nodes, _without_edge(spec), ends)


def _without_edge(spec: GraphSpec) -> frozenset[str]:
    """The nodes, other than the start, that no edge leads to."""
    targets = [spec.start]
    for node in spec.nodes:
        if not isinstance(node, ReturnSpec):
            targets += [node.routing.on_error, *(edge.target for edge in node.routing.edges)]
    led_to = {target.text for target in targets if target is not None}
    return frozenset(node.name for node in spec.nodes if node.name not in led_to)


def declared_inputs(spec: GraphSpec) -> dict[str, ScalarNode]:
    """The properties of `config_schema`, each with its key."""
    if spec.inputs_schema is None:
        return {}
    properties = spec.source.get(spec.inputs_schema.at, "properties")
    if not isinstance(properties, MappingNode):
        return {}
    return {key.value: key for key, _ in spec.source.entries(properties)}
