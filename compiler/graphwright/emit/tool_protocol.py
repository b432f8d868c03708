"""Emits the protocol `Tools` of an object whose methods implement the tools that a graph calls.

The types of params and results come from contracts. A tool without a contract only has params of unknown type.
"""

from __future__ import annotations

from typing import Final

from graphwright.analysis.jsontype import ANY, NEVER, OBJECT, Type
from graphwright.emit.abi import IMPORTABLE
from graphwright.emit.knowledge import Knowledge
from graphwright.emit.model import ToolProtocol
from graphwright.emit.types import Annotations, is_structured
from graphwright.emit.uses import Uses
from graphwright.names import Namespace, class_name, identifier

#: The name of the protocol.
TOOLS: Final = "Tools"


def tool_protocol(knowledge: Knowledge, types: Annotations, uses: Uses) -> ToolProtocol | None:
    """The protocol for one module; None if all called tools are implemented elsewhere."""
    if not knowledge.tools:
        return None
    uses.typing("Protocol")
    signatures: dict[str, tuple[str, str]] = {}
    for item_id, contract in knowledge.tools.items():
        name = class_name(item_id)
        params = ANY if contract is None else contract.params
        result = ANY if contract is None else contract.result
        signatures[item_id] = (
            _params(params.only(OBJECT.kinds), f"{name}Params", types, uses),
            _result(result, f"{name}Result", types, uses),
        )
    # a method with the name of a type would hide it in the annotations below
    methods = Namespace(set().union(*IMPORTABLE.values(), (structure.name for structure in types.structures)))
    names = methods.claim_all({item_id: identifier(item_id) for item_id in signatures})
    return ToolProtocol(TOOLS, tuple((names[item_id], item_id, *signatures[item_id]) for item_id in signatures))


def _params(kind: Type, name: str, types: Annotations, uses: Uses) -> str:
    if is_structured(kind) or kind.others not in (ANY, NEVER):
        return types.named(kind, name)
    return uses.runtime("Params")


def _result(kind: Type, name: str, types: Annotations, uses: Uses) -> str:
    """The result type of a method, direct or awaitable. A mapping with unknown keys can be of any class."""
    if not kind.known or not kind.kinds:
        return "object"
    if kind.kinds == OBJECT.kinds and not is_structured(kind):
        held = types.plain(kind.others) if kind.others not in (ANY, NEVER) else "object"
        returned = f"{uses.collections('Mapping')}[str, {held}]"
    else:
        returned = types.named(kind, name)
    return f"{uses.runtime('AwaitableOrValue')}[{returned}]"
