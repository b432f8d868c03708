"""Stands in for a reviewer with a short checklist."""

from __future__ import annotations


def execute(params: dict[str, str], project_path: str) -> dict[str, list[str]]:
    """The `remarks` on `text`; none when it can go out."""
    text = params["text"].lower()
    remarks = []
    if not text.startswith("hello"):
        remarks.append("no greeting")
    if "regards" not in text:
        remarks.append("no closing")
    return {"remarks": remarks}
