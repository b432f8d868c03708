"""Messages of the command line for newcomers: small mistakes, each with one line that says what to type."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cli.samples import CLEAN
from commands import graphwright
from graphwright.cli import COMMANDS, VARIABLES
from graphwright_runtime.variables import KNOWN

NEEDS = """\
tool_type: graph
permissions: []
config_schema: {type: object, properties: {team: {type: string}, n: {type: integer}}, required: [team, n]}
config: {start: a, nodes: {a: {type: return, output: "${inputs.team} ${inputs.n}"}}}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "needs.yaml").write_text(NEEDS, "utf-8")
    (tmp_path / "clean.yaml").write_text(CLEAN, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_missing_input_says_what_to_type() -> None:
    done = graphwright("run", "needs.yaml")
    assert done.code == 1
    assert json.loads(done.stdout)["error"] == "missing required input: 'team'; missing required input: 'n'"
    assert "pass -i team=… -i n=…, or a file with `--inputs`\n" in done.stderr
    assert "pass -i" not in graphwright("run", "needs.yaml", "-i", "team=a", "-i", "n=1").stderr


def test_an_input_that_is_given_twice() -> None:
    done = graphwright("run", "needs.yaml", "-i", "team=a", "-i", "n=1", "-i", "team=b")
    assert (done.code, done.stdout) == (2, "")
    assert "`-i team=b`: the input `team` is given twice, before as `-i team=a`" in done.stderr


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in ("runs", "keys")])
def test_an_unknown_option_is_named_whatever_else_is_missing(command: str) -> None:
    done = graphwright(command, "--colro", "never")
    assert done.code == 2
    assert "there is no option `--colro`; did you mean `--color`?" in done.stderr


def test_an_unknown_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHWRIGHT_VERFIY", "require:generated")
    done = graphwright("check", "clean.yaml")
    says = "the variable GRAPHWRIGHT_VERFIY is unknown and has no effect; did you mean GRAPHWRIGHT_VERIFY?"
    assert (done.code, says in done.stderr) == (0, True)
    monkeypatch.delenv("GRAPHWRIGHT_VERFIY")
    assert "has no effect" not in graphwright("check", "clean.yaml").stderr


def test_an_unknown_variable_is_named_once_in_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHWRIGHT_VERFIY", "require:generated")
    monkeypatch.setenv("GRAPHWRIGHT_TRACEBACK", "")
    says = "the variable GRAPHWRIGHT_VERFIY is unknown and has no effect; did you mean GRAPHWRIGHT_VERIFY?"
    graph = "tool_type: graph\npermissions: []\nconfig: {start: a, nodes: {a: {type: return}}}\n"
    (tmp_path / "g.yaml").write_text(graph, "utf-8")
    built = subprocess.run([sys.executable, "-m", "graphwright", "build", "g.yaml", "-o", "made"], cwd=tmp_path)
    assert built.returncode == 0
    twice = "from made.g import run_sync\nrun_sync({})\nrun_sync({})\n"
    for words in (["-m", "graphwright", "run", "g.yaml"], ["-c", twice]):
        done = subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stderr.count(says) == done.stderr.count("has no effect") == 1


def test_the_command_line_and_the_runtime_know_the_same_variables() -> None:
    assert set(VARIABLES) == KNOWN


def test_explain_answers_in_the_words_that_it_was_asked() -> None:
    done = graphwright("explain", "nonsense")
    assert done.code == 2
    assert "no code is called `nonsense`, and no title contains it; see `graphwright rules`" in done.stderr
    assert "`GW9999` is not a code" in graphwright("explain", "gw9999").stderr


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (("--ignore", "GW201"), "`--ignore`: `GW201` cannot be disabled or lowered"),
        (("--ignore", "nonsense"), "`--ignore`: `nonsense` is not a code"),
        (("--select", "gw99"), "`--select`: `GW99` is not a code"),
    ],
)
def test_codes_that_cannot_be_chosen(option: tuple[str, str], says: str) -> None:
    done = graphwright("check", "clean.yaml", *option)
    assert (done.code, says in done.stderr) == (2, True), done.stderr


def test_a_family_and_a_warning_can_be_ignored() -> None:
    assert graphwright("check", "clean.yaml", "--ignore", "GW2", "--ignore", "GW602").code == 0


def test_doctor_prints_no_empty_lines() -> None:
    for path in (".", "clean.yaml"):
        assert "" not in graphwright("doctor", path).stdout.splitlines()


def test_nothing_to_fix_is_said() -> None:
    text = CLEAN.replace("start: list", "start: lost")
    Path("broken.yaml").write_text(text, "utf-8")
    assert "there is nothing that can be fixed automatically\n" in graphwright("check", "--fix", "broken.yaml").stderr
    assert "no problems found" in graphwright("check", "--fix", "clean.yaml").stderr


def test_a_key_whose_last_day_is_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / ".config"))
    (tmp_path / "home").mkdir()
    key_id = graphwright("keys", "new", "-q").stdout.strip()
    yesterday = datetime.now(UTC).date() - timedelta(days=1)
    done = graphwright("keys", "trust", key_id, "--until", yesterday)
    assert f"  {yesterday} is over: nothing that this key signs is trusted\n" in done.stderr
    done = graphwright("keys", "trust", key_id, "--until", yesterday + timedelta(days=30))
    assert "is over" not in done.stderr
