"""The types of a module's surface: what goes in, what is kept, what comes out."""

from __future__ import annotations

from graphwright import ir
from graphwright.analysis.jsontype import OBJECT, Field, Type, meet
from graphwright.emit.knowledge import Knowledge
from graphwright.emit.literals import quoted
from graphwright.emit.model import Alias, Structure
from graphwright.emit.types import Annotations
from graphwright.emit.uses import Uses
from graphwright.record import Record
from graphwright.schema.types import from_schema
from graphwright.schema.walk import mapping


class Interface(Record):
    """`declarations` in the order in which they can stand.

    `filled`: the inputs as nodes see them, None where that is what callers give.
    """

    declarations: tuple[Structure | Alias, ...]
    exported: tuple[str, ...]
    filled: Structure | None

    @property
    def cursor_inputs(self) -> str:
        """The type of a cursor's inputs."""
        return "Inputs" if self.filled is None else self.filled.name


def interface_types(graph: ir.Graph, knowledge: Knowledge, types: Annotations, uses: Uses) -> Interface:
    """`Inputs`, `State`, `Output`, `NodeName`."""
    before: list[Alias] = []
    behind: list[Alias] = []
    filled: Structure | None = None
    if knowledge.inputs:
        given = _given(graph, knowledge)
        types.structure("Inputs", given)
        if any(field.required and not given[key].required for key, field in knowledge.inputs.items()):
            filled = types.laid_out("_Filled", [(key, _filled(each, types)) for key, each in knowledge.inputs.items()])
    else:
        before.append(Alias("Inputs", f"{uses.collections('Mapping')}[str, object]"))
    types.structure("State", knowledge.state)
    output = _output(knowledge, types)
    if output is not None:
        behind.append(Alias("Output", output))
    names = ", ".join(map(quoted, graph.nodes))
    behind.append(Alias("NodeName", f"{uses.typing('Literal')}[{names}]"))
    uses.typing("TypeAlias")
    uses.typing("Final")
    exported = tuple(structure.name for structure in types.structures)
    return Interface((*before, *types.structures, *behind), exported, filled)


def _filled(field: Field, types: Annotations) -> str:
    annotation = types.plain(field.type)
    return annotation if field.required else types.optional(annotation)


def _given(graph: ir.Graph, knowledge: Knowledge) -> dict[str, Field]:
    """The inputs as a caller gives them: what has a default can be left out."""
    fields = meet(from_schema(graph.inputs_schema, fills=False), OBJECT).field_map
    properties = mapping(mapping(graph.inputs_schema).get("properties"))
    found: dict[str, Field] = {}
    for key, field in knowledge.inputs.items():
        given = fields.get(key, field)
        found[key] = Field(given.type, given.required and "default" not in mapping(properties.get(key)))
    return found


def _output(knowledge: Knowledge, types: Annotations) -> str | None:
    """The value of the alias `Output`; None where it is a TypedDict of its own."""
    kind = knowledge.output if knowledge.declared_output is None else knowledge.declared_output
    returns_state = knowledge.returns_state and knowledge.declared_output is None
    if not kind.kinds:
        return "State"
    if _is_object(kind) and not returns_state:
        types.structure("Output", kind.field_map)
        return None
    written = types.named(kind, "OutputValue")
    return f"State | {written}" if returns_state else written


def _is_object(kind: Type) -> bool:
    return kind.kinds == OBJECT.kinds and bool(kind.fields) and kind.field("") is None
