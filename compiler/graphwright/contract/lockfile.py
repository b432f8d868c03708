"""Lock files: the contracts of tools whose own source is not available.

`{"version": 1, "tools": {"team/fetch": {"params": …, "result": …, "env_requires": […], "description": "…"}}}`, with the
tools sorted by id and sorted keys, so that a changed contract changes only its own lines. One that was read from an MCP
server has its name as `server`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Final

from graphwright.contract.catalogue import KnownTool
from graphwright.contract.manifest import Manifest
from graphwright.diagnostic import Json

_VERSION: Final = 1
_KEYS: Final = frozenset({"params", "result", "env_requires", "description"})


def locked(tools: Iterable[KnownTool]) -> bytes:
    """The content of the file for these tools, without graphs and tools that come with the runtime."""
    return _text({"tools": {each.item_id: _entry(each) for each in tools if each.kind == "tool"}})


def locked_server(name: str, tools: Mapping[str, Manifest]) -> bytes:
    """The content of the file for the tools of an MCP server, by id."""
    return _text({"server": name, "tools": {item_id: _entry(each) for item_id, each in tools.items()}})


def server_of(data: bytes) -> str | None:
    """The name of the MCP server that a file was read from; None for any other file."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return None
    name = content.get("server") if isinstance(content, dict) else None
    return name if isinstance(name, str) else None


def _text(content: dict[str, Json]) -> bytes:
    text = json.dumps({**content, "version": _VERSION}, indent=2, sort_keys=True, ensure_ascii=False)
    return f"{text}\n".encode(errors="replace")


def _entry(tool: KnownTool | Manifest) -> Json:
    """The entry of a tool."""
    known: dict[str, Json] = {
        "params": tool.params,
        "result": tool.result,
        "env_requires": list[Json](sorted(tool.env_requires)),
        "description": tool.description,
    }
    return {key: value for key, value in known.items() if value is not True and value not in ([], "")}


def read_lock(data: bytes, origin: str) -> Mapping[str, Manifest]:
    """The contracts in a file, by id. Raises ValueError with the reason if it is not a lock file."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is not valid JSON: {error}") from error
    if not isinstance(content, dict) or not isinstance(content.get("tools"), dict):
        raise ValueError("it is not a lock file: write it with `graphwright contracts lock`")
    if content.get("version") != _VERSION:
        raise ValueError(f"its version is {content.get('version')!r}, but this graphwright reads version {_VERSION}")
    return {item_id: _manifest(entry, origin) for item_id, entry in content["tools"].items()}


def _manifest(entry: Json, origin: str) -> Manifest:
    if isinstance(entry, dict) and entry.keys() <= _KEYS:
        names, about = entry.get("env_requires", []), entry.get("description", "")
        if isinstance(names, list) and isinstance(about, str):
            env = tuple(name for name in names if isinstance(name, str))
            return Manifest(origin, entry.get("params", True), entry.get("result", True), env, about)
    raise ValueError("an entry is damaged: write it again with `graphwright contracts lock`")
