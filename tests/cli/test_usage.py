"""Messages of the command line about mistyped or unknown words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import graphwright
from graphwright.rules.catalogue import catalogue


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chek",), "there is no command `chek`; did you mean `check`?"),
        (("trace", "r"), "there is no command `trace`; did you mean `runs trace`?"),
        (("check", "--fixx"), "there is no option `--fixx`; did you mean `--fix`?"),
        (("check", "--verbose"), "there is no option `--verbose`\n"),
        (("check", "--format", "jsn"), "`jsn` is not a valid value for `--format`; did you mean `json`?"),
        (("check", "--format", "xml"), "choose one of `text`, `concise`, `json`, `sarif`, `github`, `gitlab`"),
        (("check", "--env-file"), "`--env-file` needs a value"),
        (("rules", "all"), "unexpected argument `all`"),
        (("explain",), "CODE is missing"),
        (("run",), "GRAPH is missing"),
        (("resume",), "RUN is missing"),
        (("resume", "r", "-i", "n=1"), "there is no option `-i`"),
        (("resume", "r", "--mock", "m.json"), "there is no option `--mock`"),
        (("explain", "GW3O2"), "`GW3O2` is not a code; did you mean `GW302`?"),
        (("explain", "GW230"), "`GW230` is not a code; did you mean `GW203`?"),
        (("explain", "GW950"), "`GW950` is not a code; see `graphwright rules`"),
        (("explain", "nonsense"), "no code is called `nonsense`"),
        (("check", "--select", "999"), "`GW999` is not a code"),
        (("check", "--max-findings", "x"), "`--max-findings`: `x` is not a number from 0 on\n"),
        (("check", "--max-findings", "-1"), "`--max-findings`: `-1` is not a number from 0 on\n"),
        (("check", "--max-findings", "9" * 5000), "is not a number from 0 on\n"),
        (("run", "-Z"), "there is no option `-Z`\n"),
        (("run", "-Zx", "-i", "a=1"), "there is no option `-Z"),
        (("step", "-x"), "there is no option `-x`\n"),
        (("runs", "same-input", "-Z"), "there is no option `-Z`\n"),
        (("runs", "list", "-n", "x"), "`--limit`: `x` is not a number from 1 on\n"),
        (("keys", "-Z"), "the action is missing before `-Z`: graphwright keys ACTION"),
        (("step",), "GRAPH and NODE are missing\n"),
        (("--verson",), "there is no option `--verson`; did you mean `--version`?\n"),
        (("--hlep",), "there is no option `--hlep`; did you mean `--help`?\n"),
        (("-q", "check"), "there is no option `-q`\nsee `graphwright --help`; options of a command follow it\n"),
        (("run", "g", "--run-id", "-x"), "`--run-id` needs a value"),
    ],
)
def test_wrong_usage_says_what_was_meant(arguments: tuple[str, ...], said: str) -> None:
    done = graphwright(*arguments)
    assert done.code == 2
    assert said in done.stderr


@pytest.mark.parametrize("written", ["GW302", "gw302", "302"])
def test_a_code_may_be_written_in_short(written: str) -> None:
    assert graphwright("explain", written).stdout.startswith("GW302 (warning): state key that may be unassigned")


def test_a_family_and_a_word_are_tables() -> None:
    assert graphwright("explain", "GW3").stdout.splitlines()[0].startswith("GW301  error")
    found = graphwright("explain", "unreachable").stdout
    assert [line[:5] for line in found.splitlines()] == ["GW204", "GW505"]


@pytest.mark.parametrize("code", catalogue())
def test_every_page_says_what_why_and_how(code: str) -> None:
    text = graphwright("explain", code).stdout
    assert text.startswith(f"{code} (")
    assert "\nFails:" in text
    assert "\nPasses:" in text


def test_the_descriptions_of_code_scanning_are_whole_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log = json.loads(graphwright("check", "--format", "sarif", ".").stdout)
    for rule in log["runs"][0]["tool"]["driver"]["rules"]:
        assert rule["fullDescription"]["text"].endswith((".", ".)")), rule["id"]


def test_a_path_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("graphs").mkdir()
    Path("graphs/report.yaml").write_text("tool_type: grpah\n", "utf-8")
    assert "did you mean `graphs/report.yaml`?" in graphwright("check", "graphs/reprot.yaml").stderr
    assert "did you mean `graphs`?" in graphwright("check", "grahps").stderr
    assert "`tool_type` is `grpah`" in graphwright("check", "graphs/report.yaml").stderr
