"""Values and conditions: templates as typed operations over known namespaces, in modern spelling.

Values are immutable and contain offsets relative to their own scalar, so equal strings share one value.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

import yaml

from graphwright.diagnostic import Json as Json
from graphwright.expr.nodes import Segment
from graphwright.record import Record


class Root(Enum):
    """Where a path starts."""

    STATE = "state"
    INPUTS = "inputs"
    RESULT = "result"
    ITEM = "item"  # the variable of the enclosing foreach
    NOW = "_now"
    TIMESTAMP = "_timestamp"
    RUN = "_run"  # path[0] is "id", "graph_id" or "step"
    EVENT = "event"  # in hooks: path[0] is a key of the event's context (also "state", "inputs", "result")
    UNKNOWN = "?"  # a namespace that does not exist; reported (GW402, GW404, GW305), never emitted


# --- values ------------------------------------------------------------------------------------------------


class Const(Record):
    """A JSON literal, at any depth."""

    value: Json


class Read(Record):
    """A path. `state.inputs.x` is lowered to INPUTS. `written` is the path as the author spelled it.

    `start`/`end`: offsets within the scalar of the enclosing `Template` (or `Compare.left_at`).
    """

    root: Root
    path: tuple[Segment, ...]
    written: str
    start: int
    end: int


class Text(Record):
    """A mixed string: parts joined as text, null as nothing (language.md §4)."""

    parts: tuple[str | Value, ...]


class FirstOf(Record):
    """`a || b`."""

    operands: tuple[Value, ...]


class Operation(Record):
    """`+ b`; the offsets are those of everything up to `b`, which is the chain that it completes."""

    operator: str
    operand: Value
    start: int
    end: int


class Arithmetic(Record):
    """`a + b - c`: one or more operations, from left to right, each on the result of what precedes it."""

    first: Value
    operations: tuple[Operation, ...]


class Negative(Record):
    """`-a`."""

    operand: Value
    start: int
    end: int


class Pipe(Record):
    """`operand | name(arguments)`; skipped on null, except `default`. The offsets are those of the name."""

    name: str
    operand: Value
    arguments: tuple[Value, ...]
    start: int
    end: int


class ListOf(Record):
    """A list with at least one item that is not a constant (in YAML or in an expression)."""

    items: tuple[Value, ...]


class MapOf(Record):
    """A YAML mapping with at least one value that is not a constant. Keys are plain strings."""

    entries: tuple[tuple[str, Value], ...]


class Template(Record):
    """A scalar with at least one `${…}`; every offset below it refers to that scalar's decoded text.

    `value` is the expression of a whole-string template, or a `Text`.
    """

    at: yaml.ScalarNode
    value: Value


Value: TypeAlias = Const | Read | Text | FirstOf | Arithmetic | Negative | Pipe | ListOf | MapOf | Template


# --- conditions --------------------------------------------------------------------------------------------


class Compare(Record):
    """`{path, op, value}`. `op` is a modern spelling (`eq ne gt gte lt lte in contains regex exists`).

    `at`: the condition's mapping; `left_at`: the scalar of `path`, which the offsets of `left` refer to; `right_at`:
    the YAML node of `value`, or None (`exists`). `right` of `exists` is Const(True).
    """

    op: str
    left: Read
    right: Value
    at: yaml.MappingNode
    left_at: yaml.ScalarNode
    right_at: yaml.Node | None


class AnyOf(Record):
    """`any: [...]`; false when empty."""

    conditions: tuple[Condition, ...]
    at: yaml.MappingNode


class AllOf(Record):
    """`all: [...]`; true when empty."""

    conditions: tuple[Condition, ...]
    at: yaml.MappingNode


class Not(Record):
    """`not: {...}`."""

    condition: Condition
    at: yaml.MappingNode


Condition: TypeAlias = Compare | AnyOf | AllOf | Not
