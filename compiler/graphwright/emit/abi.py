"""The names that an emitted module may import, and where from.

The list of `graphwright_runtime.abi` as the compiler knows it: the compiler never imports the runtime, a test
compares the two. The standard library's part is as short as it can be.
"""

from __future__ import annotations

from typing import Final

from graphwright.language.operators import OPERATORS
from graphwright.language.pipes import PIPES

#: The version of the boundary; a module says which one it was built for.
ABI: Final = 1

RUNTIME: Final = "graphwright_runtime.abi"

#: Types and classes.
CLASSES: Final = (
    "Action",
    "AwaitableOrValue",
    "Control",
    "Cursor",
    "Dispatch",
    "EventContext",
    "Failed",
    "Graph",
    "Hook",
    "Json",
    "NodeError",
    "Params",
    "Problems",
    "Result",
    "Retry",
    "RunResult",
    "RunnableGraph",
    "TypedDict",
)

#: What pipes and operators are, by the language's own tables.
OPERATIONS: Final = tuple(
    sorted({*(each.function for each in PIPES.values()), *(each.function for each in OPERATORS.values())})
)

#: What else expressions and validators are made of.
FUNCTIONS: Final = (
    *OPERATIONS,
    "accepts",
    "add",
    "at",
    "check_with_jsonschema",
    "divide",
    "dynamic",
    "has_format",
    "is_integer",
    "is_list",
    "is_mapping",
    "is_number",
    "json_equal",
    "mapping",
    "misfit",
    "modulo",
    "multiple_of",
    "multiply",
    "negate",
    "pattern",
    "schema_pattern",
    "sequence",
    "subtract",
    "text",
    "unique",
)

#: Module of the standard library -> what may come from it.
STANDARD: Final = {
    "__future__": ("annotations",),
    "collections.abc": ("Mapping",),
    "typing": ("TYPE_CHECKING", "Final", "Literal", "NotRequired", "Protocol", "TypeAlias"),
}

#: Everything that may be imported, by module.
IMPORTABLE: Final = {**STANDARD, RUNTIME: (*CLASSES, *FUNCTIONS)}
