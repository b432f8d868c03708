"""The short way of a call: flat params to a coroutine function, a flat result back.

Calls in a loop that matters are mostly of this kind, and every operation of Python counts there. A `Shortcut`
remembers the key of the params, and that of the result, where they had only one; while they are the same again, one
look at each value is the whole check. Other mappings are looked at key by key; what is not flat takes the long way
through `values.sent` and `envelope.received`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from graphwright_runtime.envelope import received
from graphwright_runtime.graph import Action
from graphwright_runtime.tooling import Plain
from graphwright_runtime.values import ATOMS, PLAIN, Params, Result, sent

if TYPE_CHECKING:
    from graphwright_runtime.branch import Branch

#: A tool, the only key of its last params, the only key of its last result (empty where there were more).
Shortcut: TypeAlias = tuple[Plain, str, str]


def outgoing(branch: Branch, action: Action, params: Params) -> Params:
    """The params as the tool gets them: as they are where they are flat; learns their only key."""
    for value in params.values():
        if type(value) not in PLAIN:
            if None in params.values():
                from graphwright_runtime.nulls import warn_params

                warn_params(branch, params)
            return cast("Params", sent(params))
    if len(params) == 1:
        tool, _, field = branch.shortcuts[action]
        [param] = params
        branch.shortcuts[action] = (tool, param, field)
    return params


def incoming(shortcuts: dict[Action, Shortcut], action: Action, result: object) -> Result:
    """The result as a node gets it (`envelope.received`); learns its only key."""
    if type(result) is not dict:
        return received(result)
    for key, value in result.items():  # keys first: one that is not a string may do anything when it is compared
        if type(value) not in ATOMS or type(key) is not str:
            return received(result)
    if "status" in result or "success" in result:
        return received(result)
    if len(result) == 1 and action in shortcuts:
        tool, param, _ = shortcuts[action]
        [field] = result
        shortcuts[action] = (tool, param, field)
    return result.copy()
