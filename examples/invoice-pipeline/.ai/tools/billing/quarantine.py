"""Puts a copy of a refused batch aside, with the reason."""

from __future__ import annotations

import shutil
from pathlib import Path


def execute(params: dict[str, str], project_path: str) -> dict[str, str]:
    """`batch` (relative to the project) and `reason` -> where the copy lies, as `note`."""
    batch = Path(project_path, params["batch"])
    shelf = Path(project_path, "out", "quarantine")
    shelf.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(batch, shelf / batch.name)
    (shelf / f"{batch.name}.reason").write_text(params["reason"] + "\n", encoding="utf-8")
    return {"note": f"out/quarantine/{batch.name}"}
