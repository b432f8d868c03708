"""Reads one page: its title, and where its links lead."""

from __future__ import annotations

import posixpath
from html.parser import HTMLParser
from pathlib import Path


class Links(HTMLParser):
    """Collects the title and the targets of all links."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.targets: list[str] = []
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes a link's target."""
        self._in_title = tag == "title"
        target = dict(attrs).get("href")
        if tag == "a" and target:
            self.targets.append(target)

    def handle_data(self, data: str) -> None:
        """Notes the title's text."""
        if self._in_title:
            self.title += data.strip()


def execute(params: dict[str, str], project_path: str) -> dict[str, object]:
    """`folder` and `page` -> `title` and `links` to other pages, relative to the site. Bad UTF-8 raises."""
    parser = Links()
    parser.feed(Path(project_path, params["folder"], params["page"]).read_text(encoding="utf-8"))
    here = posixpath.dirname(params["page"])
    local = [target for target in parser.targets if "://" not in target]
    return {"title": parser.title, "links": [posixpath.normpath(posixpath.join(here, target)) for target in local]}
