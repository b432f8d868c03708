"""Emits the types of a module's interface: inputs, state, output."""

from __future__ import annotations

from typing import Final

from graphwright import ir
from graphwright.analysis.jsontype import OBJECT, Field, meet
from graphwright.emit.knowledge import Knowledge
from graphwright.emit.literals import quoted
from graphwright.emit.model import Alias, Structure, ToolProtocol
from graphwright.emit.outcomes import Outcomes
from graphwright.emit.tool_protocol import tool_protocol
from graphwright.emit.types import Annotations, is_structured
from graphwright.emit.uses import Uses
from graphwright.record import Record
from graphwright.schema.types import from_schema

#: The type of the inputs as nodes see them, with defaults.
_FILLED: Final = "_Filled"


class Interface(Record):
    """The types of the interface. `declarations` are in an order in which they can be defined.

    `filled` are the inputs as nodes see them, None if they have the same type as for callers. `tools` is the last
    declaration, if there is such a protocol. `graph_class` is the class of `GRAPH`.
    """

    declarations: tuple[Structure | Alias | ToolProtocol, ...]
    exported: tuple[str, ...]
    filled: Structure | Alias | None
    tools: ToolProtocol | None
    graph_class: str

    @property
    def cursor_inputs(self) -> str:
        """The type of a cursor's inputs."""
        return "Inputs" if self.filled is None else self.filled.name


def interface_types(graph: ir.Graph, knowledge: Knowledge, types: Annotations, uses: Uses) -> Interface:
    """`Inputs`, `State`, `Output`, `NodeName`; `Outcome` if runs end in several ways; `Tools` if tools are called."""
    before: list[Alias] = []
    behind: list[Alias] = []
    filled = _inputs(graph, knowledge, types, uses)
    if filled is None and not knowledge.inputs:
        before.append(Alias("Inputs", f"{uses.collections('Mapping')}[str, object]"))
    types.structure("State", knowledge.state)
    names = f"{uses.typing('Literal')}[{', '.join(map(quoted, graph.nodes))}]"
    outcome = Outcomes(knowledge, types, uses).aliases()
    if outcome is None:
        output = _output(knowledge, types)
        behind += [*([] if output is None else [Alias("Output", output)]), Alias("NodeName", names)]
        parameters = ["Inputs", "State", "Output", "NodeName"]
    else:
        behind += outcome
        parameters = ["Inputs", "State", "Output", "NodeName", "Outcome"]
    tools = tool_protocol(knowledge, types, uses)
    protocols = [] if tools is None else [tools]
    parameters += [each.name for each in protocols]
    graph_class = f"{uses.runtime('Graph' if outcome is None else 'RunnableGraph')}[{', '.join(parameters)}]"
    uses.typing("TypeAlias")
    uses.typing("Final")
    declared: list[Structure | Alias | ToolProtocol] = [*types.structures, *behind, *protocols]
    return Interface((*before, *declared), tuple(each.name for each in declared), filled, tools, graph_class)


def _inputs(graph: ir.Graph, knowledge: Knowledge, types: Annotations, uses: Uses) -> Structure | Alias | None:
    """Define `Inputs`, if there are known ones; return the type of the inputs as nodes see them, if it is another."""
    given = meet(from_schema(graph.inputs_schema, given=True), OBJECT)
    if given.variants and is_structured(given):
        types.define("Inputs", given)
        if not knowledge.inputs:
            return Alias(_FILLED, f"{uses.collections('Mapping')}[str, object]")
    elif knowledge.inputs:
        fields = {key: given.field_map.get(key, field) for key, field in knowledge.inputs.items()}
        types.structure("Inputs", fields)
        if all(fields[key].required for key, field in knowledge.inputs.items() if field.required):
            return None
    else:
        return None
    return types.laid_out(_FILLED, [(key, _filled(each, types)) for key, each in knowledge.inputs.items()])


def _filled(field: Field, types: Annotations) -> str:
    annotation = types.plain(field.type)
    return annotation if field.required else types.optional(annotation)


def _output(knowledge: Knowledge, types: Annotations) -> str | None:
    """The value of the alias `Output`; None if it is a TypedDict."""
    kind = knowledge.output if knowledge.declared_output is None else knowledge.declared_output
    returns_state = knowledge.returns_state and knowledge.declared_output is None
    if not kind.kinds:
        return "State"
    if kind.kinds == OBJECT.kinds and is_structured(kind) and not returns_state:
        types.define("Output", kind)
        return None
    written = types.named(kind, "OutputValue")
    return f"State | {written}" if returns_state else written
