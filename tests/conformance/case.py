"""A conformance case as it lies on disk: `graph.yaml` next to `case.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.script import Script

CASE_FILE = "case.json"
GRAPH_FILE = "graph.yaml"


class BrokenCaseError(Exception):
    """The case itself cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class Case:
    """What to run and what must come out. `capabilities` None: the caller passes none."""

    graph: str
    inputs: Mapping[str, object]
    env: Mapping[str, str]
    capabilities: list[str] | None
    script: Script
    expect: Mapping[str, object]


def read_case(folder: Path) -> Case:
    """The case in a folder. Raises `BrokenCaseError`."""
    try:
        data: object = json.loads((folder / CASE_FILE).read_text("utf-8"))
        graph = (folder / GRAPH_FILE).read_bytes().decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise BrokenCaseError(f"the case cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise BrokenCaseError(f"{CASE_FILE} holds no mapping")
    expect = data.get("expect")
    if not isinstance(expect, dict) or not expect:
        raise BrokenCaseError(f"{CASE_FILE} expects nothing")
    capabilities = data.get("capabilities")
    return Case(
        graph=graph,
        inputs=_mapping(data, "inputs"),
        env={name: str(value) for name, value in _mapping(data, "env").items()},
        capabilities=None if capabilities is None else [str(pattern) for pattern in _list(capabilities)],
        script=Script(_mapping(data, "tools")),
        expect=expect,
    )


def _mapping(data: Mapping[str, object], key: str) -> dict[str, object]:
    value = data.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BrokenCaseError(f"`{key}` is no mapping")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise BrokenCaseError("`capabilities` is no list")
    return value
