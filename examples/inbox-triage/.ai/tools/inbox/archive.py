"""Notes a mail as archived."""

from __future__ import annotations

from pathlib import Path


def execute(params: dict[str, str], project_path: str) -> dict[str, bool]:
    """`mail` -> `archived`."""
    archive = Path(project_path, "out", "archived.txt")
    archive.parent.mkdir(parents=True, exist_ok=True)
    with archive.open("a", encoding="utf-8") as file:
        file.write(params["mail"] + "\n")
    return {"archived": True}
