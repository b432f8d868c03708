"""Validates the inputs of a run and fills in defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from graphwright_runtime.checks import Problems
from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.log import logger
from graphwright_runtime.patterns.allowance import shared
from graphwright_runtime.toolerror import failed
from graphwright_runtime.values import NotJsonError, json_copy

log: Final = logger(__name__)


def prepared(graph: AnyGraph, inputs: object) -> tuple[dict[str, object], list[str]]:
    """A copy of `inputs` with defaults, and its problems (each a line that names the input)."""
    if not isinstance(inputs, Mapping):
        return {}, [f"inputs must be a mapping, not {type(inputs).__name__}"]
    try:
        copy = cast("dict[str, object]", json_copy(dict(inputs)))
    except NotJsonError as error:
        return {}, [f"inputs are not JSON: {error}"]
    except Exception as error:  # raised by a mapping that is not a dict
        return {}, [f"inputs cannot be read: {type(error).__name__}: {failed(error)}"]
    problems = Problems()
    if graph.validate is not None:
        try:
            with shared():
                graph.validate(copy, problems)
        except NodeError as error:  # a pattern that takes too long
            problems.found.append(str(error))
        except RecursionError:
            problems("", "inputs are nested too deeply to be validated")
    if graph.declared is not None and not problems.found:
        _warn_of_unknown(graph.id, copy, graph.declared)
    return copy, problems.found


def _warn_of_unknown(graph_id: str, names: Iterable[str], declared: Sequence[str]) -> None:
    """Log a warning for each input that the graph does not declare; it is passed anyway."""
    for name in names:
        if name not in declared:
            from difflib import get_close_matches

            near = get_close_matches(name, declared, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            log.warning("%s does not declare an input %r%s", graph_id, name, hint)
