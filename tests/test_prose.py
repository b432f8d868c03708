"""The word list of CONTRIBUTING.md: what it rules out does not come back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *(page for page in sorted(ROOT.glob("docs/*.md")) if page.name != "rules.md"),
]
PAGES += [ROOT / "runtime" / "README.md", *sorted(ROOT.glob("examples/*/README.md"))]

THINGS = "valid|graphs?|YAML|JSON|list|mapping|string|text|template|pattern|tool|node|key|number|error|module"
#: Patterns of what is not written, with what is. Words that are right elsewhere are only in CONTRIBUTING.md.
RULED_OUT = {
    r"mend(?:s|ed|ing)?": "fix",
    r"(?:mis)?spelt": "spelled",
    r"beside": "next to",
    rf"(?:is|are) no (?:{THINGS})": "is not a",
    r"(?:pass|passes|passed|passing) over": "skip",
    r"switch(?:es|ed|ing)? (?:\w+ )?off": "turn off, disable",
    r"somebody else(?:'s)?": "another user",
    r"strangers?": "another user",
    r"of (?:its|their) own accord": "by default",
    r"side by side": "at the same time",
    r"is there twice": "is a duplicate",
    r"the whole way": "from start to finish",
    r"what lies (?:above|below|next)": "the files above",
    r"settle \w+ by hand": "resolve by hand",
    r"(?:have|has) (?:a|no) say": "applies",
}

LAPSE = re.compile("|".join(rf"\b{each}\b" for each in RULED_OUT), re.IGNORECASE)


def lapses(text: str) -> list[str]:
    """The words in a text that the word list rules out."""
    return LAPSE.findall(text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages_use_the_word_list(page: Path) -> None:
    assert lapses(page.read_text("utf-8")) == []


@pytest.mark.parametrize("text", ["Misspelt keys", "it is no valid pattern", "the files beside it", "switches it off"])
def test_a_lapse_is_found(text: str) -> None:
    assert len(lapses(text)) == 1
