"""Every rule is documented by a graph that it finds fault with and one that it does not, and both are tried here."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from checking import check_files, loud
from commands import graphwright
from graphwright import __version__
from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.record import replace
from graphwright.rules import registry
from graphwright.rules.catalogue import catalogue
from graphwright.rules.registry import Finding, Rule
from rules.documented import example
from rules.finding import CLEAN, edit, findings

#: What each code can be: an error, a warning, a note.
CATALOGUE = {
    **dict.fromkeys(["GW001", "GW002", "GW003"], "E"),
    "GW004": "WE",
    **dict.fromkeys(["GW005", "GW006", "GW007", "GW008"], "E"),
    "GW009": "W",
    **dict.fromkeys([f"GW10{number}" for number in range(1, 10)], "E"),
    "GW110": "W",
    "GW111": "N",
    **dict.fromkeys(["GW112", "GW113", "GW114"], "E"),
    "GW117": "WE",
    "GW118": "W",
    "GW119": "W",
    **dict.fromkeys(["GW201", "GW202", "GW203"], "E"),
    "GW204": "W",
    "GW205": "E",
    **dict.fromkeys(["GW206", "GW207"], "W"),
    "GW208": "E",
    "GW209": "W",
    "GW210": "E",
    "GW211": "N",
    **dict.fromkeys(["GW212", "GW213", "GW214", "GW215", "GW216"], "W"),
    "GW301": "E",
    "GW302": "W",
    "GW303": "WN",
    "GW304": "W",
    **dict.fromkeys(["GW305", "GW306"], "WE"),
    "GW307": "E",
    "GW308": "W",
    "GW309": "WN",
    "GW310": "E",
    **dict.fromkeys([f"GW40{number}" for number in range(1, 8)], "E"),
    **dict.fromkeys(["GW408", "GW409", "GW410"], "W"),
    **dict.fromkeys(["GW411", "GW412"], "E"),
    "GW415": "W",
    "GW416": "N",
    "GW417": "W",
    "GW501": "E",
    "GW502": "N",
    "GW503": "W",
    "GW504": "E",
    "GW505": "W",
    "GW601": "E",
    "GW602": "N",
    **dict.fromkeys(["GW603", "GW604"], "W"),
    "GW605": "E",
    **dict.fromkeys(["GW606", "GW607"], "W"),
    "GW608": "E",
    "GW609": "W",
    **dict.fromkeys(["GW701", "GW702"], "E"),
    "GW703": "W",
    "GW704": "E",
    "GW705": "W",
    **dict.fromkeys(["GW801", "GW802", "GW803", "GW804"], "E"),
    "GW805": "W",
    "GW901": "E",
}

LETTERS = {Severity.ERROR: "E", Severity.WARNING: "W", Severity.NOTE: "N"}

#: What an example cannot help showing besides its own code.
BESIDES = {"GW505": {"GW204"}}

LOOP = '      type: foreach\n      as: total\n      over: "${state.tickets}"\n'

RULES = {rule.code: rule for rule in catalogue().values()}


def test_the_catalogue_is_complete() -> None:
    assert set(RULES) == CATALOGUE.keys()


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
def test_a_rule_says_what_it_finds_and_why(rule: Rule) -> None:
    text = rule.documentation.split("\nFails:")[0].strip()
    first = text.split("\n")[0]
    assert len(first) > 20, "the first line says what is found"
    assert not first.startswith(("Fails", "Passes"))
    assert text.endswith((".", ".)")), "whole sentences"
    sentences = re.findall(r"[.:;](?=\s|$)|\bso\b|\bbecause\b", text)
    assert len(sentences) >= 2, f"nothing but what is found, not why it matters: {text}"
    assert not rule.title.endswith(".")


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
def test_the_severity_is_that_of_the_catalogue(rule: Rule) -> None:
    assert LETTERS[rule.severity] in CATALOGUE[rule.code]


GRAPHS = [rule for rule in RULES.values() if not example(rule, "Fails").how]


@pytest.mark.parametrize("rule", GRAPHS, ids=lambda rule: rule.code)
def test_the_example_that_fails(rule: Rule) -> None:
    found = check_files({"graphs/graph.yaml": example(rule, "Fails").graph}, "graphs/graph.yaml")
    ours = [one for one in found if one.code == rule.code]
    assert ours
    assert all(LETTERS[one.severity] in CATALOGUE[rule.code] for one in ours)
    others = {one.code for one in found if one.severity is not Severity.NOTE} - {rule.code}
    assert others == BESIDES.get(rule.code, set())


@pytest.mark.parametrize("rule", GRAPHS, ids=lambda rule: rule.code)
def test_the_example_that_passes(rule: Rule) -> None:
    text = example(rule, "Passes").graph
    found = check_files({"graphs/graph.yaml": text}, "graphs/graph.yaml")
    assert rule.code not in {one.code for one in found}
    assert loud(found) == []
    assert "tool_type: graph" in text, "a whole graph"


#: For each code of two severities, what gives the one that its documentation does not show.
OTHER_SEVERITY = {
    "GW004": (Severity.ERROR, edit(CLEAN, ('{total: "${state.total}"}', '{total: "${state.total}", no: 1}'))),
    "GW117": (Severity.WARNING, edit(CLEAN, ("required: [team]", "required: [team, requester]"))),
    "GW303": (Severity.NOTE, edit(CLEAN, ('      output: {total: "${state.total}"}\n', ""))),
    "GW305": (Severity.WARNING, edit(CLEAN, ("    count:\n", f"    count:\n{LOOP}"))),
    "GW306": (Severity.ERROR, edit(CLEAN, ('total: "${result', 'inputs: 1\n        total: "${result'))),
    "GW309": (Severity.NOTE, edit(CLEAN, ("  required: [team]\n", ""))),
}


@pytest.mark.parametrize("code", OTHER_SEVERITY)
def test_codes_of_two_severities(code: str) -> None:
    severity, text = OTHER_SEVERITY[code]
    assert severity in {found.severity or RULES[code].severity for found in findings(code, text)}
    assert LETTERS[severity] in CATALOGUE[code]


def test_all_codes_of_two_severities_are_tried() -> None:
    assert OTHER_SEVERITY.keys() == {code for code, letters in CATALOGUE.items() if len(letters) == 2}


# --- rules whose examples are more than one text -------------------------------------------------------------------

CALLER = edit(
    CLEAN,
    ("tickets.*", "*"),
    ("tool:tickets/count", "tool:count"),
    ('{tickets: "${state.tickets}"}', '{team: "${inputs.team}"}'),
    ("${result.total}", "${result.output.total}"),
)


def codes(files: dict[str, str], *paths: str) -> set[str]:
    """What is reported of some files."""
    return {one.code for one in check_files(files, *paths)}


def no_graph() -> tuple[set[str], set[str]]:
    files = {"a.yaml": "config: {}\n"}
    return codes(files, "a.yaml"), codes(files)


def one_module() -> tuple[set[str], set[str]]:
    name = "graphs/{}-report.yaml"
    clash = {name.format("week"): CLEAN, "graphs/week_report.yaml": CLEAN}
    return codes(clash), codes({name.format("week"): CLEAN, name.format("month"): CLEAN})


def missing_file() -> tuple[set[str], set[str]]:
    return codes({}, "graph.yaml"), codes({"graph.yaml": CLEAN}, "graph.yaml")


def variable_not_set() -> tuple[set[str], set[str]]:
    text = "env_requires: [API_TOKEN]\n" + CLEAN
    without, with_it = ({"GW504"} if findings("GW504", text, found) else set() for found in ({}, {"API_TOKEN": "x"}))
    return without, with_it


def nested_call() -> tuple[set[str], set[str]]:
    wrong = edit(CALLER, ('{team: "${inputs.team}"}\n      assign:\n        total', "{}\n      assign:\n        total"))
    return codes({"all.yaml": wrong, "count.yaml": CLEAN}), codes({"all.yaml": CALLER, "count.yaml": CLEAN})


def nothing_declared() -> tuple[set[str], set[str]]:
    tools = (".ai/tools/tickets/list.py", ".ai/tools/tickets/count.py")
    typed = dict.fromkeys(tools, "def execute(params) -> dict[str, str]: ...\n")
    files = {"pyproject.toml": '[tool.graphwright]\ncontracts = "complete"\n', ".ai/tools/all.yaml": CLEAN}
    return codes(files, ".ai/tools/all.yaml"), codes({**files, **typed}, ".ai/tools/all.yaml")


def contradicted() -> tuple[set[str], set[str]]:
    manifest = "params: {type: object, properties: {team: {type: string}}, required: [team]}\n"
    code = "from typing import TypedDict\nclass Params(TypedDict):\n    %s: str\ndef execute(params: Params): ...\n"
    files = {"contracts/tickets/list.yaml": manifest, ".ai/tools/all.yaml": CLEAN}
    wrong, right = (codes({**files, ".ai/tools/tickets/list.py": code % name}, ".ai") for name in ("group", "team"))
    return wrong, right


SETUPS: dict[str, Callable[[], tuple[set[str], set[str]]]] = {
    "GW006": no_graph,
    "GW007": one_module,
    "GW008": missing_file,
    "GW504": variable_not_set,
    "GW701": nothing_declared,
    "GW704": nested_call,
    "GW705": contradicted,
}

#: Codes of commands other than `check`, or of no file at all, by the tests that bring them about.
ELSEWHERE = {
    "GW801": "signing/test_sources.py",
    "GW802": "cli/test_build.py",
    "GW803": "cli/test_build.py",
    "GW804": "signing/test_commands.py",
    "GW805": "rules/test_documentation.py",
    "GW901": "rules/test_documentation.py",
}


@pytest.mark.parametrize("code", SETUPS)
def test_the_examples_in_words(code: str) -> None:
    failing, passing = SETUPS[code]()
    assert code in failing
    assert code not in passing


def test_every_example_in_words_is_tried() -> None:
    described = {rule.code for rule in RULES.values() if example(rule, "Fails").how}
    assert described == SETUPS.keys() | ELSEWHERE.keys()
    for code, where in ELSEWHERE.items():
        assert code in Path(__file__).parents[1].joinpath(where).read_text("utf-8")


def test_another_version_of_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("graphs").mkdir()
    Path("graphs/all.yaml").write_text(CLEAN, encoding="utf-8")
    build = ("build", "--no-typecheck", "--no-sign", "--no-cache")
    assert graphwright(*build, "graphs").code == 0
    module = Path("generated/all.py")
    module.write_text(module.read_text("utf-8").replace(f"graphwright {__version__}", "graphwright 0.0.7"), "utf-8")
    said = graphwright(*build, "--check", "graphs").stderr
    assert "warning[GW805]" in said
    assert f"was built by graphwright 0.0.7; this is graphwright {__version__}" in said


def test_a_fault_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Facts) -> list[Finding]:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setitem(registry.RULES, "GW204", replace(RULES["GW204"], check=broken))
    found = check_files({"graphs/all.yaml": CLEAN})
    assert [(one.code, one.severity) for one in found] == [("GW901", Severity.ERROR)]
    assert "ZeroDivisionError: division by zero" in found[0].message
    assert "report" in (found[0].help or "")
