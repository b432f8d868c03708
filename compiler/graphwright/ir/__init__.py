"""The graph with everything resolved: what analyses read and the emitter writes.

Lowering (`lower`) turns the author's model into this: defaults are filled in, edges lead to nodes that exist.
`visit.py` walks it, `verify.py` holds the invariants, `printer.py` shows it as text (golden files of which live in the
tests). Positions are kept as the YAML nodes they came from; `Source.span`, `Source.span_in` turn them into spans when a
message needs one.
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
