"""Finds the pages of a site."""

from __future__ import annotations

from pathlib import Path


def execute(params: dict[str, str], project_path: str) -> dict[str, list[str]]:
    """The `pages` below `folder`, relative to it. Raises NotADirectoryError."""
    folder = Path(project_path, params["folder"])
    if not folder.is_dir():
        raise NotADirectoryError(f"no folder {params['folder']}")
    return {"pages": sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))}
