"""Stands in for a second reviewer."""

from __future__ import annotations


def execute(params: dict[str, str], project_path: str) -> dict[str, list[str]]:
    """What the second reviewer found in `chapter`."""
    return {"findings": [f"{params['chapter']}: has an unfinished passage"]}
