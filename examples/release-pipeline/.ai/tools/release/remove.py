"""Takes back what a failed release left behind."""

from __future__ import annotations

from pathlib import Path


def execute(params: dict[str, str], project_path: str) -> dict[str, bool]:
    """Deletes `archive`, wherever the index holds a copy of it too; `removed` says whether anything was there."""
    project = Path(project_path)
    name = Path(params["archive"]).name
    copies = [path for path in (project / "out").rglob(name) if path.is_file()]
    for path in copies:
        path.unlink()
    return {"removed": bool(copies)}
