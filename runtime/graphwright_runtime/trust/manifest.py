"""The signed list of the modules of a package: `graphwright.manifest` in its top folder.

A module's own signature says that it is genuine; the manifest says that it is the one that belongs here, now. So a
module that was taken away, added, put in another's place or replaced by its older self is found.

Below the signature line stands JSON with one module a line, in the order of their paths, so that a merge conflict is
one line; `graphwright build` mends it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from graphwright_runtime.trust.header import digest, split
from graphwright_runtime.trust.layout import layout_free

#: The manifest's name in the package's top folder.
MANIFEST = "graphwright.manifest"
_FORMAT = 1


class ManifestError(ValueError):
    """Text that is no manifest."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One module: the sha256 of what its signature covers, its `layout_free` digest, its graph's id.

    `graph` is empty for an `__init__.py`. `seal` tells its signature line from any other, so that whoever has verified
    the manifest need not verify the lines of modules that are all as they were.
    """

    sha256: str
    layout: str
    graph: str = ""
    seal: str = ""

    @classmethod
    def of(cls, module: bytes, graph: str = "") -> Entry:
        """The entry for a module, given as its whole file."""
        header, body = split("module", module)
        return cls(digest(body), layout_free(body), graph, "" if header is None else seal_of(header.line()))


@dataclass(frozen=True, slots=True)
class Manifest:
    """`modules` by their path below the package, with `/`; `tools`: the sha256 of tool files, as built with, by id."""

    modules: Mapping[str, Entry] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)

    def has_below(self, folder: str) -> bool:
        """Whether a module lies in the folder of this path."""
        return any(path.startswith(folder + "/") for path in self.modules)


def seal_of(line: bytes) -> str:
    """What tells a signature line from any other, in 16 hexadecimal digits."""
    return digest(line)[:16]


def render(modules: Mapping[str, Entry], tools: Mapping[str, str] | None = None) -> bytes:
    """The manifest's text, without its signature line: the same bytes for the same modules and tools."""
    lines = [f"{json.dumps(path)}: {json.dumps(_table(entry))}" for path, entry in sorted(modules.items())]
    pins = [f"{json.dumps(item_id)}: {json.dumps(pin)}" for item_id, pin in sorted((tools or {}).items())]
    text = f'{{"version": {_FORMAT}, "modules": {{\n{_lines(lines)}}}, "tools": {{\n{_lines(pins)}}}}}\n'
    return text.encode()


def _table(entry: Entry) -> dict[str, str]:
    return {"graph": entry.graph, "sha256": entry.sha256, "seal": entry.seal, "layout": entry.layout}


def _entry(table: Mapping[str, str]) -> Entry:
    return Entry(table["sha256"], table["layout"], table["graph"], table["seal"])


def _lines(items: list[str]) -> str:
    return "".join(f"{item}{',' if at < len(items) else ''}\n" for at, item in enumerate(items, 1))


def parse(body: bytes) -> Manifest:
    """A manifest from its text below the signature line. Raises ManifestError."""
    try:
        table = json.loads(body)
        if not isinstance(table, dict) or table.get("version") != _FORMAT:
            raise ValueError(f"its version is not {_FORMAT}")
        modules = {str(path): _entry(entry) for path, entry in table["modules"].items()}
        tools = {str(item_id): str(pin) for item_id, pin in table["tools"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ManifestError(f"it is no manifest of modules: {error}") from error
    return Manifest(modules, tools)
