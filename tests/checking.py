"""What `check` says about a text or some files, for tests that look from outside."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Mapping
from pathlib import Path

from graphwright.checking.checker import check
from graphwright.diagnostic import Diagnostic, Severity


def check_text(text: str) -> tuple[Diagnostic, ...]:
    """Everything that is reported about one graph, notes included."""
    return check_files({"graph.yaml": text})


def check_files(files: Mapping[str, str], *paths: str) -> tuple[Diagnostic, ...]:
    """Everything that is reported about a folder of files; `paths` default to the folder."""
    with tempfile.TemporaryDirectory(prefix="check-") as space, contextlib.chdir(space):
        for name, text in files.items():
            path = Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check([Path(path) for path in paths or (".",)]).diagnostics


def loud(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    """Codes and lines of the errors and warnings, such as `GW301:12`."""
    return [f"{one.code}:{one.span.line}" for one in diagnostics if one.severity is not Severity.NOTE]


def only(diagnostics: tuple[Diagnostic, ...], code: str) -> Diagnostic:
    """The one diagnostic of a code."""
    found = [one for one in diagnostics if one.code == code]
    assert len(found) == 1, f"{code} {len(found)} times in {[one.code for one in diagnostics]}"
    return found[0]


def line_of(text: str, part: str) -> int:
    """The line on which a part of a text first occurs."""
    return text[: text.index(part)].count("\n") + 1
