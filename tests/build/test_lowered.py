"""What a check accepts can be built and run, whatever a project has turned off, lowered or ignored.

Each rule's own failing example, and the other severity of rules that have two, is told to be of no interest in three
ways. Either the check says that this code cannot be skipped, or nothing stops the graph any more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from commands import graphwright
from graphwright.building.compile import compile_source
from graphwright.checking.checker import check
from graphwright.checking.levels import is_firm
from graphwright.diagnostic import Severity
from graphwright.rules.catalogue import catalogue
from rules.documented import examples
from rules.finding import CLEAN, edit
from rules.test_documentation import CALLER, OTHER_SEVERITY

#: Ways to skip a finding. A level is what the configuration says of the code.
WAYS = ("off", "note", "comment")

#: Examples of rules that their documentation gives in words: a variable that is not set, a call of another graph.
IN_WORDS = {
    "GW504": "env_requires: [API_TOKEN]\n" + CLEAN,
    "GW704": edit(
        CALLER,
        ("tool:count", "tool:graphs/called"),
        ('{team: "${inputs.team}"}\n      assign:\n        total', "{}\n      assign:\n        total"),
    ),
}

#: A leading underscore wherever a graph can name a key of the state.
UNDERSCORES = [
    edit(CLEAN, ("assign:\n        total", "assign:\n        _total"), ("${state.total}", "${state._total}")),
    edit(CLEAN, ("config:\n", "config:\n  state: {_x: 1}\n")),
    edit(
        CLEAN,
        (
            "    count:\n",
            '    count:\n      type: foreach\n      over: "${state.tickets}"\n      as: one\n      collect: _all\n',
        ),
    ),
]


#: A graph that calls a tool, a manifest of that tool, and the tool, which takes something else.
CALLS = """\
tool_type: graph
permissions: [rye.execute.tool.acme.rows]
config:
  start: rows
  nodes:
    rows: {action: {item_id: tool:acme/rows, params: {team: red}}, next: done}
    done: {type: return}
"""
MANIFEST = "params: {type: object, properties: {team: {type: string}}, required: [team]}\n"
TOOL = """\
from typing import TypedDict


class Params(TypedDict):
    team: str
    group: str


def execute(params: Params) -> dict[str, int]:
    return {"rows": len(params)}
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A graph with a finding of `code`, and how it is told that the finding does not matter."""

    name: str
    code: str
    text: str
    way: str


def _graphs() -> Iterator[tuple[str, str]]:
    yield from examples("Fails")
    yield from ((code, text) for code, (_, text) in OTHER_SEVERITY.items())
    yield from IN_WORDS.items()
    yield from (("GW306", text) for text in UNDERSCORES)


CASES = [
    Case(
        f"case_{number}_{way}",
        code,
        f"# graphwright: ignore[{code}, GW009]\n{text}" if way == "comment" else text,
        way,
    )
    for number, (code, text) in enumerate(_graphs())
    for way in WAYS
    if way == "comment" or not is_firm(code, catalogue()[code].severity)
]


def _project(folder: Path) -> None:
    """All cases in one project, with a level for each file."""
    (folder / "graphs").mkdir()
    lines = ["[per-file-rules]"]
    for case in CASES:
        (folder / "graphs" / f"{case.name}.yaml").write_text(case.text, "utf-8")
        if case.way != "comment":
            lines.append(f'"graphs/{case.name}.yaml" = {{{case.code} = "{case.way}"}}')
    (folder / "graphs" / "called.yaml").write_text(CLEAN, "utf-8")
    (folder / "graphwright.toml").write_text("\n".join(lines) + "\n", "utf-8")


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Case]]:
    """The cases that a check accepts, in a project of their own which is the current folder."""
    folder = tmp_path_factory.mktemp("lowered")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        _project(folder)
        found = check(["graphs"]).diagnostics
        refused = {Path(each.span.path).stem for each in found if each.severity is Severity.ERROR}
        yield [case for case in CASES if case.name not in refused]


def test_only_what_cannot_be_passed_over_is_refused(accepted: list[Case]) -> None:
    names = {case.name for case in accepted}
    firm = {code for code, rule in catalogue().items() if is_firm(code, Severity.ERROR)}
    assert {case.code for case in CASES if case.name not in names} <= firm
    others = {code for code in catalogue() if not code.startswith(("GW8", "GW9"))}  # those are not about a graph
    assert {case.code for case in accepted} >= others - firm - {"GW701", "GW705"}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("code", ["GW701", "GW705"])
def test_findings_about_contracts(code: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The configuration and files of tools decide about these."""
    monkeypatch.chdir(tmp_path)
    configuration = 'contracts = "complete"\n'
    Path("graph.yaml").write_text(f"# graphwright: ignore[{code}]\n{CALLS}" if way == "comment" else CALLS, "utf-8")
    if way != "comment":
        configuration += f'[rules]\n{code} = "{way}"\n'
    Path("graphwright.toml").write_text(configuration, "utf-8")
    if code == "GW705":
        for name, text in (("contracts/acme/rows.yaml", MANIFEST), (".ai/tools/acme/rows.py", TOOL)):
            Path(name).parent.mkdir(parents=True)
            Path(name).write_text(text, "utf-8")
    assert graphwright("check").code == 0
    assert graphwright("build", "--no-sign", "--no-typecheck").code == 0
    outcome = json.loads(graphwright("run", "graph.yaml").stdout)["status"]
    assert outcome == ("completed" if code == "GW705" else "error")  # that tool does not exist


def test_all_of_it_is_built(accepted: list[Case]) -> None:
    done = graphwright("build", "--no-sign", *(f"graphs/{case.name}.yaml" for case in accepted), "graphs/called.yaml")
    assert done.code == 0, done.stderr[-3000:]
    for case in accepted:
        assert Path(f"generated/{case.name}.py").exists(), case.code


def test_all_of_it_runs(accepted: list[Case]) -> None:
    """To some end: their inputs and tools are not there."""
    for case in accepted:
        done = graphwright("run", f"graphs/{case.name}.yaml")
        assert done.stdout.startswith("{"), f"{case.code} {case.way}: {done.stderr[-2000:]}"
        assert "status" in json.loads(done.stdout)


@pytest.mark.parametrize("text", UNDERSCORES)
def test_a_warning_does_not_stop_a_run(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("graph.yaml").write_text(text, "utf-8")
    assert graphwright("check").code == 0
    done = graphwright("run", "graph.yaml", "-i", "team=red")
    assert "GW901" not in done.stderr
    assert json.loads(done.stdout)["status"] == "error"  # the tools do not exist
    assert compile_source(text).text is not None


@pytest.mark.parametrize("code", ["GW201", "GW202", "GW203", "GW205", "GW310"])
def test_a_code_with_a_guess_behind_it_cannot_be_switched_off(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("graphwright.toml").write_text(f'[rules]\n{code} = "off"\n', "utf-8")
    Path("graph.yaml").write_text(dict(examples("Fails"))[code], "utf-8")
    done = graphwright("check")
    assert done.code == 2
    assert f"`{code}` cannot be disabled" in done.stderr
    Path("graphwright.toml").write_text(f'[rules]\n{code[:3]} = "off"\n', "utf-8")
    done = graphwright("check")
    assert done.code == 1
    assert f"error[{code}]" in done.stderr
