"""Runs `graphwright check` on a copy of a case, in this process, and compares."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from commands import graphwright
from static_cases.case import CASE_FILE, Case, Expected, read_case


@dataclass(frozen=True, slots=True)
class Found:
    """What the comparison needs of a reported diagnostic."""

    code: str
    severity: str
    path: str
    line: int
    column: int
    text: str
    help: str
    replacements: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.severity} {self.code} at {self.path}:{self.line}:{self.column} ({self.text})"


def judge(folder: Path) -> str | None:
    """The first difference between what a case expects and what `check` reports; None where there is none."""
    case = read_case(folder)
    with _copied(folder) as copy, contextlib.chdir(copy):
        return _compare(case, _check(case.args))


@contextlib.contextmanager
def _copied(folder: Path) -> Iterator[Path]:
    """A copy elsewhere: no configuration or ignore file above the case, and nothing written into it."""
    with tempfile.TemporaryDirectory(prefix="case-") as space:
        copy = Path(space, "case")
        shutil.copytree(folder, copy, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns(CASE_FILE))
        for inside in (copy, *copy.rglob("*")):
            inside.chmod(0o755 if inside.is_dir() else 0o644)
        yield copy


def _check(args: tuple[str, ...]) -> list[Found]:
    outcome = graphwright("check", "--format", "json", *args)
    if outcome.code not in {0, 1, 2}:
        raise RuntimeError(f"exit code {outcome.code}: {outcome.stderr}")
    try:
        report = json.loads(outcome.stdout)
    except ValueError as error:
        raise RuntimeError(
            f"no JSON on standard output, but {outcome.stdout[:200]!r} and {outcome.stderr[:200]!r}"
        ) from error
    return [_found(entry) for entry in report["diagnostics"]]


def _found(entry: dict[str, object]) -> Found:
    fix = entry.get("fix")
    edits = fix["edits"] if isinstance(fix, dict) else []
    return Found(
        code=str(entry["code"]),
        severity=str(entry["severity"]),
        path=str(entry["path"]),
        line=int(str(entry["line"])),
        column=int(str(entry["column"])),
        text=" ".join(str(entry[key]) for key in ("message", "help") if entry.get(key)),
        help=str(entry.get("help") or ""),
        replacements=tuple(str(edit["text"]) for edit in edits),
    )


def _compare(case: Case, found: list[Found]) -> str | None:
    left = list(found)
    for expected in case.expected:
        candidates = [(complaint, one) for one in left if (complaint := _complaint(expected, one)) is not _OTHER]
        fitting = next((one for complaint, one in candidates if complaint is None), None)
        if fitting is not None:
            left.remove(fitting)
        elif candidates:
            return f"{expected.code}: {candidates[0][0]}; got {candidates[0][1]}"
        else:
            return f"{expected.code} at line {expected.line}: not reported{_instead(left)}"
    for one in found:
        if one.code in case.absent:
            return f"must not be reported: {one}"
    for one in left:
        if case.alone and one.severity != "note":
            return f"not expected: {one}"
    return None


_OTHER = "another code"


def _complaint(expected: Expected, found: Found) -> str | None:
    """What is wrong with a diagnostic; None where it is as expected."""
    if found.code != expected.code:
        return _OTHER
    if found.severity != expected.severity:
        return f"expected severity {expected.severity}"
    if expected.file is not None and Path(found.path) != Path(expected.file):
        return f"expected in {expected.file}"
    if expected.line not in {None, found.line}:
        return f"expected line {expected.line}"
    if expected.column not in {None, found.column}:
        return f"expected column {expected.column}"
    for text in expected.mentions:
        if text not in found.text:
            return f"expected a mention of {text!r}"
    if expected.suggests is not None and not _suggests(expected.suggests, found):
        return f"expected the suggestion {expected.suggests!r}"
    return None


def _suggests(wanted: str, found: Found) -> bool:
    """Whether the help proposes this (its first text in backticks, or the end of it), or the fix would write it."""
    proposed = re.search(r"`([^`]+)`", found.help)
    return wanted in found.replacements or (proposed is not None and f".{proposed[1]}".endswith(f".{wanted}"))


def _instead(left: list[Found]) -> str:
    return f"; instead {left[0]}" if left else ", and nothing else either"
