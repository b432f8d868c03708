"""A case of diagnostics as it lies on disk: files next to `expect.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CASE_FILE = "expect.json"
SEVERITIES = {"E": "error", "W": "warning", "N": "note"}


class BrokenCaseError(Exception):
    """The case itself cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class Expected:
    """One diagnostic that must be there; None is not compared. `file` is relative to the case's folder."""

    code: str
    severity: str
    line: int | None
    column: int | None
    file: str | None
    mentions: tuple[str, ...]
    suggests: str | None


@dataclass(frozen=True, slots=True)
class Case:
    """Arguments of `check`, and what comes of them. `alone`: no other error or warning is allowed."""

    args: tuple[str, ...]
    expected: tuple[Expected, ...]
    absent: frozenset[str]
    alone: bool


def read_case(folder: Path) -> Case:
    """The case in a folder. Raises `BrokenCaseError`."""
    try:
        data: object = json.loads((folder / CASE_FILE).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BrokenCaseError(f"the case cannot be read: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("diagnostics"), list):
        raise BrokenCaseError(f"{CASE_FILE} lists no diagnostics")
    if data.get("others") not in {"none", "any"}:
        raise BrokenCaseError(f"`others` is {data.get('others')!r}")
    return Case(
        args=tuple(str(argument) for argument in data.get("args") or ["."]),
        expected=tuple(_expected(entry) for entry in data["diagnostics"]),
        absent=frozenset(str(code) for code in data.get("absent") or []),
        alone=data["others"] == "none" or folder.name.startswith("clean-"),
    )


def _expected(entry: object) -> Expected:
    if not isinstance(entry, Mapping) or entry.get("severity") not in SEVERITIES:
        raise BrokenCaseError(f"no diagnostic: {entry!r}")
    return Expected(
        code=str(entry.get("code")),
        severity=SEVERITIES[str(entry["severity"])],
        line=_number(entry, "line"),
        column=None if entry.get("anchor_unsure") else _number(entry, "column"),
        file=_text(entry, "file"),
        mentions=tuple(str(text) for text in entry.get("mentions") or []),
        suggests=_text(entry, "suggests"),
    )


def _number(entry: Mapping[str, object], key: str) -> int | None:
    value = entry.get(key)
    if value is not None and not isinstance(value, int):
        raise BrokenCaseError(f"`{key}` is {value!r}")
    return value


def _text(entry: Mapping[str, object], key: str) -> str | None:
    value = entry.get(key)
    return None if value is None else str(value)
