"""A package index on the local disk that refuses its first connections, as real ones do on a bad day."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TypedDict


class Params(TypedDict):
    """What the graph hands over; `simulate_outages` counts the refused connections of each archive."""

    archive: str
    channel: str
    simulate_outages: int


def execute(params: Params, project_path: str) -> dict[str, str]:
    """The `url` of the uploaded archive. Raises ConnectionError, which is transient, while the index is down."""
    project = Path(project_path)
    archive = project / params["archive"]
    shelf = project / "out" / "index" / params["channel"]
    shelf.mkdir(parents=True, exist_ok=True)
    attempts = shelf / f"{archive.name}.attempts"
    count = int(attempts.read_text(encoding="utf-8")) if attempts.exists() else 0
    if count < params["simulate_outages"]:
        attempts.write_text(str(count + 1), encoding="utf-8")
        raise ConnectionError("connection refused by the package index")
    attempts.unlink(missing_ok=True)
    shutil.copyfile(archive, shelf / archive.name)
    return {"url": f"index/{params['channel']}/{archive.name}"}
