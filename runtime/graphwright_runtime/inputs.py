"""The inputs of a run: a checked copy with its defaults filled in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from graphwright_runtime.checks import Problems
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.toolerror import failed
from graphwright_runtime.values import NotJsonError, json_copy


def prepared(graph: AnyGraph, inputs: object) -> tuple[dict[str, object], list[str]]:
    """A copy of `inputs` with defaults, and what is wrong with it (each a line that names the input)."""
    if not isinstance(inputs, Mapping):
        return {}, [f"inputs are a mapping, not {type(inputs).__name__}"]
    try:
        copy = cast("dict[str, object]", json_copy(dict(inputs)))
    except NotJsonError as error:
        return {}, [f"inputs are not JSON: {error}"]
    except Exception as error:  # a mapping of another make
        return {}, [f"inputs cannot be read: {type(error).__name__}: {failed(error)}"]
    problems = Problems()
    if graph.validate is not None:
        graph.validate(copy, problems)
    return copy, problems.found
