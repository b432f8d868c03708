"""Stands in for a tracker: a line a ticket."""

from __future__ import annotations

from pathlib import Path


def execute(params: dict[str, str], project_path: str) -> dict[str, int]:
    """`title` and `reporter` -> the number of the new `ticket`."""
    tracker = Path(project_path, "out", "tickets.txt")
    tracker.parent.mkdir(parents=True, exist_ok=True)
    number = len(tracker.read_text(encoding="utf-8").splitlines()) + 1 if tracker.exists() else 1
    with tracker.open("a", encoding="utf-8") as file:
        file.write(f"{number} {params['title']} ({params['reporter']})\n")
    return {"ticket": number}
