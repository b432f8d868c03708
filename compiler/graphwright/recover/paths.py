"""Suggestions for paths whose first name is unknown in their scope."""

from __future__ import annotations

import re

from yaml.nodes import ScalarNode

from graphwright.expr import nodes
from graphwright.expr.paths import written_path
from graphwright.language.events import EVENT_PARTS, NAMESPACES, RUN_FIELDS
from graphwright.language.nodes import DEFAULT_ITEM
from graphwright.pattern import pattern
from graphwright.recover.names import Names, Scope
from graphwright.suggest import nearest

_NAMESPACE_SYNONYMS = {
    "input": "inputs",
    "params": "inputs",
    "results": "result",
    "output": "result",
    "response": "result",
    "vars": "state",
    "ctx": "state",
    "context": "state",
    "now": "_now",
    "timestamp": "_timestamp",
    "run": "_run",
}
#: Common names for the item of a loop, and for the error that led to a node.
_ITEMS = frozenset({"item", "it", "element", "entry", "each", "row", "current"})
_ERRORS = frozenset({"error", "last_error", "_last_error"})
#: The same under the name that it has in other events, or elsewhere; the first that exists is meant.
_IN_OTHER_EVENTS = {
    "graph_id": ("_run.graph_id",),
    "graph_run_id": ("_run.id",),
    "run_id": ("graph_run_id", "_run.id"),
    "step_count": ("steps", "state.step_count"),
    "steps": ("step_count", "state.step_count"),
}
#: Where other languages keep the environment.
_ENVIRONMENTS = frozenset({"env", "environ", "secrets", "os"})
_VARIABLE = pattern(r"[A-Z][A-Z0-9_]*\Z")
#: Namespaces for the results of nodes in other languages.
_STEPS = frozenset({"nodes", "node", "steps", "step", "tasks", "jobs", "outputs"})


def likely_path(names: Names, path: nodes.Path, written: str, scope: Scope) -> str | None:
    """The complete path that was likely meant."""
    name, rest = path.name, written[len(path.name) :]
    namespaces = scope.namespaces
    if name == "_run":
        field = nearest(str(path.segments[0]), RUN_FIELDS) if path.segments else None
        return None if field is None else f"_run.{field}"
    if scope.event is not None:
        if name == "inputs":
            return f"state.inputs{rest}"
        near = nearest(name, namespaces)
        if near is not None:
            return near + rest
        if name in names.state_keys:
            return f"state.{name}{rest}"
        if not rest and name in _IN_OTHER_EVENTS:
            return next(each for each in _IN_OTHER_EVENTS[name] if each.partition(".")[0] in namespaces)
        shown = next((field for field, parts in EVENT_PARTS.items() if name in parts and field in namespaces), None)
        return None if shown is None else f"{shown}.{name}{rest}"
    if scope.variable is not None and rest.startswith(".") and nearest(name, [scope.variable]) is not None:
        return f"{scope.variable}{rest}"
    if name in names.state_keys:
        return f"state.{name}{rest}"
    if name in names.inputs:
        return f"inputs.{name}{rest}"
    elsewhere = _in_other_words(names, path, rest, scope) or _in_other_namespace(names, path, rest, scope)
    if elsewhere is not None:
        return elsewhere
    synonym = _NAMESPACE_SYNONYMS.get(name)
    if synonym in namespaces and (rest or synonym in ("_now", "_timestamp")):
        return f"{synonym}{rest}"
    near = nearest(name, namespaces)
    if near is not None and (rest or near not in NAMESPACES[:3]):
        return near + rest
    if scope.variable == DEFAULT_ITEM and rest:  # named here, but not with `as`
        return f"{DEFAULT_ITEM}{rest}"
    key = names.nearest_state_key(name)
    if key is not None:
        return written_path("state", key) + rest
    declared = names.nearest_input(name)
    if declared is not None:
        return written_path("inputs", declared) + rest
    return f"{DEFAULT_ITEM}{rest}" if scope.variable == DEFAULT_ITEM else None


def _in_other_words(names: Names, path: nodes.Path, rest: str, scope: Scope) -> str | None:
    """The equivalent of a path from another language: an item, the last error, the result of a node."""
    name, steps = path.name, path.segments
    if name in _ITEMS and scope.variable is not None:
        return f"{scope.variable}{rest}"
    if name in _ERRORS and scope.context != "over" and names.nearest_state_key(name) is None:
        return f"state._last_error{rest if rest in ('.error', '.node') else '.error'}"
    if returned_by(names, path) is not None:
        kept = next((str(step) for step in steps if step in names.state_keys), None)
        return None if kept is None else written_path("state", kept)
    return None


def _in_other_namespace(names: Names, path: nodes.Path, rest: str, scope: Scope) -> str | None:
    """A key or an input below a namespace that does not exist: `args.team`, `vars.total`."""
    first = path.segments[0] if path.segments and rest.startswith(".") else None
    if first in scope.namespaces:
        return rest[1:]
    namespace = next((each for each in ("inputs", "state") if first in names.under(each)), None)
    return None if namespace is None or nearest(path.name, scope.namespaces) is not None else f"{namespace}{rest}"


def returned_by(names: Names, path: nodes.Path) -> str | None:
    """The node whose result a path seems to mean: `fetch.rows`, `steps.fetch.outputs.rows`."""
    if path.name in names.nodes and path.segments:
        return path.name
    first = path.segments[0] if path.segments else None
    return str(first) if path.name in _STEPS and first in names.nodes else None


def set_by_the_shell(path: nodes.Path, at: ScalarNode | None) -> bool:
    """Whether the text around a name is a command that sets a variable with that name."""
    if at is None or path.segments:
        return False
    name = re.escape(path.name)
    return bool(re.search(rf"\b(?:for|read|local|export)\s+(?:-\w+\s+)*{name}\b|(?:^|[\s;(]){name}=", at.value))


def environment_variable(path: nodes.Path) -> str | None:
    """The variable of the environment that a path seems to mean: `HOME`, `env.HOME`."""
    if path.name in _ENVIRONMENTS and path.segments:
        return str(path.segments[-1])
    return path.name if not path.segments and _VARIABLE.match(path.name) else None
