"""Stands in for a mail server: answers land in a folder."""

from __future__ import annotations

from pathlib import Path


def execute(params: dict[str, str], project_path: str) -> dict[str, bool]:
    """Sends `text` to `to`."""
    sent = Path(project_path, "out", "sent", f"{params['to']}.txt")
    sent.parent.mkdir(parents=True, exist_ok=True)
    sent.write_text(params["text"] + "\n", encoding="utf-8")
    return {"sent": True}
