"""The word list of CONTRIBUTING.md: what it rules out does not come back."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/*.md"))]
PAGES += [ROOT / "runtime" / "README.md", *sorted(ROOT.glob("examples/*/README.md"))]

THINGS = "valid|graphs?|YAML|JSON|list|mapping|string|text|template|pattern|tool|node|key|number|error|module"
#: Patterns of what is not written, with what is. Words that are right elsewhere are only in CONTRIBUTING.md.
RULED_OUT = {
    r"mend(?:s|ed|ing)?": "fix",
    r"(?:mis)?spelt": "spelled",
    r"beside": "next to",
    rf"(?<!there )(?:is|are) no (?:{THINGS})": "is not a",
    r"pass(?:es|ed|ing) over": "skip",
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


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """The messages, docstrings and comments of a module, each with its line; names in f-strings are code."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


NAMES_OF_UNICODE = ROOT / "runtime" / "graphwright_runtime" / "patterns" / "properties.py"
"""Its strings are names of scripts, Mende and Mend among them."""


@pytest.mark.parametrize("package", ["compiler/graphwright", "runtime/graphwright_runtime"])
def test_messages_docstrings_and_comments_use_the_word_list(package: str) -> None:
    assert [
        f"{path.relative_to(ROOT)}:{line}: {word}"
        for path in sorted((ROOT / package).rglob("*.py"))
        if path != NAMES_OF_UNICODE
        for line, text in prose(path)
        for word in lapses(text)
    ] == []


@pytest.mark.parametrize("text", ["Misspelt keys", "it is no valid pattern", "the files beside it", "switches it off"])
def test_a_lapse_is_found(text: str) -> None:
    assert len(lapses(text)) == 1
