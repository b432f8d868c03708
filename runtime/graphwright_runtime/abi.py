"""The complete list of names that emitted modules may import.

A module declares the ABI that it was compiled for (`Graph(abi=…)`); importing it fails if the number differs.

A node function of a module takes a `Cursor`, performs its `Action` with `Cursor.call` (a foreach: `Cursor.each`),
computes with the functions for JSON values below, commits one delta and returns the name of the next node. `GRAPH` is a
`Graph` record; `run` and `run_sync` are its methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphwright_runtime.checks import Problems, accepts, check_with_jsonschema, misfit, schema_pattern
from graphwright_runtime.comparisons import (
    contains,
    equal,
    exists,
    greater,
    greater_equal,
    is_in,
    less,
    less_equal,
    matches,
    pattern,
)
from graphwright_runtime.context import Context
from graphwright_runtime.cursor import Cursor
from graphwright_runtime.errors import NodeError
from graphwright_runtime.events import Event
from graphwright_runtime.execute import Graph, RunnableGraph, execute, execute_sync
from graphwright_runtime.expressions import (
    add,
    coalesce,
    divide,
    is_number,
    mapping,
    modulo,
    multiply,
    negate,
    sequence,
    subtract,
    text,
)
from graphwright_runtime.formats import has_format
from graphwright_runtime.graph import Action, Control, Hook, Retry, dynamic
from graphwright_runtime.hookcontext import EventContext
from graphwright_runtime.host import Durability, Host
from graphwright_runtime.keywords import is_integer, is_list, is_mapping, json_equal, multiple_of, unique
from graphwright_runtime.paths import at
from graphwright_runtime.pipes import (
    default,
    first,
    from_json,
    keys,
    last,
    length,
    lines,
    lower,
    quote,
    to_float,
    to_int,
    to_json,
    to_str,
    trim,
    upper,
)
from graphwright_runtime.result import Failed, RunResult
from graphwright_runtime.tooling import AwaitableOrValue, Call, Dispatch, Tool
from graphwright_runtime.typeforms import TypedDict
from graphwright_runtime.values import Json, Params, Result
from graphwright_runtime.version import ABI

__all__ = (
    "ABI",
    "Action",
    "AwaitableOrValue",
    "Call",
    "Context",
    "Control",
    "Cursor",
    "Dispatch",
    "Durability",
    "Event",
    "EventContext",
    "Failed",
    "Graph",
    "Hook",
    "Host",
    "Json",
    "NodeError",
    "Params",
    "Problems",
    "Result",
    "Retry",
    "RunResult",
    "RunnableGraph",
    "Tool",
    "TypedDict",
    "accepts",
    "add",
    "at",
    "check_with_jsonschema",
    "coalesce",
    "contains",
    "default",
    "divide",
    "dynamic",
    "equal",
    "execute",
    "execute_sync",
    "exists",
    "first",
    "from_json",
    "greater",
    "greater_equal",
    "has_format",
    "is_in",
    "is_integer",
    "is_list",
    "is_mapping",
    "is_number",
    "json_equal",
    "keys",
    "last",
    "length",
    "less",
    "less_equal",
    "lines",
    "lower",
    "mapping",
    "matches",
    "misfit",
    "modulo",
    "multiple_of",
    "multiply",
    "negate",
    "pattern",
    "quote",
    "schema_pattern",
    "sequence",
    "subtract",
    "text",
    "to_float",
    "to_int",
    "to_json",
    "to_str",
    "trim",
    "unique",
    "upper",
)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        raise ImportError(
            f"this graphwright-runtime has ABI {ABI} without `{name}`: a module that needs it was compiled for another "
            f"runtime; rebuild it with the matching graphwright"
        )
