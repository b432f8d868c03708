"""The graph with everything resolved: the input of the analyses and of the emitter.

Lowering (`lower`) turns the author's model into this: defaults are filled in, edges lead to nodes that exist.
`visit.py` walks it, `verify.py` checks its invariants, `printer.py` prints it (the tests contain golden files of that).
Locations are kept as the YAML nodes they came from; `Source.span` and `Source.span_in` turn them into spans for
messages.
"""

from graphwright.ir.graph import Control, Doubt, Graph, Hook, Permission, Region, Settings
from graphwright.ir.nodes import (
    Action,
    ActionNode,
    Assign,
    CallingNode,
    Edge,
    EnvName,
    ForeachNode,
    GateNode,
    Node,
    Retry,
    ReturnNode,
    RoutedNode,
)
from graphwright.ir.values import (
    AllOf,
    AnyOf,
    Arithmetic,
    Compare,
    Condition,
    Const,
    FirstOf,
    Json,
    ListOf,
    MapOf,
    Negative,
    Not,
    Pipe,
    Read,
    Root,
    Template,
    Text,
    Value,
)

__all__ = [
    "Action",
    "ActionNode",
    "AllOf",
    "AnyOf",
    "Arithmetic",
    "Assign",
    "CallingNode",
    "Compare",
    "Condition",
    "Const",
    "Control",
    "Doubt",
    "Edge",
    "EnvName",
    "FirstOf",
    "ForeachNode",
    "GateNode",
    "Graph",
    "Hook",
    "Json",
    "ListOf",
    "MapOf",
    "Negative",
    "Node",
    "Not",
    "Permission",
    "Pipe",
    "Read",
    "Region",
    "Retry",
    "ReturnNode",
    "Root",
    "RoutedNode",
    "Settings",
    "Template",
    "Text",
    "Value",
]
