"""Turns the tools that an MCP server lists into contracts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Final

from yaml.nodes import MappingNode

from graphwright.contract.manifest import Manifest
from graphwright.diagnostic import Json
from graphwright.pattern import pattern
from graphwright.record import Record
from graphwright.schema.references import reference_problems
from graphwright.schema.structure import problems
from graphwright.source.reader import read_bytes

#: The part of an id that a tool, or a prefix, can be.
_PART: Final = pattern(r"[\w-][\w.-]*")


class ListedTool(Record):
    """A tool as a server lists it. `result`: None if the server does not say what the tool returns."""

    name: str
    description: str
    params: Json
    result: Json


class UnusableToolError(Exception):
    """A tool cannot become a contract; the message says which one, and why."""


def is_valid_id(item_id: str) -> bool:
    """Whether a graph can call a tool by this id: letters, digits, `_`, `-` and `.`, and `/` between its parts."""
    return all(_PART.fullmatch(part) for part in item_id.split("/"))


def contracts_of(tools: Iterable[ListedTool], prefix: str, origin: str) -> Mapping[str, Manifest]:
    """The contracts of the tools of a server by id, which begins with `prefix` and a slash if there is one.

    Raises UnusableToolError.
    """
    found: dict[str, Manifest] = {}
    for tool in tools:
        item_id = f"{prefix}/{tool.name}" if prefix else tool.name
        if not is_valid_id(item_id):
            allowed = "an id has letters, digits, `_`, `-` and `.`, with `/` between its parts"
            raise UnusableToolError(f"the name of its tool `{tool.name}` is not a valid id: {allowed}")
        if item_id in found:
            raise UnusableToolError(f"it lists the tool `{tool.name}` twice")
        result = True if tool.result is None else tool.result
        for side, schema in (("input", tool.params), ("output", result)):
            problem = None if schema is True else _problem(schema)
            if problem is not None:
                raise UnusableToolError(f"the {side} schema of its tool `{tool.name}` cannot be used: {problem}")
        found[item_id] = Manifest(origin, tool.params, result, description=" ".join(tool.description.split()))
    return found


def _problem(schema: Json) -> str | None:
    """Why a schema cannot be that of params or of a result; None if it can."""
    source = read_bytes(json.dumps(schema, ensure_ascii=False).encode(errors="replace"), "")
    if not isinstance(source.root, MappingNode) or source.faults:
        return "it is not a mapping of keywords"
    found = (*problems(source, source.root), *reference_problems(source, source.root))
    return found[0].text if found else None
