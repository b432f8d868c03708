"""The fast path of a call: flat params to a coroutine function, and a flat result.

Most calls in hot loops are of this kind. A `Shortcut` caches the keys of params and results with a single entry; while
they are the same, only the type of each value is checked. Other mappings are checked key by key, and nested ones
take the slow path through `values.sent` and `envelope.received`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from graphwright_runtime.envelope import received
from graphwright_runtime.graph import Action
from graphwright_runtime.tooling import Plain
from graphwright_runtime.values import ATOMS, PLAIN, Params, Result, sent

if TYPE_CHECKING:
    from graphwright_runtime.branch import Branch

#: A tool, and the only keys of its last params and last result (empty if there were several).
Shortcut: TypeAlias = tuple[Plain, str, str]


def outgoing(branch: Branch, action: Action, params: Params) -> Params:
    """The params for the tool, unchanged if they are flat; caches their key if it is the only one."""
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
    """The result for the node (see `envelope.received`); caches its key if it is the only one."""
    if type(result) is not dict:
        return received(result)
    for key, value in result.items():  # check keys first: comparing a key that is not a string may run foreign code
        if type(value) not in ATOMS or type(key) is not str:
            return received(result)
    if "status" in result or "success" in result:
        return received(result)
    if len(result) == 1 and action in shortcuts:
        tool, param, _ = shortcuts[action]
        [field] = result
        shortcuts[action] = (tool, param, field)
    return result.copy()
