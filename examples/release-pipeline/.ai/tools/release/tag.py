"""Writes a tag; a tag that is there already is an error that no retry would mend."""

from __future__ import annotations

from pathlib import Path


def execute(params: dict[str, str], project_path: str) -> dict[str, str]:
    """`name` -> the same. Raises FileExistsError."""
    tags = Path(project_path, "out", "tags")
    tags.mkdir(parents=True, exist_ok=True)
    with (tags / params["name"]).open("x", encoding="utf-8") as file:
        file.write("released\n")
    return {"name": params["name"]}
