"""Checks the arguments of a run before it starts.

`tools` may contain ids that the graph does not call, because people use one mapping for several graphs. But an unused
id that is similar to a called id without a tool is a mistake: the project's tool with the called id would run instead.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from functools import lru_cache
from types import FunctionType
from typing import Final

from graphwright_runtime.graph import Action, AnyGraph, dynamic
from graphwright_runtime.host import Host
from graphwright_runtime.tooling import Tool, check_tools, is_coroutine_function

#: The minimum similarity of an id and its misspelling (1: equal).
_ALIKE: Final = 0.85

_METHODS: Final = ("now", "new_run_id", "random", "dispatch", "sleep", "commit", "cancel_requested")


def check_arguments(
    graph: AnyGraph,
    *,
    tools: Mapping[str, Tool],
    dispatch: object,
    capabilities: object,
    env: object,
    host: Host | None,
    project: object,
    run_id: object,
    resume: object,
    listener: object,
    **flags: object,
) -> None:
    """Raise TypeError for an argument of the wrong type, ValueError for ids in `tools` that are misspelled.

    `flags` are true or false.
    """
    expect("dispatch", dispatch, dispatch is None or callable(dispatch), "callable")
    expect("capabilities", capabilities, capabilities is None or are_texts(capabilities), "a sequence of patterns")
    expect("env", env, env is None or _is_environment(env), "a mapping of strings to strings")
    expect("project", project, project is None or isinstance(project, (str, os.PathLike)), "a string or a path")
    for name, value in (("run_id", run_id), ("resume", resume)):
        expect(name, value, value is None or isinstance(value, str), "a string")
    for name, value in flags.items():
        expect(name, value, isinstance(value, bool), "True or False")
    if host is not None:
        lacking = [name for name in _METHODS if isinstance(host, type) or not callable(getattr(host, name, None))]
        expect("host", host, not lacking, f"a host: an object with the methods {', '.join(_METHODS)}")
    if listener is not None and (not callable(listener) or is_coroutine_function(listener)):
        raise TypeError("on_event must be a plain function, because it is called and not awaited")
    check_tools(tools)
    _check_ids(graph, tools)


def expect(name: str, value: object, is_right: bool, wanted: str) -> None:
    """Raise TypeError if the value of an argument is not what is wanted."""
    if not is_right:
        given = value.__name__ if isinstance(value, type) else f"a value of type {type(value).__name__}"
        raise TypeError(f"{name} must be {wanted}, not {given}")


def are_texts(value: object) -> bool:
    """Whether a value is a collection of strings, and not a single string."""
    if not isinstance(value, Collection) or isinstance(value, (str, bytes, Mapping)):
        return False
    return all(isinstance(each, str) for each in value)


def _is_environment(value: object) -> bool:
    return value is os.environ or (
        isinstance(value, Mapping) and all(isinstance(each, str) for pair in value.items() for each in pair)
    )


def _check_ids(graph: AnyGraph, tools: Mapping[str, Tool]) -> None:
    called = _called(graph)
    absent = tuple(each for each in called if each not in tools)
    unused = tuple(each for each in tools if each not in called) if absent else ()
    if not unused or _has_dynamic_ids(graph):
        return
    for item_id, near in _misspelled(unused, absent):
        raise ValueError(f"tools[{item_id!r}]: {graph.id} does not call this tool; did you mean {near!r}?")


def _called(graph: AnyGraph) -> dict[str, None]:
    """The static ids that the graph calls."""
    hooks = [each.action for each in graph.hooks if isinstance(each.action, Action)]
    return {each.item_id: None for each in (*graph.actions, *hooks) if each.item_id is not None}


def _has_dynamic_ids(graph: AnyGraph) -> bool:
    """Whether some actions have ids that are only known during the run."""
    if any(callable(each.action) for each in graph.hooks):
        return True
    node = next(iter(graph.nodes.values()), None)  # all are functions of one module, which imports what it uses
    return isinstance(node, FunctionType) and any(each is dynamic for each in node.__globals__.values())


@lru_cache(maxsize=64)
def _misspelled(unused: tuple[str, ...], absent: tuple[str, ...]) -> list[tuple[str, str]]:
    """The unused ids that are similar to an absent one, with that one; not those that differ only in digits."""
    from difflib import get_close_matches

    pairs = []
    for item_id in unused:
        kept = _without_digits(item_id)
        others = [each for each in absent if _without_digits(each) != kept and abs(len(each) - len(item_id)) <= 2]
        folded = {_folded(each): each for each in others}
        near = get_close_matches(_folded(item_id), folded, n=1, cutoff=_ALIKE)
        pairs += [(item_id, folded[each]) for each in near]
    return pairs


def _folded(item_id: str) -> str:
    return item_id.casefold().replace("-", "_")


def _without_digits(item_id: str) -> str:
    return "".join(each for each in item_id if not each.isdigit())
