"""Compares what pages link to with the pages that there are."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Page(TypedDict):
    """What `read_page` returned, or the error that the loop left in its slot."""

    links: NotRequired[list[str]]
    error: NotRequired[str]


class Params(TypedDict):
    """`pages` and `read` go together item by item."""

    pages: list[str]
    read: list[Page]
    ignore: list[str]


def execute(params: Params, project_path: str) -> dict[str, object]:
    """`broken`: links that lead nowhere, with the page they stand on. `unreadable`: pages that could not be read."""
    known = {*params["pages"], *params["ignore"]}
    pairs = list(zip(params["pages"], params["read"], strict=True))
    return {
        "broken": [
            {"page": page, "link": link} for page, read in pairs for link in read.get("links", []) if link not in known
        ],
        "unreadable": [page for page, read in pairs if "error" in read],
    }
