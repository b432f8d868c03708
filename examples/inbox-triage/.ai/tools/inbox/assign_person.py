"""Puts a mail on a person's list."""

from __future__ import annotations

from pathlib import Path


def execute(params: dict[str, str], project_path: str) -> dict[str, bool]:
    """`mail` and its `kind` -> `assigned`."""
    todo = Path(project_path, "out", "for-a-person.txt")
    todo.parent.mkdir(parents=True, exist_ok=True)
    with todo.open("a", encoding="utf-8") as file:
        file.write(f"{params['kind']}: {params['mail']}\n")
    return {"assigned": True}
