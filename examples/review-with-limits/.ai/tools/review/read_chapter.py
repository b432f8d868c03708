"""Stands in for a reviewer: long lines and unfinished passages."""

from __future__ import annotations

from pathlib import Path

LONGEST_LINE = 100


def execute(params: dict[str, str], project_path: str) -> dict[str, object]:
    """`findings` as texts, and whether the chapter is `doubtful`: someone else should look at it too."""
    text = Path(project_path, params["folder"], params["chapter"]).read_text(encoding="utf-8")
    findings = [
        f"{params['chapter']}:{number}: line is too long"
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]
    return {"findings": findings, "doubtful": "(to be written)" in text}
