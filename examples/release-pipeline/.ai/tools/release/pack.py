"""Packs a folder so that equal sources make equal bytes."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

EPOCH = (1980, 1, 1, 0, 0, 0)


def execute(params: dict[str, str], project_path: str) -> dict[str, str]:
    """`version` and `source` -> `path` of the archive (relative to the project) and its `sha256`."""
    project = Path(project_path)
    archive = project / "out" / f"greet-{params['version']}.zip"
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted((project / params["source"]).rglob("*.py")):
            name = path.relative_to(project).as_posix()
            file.writestr(zipfile.ZipInfo(name, EPOCH), path.read_bytes())
    return {
        "path": archive.relative_to(project).as_posix(),
        "sha256": hashlib.sha256(archive.read_bytes()).hexdigest(),
    }
