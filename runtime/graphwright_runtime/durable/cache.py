"""Caches the results of nodes with `cache_result` across runs, by a key of the call, the tool and the configuration.

An entry is signed and refers to the result, an object named by its hash. A damaged entry, or one from an unknown key,
is a cache miss.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, cast

from graphwright_runtime.content import content_of
from graphwright_runtime.durable.canonical import canonical
from graphwright_runtime.durable.layout import cache_folder, replace_file
from graphwright_runtime.durable.objects import Objects
from graphwright_runtime.durable.runkey import known_key
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.log import logger
from graphwright_runtime.trust.signing import Signer, from_text, to_text
from graphwright_runtime.values import Json, Result

log: Final = logger(__name__)

#: Files of a project that can change what a tool does, in addition to the tool itself.
_CONFIGURATION = ("pyproject.toml", "graphwright.toml", ".graphwright/errors.toml", ".graphwright/hooks.yaml")

#: Maximum size of an entry in bytes.
_LONGEST: Final = 1 << 16


class Entry(NamedTuple):
    """The cache entry of one call, which may not exist yet."""

    file: Path
    key: str
    objects: Objects
    signer: Signer
    project: Path

    def get(self) -> Result | None:
        """The cached result; None if there is no valid one."""
        try:
            entry = cast("dict[str, str]", json.loads(content_of(self.file, _LONGEST)))
            name, key_id, signature = entry["node_result_hash"], entry["key_id"], from_text(entry["signature"])
            if not known_key(key_id, self.project, self.file).verify("cache", _signed(self.key, name), signature):
                return None
            found = self.objects.get(name)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RefusedError):
            return None
        return found if isinstance(found, dict) else None

    def put(self, result: Result) -> None:
        """Store a result. Logs a warning if that fails."""
        try:
            name = self.objects.put(result)
            signature = to_text(self.signer.sign("cache", _signed(self.key, name)))
            entry = {"node_result_hash": name, "key_id": self.signer.key.id, "signature": signature}
            replace_file(self.file, canonical(entry))
        except (OSError, ValueError) as error:
            log.warning("a result cannot be kept in %s: %s", self.file.parent, error)


class ResultCache:
    """The cached results of a project."""

    def __init__(self, project: Path, signer: Signer) -> None:
        self._project = project
        self._signer = signer
        self._objects = Objects(project)
        self._configuration: str | None = None

    def entry(self, call: Mapping[str, Json], tool: str) -> Entry:
        """The entry for a call (graph, node, action with its params) of a tool with this digest.

        Raises ValueError if the params cannot be written as JSON.
        """
        if self._configuration is None:
            self._configuration = _configuration(self._project)
        whole = {**call, "tool": tool, "configuration": self._configuration}
        key = hashlib.sha256(canonical(whole)).hexdigest()
        return Entry(cache_folder(self._project) / f"{key}.json", key, self._objects, self._signer, self._project)


def entries(project: Path) -> Iterator[Path]:
    """The files of all entries, sorted by name."""
    return iter(sorted(cache_folder(project).glob("*.json")))


def clear(project: Path) -> int:
    """Delete all entries, and return their number. Raises OSError."""
    found = list(entries(project))
    for file in found:
        file.unlink(missing_ok=True)
    return len(found)


def _signed(key: str, name: str) -> bytes:
    return f"{key}\n{name}".encode()


def _configuration(project: Path) -> str:
    """The digest of a project's configuration."""
    digest = hashlib.sha256()
    for name in _CONFIGURATION:
        try:
            data = content_of(project / name)
        except OSError:
            continue
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()
