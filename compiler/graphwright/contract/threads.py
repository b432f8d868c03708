"""The params and results of tools that start, watch and stop threads.

They depend on the call: a thread that is started in the background returns immediately, and each operation of the
orchestrator has its own params and results.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from graphwright import ir
from graphwright.analysis.jsontype import (
    ANY,
    BOOLEAN,
    INTEGER,
    NEVER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Field,
    Type,
    join,
    list_of,
    named_by,
    object_of,
    one_of,
)
from graphwright.analysis.tools import BACKGROUND, Contract
from graphwright.ir.visit import given
from graphwright.language.keys import LIMITS
from graphwright.language.words import ORCHESTRATOR, SPAWN
from graphwright.suggest import nearest

if TYPE_CHECKING:
    from graphwright.contract.directives import Directives

THREAD: Final = "rye/agent/threads/thread_directive"

#: The params that can name the directive of a thread; the first is preferred.
NAMES: Final = ("directive_name", "directive_id", "directive")

#: The param with the inputs of the directive.
INPUTS_PARAM: Final = "inputs"
#: The param with the limits of a thread, and the valid limits.
LIMITS_PARAM: Final = "limit_overrides"
LIMIT_NAMES: Final = LIMITS.keys

_LIMITS: Final = object_of({name: Field(INTEGER if LIMITS[name].whole else NUMBER, False) for name in LIMIT_NAMES})
_STARTED: Final = object_of({"thread_id": Field(STRING, True), "status": Field(STRING, True)}, others=ANY)
_ENDED: Final = object_of(
    {
        "thread_id": Field(STRING, True),
        "status": Field(STRING, True),
        "outputs": Field(OBJECT, False),
        "result": Field(ANY, False),
        "cost": Field(ANY, False),
        "continuation_thread_id": Field(STRING, False),
        "error": Field(ANY, False),
        "success": Field(BOOLEAN, False),
    },
    others=ANY,
)

_IDS: Final = Field(list_of(STRING), True)
_ID: Final = Field(STRING, True)
_STANDING: Final = object_of(
    {
        "run_id": Field(STRING, True),
        "graph_id": Field(join(STRING, NULL), True),
        "alive": Field(BOOLEAN, True),
        "pid": Field(join(INTEGER, NULL), True),
        "status": Field(STRING, True),
        "current_node": Field(join(STRING, NULL), True),
        "step": Field(INTEGER, True),
        "progress": Field(ANY, True),
    }
)
_FINISHED: Final = object_of(
    {"status": Field(STRING, True), **dict.fromkeys(("result", "outputs", "cost", "error"), Field(ANY, False))}
)
_THOSE: Final = Field(list_of(STRING), True)
_WAITED: Final = object_of({"results": Field(named_by(_FINISHED), True), "timed_out": _THOSE, "running": _THOSE})
_RACED: Final = object_of(
    {
        "winner": Field(join(STRING, NULL), True),
        "winner_status": Field(join(STRING, NULL), True),
        "result": Field(ANY, True),
        "cancelled": Field(list_of(STRING), True),
    }
)

_NULLABLE: Final = Field(join(STRING, NULL), True)
_ROW: Final = object_of(
    {
        **dict.fromkeys(("thread_id", "status"), _ID),
        **dict.fromkeys(("directive", "parent_id"), _NULLABLE),
        "pid": Field(join(INTEGER, NULL), True),
        **dict.fromkeys(("created_at", "updated_at"), Field(join(NUMBER, NULL), True)),
    },
    others=ANY,
)
_ROWS: Final = Field(list_of(_ROW), True)
_RESULT: Final = object_of({**_FINISHED.field_map, "thread_id": _ID})
_MATCH: Final = object_of({"thread_id": _ID, "line": Field(INTEGER, True), "text": Field(STRING, True)})
_TASK: Final = object_of({"item_id": Field(STRING, True), "params": Field(OBJECT, False)})

#: The params and the result of each operation.
_OPERATIONS: Final[dict[str, tuple[dict[str, Field], Type]]] = {
    SPAWN: ({"tasks": Field(list_of(_TASK), True)}, object_of({"thread_ids": _THOSE})),
    "yield": (
        {"seconds": Field(NUMBER, False), "progress": Field(ANY, False)},
        object_of({"over": _THOSE, "running": _THOSE}),
    ),
    "wait_threads": (
        {"thread_ids": _IDS, "timeout": Field(NUMBER, False), "count": Field(INTEGER, False)},
        _WAITED,
    ),
    "race": ({"thread_ids": _IDS, "timeout": Field(NUMBER, False)}, _RACED),
    "list_active": ({}, object_of({"threads": _ROWS})),
    "get_status": ({"thread_id": _ID}, _STANDING),
    "status": ({"thread_id": _ID}, _STANDING),
    "list_children": ({"thread_id": Field(STRING, False)}, object_of({"children": _ROWS})),
    "aggregate_results": ({"thread_ids": _IDS}, object_of({"results": Field(list_of(_RESULT), True)})),
    "cancel_thread": ({"thread_id": _ID}, object_of({"thread_id": _ID, "requested": Field(BOOLEAN, True)})),
    "steer_thread": (
        {"thread_id": _ID, "message": Field(STRING, True)},
        object_of({"thread_id": _ID, "messages": Field(INTEGER, True)}),
    ),
    "kill_thread": ({"thread_id": _ID}, _STANDING),
    "get_chain": ({"thread_id": _ID}, object_of({"chain": _ROWS})),
    "chain_search": (
        {"thread_id": _ID, "query": Field(STRING, True)},
        object_of({"matches": Field(list_of(_MATCH), True)}),
    ),
    "read_transcript": (
        {"thread_id": _ID, "tail_lines": Field(INTEGER, False)},
        object_of({"thread_id": _ID, "transcript": Field(STRING, True), "lines": Field(INTEGER, True)}),
    ),
}


def thread_contract(item_id: str, action: ir.Action, directives: Directives) -> Contract | None:
    """The contract of a call of a thread tool; None if the item is not one of them, or its params are unknown."""
    if given(action) is None:
        return None
    if item_id == THREAD:
        return _thread_contract(action, directives)
    if item_id == ORCHESTRATOR:
        return _orchestrator(_literal((given(action) or {}).get("operation")))
    return None


# --- thread_directive ---------------------------------------------------------------------------------------------


def named_directive(action: ir.Action) -> tuple[str, str] | None:
    """The param that names the directive of a thread, and its id without a prefix; None if it is not a literal."""
    passed = given(action) or {}
    names = [name for name in NAMES if passed.get(name, ir.Const(None)) != ir.Const(None)]
    item_id = _literal(passed[names[0]]) if len(names) == 1 else None
    return None if item_id is None else (names[0], item_id.removeprefix("directive:"))


def _thread_contract(action: ir.Action, directives: Directives) -> Contract:
    passed = given(action) or {}
    named = tuple(name for name in NAMES if passed.get(name, ir.Const(None)) != ir.Const(None)) or _misnamed(passed)
    directive = named_directive(action)
    declared = None if directive is None else directives(directive[1])
    return _thread(named, action.async_exec, None if declared is None else declared.outputs)


def _misnamed(passed: Mapping[str, ir.Value]) -> tuple[str]:
    """The param that should name the directive: the one that a misspelled param is most similar to."""
    found = (nearest(name, NAMES) for name in passed if name not in (LIMITS_PARAM, INPUTS_PARAM, *BACKGROUND))
    return (next((name for name in found if name is not None), NAMES[0]),)


@lru_cache(maxsize=256)
def _thread(named: tuple[str, ...], background: bool, outputs: Type | None) -> Contract:
    """The contract of a call that names its directive with these params; `background`: it certainly does not wait.

    `inputs` are checked against the declaration of the directive, not here.
    """
    params = {
        **{name: Field(STRING, True) for name in named},
        INPUTS_PARAM: Field(OBJECT, False),
        LIMITS_PARAM: Field(_LIMITS, False),
        **{name: Field(BOOLEAN, False) for name in BACKGROUND},
    }
    result = _STARTED
    if not background:
        result = _ENDED if outputs is None else _with(_ENDED, outputs=Field(outputs, False))
    return Contract(object_of(params, others=ANY), result)


def _with(kind: Type, **fields: Field) -> Type:
    return object_of({**kind.field_map, **fields}, others=ANY)


# --- orchestrator -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _orchestrator(operation: str | None) -> Contract:
    """The contract of an operation; for a misspelled one, that of the nearest. None: only known at run time."""
    known = operation if operation is None or operation in _OPERATIONS else nearest(operation, _OPERATIONS)
    params, result = _OPERATIONS[known] if known is not None else (_any_params(), OBJECT)
    fields = {**params, "operation": Field(one_of(_OPERATIONS), True)}
    return Contract(object_of(fields, others=NEVER if known is not None else ANY), result)


def _any_params() -> dict[str, Field]:
    """The params of all operations, none of them required."""
    return {name: Field(field.type, False) for params, _ in _OPERATIONS.values() for name, field in params.items()}


def _literal(value: ir.Value | None) -> str | None:
    """A literal string; None for anything else."""
    return value.value if isinstance(value, ir.Const) and isinstance(value.value, str) else None
