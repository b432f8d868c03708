"""`graphwright check`, called in this process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest

from cli.samples import CLEAN, FAULTY, OLD
from commands import graphwright
from graphwright.checking import inspection
from graphwright.checking.recall import Inspected
from graphwright.facts import Facts


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / ".cache"))
    return tmp_path


@pytest.fixture
def graphs(here: Path) -> Path:
    """One clean graph, one with faults, one file that is not a graph."""
    folder = here / "graphs"
    folder.mkdir()
    (folder / "clean.yaml").write_text(CLEAN, "utf-8")
    (folder / "faulty.yaml").write_text(FAULTY, "utf-8")
    (folder / "settings.yaml").write_text("a: 1\n", "utf-8")
    return folder


def test_people_get_two_hundred_findings_errors_first(here: Path) -> None:
    nodes = "".join(f"    n{n}: {{type: gate, assign: {{a{n}: yes}}, next: n{n + 1}}}\n" for n in range(250))
    head = "tool_type: graph\npermissions: []\nconfig:\n  start: n0\n  max_steps: 300\n  nodes:\n"
    (here / "many.yaml").write_text(f"{head}{nodes}    n250: {{type: retrun}}\n", "utf-8")
    shown = graphwright("check", "many.yaml").stderr
    assert (shown.count("warning[GW004]"), shown.count("error[GW106]")) == (199, 1)
    assert "and 51 more findings" in shown
    assert "1 error, 250 warnings" in shown
    assert graphwright("check", "many.yaml", "--max-findings", "0").stderr.count("warning[GW004]") == 250
    assert graphwright("check", "many.yaml", "--max-findings", "2").stderr.count("warning[GW004]") == 1
    assert graphwright("check", "many.yaml", "--max-findings", "-1").code == 2
    assert len(codes("many.yaml")) > 250


@pytest.mark.parametrize("line", ["tool_type: grpah", "tool_typ: graph", "tool_type: graphs"])
def test_a_graph_whose_type_is_misspelled_is_not_skipped_in_a_folder(here: Path, line: str) -> None:
    (here / "odd.yaml").write_text(CLEAN.replace("tool_type: graph", line), "utf-8")
    assert codes(".") == ["GW006"]


OTHERS = ["tool_type: grpah\n", "tool_type: python\nconfig: {nodes: {a: {}}}\n", "config: {nodes: {}}\n"]


@pytest.mark.parametrize("text", OTHERS)
def test_other_files_are_skipped_in_a_folder(here: Path, text: str) -> None:
    (here / "other.yaml").write_text(text, "utf-8")
    assert codes(".") == []


def codes(*arguments: str) -> list[str]:
    """The codes that a check reports as JSON, in order."""
    return [
        each["code"] for each in json.loads(graphwright("check", "--format", "json", *arguments).stdout)["diagnostics"]
    ]


MISTAKEN = """\
tool_type: graph
permissions: []
config:
  start: lok
  max_step: 5
  nodes:
    look:
      type: gate
      assign: {total: "${stat.total}", last: 1}
      next: [{to: done, when: {path: state.total, op: gt, value: 1}}]
    done: {type: return, output: WORDS}
"""


def data_of(file: Path) -> dict[str, dict[str, object]]:
    """The data of each diagnostic as JSON, by code."""
    found = json.loads(graphwright("check", "--format", "json", str(file)).stdout)["diagnostics"]
    return {each["code"]: each["data"] for each in found}


def test_data_says_what_a_message_is_made_of(here: Path) -> None:
    file = here / "mistaken.yaml"
    file.write_text(MISTAKEN.replace("WORDS", "1.10"), "utf-8")
    found = data_of(file)
    assert found["GW201"] == {
        "node": None, "target": "lok", "suggestion": "look", "others": [], "odd": False, "forgotten": "look"
    }  # fmt: skip
    assert found["GW402"]["node"] == "look"
    assert (found["GW402"]["name"], found["GW402"]["suggestion"]) == ("stat", "state.total")
    unknown = found["GW101"]
    assert (unknown["key"], unknown["suggestion"], unknown["belongs"]) == ("max_step", "max_steps", None)
    assert "max_steps" in cast("list[str]", unknown["legal"])
    assert found["GW004"]["reads"] == "1.1"
    assert found["GW207"] == {"node": "look", "suggestion": None}
    assert found["GW303"] == {"node": "look", "key": "last", "overwritten_by": [], "suggestion": None}
    assert data_of(file) == found  # from the cache


def test_data_repeats_little_of_what_is_long(here: Path) -> None:
    file = here / "long.yaml"
    listed = ", ".join(f"NAME_{number}" for number in range(200))
    file.write_text(f"env_requires: '{listed}'\n" + MISTAKEN.replace("WORDS", "1"), "utf-8")
    data = data_of(file)["GW501"]
    assert len(cast("list[str]", data["several"])) == 50
    assert len(cast("str", data["name"])) == 500


def test_exit_codes(graphs: Path) -> None:
    assert graphwright("check", "graphs/clean.yaml").code == 0
    assert graphwright("check", "graphs").code == 1
    assert graphwright("check", "graphs/settings.yaml").code == 1
    assert graphwright("check", "graphs/gone.yaml").code == 2
    assert graphwright("check", "--nonsense").code == 2
    assert graphwright("check", "--").code == 0


def test_people_read_standard_error(graphs: Path) -> None:
    done = graphwright("check", "graphs")
    assert done.stdout == ""
    assert "error[GW202]" in done.stderr
    assert "warning[GW004]" in done.stderr
    assert "note[" not in done.stderr
    assert done.stderr.endswith("\n1 error, 1 warning (2 graphs checked); 1 can be fixed with `--fix`\n")
    assert "note[GW602]" in graphwright("check", "--notes", "graphs").stderr


def test_programs_read_standard_output(graphs: Path) -> None:
    for form in ("concise", "json", "sarif", "github", "gitlab"):
        done = graphwright("check", "-q", "--format", form, "graphs")
        assert "GW202" in done.stdout
        assert "GW602" in done.stdout
        assert done.stderr == ""


def test_a_clean_graph_says_so_in_one_line(graphs: Path) -> None:
    done = graphwright("check", "graphs/clean.yaml")
    assert (done.stdout, done.stderr) == ("", "1 graph checked, no problems found\n")
    assert graphwright("check", "-q", "graphs/clean.yaml").stderr == ""
    assert graphwright("check", "--").stderr == "no graphs found\n"


def test_warnings_fail_when_they_should(graphs: Path) -> None:
    (graphs / "faulty.yaml").write_text(FAULTY.replace("dnoe", "done"), "utf-8")
    assert graphwright("check", "graphs").code == 0
    assert graphwright("check", "--strict", "graphs").code == 1


def test_codes_are_selected_and_ignored(graphs: Path) -> None:
    assert codes("graphs") == ["GW602", "GW004", "GW202"]
    assert codes("--select", "GW2,GW6", "graphs") == ["GW602", "GW202"]
    assert codes("--ignore", "GW2", "--ignore", "gw602", "graphs") == ["GW004", "GW202"]
    assert codes("--ignore", "GW004", "graphs") == ["GW602", "GW202"]
    done = graphwright("check", "--select", "GW222", "graphs")
    assert (done.code, "did you mean `GW202`?" in done.stderr) == (2, True)


def test_the_configuration_has_its_say(graphs: Path) -> None:
    Path("graphwright.toml").write_text('[rules]\nGW004 = "note"\nGW2 = "warning"\nGW6 = "off"\n', "utf-8")
    assert codes("graphs") == ["GW004", "GW202"]
    assert "warning" not in graphwright("check", "graphs").stderr
    assert graphwright("check", "graphs").code == 1  # what GW202 finds cannot be generated
    Path("graphwright.toml").write_text('[rules]\nGW22 = "off"\n', "utf-8")
    done = graphwright("check", "graphs")
    assert (done.code, "`GW22` is not a code" in done.stderr) == (2, True)


def test_a_configuration_that_cannot_be_read_is_one_line(graphs: Path) -> None:
    Path("graphwright.toml").write_text("rules = [", "utf-8")
    done = graphwright("check", "graphs")
    assert done.code == 2
    assert done.stderr.startswith("graphwright: graphwright.toml is not valid TOML")
    assert done.stderr.count("\n") == 1


def test_statistics_count(graphs: Path) -> None:
    lines = graphwright("check", "-q", "--statistics", "--notes", "graphs").stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [["1", "GW004"], ["1", "GW202"], ["1", "GW602"]]


def test_two_sources_of_one_module(graphs: Path) -> None:
    (graphs / "Clean.yml").write_text(CLEAN, "utf-8")
    (graphs / "clean").mkdir()
    (graphs / "clean" / "inner.yaml").write_text(CLEAN, "utf-8")
    done = graphwright("check", "--format", "concise", "--select", "GW007", "graphs")
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["graphs/clean.yaml", "graphs/clean/inner.yaml"]


def test_required_variables_are_looked_up(graphs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = CLEAN.replace("config:", "env_requires: [SHOP_URL, SHOP_KEY]\nconfig:")
    (graphs / "clean.yaml").write_text(text, "utf-8")
    Path("prod.env").write_text("# production\nexport SHOP_URL='x'\nSHOP_KEY=\n", "utf-8")
    file = "graphs/clean.yaml"
    assert graphwright("check", "--env-file", "prod.env", file).code == 0
    monkeypatch.setenv("SHOP_URL", "x")
    monkeypatch.delenv("SHOP_KEY", raising=False)
    done = graphwright("check", "--env", file)
    assert (done.code, "SHOP_KEY" in done.stderr, "SHOP_URL" in done.stderr.split("\n")[0]) == (1, True, False)
    Path("prod.env").write_text("SHOP_URL: x\n", "utf-8")
    done = graphwright("check", "--env-file", "prod.env", file)
    assert (done.code, "prod.env:1: expected `NAME=value`" in done.stderr) == (2, True)
    assert graphwright("check", "--env-file", "gone.env", file).code == 2
    assert graphwright("check", "--env", "--env-file", "prod.env", file).code == 2


def test_fixes_keep_every_other_byte(graphs: Path) -> None:
    file = graphs / "old.yaml"
    text = OLD.replace("\n", "\r\n").encode()
    file.write_bytes(text)
    planned = graphwright("check", "--diff", "graphs/old.yaml")
    assert planned.code == 1
    assert "-      cache:   true   # spaces stay" in planned.stdout
    assert "+      cache_result:   true   # spaces stay" in planned.stdout
    assert file.read_bytes() == text
    done = graphwright("check", "--fix", "graphs/old.yaml")
    assert (done.code, "3 mistakes fixed" in done.stderr) == (0, True)
    expected = text.replace(b"cache:", b"cache_result:").replace(b"operator: neq", b"op: ne")
    assert file.read_bytes() == expected
    again = graphwright("check", "--fix", "graphs/old.yaml")
    assert (file.read_bytes(), "fixed" in again.stderr) == (expected, False)
    assert graphwright("check", "--diff", "graphs/old.yaml").stdout == ""


def test_a_fixed_file_says_that_its_signature_is_void(graphs: Path) -> None:
    file = graphs / "old.yaml"
    file.write_text(f"# rye:signed:2026-01-01T00:00:00Z:00:00:00\n{OLD}", "utf-8")
    assert "sign it again" in graphwright("check", "--fix", "graphs/old.yaml").stderr


def test_hooks_pass_over_what_is_no_graph(graphs: Path) -> None:
    (graphs / "template.yaml").write_text("{{ this is no YAML\n", "utf-8")
    named = ["graphs/clean.yaml", "graphs/settings.yaml", "graphs/template.yaml"]
    assert graphwright("check", "--graphs-only", "--", *named).code == 0
    assert graphwright("check", "--", *named).code == 1


def test_a_fault_of_ours_in_one_file_does_not_hide_the_others(graphs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = inspection.inspect

    def inspect(facts: Facts) -> Inspected:
        if "clean" in facts.source.path:
            raise RuntimeError("boom")
        return real(facts)

    monkeypatch.setattr(inspection, "inspect", inspect)
    done = graphwright("check", "graphs")
    assert done.code == 3
    assert "error[GW901]: internal error: RuntimeError: boom (test_check.py:" in done.stderr
    assert "GRAPHWRIGHT_TRACEBACK" in done.stderr
    assert "error[GW202]" in done.stderr
    assert "Traceback" not in done.stderr
    monkeypatch.setenv("GRAPHWRIGHT_TRACEBACK", "1")
    assert "Traceback" in graphwright("check", "graphs").stderr


def test_the_cache_can_be_left_out(graphs: Path, here: Path) -> None:
    graphwright("check", "--no-cache", "graphs")
    assert not (here / ".cache").exists()
    before = graphwright("check", "--notes", "graphs")
    assert (here / ".cache").exists()
    assert graphwright("check", "--notes", "graphs") == before
    assert graphwright("check", "--notes", "--no-cache", "graphs") == before


def test_nobody_is_left_wondering_where_the_graphs_are(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / ".git").mkdir()
    (here / ".ai" / "tools").mkdir(parents=True)
    (here / "src").mkdir()
    monkeypatch.chdir(here / "src")
    found = graphwright("check")
    assert (found.code, found.stderr) == (0, "no graphs found\nthe source roots of this project: ../.ai/tools\n")
    assert graphwright("check", "-q").stderr == ""
    monkeypatch.chdir(here)
    assert graphwright("check").stderr == "no graphs found\n"


def test_a_configured_root_that_is_not_there_is_said(here: Path) -> None:
    (here / "graphwright.toml").write_text('roots = ["graphz"]\n', "utf-8")
    for command in ("check", "build"):
        done = graphwright(command)
        assert (done.code, done.stderr.strip().splitlines()[-1][-18:]) == (2, "toml exist: graphz")
