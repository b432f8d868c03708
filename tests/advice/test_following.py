"""What a help line says, typed as it stands: the finding is gone, and nothing new is found.

Each case is a graph as teams write them (`graphs/`), one slip in it, the help that is given, and what somebody who
reads it would type.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from checking import check_files
from graphwright.diagnostic import Diagnostic, Severity
from rules.test_documentation import RULES

HERE = Path(__file__).parent
#: The graphs that are called, by what they are called from.
BESIDE = {"invoices": {"reports/totals.yaml": (HERE / "graphs/totals.yaml").read_text("utf-8")}}


@dataclass(frozen=True, slots=True)
class Case:
    """One slip, and what becomes of it."""

    code: str
    name: str
    graph: str
    help: str
    before: str
    after: str


def cases() -> Iterator[Case]:
    """Every case of `cases/`."""
    for file in sorted((HERE / "cases").glob("*.yaml")):
        for each in yaml.safe_load(file.read_text("utf-8")):
            graph = (HERE / "graphs" / f"{each['graph']}.yaml").read_text("utf-8")
            slipped = edited(graph, each["slip"])
            fixed = edited(slipped, each["fix"])
            yield Case(each["code"], each["name"], each["graph"], each["help"], slipped, fixed)


def edited(text: str, edits: list[dict[str, str]]) -> str:
    """The text with some places changed, each of which it has once."""
    for edit in edits:
        assert text.count(edit["from"]) == 1, f"{edit['from']!r} is there {text.count(edit['from'])} times"
        text = text.replace(edit["from"], edit["to"])
    return text


def found(graph: str, text: str) -> tuple[Diagnostic, ...]:
    """What is said about a graph in addition to those that it calls."""
    return check_files({"graph.yaml": text, **BESIDE.get(graph, {})})


def loud(diagnostics: tuple[Diagnostic, ...]) -> set[str]:
    return {each.code for each in diagnostics if each.severity is not Severity.NOTE}


CASES = list(cases())
#: Codes of more than one file, of commands other than `check`, or whose fix cannot be typed into the graph.
ELSEWHERE = {
    "GW005",
    "GW006",
    "GW007",
    "GW008",
    "GW504",
    "GW701",
    "GW705",
    "GW801",
    "GW802",
    "GW803",
    "GW804",
    "GW805",
    "GW901",
}


@pytest.mark.parametrize("graph", ["support", "etl", "ci", "invoices", "checks"])
def test_the_graphs_are_clean(graph: str) -> None:
    assert loud(found(graph, (HERE / "graphs" / f"{graph}.yaml").read_text("utf-8"))) == set()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code} {case.name}")
def test_following_the_help(case: Case) -> None:
    before = found(case.graph, case.before)
    assert case.help in [each.help for each in before if each.code == case.code]
    assert all(each.help and "\n" not in each.message for each in before)
    after = found(case.graph, case.after)
    assert case.code not in {each.code for each in after} or case.code == "GW602"
    assert loud(after) == set()


def test_every_code_is_followed() -> None:
    assert {case.code for case in CASES} == RULES.keys() - ELSEWHERE
