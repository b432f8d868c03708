"""No error and no warning that a careful reviewer would call wrong: examples, clean cases, graphs from the wild."""

from __future__ import annotations

from pathlib import Path

import pytest

from casefolders import shared
from checking import check_files
from graphwright.diagnostic import Severity

ROOT = Path(__file__).parents[2]

#: Everything reported in the corpus, as lines by code, with the reason why it is right.
CORPUS: dict[str, dict[str, set[int]]] = {
    "cas-showcase.yaml": {
        "GW302": {52, 68, 105, 107},  # `on_error: continue` skips the assign of a node that failed
        "GW408": {63},  # the count of files is text, and "9" comes after "10"
        "GW606": {30, 52, 103, 106, 122},  # inputs and output of commands in commands, the heredoc is not quoted
    },
    "code-analysis-pipeline.yaml": {
        "GW606": {34, 61, 71},  # a file name with a blank breaks the command, the analysis can hold a quote
    },
    "conditional-pipeline.yaml": {
        "GW209": {51},  # the model is asked again for as long as it fails: only its success changes `mode`
        "GW302": {43, 104, 154, 155, 156},  # skipped on errors, or over `handle_unknown_mode`; each cause once
        "GW606": {31, 92, 149, 154, 155},  # `output_dir` is the caller's; a line of a result can end the quoted heredoc
    },
    "newer-dialect.yaml": {
        "GW114": {7},  # it is the newer dialect
    },
    "project-stats.yaml": {
        "GW110": {1},  # it declares no permissions
        "GW606": {28, 39, 50},  # `directory` is the caller's
    },
    "thread-monitor.yaml": {
        "GW302": {78, 105},  # skipped when the thread could not be started
        "GW606": {31, 78, 95, 105},  # `output_dir` is the caller's, the thread's id and output are results
    },
}


def found(files: dict[str, str]) -> dict[str, set[int]]:
    """Lines of errors and warnings by code."""
    lines: dict[str, set[int]] = {}
    for one in check_files(files):
        if one.severity is not Severity.NOTE:
            lines.setdefault(one.code, set()).add(one.span.line)
    return lines


def texts(folder: Path) -> dict[str, str]:
    """The files of a folder that graphwright looks at."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.suffix in {".yaml", ".yml", ".py", ".toml"}]
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*/.ai")), ids=lambda path: path.parent.name)
def test_examples_are_clean(example: Path) -> None:
    assert found(texts(example.parent)) == {}


def test_clean_cases_are_clean() -> None:
    cases = sorted(shared("conformance-static").glob("clean-*"))
    assert cases
    assert {case.name: lines for case in cases if (lines := found(texts(case)))} == {}


@pytest.mark.parametrize("name", CORPUS)
def test_the_corpus(name: str) -> None:
    assert found({f"graphs/{name}": (shared("corpus") / name).read_text("utf-8")}) == CORPUS[name]


def test_the_whole_corpus_is_looked_at() -> None:
    assert {path.name for path in shared("corpus").glob("*.yaml")} == CORPUS.keys()
