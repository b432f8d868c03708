"""Generated documentation is up to date."""

from __future__ import annotations

import os
from pathlib import Path

from commands import graphwright

RULES = Path(__file__).parents[2] / "docs" / "rules.md"


def test_golden_rules_page() -> None:
    text = graphwright("rules", "--markdown").stdout
    if os.environ.get("GRAPHWRIGHT_GOLDEN"):
        RULES.write_text(text, "utf-8")
    assert RULES.read_text("utf-8") == text, "docs/rules.md is stale: run `make golden`"
