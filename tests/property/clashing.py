"""Graphs in which everything has a name that means something to Python, to its modules, or to another part of them."""

from __future__ import annotations

import builtins
import keyword
import typing
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from graphwright.emit.abi import IMPORTABLE
from graphwright.emit.module import OWN_NAMES

_WORDS: Final = (
    *("str", "list", "dict", "int", "float", "bool", "object", "type", "None", "True", "self", "print", "id"),
    *("class", "def", "async", "await", "match", "case", "_", "__init__", "__class__", "__annotations__", "__all__"),
    *("Any", "Literal", "NotRequired", "TypedDict", "Protocol", "Final", "TYPE_CHECKING", "Json", "Mapping"),
    *("Inputs", "InputsInputs", "State", "Output", "Outcome", "NodeName", "Tools", "_Filled", "_validate", "HOOKS"),
    *("run", "run_sync", "GRAPH", "c", "state", "inputs", "result", "error", "target", "item", "params", "annotations"),
    *(
        "keys",
        "items",
        "get",
        "copy",
        "update",
        "l",
        "O",
        "a b",
        "a-b",
        "a_b",
        "a.b",
        "1",
        "2nd",
        "-",
        "it's",
        '"',
        "\\",
    ),
    *("ﬁ", "fi", "é", "e\u0301", "Å", "\u212b", "数据", "🚀", "ß", "ss", "İ", "x" * 80, "x" * 81),
)

#: What people call things, and what must not matter.
clashing_names: Final[SearchStrategy[str]] = st.sampled_from(_WORDS) | st.sampled_from(
    sorted(
        {
            *keyword.kwlist,
            *dir(builtins),
            *dir(typing),
            *OWN_NAMES,
            *(each for names in IMPORTABLE.values() for each in names),
        }
    )
)


@st.composite
def clashing_graphs(draw: DrawFn) -> dict[str, object]:
    """One graph, as plain YAML values: inputs, nested ones, state, nodes, tools, params and outputs have such names."""
    nodes = draw(st.lists(clashing_names, min_size=3, max_size=6, unique=True))
    *calling, first, second = nodes
    state = draw(
        st.lists(clashing_names.filter(lambda key: key != "inputs" and key[0] != "_"), max_size=5, unique=True)
    )
    flow: dict[str, object] = {
        name: {
            "action": {"item_id": f"tool:{draw(_ids)}", "params": draw(_constants)},
            "assign": {key: draw(st.sampled_from(["${result.a}", "x", 1])) for key in state[:2]},
            "next": following,
        }
        for name, following in zip(calling, [*calling[1:], first], strict=True)
    }
    flow[first] = {"type": "return", "output": draw(_constants)}
    flow[second] = {"type": "return", "output": draw(_constants)}
    flow[calling[-1]] = {
        **typing.cast("dict[str, object]", flow[calling[-1]]),
        "next": [{"to": second, "when": {"path": "result.way", "op": "eq", "value": 1}}, {"to": first}],
    }
    return {
        "tool_type": "graph",
        "permissions": ["*"],
        "config_schema": draw(_schemas),
        "config": {"start": calling[0], "state": {key: draw(_values) for key in state}, "nodes": flow},
    }


_ids: Final = st.lists(
    clashing_names.filter(lambda name: name not in ("-", "rye") and not set(name) & set(".\"\\' ")),
    min_size=1,
    max_size=2,
).map("/".join)
_values: Final[SearchStrategy[object]] = st.recursive(
    st.sampled_from([1, "x", True, None, 1.5]),
    lambda inner: st.dictionaries(clashing_names, inner, max_size=3) | st.lists(inner, max_size=2),
    max_leaves=5,
)
_constants: Final = st.dictionaries(clashing_names, _values, max_size=4)
_kinds: Final[SearchStrategy[object]] = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer"},
        {"enum": ["a", "b"]},
        {"type": ["string", "null"]},
        {"type": "string", "default": "x"},
    ]
)


def _of(kinds: SearchStrategy[object]) -> SearchStrategy[object]:
    properties = st.dictionaries(clashing_names, kinds, min_size=1, max_size=4)
    return properties.map(lambda each: {"type": "object", "properties": each})


_schemas: Final = _of(st.recursive(_kinds, _of, max_leaves=6))
