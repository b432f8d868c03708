"""What docs/packaging.md shows, so that the tests run exactly that."""

from __future__ import annotations

import re

from wheels.environments import ROOT

PAGE = (ROOT / "docs" / "packaging.md").read_text("utf-8")


def block(language: str, containing: str = "") -> str:
    """The first code block of a language that contains a text."""
    blocks: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return next(text for text in blocks if containing in text)
