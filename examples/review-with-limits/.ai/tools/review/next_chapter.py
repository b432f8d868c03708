"""Chooses what to review next."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict


class Params(TypedDict):
    """What the graph hands over."""

    folder: str
    reviewed: list[str]


def execute(params: Params, project_path: str) -> dict[str, str]:
    """The first `chapter` that was not reviewed yet; nothing when all were."""
    names = sorted(path.name for path in Path(project_path, params["folder"]).glob("*.md"))
    left = [name for name in names if name not in params["reviewed"]]
    return {"chapter": left[0]} if left else {}
