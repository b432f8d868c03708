"""What lowering knows while it works: the file, its log, the names that exist, and where a template stands."""

from __future__ import annotations

from collections.abc import Mapping

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright import ir
from graphwright.fault import FaultLog
from graphwright.language.events import EVENTS, NAMESPACES
from graphwright.model import GraphSpec, Owner
from graphwright.record import Record
from graphwright.source.reader import Source
from graphwright.suggest import Guesses


class Scope(Record):
    """Where a template or condition stands, which decides what it may read.

    `place`: for messages ("action", "gate", "over", "foreach next", "output", "assign", "condition" …).
    `result`: whether `result` exists; `variable`: the foreach variable, if there is one; `event`: a hook's.
    """

    owner: Owner
    place: str
    result: bool = False
    variable: str | None = None
    event: str | None = None

    @property
    def namespaces(self) -> tuple[str, ...]:
        """The names that a path may begin with here."""
        if self.event is not None:
            return (*EVENTS[self.event].shows, "_now", "_timestamp", "_run")
        names = tuple(name for name in NAMESPACES if name != "result" or self.result)
        return names if self.variable is None else (*names, self.variable)


class Lowering:
    """The state of one lowering.

    `state_keys`: every key that anything puts into the state, and where first. `inputs`: the declared inputs.
    `loops`: for each foreach variable the nodes that have it; `collected`: where those nodes collect.
    `names`: those of the nodes; `forgotten`: nodes that no edge leads to. `blank`: some template says nothing, and was
    meant to read something.
    `texts`: the meaning of texts that were lowered without a fault, by text and what it may read.
    """

    def __init__(
        self,
        source: Source,
        log: FaultLog,
        state_keys: Mapping[str, Node],
        inputs: Mapping[str, ScalarNode],
        loops: Mapping[str, tuple[str, ...]],
        collected: Mapping[str, str],
        nodes: Mapping[str, Owner],
        forgotten: frozenset[str],
    ) -> None:
        self.source = source
        self.log = log
        self.state_keys = state_keys
        self.inputs = inputs
        self.loops = loops
        self.collected = collected
        self.nodes = nodes
        self.names = tuple(nodes)
        self.forgotten = forgotten
        self.texts: dict[tuple[str, bool, str | None, str | None], ir.Value] = {}
        self.constants: dict[str, ir.Const] = {}
        self.troubles = 0
        self.blank = False
        self.guesses = Guesses()

    def fault(self, code: str, at: Node, owner: Owner, **facts: object) -> None:
        """Record a fault at a whole node."""
        self.troubles += 1
        self.log.add(code, self.source.span(at), at=at, owner=owner.phrase, node=owner.node, **facts)

    def fault_in(self, code: str, at: ScalarNode, start: int, end: int, owner: Owner, **facts: object) -> None:
        """Record a fault at a part of a scalar, given in its decoded text."""
        self.troubles += 1
        span = self.source.span_in(at, start, end)
        self.log.add(code, span, owner=owner.phrase, node=owner.node, **facts)

    def constant(self, text: str) -> ir.Const:
        """The constant for a text; equal texts share one."""
        found = self.constants.get(text)
        if found is None:
            found = self.constants[text] = ir.Const(text)
        return found


def new_lowering(spec: GraphSpec, log: FaultLog) -> Lowering:
    """Gather the names that the graph defines, before anything reads one."""
    keys: dict[str, Node] = {key.value: key for key, _ in spec.state}
    loops: dict[str, tuple[str, ...]] = {}
    collected: dict[str, str] = {}
    for node in spec.nodes:
        for key, _ in node.assigns:
            keys.setdefault(key.value, key)
        if node.loop is None:
            continue
        variable = node.loop.variable.text if node.loop.variable else "item"
        loops[variable] = (*loops.get(variable, ()), node.name)
        if node.loop.collect is not None:
            keys.setdefault(node.loop.collect.text, node.loop.collect.at)
            collected.setdefault(node.name, node.loop.collect.text)
    names = {node.name: node.owner for node in spec.nodes}
    return Lowering(spec.source, log, keys, declared_inputs(spec), loops, collected, names, _forgotten(spec))


def _forgotten(spec: GraphSpec) -> frozenset[str]:
    """The nodes that no edge leads to, and with which a run does not begin."""
    targets = [edge.target for node in spec.nodes for edge in node.edges]
    targets += [spec.settings.start, *(node.on_error for node in spec.nodes)]
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
