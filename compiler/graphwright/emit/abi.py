"""The names that an emitted module may import, by module.

This is the compiler's copy of the list in `graphwright_runtime.abi`, because the compiler does not import the runtime;
a test compares them. Only a minimum is imported from the standard library.
"""

from __future__ import annotations

from typing import Final

from graphwright.language.operators import OPERATORS
from graphwright.language.pipes import PIPES

#: The version of the ABI that emitted modules declare.
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

#: The functions of pipes and operators, from the tables of the language.
OPERATIONS: Final = tuple(
    sorted({*(each.function for each in PIPES.values()), *(each.function for each in OPERATORS.values())})
)

#: Other functions in expressions and validators.
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

#: The names from modules of the standard library.
STANDARD: Final = {
    "__future__": ("annotations",),
    "collections.abc": ("Mapping",),
    "typing": ("TYPE_CHECKING", "Final", "Literal", "NotRequired", "Protocol", "TypeAlias"),
}

#: All names that may be imported, by module.
IMPORTABLE: Final = {**STANDARD, RUNTIME: (*CLASSES, *FUNCTIONS)}
