"""Stands in for a chat channel: appends a line to a file."""

from __future__ import annotations

from pathlib import Path


def execute(params: dict[str, str], project_path: str) -> dict[str, bool]:
    """Posts `text`."""
    channel = Path(project_path, "out", "announcements.txt")
    channel.parent.mkdir(parents=True, exist_ok=True)
    with channel.open("a", encoding="utf-8") as file:
        file.write(params["text"] + "\n")
    return {"sent": True}
